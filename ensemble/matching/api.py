"""Match and remove duplicates in memory: lists of texts, columns of data frames, and an index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._messages import short_repr
from ...models.profiles import DEFAULT_PROFILE
from ..loading import Model, ModelLike, lives_in_memory
from ..scoring.frames import column_cells, column_texts, frame_of
from ..scoring.progress_bars import Steps, shown_steps
from ..scoring.worker_processes import Workers, worker_count
from ..tables.text_tables import is_blank
from .assignment import chosen_matches
from .compared_columns import compared_columns
from .duplicates import duplicates, review_table, rows_removed
from .index import Index
from .kept_rows import MOST_COMPLETE, preference
from .matches import match_table
from .options import AUTO, TOP, DedupeOptions, MatchOptions, thresholds
from .pair_scores import Progress, ScoredPairs
from .pipeline import Search
from .row_groups import cell_text
from .texts import TextRows


@dataclass(frozen=True, eq=False, repr=False)
class Deduplicated:
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
    rows_removed
        For scores from which two texts could be called the same, the number of rows that each would remove.
    """

    kept: np.ndarray
    representatives: np.ndarray
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    review: pa.Table
    rows_removed: dict[float, int]
    _found: "_Found"

    def __repr__(self) -> str:
        names = ("kept", "representatives", "score", "low", "high")
        facts = {name: getattr(self, name) for name in names}
        return short_repr(self, n=len(self.representatives), **facts, review_rows=self.review.num_rows)

    def rethreshold(self, same_from: float, unsure_from: float | None = None) -> "Deduplicated":
        """Return the groups for another threshold, from the scores that are there: no pair is scored again.

        They are the groups of the pairs that the first search found. A search for a higher threshold alone may find
        fewer of them, because it looks less far.

        Parameters
        ----------
        same_from
            Score from which two texts are the same.
        unsure_from
            Score from which a pair is left for review; by default as for `pair_rule`, but none that was not searched.

        Raises
        ------
        ValueError
            If a score is below those that were searched, or off the scale, or the two are out of order.
        """
        found = self._found
        lowest = same_from if unsure_from is None else unsure_from
        if lowest < found.lowest:
            raise ValueError(
                f"the threshold must be at least {found.lowest:g}, from which pairs were searched, got {lowest:g}; "
                f"call dedupe with unsure_from={lowest:g} first"
            )
        options = replace(found.options, same_from=same_from, unsure_from=unsure_from, model_thresholds=False)
        unsure_from = max(options.rule(found.model).unsure_from, found.lowest)
        with Workers(found.model, found.workers) as pool:
            return replace(found, options=replace(options, unsure_from=unsure_from)).groups(pool)


@dataclass(frozen=True)
class _Found:
    """Scored pairs, of which groups are made again and again."""

    rows: TextRows
    present: np.ndarray
    scores: ScoredPairs
    options: DedupeOptions
    lowest: float
    model: Model
    workers: int

    def groups(self, pool: Workers, progress: Progress | None = None) -> Deduplicated:
        rule, highest = self.options.rule(self.model), self.model.scale.high
        groups = duplicates(self.rows, self.scores, rule, self.options.keep, pool, progress)
        representatives = np.arange(len(self.present))
        representatives[self.present] = np.flatnonzero(self.present)[groups.representatives]
        evidence = self.scores.batch(groups.pairs, highest)
        numbers = np.full((3, len(self.present)), highest)
        numbers[:, self.present] = [evidence.column(name).to_numpy() for name in ("score", "low", "high")]
        kept = np.flatnonzero(representatives == np.arange(len(self.present)))
        review = _from_zero(review_table(self.rows, groups, self.scores), (self.present, self.present))
        removed = rows_removed(
            self.rows, self.scores, groups.apart, self.options.keep, thresholds(rule, self.model.scale)
        )
        return Deduplicated(kept, representatives, numbers[0], numbers[1], numbers[2], review, removed, self)


