"""Print how models err on the challenge suite, class by class; several models stand side by side.

The error of a pair is its predicted score less its gold score, both 0..5. The suite is `tests/challenge/pairs.tsv`.
The sentence encoder's cosine alone may stand beside the models, to show what they add to it.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.models.profiles import BENCHMARK_TWINS, BEST, PROFILES

from samewise import load

SUITE = Path(__file__).resolve().parents[1] / "tests" / "challenge" / "pairs.tsv"

FIGURES = {
    "predicted": ("mean predicted score", ".2f"),
    "signed_error": ("mean signed error", "+.2f"),
    "low": ("mean signed error where gold is in the lower half of the class's range", "+.2f"),
    "high": ("mean signed error where gold is in the upper half of the class's range", "+.2f"),
    "absolute_error": ("mean absolute error", ".2f"),
    "pearson": ("Pearson correlation", ".3f"),
}
"""For each figure of a `Summary` what it is and how it is printed."""


class Suite(NamedTuple):
    """The pairs of the suite.

    Attributes
    ----------
    pairs
        n pairs of texts.
    gold
        Shape (n,), 0..5.
    classes
        The error class of each pair.
    digest
        Start of the SHA-256 of all rows.
    """

    pairs: list[tuple[str, str]]
    gold: np.ndarray
    classes: list[str]
    digest: str

    def names(self) -> list[str]:
        """Return the distinct classes in the order of the file."""
        return list(dict.fromkeys(self.classes))

    def rows(self, name: str) -> np.ndarray:
        """Return the row numbers of one class."""
        return np.flatnonzero(np.asarray(self.classes) == name)


class Summary(NamedTuple):
    """Agreement of n scores with gold.

    Attributes
    ----------
    n
        Number of pairs.
    gold, predicted, signed_error, absolute_error
        Means on the 0..5 scale.
    low, high
        Mean signed error of the pairs with gold in the lower and in the upper half of its range.
    pearson
        Correlation, -1..1.
    """

    n: int
    gold: float
    predicted: float
    signed_error: float
    low: float
    high: float
    absolute_error: float
    pearson: float


def read_suite(path: Path = SUITE) -> Suite:
    """Read the pairs, their gold scores and their classes."""
    pairs, gold, table = read_pairs(path)
    assert gold is not None, "the suite has scores"
    rows = zip(table.column("class").to_pylist(), gold.tolist(), pairs, strict=True)
    digest = hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()[:12]
    return Suite(pairs, gold, table.column("class").to_pylist(), digest)


def upper_half(gold: np.ndarray) -> np.ndarray:
    """Return which scores, shape (n,), lie above the middle of their range.

    Pairs of an error class lie on one side of it, their controls on the other.
    """
    return gold > (gold.min() + gold.max()) / 2


def summarise(gold: np.ndarray, predicted: np.ndarray) -> Summary:
    """Compare scores with gold, both of shape (n,)."""
    error, upper = predicted - gold, upper_half(gold)
    parts = (gold, predicted, error, error[~upper], error[upper], np.abs(error))
    return Summary(len(gold), *(float(part.mean()) for part in parts), pearson(gold, predicted))


def by_class(suite: Suite, predicted: np.ndarray) -> dict[str, Summary]:
    """Return the summary of each class and, last, of all pairs under ``overall``."""
    parts = {name: suite.rows(name) for name in suite.names()}
    parts["overall"] = np.arange(len(suite.gold))
    return {name: summarise(suite.gold[rows], predicted[rows]) for name, rows in parts.items()}


def render(tables: dict[str, dict[str, Summary]]) -> str:
    """Return all figures of one model, one line a class, or of several a table for each figure; keys are names."""
    first = next(iter(tables.values()))
    if len(tables) == 1:
        heads = [figure.replace("_", " ") for figure in FIGURES]
        return _lines(first, heads, [_cells(first, figure) for figure in FIGURES])
    names = [Path(name).name[-20:] for name in tables]
    blocks = []
    for figure, (title, _) in FIGURES.items():
        lines = _lines(first, names, [_cells(table, figure) for table in tables.values()])
        blocks.append(f"{title[0].upper()}{title[1:]}:\n{lines}")
    return "\n\n".join(blocks)


def _cells(table: dict[str, Summary], figure: str) -> list[str]:
    return [format(getattr(one, figure), FIGURES[figure][1]) for one in table.values()]


def _lines(table: dict[str, Summary], heads: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    widths = [max(len(head), 6) for head in heads]
    lines = [f"{'class':12} {'n':>4} {'gold':>5}"]
    lines += [f"{name:12} {one.n:4} {one.gold:5.2f}" for name, one in table.items()]
    for head, column, width in zip(heads, columns, widths, strict=True):
        lines = [f"{line} | {cell:>{width}}" for line, cell in zip(lines, [head, *column], strict=True)]
    return "\n".join(lines)


def cosine(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return five times the cosine of the sentence encoder's vectors of n pairs, shape (n,), -5..5."""
    from samewise.features.encoders.sentence_encoder import shipped_encoder

    texts = {text: row for row, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
    vectors = np.asarray(shipped_encoder().encode(list(texts)).vectors, dtype=np.float64)
    left, right = (vectors[[texts[pair[side]] for pair in pairs]] for side in (0, 1))
    return 5 * (left * right).sum(axis=1)


def cosine_scores(pairs: Sequence[tuple[str, str]], data: Path | None = None) -> np.ndarray:
    """Return the encoder's cosines as scores 0..5, shape (n,).

    Parameters
    ----------
    pairs
        n pairs of texts.
    data
        A folder with ``sts-train.csv``: the straight line that fits its scores best is applied. None applies none.
    """
    slope, shift = 1.0, 0.0
    if data is not None:
        train, gold, _ = read_pairs(data / "sts-train.csv")
        slope, shift = np.polyfit(cosine(train), need_scores(gold, "sts-train.csv"), 1)
    return np.clip(slope * cosine(pairs) + shift, 0.0, 5.0)


def expected(suite: Suite, signature: str, table: dict[str, Summary]) -> dict[str, Any]:
    """Return the figures that `tests/challenge/expected.json` keeps of one model."""
    return {
        "signature": signature,
        "suite": suite.digest,
        "mean_absolute_error": round(table["overall"].absolute_error, 3),
        "mean_signed_error": {name: round(table[name].signed_error, 3) for name in suite.names()},
        "margin": {"mean_absolute_error": 0.02, "mean_signed_error": 0.05},
    }


def model_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of the options that name models, `models` in what it parses."""
    parser = argparse.ArgumentParser(description=description)
    named: dict[str, Any] = {"dest": "models", "nargs": "+", "action": "extend"}
    parser.add_argument("--model", metavar="DIR", help="folders of trained models", **named)
    parser.add_argument(
        "--profile",
        choices=(*PROFILES, BEST, *BENCHMARK_TWINS),
        help="models that ship; without a model, the default one",
        **named,
    )
    return parser


def main() -> None:
    """Score the suite with every model named."""
    parser = model_parser(__doc__)
    parser.add_argument(
        "--cosine",
        metavar="DATA",
        nargs="?",
        const="",
        help="also the sentence encoder's cosine alone, times 5; with DATA, a folder that holds sts-train.csv, on the "
        "straight line that fits its scores best",
    )
    parser.add_argument("--json", action="store_true", help="print tests/challenge/expected.json for the one model")
    options = parser.parse_args()
    names = list(dict.fromkeys(options.models or []))
    systems = len(names or ["default"]) + (options.cosine is not None)
    if options.json and systems > 1:
        parser.error(f"--json describes one model and {systems} systems are named; name one")
    suite = read_suite()
    models = {name: load(name) for name in names} or {"default": load()}
    tables = {name: by_class(suite, model.predict(suite.pairs)) for name, model in models.items()}
    if options.json:
        [(name, model)] = models.items()
        print(json.dumps(expected(suite, model.signature, tables[name]), indent=2))
        return
    if options.cosine is not None:
        data = Path(options.cosine) if options.cosine else None
        tables["cosine"] = by_class(suite, cosine_scores(suite.pairs, data))
    for name, model in models.items():
        print(f"{name}: {model.signature}")
    print(f"\n{render(tables)}")


if __name__ == "__main__":
    main()
