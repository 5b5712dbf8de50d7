"""One search from texts to scored pairs, of which duplicates and matches are read: in files, in memory, in a service.

A light model reads the candidates first. On 5,000 questions with planted paraphrases, 99.5 % of the candidates with 3.6
or more from `full` have 2.4 or more from `fast`, as do 27 % of all candidates. Of those with 4 or more from `full`, as
many have 2.9 or more, as do 10 % of all.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ...models.profiles import BENCHMARK_TWINS
from ..core.scale import POINTS
from ..loading import Model, ModelLike, ModelRef, glossary_of, load
from ..scoring.journal import PARTS, SCORING, SCREENING, Journal
from ..scoring.worker_processes import Workers, worker_count
from .candidates import Candidates, find_candidates, find_in_index
from .index import Index
from .known_scores import KnownScores
from .long_texts import compare_parts
from .options import AUTO, NONE, SearchOptions
from .pair_scores import BATCH, Progress, ScoredPairs, score_candidates
from .record_scores import record_scores, with_equal_codes
from .row_groups import grouped_texts, pairs_of_rows
from .text_index import FindLinks, TextIndex
from .texts import TextCollection, TextRows, equal_form, text_views


class MatchingEngine(Protocol):
    """Engine of a run. Its results are those of every other engine, to the last bit."""

    def pool(self, model: Model) -> Workers:
        """Return the processes that read texts by a model."""
        ...

    @property
    def links(self) -> FindLinks:
        """Search of an index, as `TextIndex.links`; its threads are those of this process."""
        ...


SCREEN = "fast"
"""Profile that screens for others, if nothing is said."""

MARGIN = 1.25
"""Points by which the score of a screening model may be below the score that is asked for."""

_SCREENED = ("full", "best")


def screening_source(prefilter: str, model: Model) -> ModelRef | None:
    """Return the model that screens candidates; None for no screening."""
    if prefilter == NONE:
        return None
    source: ModelRef | None = model.ref
    own = glossary_of(model)
    profiles = {*_SCREENED, *(twin for twin in BENCHMARK_TWINS if twin.startswith(_SCREENED))}
    if prefilter == AUTO:
        plain = source is not None and source.model in profiles and not (source.languages or source.translate)
        return ModelRef(SCREEN, glossary=own) if plain else None
    if model.scale != POINTS:
        raise ValueError(
            f"the scores must be from 0 to 5 for another model to screen candidates, got {model.scale}; leave out "
            "--prefilter"
        )
    return ModelRef(prefilter, glossary=own)


def screening_model(prefilter: str, model: Model, cache: str | Path | None = None) -> Model | None:
    """Return the loaded model of `screening_source`, with a cache of sentences if one is given."""
    source = screening_source(prefilter, model)
    return None if source is None else replace(source, cache=None if cache is None else str(cache)).load()


SAMPLE = 2 * BATCH
"""Pairs that are scored to estimate the speed, evenly spread; as many again first, while the processes start."""


class Search:
    """Search of a run: its model, its settings and the processes that read texts; a context manager.

    Parameters
    ----------
    model
        As for `load`.
    options
        Pairs that are asked for.
    workers
        Processes, as for `worker_count`.
    cache
        Cache of sentences.
    progress
        Returns for the title of a step the function of the pairs done and the pairs in all; or None.
    engine
        Engine that searches and scores; None for this machine.
    measured
        Whether the recall of graphs is measured on this machine.
    known
        File of scores (`KnownScores`); None for none.

    Attributes
    ----------
    model
        The loaded model.
    settings
        Settings of the candidates.
    lowest
        Score that a pair must have to count at all; None for any.
    screen
        Model that reads the candidates first; None for none.
    pool
        Processes with the model.
    step
        `progress`, or a function that returns None.

    Raises
    ------
    ValueError
        If an option is out of its range.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """

    pool: Workers

    def __init__(
        self,
        model: ModelLike,
        options: SearchOptions,
        *,
        workers: int | str | None = None,
        cache: str | Path | None = None,
        progress: Callable[[str], Progress | None] | None = None,
        engine: MatchingEngine | None = None,
        measured: bool = True,
        known: str | Path | None = None,
    ) -> None:
        self._known = None if known is None else KnownScores(Path(known))
        self.model = load(model, cache=cache)
        self.options, self.settings = options, options.settings(self.model)
        self.lowest = options.lowest(self.model)
        self.screen = (
            None if self.lowest is None or options.compare else screening_model(options.prefilter, self.model, cache)
        )
        self.step = (lambda title: None) if progress is None else progress
        self._find: FindLinks = partial(TextIndex.links, measured=measured) if engine is None else engine.links
        self._pool = partial(Workers, count=worker_count(workers)) if engine is None else engine.pool

    def __enter__(self) -> "Search":
        self.pool = self._pool(self.model).__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.pool.__exit__(*error)

    def facts(self) -> dict[str, object]:
        """Return what the scores and their order depend on besides the texts, as JSON values."""
        screen = None if self.screen is None else self.screen.signature
        known = None if self._known is None else self._known.digest
        groups: dict[str, object] = {"within": self.options.within, "not within": self.options.not_within}
        groups["compare"] = None if self.options.compare is None else dict(self.options.compare)
        return {**self.settings.facts(), **groups, "model": self.model.signature, "screen": screen, "scores": known}

    def candidates(
        self, a: TextRows, b: TextRows | Index | None = None, both: bool = False, alone: bool = False
    ) -> Candidates:
        """Return the pairs that may be alike within a table, of two tables, or of a table and an index.

        Parameters
        ----------
        a, b
            Rows of both sides; None for a single table.
        both
            Whether the texts close to those of the second side are searched in the first too.
        alone
            As for `find_in_index`.
        """
        if isinstance(b, Index):
            return find_in_index(a.texts, b, self.settings, self.pool, both, self._find, alone)
        within, apart, form = self.options.within, self.options.not_within, equal_form if b is None else str
        sides = [a] if b is None else [a, b]
        if within is None and apart is None:
            texts = TextCollection.of(*(side.texts for side in sides), form=form)
        else:
            texts = grouped_texts(sides, form, within, apart)
        found = find_candidates(texts, self.settings, self.pool, both, self._find)
        if self.options.compare is not None:
            return with_equal_codes(pairs_of_rows(found), sides, self.options.compare)
        return pairs_of_rows(found) if b is None and apart is not None else found

    def screened(
        self, candidates: Candidates, journal: Journal | None = None, progress: Progress | None = None
    ) -> Candidates:
        """Return the candidates that may reach the lowest score, as the screening model sees them."""
        if self.screen is None or self.lowest is None or self.lowest <= MARGIN:
            return candidates
        with self._pool(self.screen) as pool:
            scores = self._scores(candidates, self.screen, pool, journal, progress, SCREENING)
        return candidates.of(np.flatnonzero(scores.score >= self.lowest - MARGIN))

    def scored(self, candidates: Candidates, journal: Journal | None = None) -> ScoredPairs:
        """Return the candidates that the screening model leaves, with their scores.

        Parameters
        ----------
        candidates
            Those that `candidates` returned.
        journal
            Journal of the run.
        """
        if self.screen is not None:
            candidates = self.screened(candidates, journal, self.step("screening"))
        return self._scores(candidates, self.model, self.pool, journal, self.step("scoring"), SCORING)

    def scored_within(self, rows: TextRows, journal: Journal | None = None) -> ScoredPairs:
        """Return the scored pairs of the rows of one table; those of long texts are compared by parts.

        Parameters
        ----------
        rows
            Rows of the table.
        journal
            Journal of the run.
        """
        scores = self.scored(self.candidates(rows), journal)
        lowest = self.model.scale.low if self.lowest is None else self.lowest
        view = text_views()["words" if "words" in self.settings.views else "characters"]
        parts = partial(self._scores, model=self.model, pool=self.pool, journal=journal, progress=None, step=PARTS)
        scores = compare_parts(scores, rows, lowest, self.model.scale, view, parts)
        if self._known is not None:
            self._known.write()
        return self._of_records(scores, [rows])

    def scored_between(
        self, a: TextRows, b: TextRows | Index, both: bool = False, journal: Journal | None = None
    ) -> ScoredPairs:
        """Return the scored pairs of two tables, or of a table and an index; as for `candidates`."""
        scores = self.scored(self.candidates(a, b, both), journal)
        return scores if isinstance(b, Index) else self._of_records(scores, [a, b])

    def _of_records(self, scores: ScoredPairs, sides: Sequence[TextRows]) -> ScoredPairs:
        compare = self.options.compare
        if compare is None:
            return scores
        return record_scores(scores, sides, compare, self.options.labels, self.model, self.pool)

    def _scores(
        self,
        candidates: Candidates,
        model: Model,
        pool: Workers,
        journal: Journal | None,
        progress: Progress | None,
        step: str,
    ) -> ScoredPairs:
        score = partial(score_candidates, pool=pool, journal=journal, progress=progress, step=step)
        return score(candidates) if self._known is None else self._known.completed(candidates, model, score)

    def estimate(self, candidates: Candidates) -> dict[str, Any]:
        """Return how large a run is, and how long scoring its candidates will take with these processes.

        The keys are ``rows`` of all tables, different ``texts``, ``candidates``, ``pairs_per_second`` of a sample (0 if
        there are no candidates), ``seconds``, and ``recall`` as in `Candidates`.
        """
        count, seconds = len(candidates.first), 0.0
        sample = candidates.of(np.arange(0, count, max(1, count // SAMPLE))[:SAMPLE])
        for _ in range(2):
            begin = time.perf_counter()
            score_candidates(self.screened(sample), self.pool)
            seconds = (time.perf_counter() - begin) * count / max(len(sample.first), 1)
        return {
            "rows": sum(map(len, candidates.texts.rows)),
            "texts": len(candidates.texts.texts),
            "candidates": count,
            "pairs_per_second": count / seconds if seconds else 0.0,
            "seconds": seconds,
            "recall": candidates.recall,
        }


@dataclass(kw_only=True)
class RunSummary:
    """Summary of a run.

    Attributes
    ----------
    rows, rejects
        Good rows of the table, of the first if there are two, and rows set aside.
    candidates, resumed
        Scored pairs, and those of them that an earlier run had scored.
    recall
        Share of the exact links that the graphs of a view found, on a sample; empty where all products were computed.
    seconds
        Wall time.
    signature
        Of the model.
    columns
        Columns that were read, one of each table; None of an index.
    """

    rows: int = 0
    rejects: int = 0
    candidates: int = 0
    resumed: int = 0
    recall: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    signature: str = ""
    columns: list[str | None] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values of what the run has."""
        recall = {name: round(share, 4) for name, share in self.recall.items()}
        return {**vars(self), "recall": recall, "seconds": round(self.seconds, 3)}