def dedupe(
    texts: Any,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    column: Any = None,
    same_from: float | None = None,
    unsure_from: float | None = None,
    model_thresholds: bool = False,
    keep_apart: Sequence[str] | None = None,
    keep: str = DedupeOptions.keep,
    views: Sequence[str] | None = None,
    per_view: int | None = None,
    exact: bool | None = None,
    prefilter: str = AUTO,
    within: str | None = None,
    not_within: str | None = None,
    compare: Mapping[str, str] | None = None,
    labels: str | Path | None = None,
    workers: int | str | None = None,
    progress: bool | Steps = False,
) -> Deduplicated:
    """Return the groups of texts that mean the same.

    Parameters
    ----------
    texts
        n texts: a list or another iterable of strings, an array of NumPy or Arrow, a Series of pandas or polars, or a
        table: a DataFrame of either, a pyarrow Table or anything with the Arrow stream interface, a Dataset of the
        library datasets, or a list of dicts. A row whose text is missing or blank is kept, alone.
    model
        As for `load`.
    column
        Column of a table, or several that are joined, as ``subject+body``; without it the only one, or the first that
        is named ``text``, ``sentence``, ``question``, ``title``, ``description`` or ``body``.
    same_from
        Score, on the scale of the model, from which two texts are the same; without it 4 of 0 to 5, or that place on
        another scale.
    unsure_from
        Score from which a pair is left for review, at most `same_from`; without it lower by 1 of 0 to 5.
    model_thresholds
        Whether both scores are those of the decision that is stored with the model.
    keep_apart
        Kinds of differences (`differences.KINDS`) that keep two texts apart whatever their score; none if empty.
        Without it all kinds but ``added`` and ``missing``, or those of the decision with `model_thresholds`.
    keep
        Row that stands for a group: the ``first``, the ``longest`` text, or the ``central``, which most others are
        like; of a table also the ``most-complete``, with the fewest missing cells, and ``newest:C`` or ``oldest:C`` by
        the dates in the column C, which are numbers or ISO dates.
    views
        Names of the views that find candidates: ``words``, ``rare_words``, ``sentences``, ``characters``; without it
        those that fit the model.
    per_view
        Close texts of a text in each view, from 1; 10 without it.
    exact
        Whether the vectors of all pairs are compared, however many there are; without it up to some 46,000 texts.
    prefilter
        Profile that reads candidates first, so that a slow model reads few; ``auto`` as fits the model, or ``none``.
    within
        Column of the table: rows with the same value in it are compared, and no others.
    not_within
        Column: rows with the same value in it are not compared. A missing value is no other's value.
    compare
        Kind of each column by which rows are compared, ``text`` of one, ``name``, ``number`` or ``code`` of others, as
        ``{"title": "text", "brand": "name"}``; then the score is that of `record_scores.record_scores`.
    labels
        File of labelled pairs of texts, from which the weights of the compared columns are learned.
    workers
        Processes; without it one a usable core.
    progress
        True for progress bars, which need tqdm, or a function that returns, for the title of a step, the function of
        the pairs done and the pairs in all; or None.

    Raises
    ------
    samewise.ensemble.tables.table_reader.TableError
        If `texts` are none of these, or one is not a string; it is a ValueError.
    ValueError
        If a setting is out of its range.
    samewise.models.bundle.BundleError
        If the model cannot be loaded, or a decision is asked for that it does not have.
    """
    asked = DedupeOptions(
        views=views,
        per_view=per_view,
        exact=exact,
        prefilter=prefilter,
        within=within,
        not_within=not_within,
        compare=None if compare is None else compared_columns(compare),
        labels=labels,
        keep=keep,
        same_from=same_from,
        unsure_from=unsure_from,
        model_thresholds=model_thresholds,
        keep_apart=keep_apart,
    )
    names = frame_of(texts).names if keep == MOST_COMPLETE else asked.columns
    rows, present = _rows(texts, asked.text_column(column), names)
    rows = replace(rows, preference=preference(rows, keep))
    count = _processes(model, workers)
    with shown_steps(progress) as step, Search(model, asked, workers=count, progress=step, measured=False) as search:
        scores = search.scored_within(rows)
        lowest = asked.lowest(search.model)
        found = _Found(rows, present, scores, asked, lowest, search.model, count)
        return found.groups(search.pool, step("comparing"))


