"""Candidates: the pairs of texts that are worth scoring, because some view sees them close together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .candidate_settings import CandidateSettings
from .text_index import Links, Search, TextIndex


class Candidates(NamedTuple):
    """Unordered pairs of distinct texts, each once, ascending.

    Attributes
    ----------
    first, second
        Shape (m,), int64: places of the texts; ``first <= second``.
    recall
        For each view searched by graphs, the share of the links of a sample that the graphs found, 0..1.
    """

    first: np.ndarray
    second: np.ndarray
    recall: dict[str, float]


def candidates_within(
    texts: Sequence[str],
    codes: Mapping[str, np.ndarray],
    settings: CandidateSettings,
    threads: int,
    search: Search = TextIndex.links,
) -> Candidates:
    """Return the candidates among distinct texts.

    Parameters
    ----------
    texts
        n distinct texts, ascending.
    codes
        For each dense view their codes, shape (n, d), int8.
    settings, threads
        As for `TextIndex.links`.
    search
        Search of an index.
    """
    links = search(TextIndex(texts, codes, settings.views), texts, codes, settings, threads)
    everything = np.arange(len(texts))
    pairs = _unordered(len(texts), (links, everything, everything))
    different = pairs.first != pairs.second
    return Candidates(pairs.first[different], pairs.second[different], pairs.recall)


def candidates_between(
    texts: Sequence[str],
    codes: Mapping[str, np.ndarray],
    sides: tuple[np.ndarray, np.ndarray],
    settings: CandidateSettings,
    threads: int,
    both: bool,
    search: Search = TextIndex.links,
) -> Candidates:
    """Return the candidates of texts of one side with texts of the other; equal texts are candidates.

    Parameters
    ----------
    texts, codes, settings, threads, search
        As for `candidates_within`.
    sides
        Places of the texts of either side, ascending.
    both
        Whether the texts close to those of the second side are searched in the first too, so that the sides can be
        exchanged.
    """
    parts = []
    for a, b in (sides, sides[::-1])[: 1 + both]:
        of_a, of_b = ({name: values[places] for name, values in codes.items()} for places in (a, b))
        index = TextIndex([texts[place] for place in b.tolist()], of_b, settings.views)
        parts.append((search(index, [texts[place] for place in a.tolist()], of_a, settings, threads), a, b))
    equal = np.intersect1d(*sides)
    parts.append((Links(equal, equal, {}), np.arange(len(texts)), np.arange(len(texts))))
    return _unordered(len(texts), *parts)


def _unordered(count: int, *parts: tuple[Links, np.ndarray, np.ndarray]) -> Candidates:
    recall: dict[str, float] = {}
    keys = []
    for links, queries, texts in parts:
        one, other = queries[links.queries], texts[links.texts]
        keys.append(np.minimum(one, other) * count + np.maximum(one, other))
        recall |= {name: min(share, recall.get(name, 1.0)) for name, share in links.recall.items()}
    first, second = np.divmod(np.unique(np.concatenate(keys)), max(count, 1))
    return Candidates(first, second, recall)
