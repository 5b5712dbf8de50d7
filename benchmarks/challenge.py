"""Print how models err on the challenge suite, class by class; several models stand side by side.

The error of a pair is its predicted score less its gold score, both 0..5. The suite is `tests/challenge/pairs.tsv`.
"""

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from samewise.ensemble.metrics import pearson
from samewise.ensemble.predictor import PROFILES
from samewise.ensemble.tables.labelled import read_pairs

from samewise import load

SUITE = Path(__file__).resolve().parents[1] / "tests" / "challenge" / "pairs.tsv"


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
    """Tell which scores of shape (n,) lie above the middle of their range: it parts a class from its controls."""
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
    """Return one line a class with six columns a model; the keys are the models' names."""
    title, head = f"{'':12} {'':4} {'':5}", f"{'class':12} {'n':>4} {'gold':>5}"
    for model in tables:
        title += f" | {model[-48:]:48}"
        head += f" | {'predicted':>9} {'error':>6} {'low':>6} {'high':>6} {'|error|':>7} {'Pearson':>8} "
    lines = [title.rstrip(), head.rstrip()]
    for name, first in next(iter(tables.values())).items():
        line = f"{name:12} {first.n:4} {first.gold:5.2f}"
        for table in tables.values():
            one = table[name]
            line += f" | {one.predicted:9.2f} {one.signed_error:+6.2f} {one.low:+6.2f} {one.high:+6.2f}"
            line += f" {one.absolute_error:7.2f} {one.pearson:8.3f} "
        lines.append(line.rstrip())
    return "\n".join(lines)


def expected(suite: Suite, signature: str, table: dict[str, Summary]) -> dict[str, Any]:
    """Return the figures that `tests/challenge/expected.json` keeps of one model."""
    return {
        "signature": signature,
        "suite": suite.digest,
        "mean_absolute_error": round(table["overall"].absolute_error, 3),
        "mean_signed_error": {name: round(table[name].signed_error, 3) for name in suite.names()},
        "margin": {"mean_absolute_error": 0.02, "mean_signed_error": 0.05},
    }


def main() -> None:
    """Score the suite with every model named."""
    parser = argparse.ArgumentParser(description=__doc__)
    named = {"dest": "models", "nargs": "+", "action": "extend"}
    parser.add_argument("--model", metavar="DIR", help="folders of trained models", **named)
    parser.add_argument(
        "--profile", choices=PROFILES, help="models that ship; without a model, the default one", **named
    )
    parser.add_argument("--json", action="store_true", help="print tests/challenge/expected.json for the one model")
    options = parser.parse_args()
    names = list(dict.fromkeys(options.models or []))
    if options.json and len(names) > 1:
        parser.error(f"--json describes one model and {len(names)} are named; name one")
    suite = read_suite()
    models = {name: load(name) for name in names} or {"default": load()}
    tables = {name: by_class(suite, model.predict(suite.pairs)) for name, model in models.items()}
    if options.json:
        [(name, model)] = models.items()
        print(json.dumps(expected(suite, model.signature, tables[name]), indent=2))
        return
    for name, model in models.items():
        print(f"{name}: {model.signature}")
    print(f"\n{render(tables)}")


if __name__ == "__main__":
    main()
