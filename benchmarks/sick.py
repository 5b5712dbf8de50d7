"""Print how models do on text that they were not made for: 5,000 pairs of SICK, and pairs where words mislead.

No model was fitted on SICK (Marelli et al., 2014), whose terms forbid it; train and trial together are the test. Of the
other pairs, each group has one text, and texts in the order in which a person would call them like it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from challenge import cosine_scores, model_parser
from samewise.ensemble.evaluation.metrics import pearson, pearson_interval
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs

from samewise import load

JUDGED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("How do I reset my password?", ("I forgot my login credentials, what should I do?", "How do I reset my router?")),
    (
        "Please cancel my subscription.",
        ("I want to stop my plan.", "Please renew my subscription."),
    ),
    (
        "Items may be returned within 30 days",
        (
            "You have 30 days to send a purchase back",
            "Goods can be brought back for up to thirty days",
            "You cannot return items within 30 days",
        ),
    ),
    ("A dog chases a cat", ("A cat is chased by a dog", "A cat chases a dog")),
)
"""Groups of a text and others, nearest in meaning first."""


def read_sick(folder: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return the pairs of SICK's train and trial files and their scores, shape (n,), 0..5."""
    pairs: list[tuple[str, str]] = []
    gold = []
    for name in ("SICK_train.txt", "SICK_trial.txt"):
        read, scores, _ = read_pairs(folder / name)
        pairs += read
        gold.append(need_scores(scores, name))
    return pairs, np.concatenate(gold)


def render(names: Sequence[str], scores: Sequence[np.ndarray]) -> str:
    """Return the scores of `JUDGED`, one row a pair and one column a system.

    Parameters
    ----------
    names
        Of the systems.
    scores
        For each system those of all pairs, shape (n,), in order.
    """
    width = max(8, *map(len, names))
    lines = ["".join(f"{name:>{width}}  " for name in names)]
    row = 0
    for text, others in JUDGED:
        lines.append(text)
        for other in others:
            lines.append("".join(f"{one[row]:{width}.2f}  " for one in scores) + other)
            row += 1
    return "\n".join(lines)


def main() -> None:
    """Score SICK and the judged pairs with every model named, and with the encoder's cosine."""
    parser = model_parser(__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    options = parser.parse_args()
    pairs, gold = read_sick(options.data / "sick")
    judged = [(text, other) for text, others in JUDGED for other in others]
    every = pairs + judged
    models = {name: load(name) for name in dict.fromkeys(options.models or [])} or {"default": load()}
    found = {name: np.asarray(model.predict(every)) for name, model in models.items()}
    found["cosine x 5"] = cosine_scores(every)
    for name, model in models.items():
        print(f"{name}: {model.signature}")
    print(f"\nSICK train and trial, {len(pairs):,} pairs, Pearson with 95 % interval")
    for name, scores in found.items():
        low, high = pearson_interval(gold, scores[: len(pairs)])
        print(f"{pearson(gold, scores[: len(pairs)]):.4f} ({low:.4f}-{high:.4f})  {name}")
    print()
    print(render(list(found), [scores[len(pairs) :] for scores in found.values()]))


if __name__ == "__main__":
    main()
