"""Remove duplicates from a table: the kept rows, the removed ones with their evidence, and pairs for review.

The table is read twice: for its texts, and to write its rows with all their columns.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
import pyarrow as pa

from ..._files import remove_abandoned
from ...models.profiles import DEFAULT_PROFILE
from ..core.scale import Scale
from ..loading import Model, ModelLike
from ..scoring.batches import SCORES, with_scores
from ..scoring.journal import Journal
from ..scoring.rejects import noting, rejects_file, remove_rejects
from ..tables.compression import compression_of
from ..tables.sources import BATCH, fingerprint
from ..tables.table_files import check_target, files_of
from ..tables.table_format import DelimitedText
from ..tables.table_reader import TableError, TableReader
from ..tables.table_writer import TableWriter, check_output, complete_output, format_of, is_stream
from ..tables.text_tables import open_texts
from .duplicates import Duplicates, duplicates, review_table, rows_removed
from .kept_rows import MOST_COMPLETE, filled, preference
from .options import DedupeOptions, PairRule, thresholds
from .pair_scores import Progress, ScoredPairs, with_columns
from .pipeline import MatchingEngine, RunSummary, Search
from .texts import TextRows, read_texts


@dataclass(kw_only=True)
class DedupeSummary(RunSummary):
    """Summary of a search for duplicates.

    Attributes
    ----------
    kept, removed, groups, equal
        Rows of both outputs, groups of more than one row, and removed rows whose text another row has.
    same_from, unsure_from
        Scores of the rule, as in `PairRule`.
    review
        Pairs for review by reason.
    rows_removed
        For scores from which two texts could be called the same, the number of rows that each would remove.
    """

    kept: int
    removed: int
    groups: int
    equal: int
    same_from: float
    unsure_from: float
    review: Counter[str]
    rows_removed: dict[float, int]


class DedupeRun(NamedTuple):
    """Results of a run, for a page about it."""

    source: str
    files: dict[str, Path]  # kept, removed and review
    rows: TextRows  # the good ones
    groups: Duplicates
    scores: ScoredPairs
    rule: PairRule
    model: Model
    summary: DedupeSummary


def dedupe_file(
    source: str | Path,
    target: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    column: str | None = None,
    id: str | None = None,
    options: DedupeOptions | None = None,
    removed: str | Path | None = None,
    review: str | Path | None = None,
    workers: int | str | None = None,
    resume: bool = False,
    checkpoint: float = 10.0,
    cache: str | Path | None = None,
    format: str | None = None,
    progress: Callable[[str], Progress | None] | None = None,
    report: Path | None = None,
    page: Callable[[DedupeRun], str] | None = None,
    engine: MatchingEngine | None = None,
    scores: str | Path | None = None,
    fill: bool = False,
    escape_formulas: bool = False,
    **text: Unpack[DelimitedText],
) -> DedupeSummary:
    """Write the rows of a table without duplicates; see `duplicates.duplicates`.

    A `report` is written if it is named, with the text that `page` returns. `scores` names a file as for `KnownScores`.
    With `fill`, the missing cells of kept rows are filled from the rows that they stand for; see `kept_rows.filled`.
    `escape_formulas` is as for `TableWriter`.
    """
    begin = time.perf_counter()
    files = _files(source, target, removed, review, format, [path for path in (report, scores) if path is not None])
    options = options or DedupeOptions()
    column = options.text_column(column)
    search = Search(model, options, workers=workers, cache=cache, progress=progress, engine=engine, known=scores)
    rule = options.rule(search.model)
    rejects = rejects_file(files["kept"])
    before = fingerprint(source)
    with ExitStack() as stack:
        reader = stack.enter_context(open_texts(source, column, id, format, **text))
        of_rule = [rule.same_from, rule.unsure_from, list(rule.keep_apart)]
        facts = {"keep": options.keep, "rule": of_rule, **search.facts(), "column": reader.a_name}
        journal = stack.enter_context(Journal(files["kept"], source, facts, resume, checkpoint))
        for word in ("removed", "review"):  # the journal did so for OUT, and keeps others from writing beside it
            remove_abandoned(beside(target, word))
        stack.enter_context(search)
        whole = fill or options.keep == MOST_COMPLETE
        names = dict.fromkeys([*options.columns, *(reader.schema.names if whole else ())])
        read = read_texts(reader, stack.enter_context(noting(rejects)), list(names))
        read = replace(read, preference=preference(read, options.keep))
        pairs = search.scored_within(read, journal)
        groups = duplicates(read, pairs, rule, options.keep, search.pool, search.step("comparing"))
        shown = review_table(read, groups, pairs)
        writers = [
            stack.enter_context(TableWriter(path, format, escape_formulas=escape_formulas)) for path in files.values()
        ]
        again = open_texts(source, column, id, format, **text)
        _write(writers, source, again, read, groups, pairs, search.model.scale, shown, fill)
        if fingerprint(source) != before:
            raise _changed(source)
    if rejects is not None and not read.rejects:
        remove_rejects(rejects)
    summary = _summary(groups, pairs, read, rule, search.model, options.keep)
    summary.columns = [reader.a_name]
    summary.seconds = time.perf_counter() - begin
    if report is not None and page is not None:
        content = page(DedupeRun(str(source), files, read, groups, pairs, rule, search.model, summary))
        with complete_output(report) as file:
            file.write(content.encode())
    return summary


def estimate_dedupe(
    source: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    options: DedupeOptions | None = None,
    column: str | None = None,
    format: str | None = None,
    workers: int | str | None = None,
    **text: Unpack[DelimitedText],
) -> dict[str, Any]:
    """Return how large a run of `dedupe_file` is and how long it will take, as `Search.estimate`; write nothing."""
    options = options or DedupeOptions()
    search = Search(model, options, workers=workers)
    with open_texts(source, options.text_column(column), None, format, **text) as reader, search:
        return search.estimate(search.candidates(read_texts(reader, lambda facts: None, options.columns)))


def _files(
    source: str | Path,
    target: str | Path,
    removed: str | Path | None,
    review: str | Path | None,
    format: str | None,
    others: Sequence[str | Path],
) -> dict[str, Path]:
    if str(source) == "-" or not all(path.is_file() for path in files_of(source).paths):
        raise TableError(f"the table must be a file, which is read twice, got {source}; save it to one")
    files = {
        "kept": Path(target),
        "removed": Path(removed) if removed is not None else beside(target, "removed"),
        "review": Path(review) if review is not None else beside(target, "review"),
    }
    outputs = [*files.values(), *map(Path, others)]
    written = (*outputs, Path(f"{target}.rejects.jsonl"))
    if len(set(map(os.path.realpath, written))) < len(written):
        raise TableError(f"the outputs must be different files, got {', '.join(map(str, written))}; name others")
    for output in outputs:
        check_target(source, output)
        check_output(output)
    for table in files.values():
        format_of(table, format)
    return files


def _summary(
    groups: Duplicates, scores: ScoredPairs, read: TextRows, rule: PairRule, model: Model, keep: str
) -> DedupeSummary:
    rows = np.arange(len(groups.representatives))
    removed = groups.representatives != rows
    return DedupeSummary(
        rows=len(rows),
        rejects=read.rejects,
        kept=int((~removed).sum()),
        removed=int(removed.sum()),
        groups=len(np.unique(groups.representatives[removed])),
        equal=sum(pair < 0 or scores.candidates.has_equal(pair) for pair in groups.pairs[removed].tolist()),
        candidates=len(scores.score),
        resumed=scores.resumed,
        same_from=rule.same_from,
        unsure_from=rule.unsure_from,
        review=Counter(groups.review.reasons),
        rows_removed=rows_removed(read, scores, groups.apart, keep, thresholds(rule, model.scale)),
        recall=scores.candidates.recall,
        signature=model.signature,
    )


def beside(target: str | Path, word: str) -> Path:
    """Return the name of a file beside an output: ``clean.csv.gz`` and ``removed`` give ``clean.removed.csv.gz``."""
    if is_stream(target):
        raise TableError(f"the output must be a file, beside which others stand, got {target}; name one")
    path = Path(target)
    _, inner = compression_of(path)
    endings = inner.suffix + path.name[len(inner.name) :]
    return path.with_name(f"{inner.stem}.{word}{endings}")


def _write(
    writers: Sequence[TableWriter],
    source: str | Path,
    again: TableReader,
    read: TextRows,
    groups: Duplicates,
    scores: ScoredPairs,
    scale: Scale,
    pairs: pa.Table,
    fill: bool,
) -> None:
    """Write the kept rows, the removed ones and the pairs for review; the table must be as it was first read."""
    kept, removed, review = writers
    sizes = np.bincount(groups.representatives, minlength=len(read))
    start = 0
    whole: pa.Table | None = None
    with again as reader:
        if fill and read.table is not None:
            whole = filled(read.table.select(reader.schema.names), groups.representatives).combine_chunks()
        for batch, texts in _batches(reader):
            rows = np.arange(start, start + batch.num_rows)
            if texts != read.texts[start : start + batch.num_rows]:
                raise _changed(source)
            is_kept = groups.representatives[rows] == rows
            own, gone = rows[is_kept], rows[~is_kept]
            members = pa.record_batch({"row": own + 1, "group": own + 1, "members": sizes[own]})
            evidence = scores.batch(groups.pairs[gone], scale.high).select(SCORES.names)
            evidence = with_columns(evidence, scores, groups.pairs[gone])
            columns = [pa.array(gone + 1), pa.array(groups.representatives[gone] + 1), *evidence.columns]
            schema = pa.schema([pa.field("row", pa.int64()), pa.field("group", pa.int64()), *evidence.schema])
            kept_rows = batch.filter(pa.array(is_kept))
            if whole is not None and len(own):
                [kept_rows] = whole.take(pa.array(own)).combine_chunks().to_batches()
            _append(kept, with_scores(kept_rows, members))
            _append(removed, with_scores(batch.filter(pa.array(~is_kept)), pa.record_batch(columns, schema=schema)))
            start += batch.num_rows
    if start != len(read):
        raise _changed(source)
    for batch in (pa.RecordBatch.from_pylist([], pairs.schema), *pairs.to_batches(BATCH)):
        _append(review, batch)


def _changed(source: str | Path) -> TableError:
    return TableError(f"{source} must stay as it is during the run, got a change; run it again")


def _batches(reader: TableReader) -> Iterator[tuple[pa.RecordBatch, list[str]]]:
    # One without rows first, which fixes the columns of the outputs.
    yield pa.RecordBatch.from_pylist([], reader.schema), []
    for chunk in reader:
        yield chunk.batch, chunk.a


def _append(writer: TableWriter, batch: pa.RecordBatch) -> None:
    unwritten = writer.write(batch)
    if unwritten:
        raise TableError(f"{writer.path} must hold every row, got one with {writer.refusal}; write another format")