def match(
    a: Any,
    b: Any,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: tuple[Any, Any] = (None, None),
    top: int | None = TOP,
    probability_of: float | None = None,
    decide: bool = False,
    differences: bool = False,
    one_to_one: bool = False,
    keep_apart: Sequence[str] | None = None,
    views: Sequence[str] | None = None,
    per_view: int | None = None,
    exact: bool | None = None,
    prefilter: str = AUTO,
    within: str | None = None,
    not_within: str | None = None,
    compare: Mapping[str, str] | None = None,
    labels: str | Path | None = None,
    workers: int | str | None = None,
    progress: bool | Steps = False,
) -> pa.Table:
    """Return for each text of `a` the texts of `b` that mean the same.

    Parameters
    ----------
    a, b
        Texts as for `dedupe`; `b` may be an `Index`. A row whose text is missing or blank has no match.
    model
        As for `load`.
    columns
        Columns of the two tables, as `column` for `dedupe`.
    top
        Most matches of a text of `a`, from 1; None for all, which need `probability_of` or `decide`.
    probability_of
        Score that a pair must have; the column ``probability``, 0..1, of that score or more is added.
    decide
        Whether to leave out pairs that the decision of the model calls ``different``, and to add its columns.
    differences
        Whether to add the column ``differences``.
    one_to_one
        Whether each text of either side has one match at most, so that the sum of the scores is the largest; then `top`
        has no effect.
    keep_apart
        Kinds of differences with which the decision calls no pair ``same``; those of the decision if None.
    views, per_view, exact, prefilter, within, not_within, compare, labels, workers, progress
        As for `dedupe`; both tables have the columns, which an index has not.

    Returns
    -------
    pyarrow.Table
        The columns of the output of ``samewise match``, by the row of `a`, the best first; ``row1`` and ``row2`` are
        positions from 0.

    Raises
    ------
    samewise.ensemble.tables.table_reader.TableError
        If `a` or `b` are no texts, or one is not a string; it is a ValueError.
    ValueError
        If a setting is out of its range.
    samewise.models.bundle.BundleError
        If the model cannot be loaded, or a decision is asked for that it does not have.
    """
    asked = MatchOptions(
        views=views,
        per_view=per_view,
        exact=exact,
        prefilter=prefilter,
        within=within,
        not_within=not_within,
        compare=None if compare is None else compared_columns(compare),
        labels=labels,
        top=top,
        probability_of=probability_of,
        decide=decide,
        differences=differences,
        one_to_one=one_to_one,
        keep_apart=keep_apart,
    )
    columns = (asked.text_column(columns[0]), asked.text_column(columns[1]))
    first, here = _rows(a, columns[0], asked.columns)
    if isinstance(b, Index):
        asked.check_index()
        b.check_views(asked.views)
    second, there = (b, np.ones(len(b), bool)) if isinstance(b, Index) else _rows(b, columns[1], asked.columns)
    count = _processes(model, workers)
    with shown_steps(progress) as step, Search(model, asked, workers=count, progress=step, measured=False) as search:
        added = asked.added(search.model)
        scores = search.scored_between(first, second, asked.both)
        table = pa.concat_tables(
            match_table((first, second), scores, part, added, search.model, search.pool)
            for part in chosen_matches(scores, asked, search.lowest, search.model.scale)
        )
    return _from_zero(table, (here, there))


def _processes(model: ModelLike, workers: int | str | None) -> int:
    return 1 if lives_in_memory(model) else worker_count(workers)


def _rows(texts: Any, column: Any, names: Sequence[Any]) -> tuple[TextRows, np.ndarray]:
    good = [None if text is None or is_blank(text) else text for text in column_texts(texts, column)]
    present = np.array([text is not None for text in good], np.bool_)
    table = None
    if names:
        cells = {name: pa.array(map(cell_text, column_cells(texts, name)), pa.string()) for name in names}
        table = pa.table(cells).filter(pa.array(present))
    return TextRows([text for text in good if text is not None], table=table), present


def _from_zero(table: pa.Table, present: tuple[np.ndarray, np.ndarray]) -> pa.Table:
    for place, rows in enumerate(present):
        positions = np.flatnonzero(rows)[table.column(place).to_numpy() - 1]
        table = table.set_column(place, table.schema.field(place), pa.array(positions))
    return table
