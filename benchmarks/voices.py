"""Print the mean scores of sentences and their passives, and of sentences with converse verbs, which mean the same.

The pairs are those of `tests/challenge/voices.tsv`; a person would give each of them at least 4.3 of 5.
"""

import csv
from pathlib import Path

import numpy as np
from challenge import cosine_scores, model_parser

from samewise import load

SUITE = Path(__file__).resolve().parents[1] / "tests" / "challenge" / "voices.tsv"


def read_rows(path: Path = SUITE) -> list[dict[str, str]]:
    """Return the rows of the suite: kind, a, b."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def means(rows: list[dict[str, str]], scores: np.ndarray) -> dict[str, float]:
    """Return the mean score of each kind, for the scores of all rows, shape (n,)."""
    kinds = np.asarray([row["kind"] for row in rows])
    return {kind: float(np.asarray(scores)[kinds == kind].mean()) for kind in dict.fromkeys(kinds.tolist())}


def main() -> None:
    """Score the pairs with every model named and with the encoder's cosine."""
    parser = model_parser(__doc__)
    options = parser.parse_args()
    rows = read_rows()
    pairs = [(row["a"], row["b"]) for row in rows]
    models = {name: load(name) for name in dict.fromkeys(options.models or [])} or {"default": load()}
    found = {name: means(rows, np.asarray(model.predict(pairs))) for name, model in models.items()}
    found["cosine x 5"] = means(rows, cosine_scores(pairs))
    for name, one in found.items():
        print("  ".join(f"{kind} {mean:.2f}" for kind, mean in one.items()) + f"  {name}")


if __name__ == "__main__":
    main()
