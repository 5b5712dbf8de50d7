"""Texts and candidates of a match: between two tables, or between a table and an index."""

from typing import NamedTuple

import numpy as np

from ..scoring.worker_processes import Workers, usable_cores
from .candidates import Candidates, find_candidates
from .index import Index
from .text_index import CandidateSettings, Search, TextIndex
from .texts import TextCollection, TextRows, codes_by_view


class MatchProblem(NamedTuple):
    """Candidates of a match.

    Attributes
    ----------
    texts
        Texts of the rows of both tables, of the second one perhaps only those that are close to a row of the first.
    candidates
        Pairs of these texts.
    rows
        Shape (n,), int64: rows of the second table whose texts these are; None if they are all.
    """

    texts: TextCollection
    candidates: Candidates
    rows: np.ndarray | None = None


def match_problem(
    a: TextRows,
    b: TextRows | Index,
    settings: CandidateSettings,
    pool: Workers | None = None,
    both: bool = False,
    search: Search = TextIndex.links,
) -> MatchProblem:
    """Return the candidates of a table with another, or with an index.

    Parameters
    ----------
    a, b
        Rows of both sides.
    settings
        Settings of the search; the views of an index are its own.
    pool
        Processes for slow views.
    both
        Whether the texts close to those of the second side are searched in the first too.
    search
        Search of an index.
    """
    if isinstance(b, TextRows):
        texts = TextCollection.of(a.texts, b.texts)
        return MatchProblem(texts, find_candidates(texts, settings, pool, both, search))
    own = TextCollection.of(a.texts).texts
    codes = codes_by_view(own, b.views, pool)
    links = b.texts.with_equal(search(b.texts, own, codes, settings, usable_cores()), own)
    one, other, recall = links.queries, links.texts, links.recall
    if both:
        back = search(TextIndex(own, codes, b.views), b.texts.texts, b.texts.codes, settings, usable_cores())
        one, other = np.r_[one, back.texts], np.r_[other, back.queries]
        recall = {**recall, **back.recall}
    rows = np.flatnonzero(np.isin(b.places, other))
    texts = TextCollection.of(a.texts, [b.texts.texts[place] for place in b.places[rows].tolist()])
    places = {text: place for place, text in enumerate(texts.texts)}
    first = np.asarray([places[own[query]] for query in one.tolist()], dtype=np.int64)
    second = np.asarray([places[b.texts.texts[text]] for text in other.tolist()], dtype=np.int64)
    pairs = np.unique(np.stack([np.minimum(first, second), np.maximum(first, second)]), axis=1)
    return MatchProblem(texts, Candidates(pairs[0], pairs[1], recall), rows)
