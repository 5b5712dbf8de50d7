"""Long texts, compared part by part: a model reads the first `MAX_CHARACTERS`, and what differs may stand later.

Each part of one text, a sentence or a line, goes with the part of the other text that the model finds most alike. The
score of the pair is the mean of both sides, in which a part counts by its length: so it does not depend on the order of
the two texts, and a long text that contains a short one is not the same as it. One clause among forty hardly changes
this mean. Therefore no long text is removed by its score; a person sees the parts that the other text lacks.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from ...features.analysis.analysis import MAX_CHARACTERS, cut, normalise
from ..core.scale import Scale
from ..scoring.batches import deciding_kinds
from ..scoring.worker_processes import Workers
from .candidates import Candidates
from .pair_scores import Part, ScoredPairs, differences_between
from .search import exact_neighbours
from .texts import TextCollection, TextRows, TextView, equal_form

TRUNCATED = "truncated"
"""Flag of a pair with a text of which the model read the beginning alone."""

MOST_PARTS = 200
"""Most parts of a text, besides those that the other text has letter by letter, that a model reads for a pair."""

PARTNERS = 3
"""Parts of the other text that a model compares with a part, the closest in a view."""

_END = re.compile(r"(?<=[.!?\u2026\u061f])\s+(?![a-z])|(?<=[\u3002\uff01\uff1f])")


def parts_of(text: str) -> list[str]:
    r"""Return the sentences of the lines of a text, normalised, each of at most `MAX_CHARACTERS`.

    Examples
    --------
    >>> parts_of("Pay now. Or leave!\nNo refunds")
    ['Pay now.', 'Or leave!', 'No refunds']
    """
    sentences = (normalise(part) for line in text.splitlines() for part in _END.split(line))
    return [part for sentence in sentences for part in _pieces(sentence)]


def _pieces(sentence: str) -> Iterator[str]:
    while sentence:
        piece = cut(sentence, MAX_CHARACTERS)
        yield piece
        sentence = sentence[len(piece) :].lstrip()


def compare_parts(
    scores: ScoredPairs,
    rows: TextRows,
    lowest: float,
    scale: Scale,
    view: TextView,
    score: Callable[[Candidates], ScoredPairs],
) -> ScoredPairs:
    """Return scores in which those of long texts are of all their parts.

    Parameters
    ----------
    scores
        Scored pairs of the texts of a table.
    rows
        Its rows.
    lowest
        Score from which a pair of long texts is compared by parts.
    scale
        Scale of the model.
    view
        View by which the parts are chosen that the model compares.
    score
        Returns the scores of pairs of parts.
    """
    candidates = scores.candidates
    long = np.flatnonzero(scores.flagged(TRUNCATED) & (scores.score >= lowest)).tolist()
    if not long:
        return scores
    firsts = dict(zip(*(part.tolist() for part in np.unique(candidates.texts.rows[0], return_index=True)), strict=True))
    ends = [(int(candidates.first[pair]), int(candidates.second[pair])) for pair in long]
    parts = {place: parts_of(rows.texts[firsts[place]]) for place in sorted({end for both in ends for end in both})}
    sides = [_Side(parts[x], parts[y], view) for one, other in ends for x, y in ((one, other), (other, one))]
    asked = sorted({_sorted(*pair) for side in sides for pair in side.asked})
    texts = sorted({text for pair in asked for text in pair})
    places = {text: place for place, text in enumerate(texts)}
    first, second = (np.array([places[pair[side]] for pair in asked], np.int64) for side in (0, 1))
    of_parts = score(Candidates(TextCollection(texts, []), first, second, {}))
    place_of = {pair: place for place, pair in enumerate(asked)}
    numbers = {name: getattr(scores, name).copy() for name in ("score", "low", "high", "deviation")}
    found = {}
    for pair, both in zip(long, zip(sides[::2], sides[1::2], strict=True), strict=True):
        best = [side.best(of_parts.score, place_of) for side in both]
        for name, values in numbers.items():
            equal, least = (0.0, 0.0) if name == "deviation" else (scale.high, scale.low)
            of_pairs = getattr(of_parts, name)
            means = [side.mean(of_pairs, places, equal, least) for side, places in zip(both, best, strict=True)]
            values[pair] = np.mean(means)
        one, other = (side.parts(of_parts.score, places) for side, places in zip(both, best, strict=True))
        found[pair] = one, other
    return scores._replace(**numbers, parts=found)


def _sorted(one: str, other: str) -> tuple[str, str]:
    return min(one, other), max(one, other)


class _Side:
    """Parts of a text, of which `own` are not in another text, and the pairs of parts that a model is asked for."""

    def __init__(self, parts: Sequence[str], others: Sequence[str], view: TextView) -> None:
        forms = {equal_form(part) for part in others}
        self.lengths: Counter[str] = Counter()
        for part in parts:
            self.lengths[part] += len(part)
        self.own = [part for part in self.lengths if equal_form(part) not in forms]
        close = list(dict.fromkeys(others))
        near = exact_neighbours(view.codes(self.own[:MOST_PARTS]), view.codes(close), PARTNERS, 0.0)
        self.asked = [(self.own[a], close[b]) for a, b in zip(near.queries.tolist(), near.texts.tolist(), strict=True)]

    def best(self, scores: np.ndarray, place_of: dict[tuple[str, str], int]) -> dict[str, tuple[str, int]]:
        """Return for each part that is compared its best part of the other text, and the place of their score."""
        best: dict[str, tuple[str, int]] = {}
        for part, other in self.asked:
            place = place_of[_sorted(part, other)]
            if part not in best or scores[place] > scores[best[part][1]]:
                best[part] = other, place
        return best

    def mean(self, values: np.ndarray, best: dict[str, tuple[str, int]], equal: float, least: float) -> float:
        """Return the mean of values over the parts, each with the weight of its length."""
        total = sum(self.lengths.values())
        own = [(self.lengths[part], values[best[part][1]] if part in best else least) for part in self.own]
        shared = total - sum(weight for weight, _ in own)
        return float((shared * equal + sum(weight * value for weight, value in own)) / total)

    def parts(self, scores: np.ndarray, best: dict[str, tuple[str, int]]) -> list[Part]:
        """Return the parts that the other text does not have letter by letter."""
        return [
            Part(part, best[part][0], float(scores[best[part][1]])) if part in best else Part(part, "", -np.inf)
            for part in self.own
        ]


MOST_NAMED = 20
"""Most parts of a long text that are named for a pair."""


def parts_lacking(
    texts: Sequence[Sequence[Part]], same_from: float, kinds: Sequence[str], pool: Workers
) -> list[list[str]]:
    """Return the parts of each text that the other text of its pair lacks, at most `MOST_NAMED` and how many more.

    Parameters
    ----------
    texts
        Parts of each text, as `compare_parts` found them.
    same_from
        Score from which two parts are the same.
    kinds
        Kinds of differences that keep two parts apart, whatever their score.
    pool
        Processes that find differences.
    """
    close = sorted({(part.text, part.partner) for parts in texts for part in parts if part.score >= same_from})
    first, second = np.arange(len(close)), np.arange(len(close), 2 * len(close))
    both = pa.array([side[k] for k in (0, 1) for side in close], pa.large_string())
    apart = deciding_kinds(differences_between(both, first, second, pool), kinds)
    there = {pair for pair, kind in zip(close, apart, strict=True) if kind is None}
    lacking = [[part.text for part in parts if (part.text, part.partner) not in there] for parts in texts]
    return [
        [*parts[:MOST_NAMED], *([f"(and {len(parts) - MOST_NAMED} more parts)"] if len(parts) > MOST_NAMED else [])]
        for parts in lacking
    ]
