"""Judge scores of other languages on held contrast squares, within a language and beside English.

The measures are those of ``overlap_auc.py``, and the mean scores of pairs of one meaning and of two. Beside English,
``text_en`` and ``changed_en`` stand in place of ``text`` and ``changed``, one in each pair. Beside the models stand the
cosine of the encoder of all languages, and RapidFuzz.

    python benchmarks/squares_languages.py data/contrasts/languages/*.tsv --model full multilingual
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import overlap_auc
from overlap_auc import matched_auc, word_overlap
from rapidfuzz import fuzz
from samewise.ensemble.contrasts.squares import ONE, OTHER, SIDES, read_squares
from samewise.features.encoders.multilingual import multilingual_encoder

import samewise

Pair = tuple[str, str]
System = Callable[[Sequence[Pair], Sequence[Pair]], np.ndarray]
"""Scores, shape (n,), of n pairs whose languages are known."""

BESIDE_ENGLISH = [(english, other) for english in ("text_en", "changed_en") for other in ONE + OTHER]
"""The pairs of a square and the English of two of its texts."""

ORDERS = {
    "within": overlap_auc.ORDERS,
    "beside English": {
        "near copies": (("text_en", "same"), ("text_en", "changed")),
        "kept": (("text_en", "text"), ("text_en", "changed")),
        "cross": (("text_en", "same"), ("changed_en", "same")),
    },
}
"""Pairs of which the first is to score higher."""


class Drawn(NamedTuple):
    """Pairs of squares of one language.

    Attributes
    ----------
    texts, languages
        The n texts of each pair, and their codes.
    square, columns, same
        For each pair the number of its square, its columns, and whether its texts have one meaning.
    """

    texts: list[Pair]
    languages: list[Pair]
    square: np.ndarray
    columns: list[Pair]
    same: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[dict[str, str]], language: str, columns: Sequence[Pair]) -> "Drawn":
        """Return the pairs of these columns whose texts are there: short squares have no ``kept``."""
        found = [(n, sides) for n, row in enumerate(rows) for sides in columns if all(row[side] for side in sides)]
        texts = [(rows[n][a], rows[n][b]) for n, (a, b) in found]
        codes = [("en" if a.endswith("_en") else language, language) for _, (a, _) in found]
        same = np.array([(a.removesuffix("_en") in ONE) == (b in ONE) for _, (a, b) in found])
        return cls(texts, codes, np.array([n for n, _ in found]), [sides for _, sides in found], same)

    def orders(self, scores: np.ndarray, orders: Mapping[str, tuple[Pair, Pair]]) -> dict[str, float]:
        """Return the share of squares in each order."""
        found = dict(zip(zip(self.square.tolist(), self.columns, strict=True), scores.tolist(), strict=True))
        shares = {}
        for name, (above, below) in orders.items():
            squares = [n for n in np.unique(self.square).tolist() if {(n, above), (n, below)} <= found.keys()]
            in_order = [found[n, above] > found[n, below] for n in squares]
            shares[name] = float(np.mean(in_order)) if in_order else float("nan")
        return shares


def cosine(pairs: Sequence[Pair], languages: Sequence[Pair]) -> np.ndarray:
    """Return the cosine of the encoder of all languages."""
    encoder = multilingual_encoder()
    a, b = (encoder.vectors([pair[side] for pair in pairs]).astype(np.float64) for side in (0, 1))
    return (a * b).sum(axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))


def ratio(pairs: Sequence[Pair], languages: Sequence[Pair]) -> np.ndarray:
    """Return RapidFuzz's ratio."""
    return np.array([fuzz.ratio(a, b) for a, b in pairs])


def scores_by(name: str, translate: str) -> System:
    """Return the scores of a model of several languages."""

    def scores(pairs: Sequence[Pair], languages: Sequence[Pair]) -> np.ndarray:
        several = {} if name == "multilingual" else {"languages": "auto", "translate": translate}
        found: np.ndarray = samewise.load(name, **several).predict_pairs(pairs, languages).score
        return found

    return scores


def main() -> None:
    """Print a line for each system and language, and their means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("squares", type=Path, nargs="+", metavar="xx.tsv", help="named after the code of its language")
    parser.add_argument("--model", nargs="+", default=["full"], help="models to judge")
    parser.add_argument("--translate", default="dictionary", help="translator (default: %(default)s)")
    parser.add_argument("--kind", help="squares of one kind of change alone, such as translation_error")
    parser.add_argument("--short", action="store_true", help="texts of one to five words alone")
    options = parser.parse_args()
    systems: dict[str, System] = {name: scores_by(name, options.translate) for name in options.model}
    systems |= {"cosine": cosine, "RapidFuzz": ratio}
    squares = {path.stem: read_squares(path, held=True) for path in options.squares}
    for where, columns in (("within", SIDES), ("beside English", BESIDE_ENGLISH)):
        heads = [*ORDERS[where], "one meaning", "two"]
        print(f"{where:14} {'system':12} language    n    AUC  " + "  ".join(f"{name:>11}" for name in heads))
        for name, system in systems.items():
            lines: list[tuple[float, ...]] = []
            for language, rows in squares.items():
                chosen = [row for row in rows if options.kind in (None, row["kind"])]
                chosen = [row for row in chosen if not (options.short and row["kept"])]
                drawn = Drawn.of(chosen, language, columns)
                scores = np.asarray(system(drawn.texts, drawn.languages), float)
                auc = matched_auc(scores, drawn.same, word_overlap(drawn.texts))
                means = scores[drawn.same].mean(), scores[~drawn.same].mean()
                lines.append((len(chosen), auc, *drawn.orders(scores, ORDERS[where]).values(), *means))
                _print(where, name, language, lines[-1])
            _print(where, name, "mean", np.mean(lines, axis=0).tolist())


def _print(where: str, name: str, language: str, line: Sequence[float]) -> None:
    count, auc, *others = line
    shares = "  ".join(f"{other:11.3f}" for other in others)
    print(f"{where:14} {name:12} {language:8} {count:4.0f}  {auc:.3f}  {shares}", flush=True)


if __name__ == "__main__":
    main()
