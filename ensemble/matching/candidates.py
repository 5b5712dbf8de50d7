"""Pairs of texts that may be alike, found by views of the texts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..._code_version import installed_version
from ..loading import Model, readable_languages
from ..scoring.worker_processes import Workers, usable_cores
from .search import RARE_WORDS
from .text_index import CandidateSettings, Links, Search, TextIndex
from .texts import TextCollection, codes_by_view, text_views


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
    """Return the candidates among distinct texts."""
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
    """Return the candidates of texts of one side with texts of the other; equal texts are candidates."""
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


def views_of(model: Model) -> tuple[str, ...]:
    """Return the default views for a model; those of a model with a network include its sentence vectors.

    Texts of several languages share characters rather than English words.
    """
    if readable_languages(model) != ("en",):
        return ("characters", RARE_WORDS)
    members = [member for part in model.parts.values() for member in part.manifest["members"]]
    networks = any(str(member["file"]).endswith(".onnx") for member in members)
    return (RARE_WORDS, "words", *(("sentences",) if networks else ()))


def facts_of(settings: CandidateSettings) -> dict[str, object]:
    """Return what the candidates depend on besides the texts, as JSON values."""
    tables = {name: text_views()[name].digest() for name in settings.views if name in text_views()}
    index = installed_version("usearch") or "none"
    numbers = {"candidates": settings.most, "least similarity": settings.least, "exact": settings.exact}
    return {"views": list(settings.views), "tables of views": tables, **numbers, "version of usearch": index}


def find_candidates(
    texts: TextCollection,
    settings: CandidateSettings,
    pool: Workers | None = None,
    both: bool = True,
    search: Search = TextIndex.links,
) -> Candidates:
    """Return the candidates within one table, or between two.

    Parameters
    ----------
    texts
        Texts of one table or two.
    settings
        Settings of the search.
    pool
        Processes for slow views.
    both
        Of two tables, whether the close texts of those of the second are searched in the first too.
    search
        Search of an index.
    """
    codes = codes_by_view(texts.texts, settings.views, pool)
    if len(texts.rows) == 1:
        return candidates_within(texts.texts, codes, settings, usable_cores(), search)
    a, b = map(np.unique, texts.rows)
    return candidates_between(texts.texts, codes, (a, b), settings, usable_cores(), both, search)
