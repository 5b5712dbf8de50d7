"""Print how often models score a paraphrase above a near copy of another meaning, beside the sentence encoder's cosine.

The suite is `tests/challenge/couples.tsv`. A row is in the right order if score(base, kept) > score(base, changed).
Half `choose` may guide a choice between models; half `held` is scored once for each model that is released.

With ``--squares`` or ``--pairs`` models are judged at equal word overlap instead (`overlap_auc`): on contrast squares,
by default the tenth that is held, or on any table of labelled pairs.

    python benchmarks/discrimination.py --profile fast full --by kind --squares data/contrasts/squares-*.tsv
    python benchmarks/discrimination.py --profile fast full --pairs labelled.csv --same-from 4
"""

import csv
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from challenge import cosine_scores, model_parser
from overlap_auc import judge
from scipy.stats import binomtest

from samewise import load

SUITE = Path(__file__).resolve().parents[1] / "tests" / "challenge" / "couples.tsv"
COLUMNS = ("class", "text", "half", "base", "kept", "changed")
HALVES = ("choose", "held")

FIGURES: dict[str, tuple[str, Callable[["Summary"], str]]] = {
    "right": (
        "share of rows in the right order, with its 95 % interval",
        lambda one: f"{one.right:.2f} ({one.low:.2f}-{one.high:.2f})",
    ),
    "kept": ("mean score of base and kept", lambda one: f"{one.kept:.2f}"),
    "changed": ("mean score of base and changed", lambda one: f"{one.changed:.2f}"),
}
"""For each figure its title and the text of a cell."""


class Summary(NamedTuple):
    """Order of the scores of n rows.

    Attributes
    ----------
    n
        Number of rows.
    right
        Share of rows with score(base, kept) > score(base, changed), 0..1; a tie is wrong.
    low, high
        Ends of the 95 % score interval of that share (Wilson, 1927), 0..1.
    kept, changed
        Mean scores of base with each twin, 0..5.
    """

    n: int
    right: float
    low: float
    high: float
    kept: float
    changed: float


def read_rows(path: Path = SUITE, half: str | None = None) -> list[dict[str, str]]:
    """Return the rows of the suite, or of one half, each with the values of `COLUMNS`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if half in (None, row["half"])]


def digest(rows: Sequence[dict[str, str]]) -> str:
    """Return the start of the SHA-256 of all rows."""
    values = [[row[column] for column in COLUMNS] for row in rows]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:12]


def summarise(kept: np.ndarray, changed: np.ndarray) -> Summary:
    """Compare the scores of base with each twin, both of shape (n,)."""
    right, n = int((kept > changed).sum()), len(kept)
    low, high = binomtest(right, n).proportion_ci(method="wilson")
    return Summary(n, right / n, float(low), float(high), float(kept.mean()), float(changed.mean()))


def by_group(rows: Sequence[dict[str, str]], scores: np.ndarray, column: str) -> dict[str, Summary]:
    """Return the summary of each value of a column and, last, of all rows under ``overall``.

    Parameters
    ----------
    rows
        n rows.
    scores
        Shape (2 n,), 0..5: base with kept of every row, then base with changed.
    column
        ``class`` or ``text``.
    """
    values = np.asarray([row[column] for row in rows])
    kept, changed = np.asarray(scores).reshape(2, len(rows))
    parts = {name: values == name for name in dict.fromkeys(values.tolist())}
    parts["overall"] = np.ones(len(rows), dtype=bool)
    return {name: summarise(kept[part], changed[part]) for name, part in parts.items()}


def couples(rows: Sequence[dict[str, str]]) -> list[tuple[str, str]]:
    """Return base with kept of every row, then base with changed."""
    return [(row["base"], row[twin]) for twin in ("kept", "changed") for row in rows]


def render(tables: dict[str, dict[str, Summary]]) -> str:
    """Return a table for each figure, one line a group and one column a system; keys are names."""
    groups = next(iter(tables.values()))
    blocks = []
    for title, cell in FIGURES.values():
        lines = [f"{'':12} {'n':>4}", *(f"{name:12} {one.n:4}" for name, one in groups.items())]
        for name, table in tables.items():
            column = [Path(name).name[-20:], *(cell(one) for one in table.values())]
            width = max(map(len, column))
            lines = [f"{line} | {text:>{width}}" for line, text in zip(lines, column, strict=True)]
        blocks.append("\n".join([f"{title[0].upper()}{title[1:]}:", *lines]))
    return "\n\n".join(blocks)


def main() -> None:
    """Score one half of the suite, or another table, with every model named and with the encoder's cosine."""
    parser = model_parser(__doc__)
    parser.add_argument("--half", choices=HALVES, default="choose", help="rows to score (default: %(default)s)")
    parser.add_argument("--by", choices=("class", "text", "kind", "domain"), help="column of the groups, default class")
    parser.add_argument("--json", action="store_true", help="print all figures of the suite as JSON")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--squares", type=Path, nargs="+", metavar="FILE", help="contrast squares to judge instead")
    other.add_argument("--pairs", type=Path, metavar="FILE", help="labelled pairs to judge instead")
    parser.add_argument("--whole", action="store_true", help="judge all squares, not those held alone")
    parser.add_argument("--same-from", type=float, default=4.0, help="label from which pairs mean the same; default 4")
    options = parser.parse_args()
    models = {name: load(name) for name in dict.fromkeys(options.models or [])} or {"default": load()}
    if options.squares is not None or options.pairs is not None:
        judge({**{name: model.predict for name, model in models.items()}, "cosine x 5": cosine_scores}, options)
        return
    by = options.by or "class"
    if by not in COLUMNS:
        parser.error(f"--by {by} groups squares; give class or text")
    rows = read_rows(half=options.half)
    pairs = couples(rows)
    tables = {name: by_group(rows, model.predict(pairs), by) for name, model in models.items()}
    tables["cosine x 5"] = by_group(rows, cosine_scores(pairs), by)
    signatures = {name: model.signature for name, model in models.items()}
    if options.json:
        found: dict[str, Any] = {"suite": digest(rows), "half": options.half, "signatures": signatures}
        found["systems"] = {
            name: {group: one._asdict() for group, one in table.items()} for name, table in tables.items()
        }
        print(json.dumps(found, indent=2))
        return
    for name, signature in signatures.items():
        print(f"{name}: {signature}")
    print(f"\n{render(tables)}")


if __name__ == "__main__":
    main()
