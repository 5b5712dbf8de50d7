"""Outputs of a run that removes duplicates: kept rows, removed rows, and pairs for review."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from ..core.scale import Scale
from ..loading import Model
from ..scoring.batches import DIFFERENCES, SCORES
from ..scoring.worker_processes import Workers
from ..tables.compression import compression_of
from ..tables.sources import BATCH, fingerprint
from ..tables.table_reader import TableError, TableReader
from ..tables.table_writer import TableWriter, free_names, is_stream
from .candidate_scores import AUTO, PairScores, differences_between
from .candidates import views_of
from .duplicates import KEEPS, Duplicates, Keep
from .pair_rule import APART, PairRule, pair_rule, pair_table
from .text_index import MOST, CandidateSettings
from .texts import TextCollection, TextRows, least_similarity


@dataclass(frozen=True)
class DedupeQuestion:
    """Texts that count as duplicates, and how they are searched.

    Attributes
    ----------
    keep
        Member that stands for a group: ``first``, ``longest`` or ``central``.
    at_least, review_from, decide, apart
        As for `pair_rule`.
    views, candidates, exact
        As for `CandidateSettings`; by default the views of `views_of` and `text_index.MOST`.
    screen
        As for `screening_source`.

    Raises
    ------
    ValueError
        If `keep` is something else.
    """

    keep: Keep = "first"
    at_least: float | None = None
    review_from: float | None = None
    decide: bool = False
    apart: Sequence[str] = APART
    views: Sequence[str] | None = None
    candidates: int | None = None
    exact: bool | None = None
    screen: str = AUTO

    def __post_init__(self) -> None:
        if self.keep not in KEEPS:
            raise ValueError(f"keep must be one of {', '.join(KEEPS)}, got {self.keep!r}; name one of these")


def dedupe_settings(question: DedupeQuestion, model: Model) -> tuple[PairRule, CandidateSettings]:
    """Return which pairs are the same, and how candidates are searched.

    Raises
    ------
    ValueError
        If a setting is out of its range.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    rule = pair_rule(model, question.decide, question.at_least, question.review_from, question.apart)
    views = tuple(question.views or views_of(model))
    most = MOST if question.candidates is None else question.candidates
    least = least_similarity(rule.unsure_from, model.scale, views)
    return rule, CandidateSettings(views, most, least, question.exact)


@dataclass(frozen=True)
class DedupeFiles:
    """Files of a run: the table, its kept rows, its removed rows, pairs for review; and the format of unclear names."""

    source: str
    kept: Path
    removed: Path
    review: Path
    format: str | None = None


def beside(target: str | Path, word: str) -> Path:
    """Return the name of a file beside an output: ``clean.csv.gz`` and ``removed`` give ``clean.removed.csv.gz``.

    Raises
    ------
    TableError
        If the output is a stream.
    """
    if is_stream(target):
        raise TableError(f"the output must be a file, beside which others stand, got {target}; name one")
    path = Path(target)
    _, inner = compression_of(path)
    endings = inner.suffix + path.name[len(inner.name) :]
    return path.with_name(f"{inner.stem}.{word}{endings}")


def review_differences(texts: TextCollection, groups: Duplicates, pool: Workers) -> pa.Array:
    """Return the differences of the pairs for review, of the first row from the second."""
    first, second = (texts.rows[0][rows] for rows in (groups.review.first, groups.review.second))
    return differences_between(texts.arrow(), first, second, pool)


@dataclass(frozen=True)
class DedupeOutputs:
    """Results of a run.

    Attributes
    ----------
    files
        Where they go.
    rows
        Texts and names of the good rows.
    groups, scores
        Groups of the rows, and the scores of the candidates.
    scale
        Scale of the scores.
    """

    files: DedupeFiles
    rows: TextRows
    groups: Duplicates
    scores: PairScores
    scale: Scale

    def write(self, reader: TableReader, differences: pa.Array, before: str) -> None:
        """Write all three files, which appear together when they are complete.

        Parameters
        ----------
        reader
            The table, opened again.
        differences
            Differences of the pairs for review.
        before
            `fingerprint` of the table before it was read first.

        Raises
        ------
        TableError
            If the table changed since then, or a format cannot hold a row.
        """
        with ExitStack() as stack:
            kept, removed, review = (
                stack.enter_context(TableWriter(path, self.files.format))
                for path in (self.files.kept, self.files.removed, self.files.review)
            )
            start = 0
            for batch, texts in _batches(reader):
                rows = np.arange(start, start + batch.num_rows)
                if texts != self.rows.texts[start : start + batch.num_rows]:
                    raise self._changed()
                is_kept = self.groups.representatives[rows] == rows
                _append(kept, _with(batch.filter(pa.array(is_kept)), self._of_kept(rows[is_kept])))
                _append(removed, _with(batch.filter(pa.array(~is_kept)), self._of_removed(rows[~is_kept])))
                start += batch.num_rows
            if start != len(self.rows) or fingerprint(self.files.source) != before:
                raise self._changed()
            pairs = review_table(self.rows, self.groups, self.scores, differences)
            for batch in (pa.RecordBatch.from_pylist([], pairs.schema), *pairs.to_batches(BATCH)):
                _append(review, batch)

    def _changed(self) -> TableError:
        return TableError(f"{self.files.source} must stay as it is during the run, got a change; run it again")

    def _of_kept(self, rows: np.ndarray) -> pa.RecordBatch:
        sizes = np.bincount(self.groups.representatives, minlength=len(self.groups.representatives))
        return pa.record_batch({"row": rows + 1, "group": rows + 1, "members": sizes[rows]})

    def _of_removed(self, rows: np.ndarray) -> pa.RecordBatch:
        scores = self.scores.batch(self.groups.pairs[rows], self.scale.high).select(SCORES.names)
        schema = pa.schema([pa.field("row", pa.int64()), pa.field("group", pa.int64()), *SCORES])
        groups = self.groups.representatives[rows] + 1
        return pa.record_batch([pa.array(rows + 1), pa.array(groups), *scores.columns], schema=schema)


def review_table(rows: TextRows, groups: Duplicates, scores: PairScores, differences: pa.Array) -> pa.Table:
    """Return the pairs for review: the columns of `pair_table`, with scores, ``reason`` and ``differences``."""
    review = groups.review
    results = scores.batch(review.pairs)
    columns = {"reason": pa.array(review.reasons, pa.string()), DIFFERENCES.name: differences}
    columns |= {name: results.column(name) for name in SCORES.names}
    schema = pa.schema([*list(SCORES)[:3], pa.field("reason", pa.string()), DIFFERENCES, SCORES.field("flags")])
    batch = pa.record_batch([columns[name] for name in schema.names], schema=schema)
    return pair_table((rows, rows), (review.first, review.second), batch)


def _batches(reader: TableReader) -> Iterator[tuple[pa.RecordBatch, list[str]]]:
    # One without rows first, which fixes the columns of the outputs.
    yield pa.RecordBatch.from_pylist([], reader.schema), []
    for chunk in reader:
        yield chunk.batch, chunk.a


def _with(batch: pa.RecordBatch, added: pa.RecordBatch) -> pa.RecordBatch:
    schema = batch.schema
    for name, field in zip(free_names(added.schema.names, schema.names), added.schema, strict=True):
        schema = schema.append(field.with_name(name))
    return pa.record_batch([*batch.columns, *added.columns], schema=schema)


def _append(writer: TableWriter, batch: pa.RecordBatch) -> None:
    unwritten = writer.write(batch)
    if unwritten:
        raise TableError(f"{writer.path} must hold every row, got one with {writer.refusal}; write another format")
