"""Match and remove duplicates in memory: lists of texts, columns of data frames, and an index."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..._messages import short_repr
from ...models.profiles import DEFAULT_PROFILE
from ..loading import ModelLike, lives_in_memory, load
from ..scoring.data_frames import column_texts
from ..scoring.progress_bars import Steps, shown_steps
from ..scoring.worker_processes import Workers, worker_count
from ..tables.table_reader import TableError
from .candidate_scores import score_candidates, screened, screening_model
from .candidates import find_candidates
from .dedupe_outputs import DedupeQuestion, dedupe_settings, review_differences, review_table
from .duplicates import duplicates
from .index import Index
from .match_problem import match_problem
from .matches import MatchQuestion, best_matches, match_settings, match_table
from .text_index import TextIndex
from .texts import TextCollection, TextRows


class Deduplicated(NamedTuple):
    """Groups of n rows that mean the same.

    Attributes
    ----------
    kept
        Positions of the rows that are kept, ascending, from 0.
    representatives
        Shape (n,), int64: position of the row that stands for each row; its own for a row that is kept.
    score, low, high
        Shape (n,), float64: score of each row with the row that stands for it, and its interval; the highest score for
        a row that is kept and for equal texts.
    review
        Pairs for a person to decide: the columns of the review file of ``samewise dedupe``, with positions from 0.
    """

    kept: np.ndarray
    representatives: np.ndarray
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    review: pa.Table

    def __repr__(self) -> str:
        facts = {name: column for name, column in self._asdict().items() if name != "review"}
        return short_repr(self, n=len(self.representatives), **facts, review_rows=self.review.num_rows)


def dedupe(
    texts: Any,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    column: Any = None,
    workers: int | str | None = None,
    progress: bool | Steps = False,
    **question: Any,
) -> Deduplicated:
    """Return the groups of texts that mean the same.

    Parameters
    ----------
    texts
        n texts: a list, or a pandas or polars DataFrame, a pyarrow Table, or anything with the Arrow stream interface.
        A row whose text is missing or blank is kept, alone.
    model
        As for `load`.
    column
        Column of a frame, as for `column_texts`.
    workers
        Processes; without it one a usable core.
    progress
        True for progress bars, which need tqdm, or a function that returns, for the title of a step, the function of
        the pairs done and the pairs in all; or None.
    **question
        Fields of `DedupeQuestion`, such as ``at_least=3.5`` or ``keep="longest"``.

    Raises
    ------
    ValueError
        If a setting is out of its range, or a text is not a string.
    """
    rows, present = _rows(texts, column)
    loaded = load(model)
    asked = DedupeQuestion(**question)
    rule, settings = dedupe_settings(asked, loaded)
    screen = screening_model(asked.screen, loaded)
    count = 1 if lives_in_memory(model) else worker_count(workers)
    with Workers(loaded, count) as pool, shown_steps(progress) as step:
        collection = TextCollection.of(rows.texts)
        found = find_candidates(collection, settings, pool)
        if screen is not None:
            found = screened(collection, found, rule.unsure_from, screen, count, progress=step("screening"))
        scores = score_candidates(collection, found, pool, progress=step("scoring"))
        groups = duplicates(collection, found, scores, rule, asked.keep, pool, step("comparing"))
        differences = review_differences(collection, groups, pool)
    representatives = np.arange(len(present))
    representatives[present] = np.flatnonzero(present)[groups.representatives]
    evidence = scores.batch(groups.pairs, loaded.scale.high)
    numbers = np.full((3, len(present)), loaded.scale.high)
    numbers[:, present] = [evidence.column(name).to_numpy() for name in ("score", "low", "high")]
    kept = np.flatnonzero(representatives == np.arange(len(present)))
    review = _from_zero(review_table(rows, groups, scores, differences), (present, present))
    return Deduplicated(kept, representatives, numbers[0], numbers[1], numbers[2], review)


def match(
    a: Any,
    b: Any,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: tuple[Any, Any] = (None, None),
    workers: int | str | None = None,
    progress: bool | Steps = False,
    **question: Any,
) -> pa.Table:
    """Return for each text of `a` the texts of `b` that mean the same.

    Parameters
    ----------
    a, b
        Texts as for `dedupe`; `b` may be an `Index`. A row whose text is missing or blank has no match.
    model, workers, progress
        As for `dedupe`.
    columns
        Columns of the two frames, as for `column_texts`.
    **question
        Fields of `MatchQuestion`, such as ``top=3`` or ``at_least=4``.

    Returns
    -------
    pyarrow.Table
        The columns of the output of ``samewise match``, by the row of `a`, the best first; ``row1`` and ``row2`` are
        positions from 0.

    Raises
    ------
    ValueError
        If a setting is out of its range, or a text is not a string.
    """
    first, here = _rows(a, columns[0])
    second, there = (b, np.ones(len(b), bool)) if isinstance(b, Index) else _rows(b, columns[1])
    loaded = load(model)
    asked = MatchQuestion(**question)
    if isinstance(second, Index):
        second.check_views(asked.views)
    settings, added = match_settings(asked, loaded)
    lowest = asked.lowest(loaded)
    count = 1 if lives_in_memory(model) else worker_count(workers)
    with Workers(loaded, count) as pool, shown_steps(progress) as step:
        problem = match_problem(first, second, settings, pool, asked.top is None, TextIndex.links_without_recall)
        screen = None if lowest is None else screening_model(asked.screen, loaded)
        if screen is not None and lowest is not None:
            bar = step("screening")
            kept = screened(problem.texts, problem.candidates, lowest, screen, count, progress=bar)
            problem = problem._replace(candidates=kept)
        scores = score_candidates(problem.texts, problem.candidates, pool, progress=step("scoring"))
        table = pa.concat_tables(
            match_table((first, second), problem, scores, part, added, loaded, pool)
            for part in best_matches(problem, scores, asked.top, lowest)
        )
    return _from_zero(table, (here, there))


def _rows(texts: Any, column: Any) -> tuple[TextRows, np.ndarray]:
    if isinstance(texts, Sequence) and not isinstance(texts, str | bytes):
        values: list[str | None] = list(texts)
        odd = next((place for place, text in enumerate(values) if not isinstance(text, str | None)), None)
        if odd is not None:
            raise TableError(
                f"a text must be a string, got {values[odd]!r:.60} at position {odd}; convert or remove it"
            )
    else:
        values = column_texts(texts, column)
    texts = [text for text in values if text is not None and text.strip()]
    present = np.asarray([text is not None and bool(text.strip()) for text in values], dtype=bool)
    return TextRows(texts), present


def _from_zero(table: pa.Table, present: tuple[np.ndarray, np.ndarray]) -> pa.Table:
    for place, rows in enumerate(present):
        positions = np.flatnonzero(rows)[table.column(place).to_numpy() - 1]
        table = table.set_column(place, table.schema.field(place), pa.array(positions))
    return table
