"""Stream a table through a model: order kept, rejects aside, memory independent of the length of the file.

This process reads and writes while workers score. A run that goes on reads its input again from the beginning, so that
an undisturbed run and one that was killed use the same code.
"""

import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa

from ...models.profiles import DEFAULT_PROFILE
from ..core.adapted_model import Shift, ShiftWatch
from ..loading import Model, ModelLike, load
from ..tables.arrow_rows import plain_row
from ..tables.sources import BATCH, Chunk, TableError, TableReader, open_table
from ..tables.table_files import check_target, files_of
from ..tables.table_format import DelimitedText
from ..tables.table_writer import TableWriter, check_output, is_stream
from ..tables.text_rows import Reject, json_text
from .added_columns import DECISION, AddedColumns, Found, added_columns, no_rows, scores_array
from .batches import with_scores
from .journal import Journal
from .rejects import noting, rejects_file, remove_rejects
from .worker_processes import Workers, worker_count

CHECKPOINT = 10.0
"""Seconds between what a run puts on disk to go on from."""


@dataclass
class Summary:
    """Summary of a run.

    Attributes
    ----------
    rows, rejects
        Rows written, and rows set aside.
    flags
        Number of rows with each flag.
    resumed
        Rows of these that an earlier run had scored.
    sentences, known
        Number of analyses and encodings of sentences that were requested, and of those found in the cache; each
        batch requests a sentence once.
    seconds
        Wall time.
    signature
        Of the model.
    decisions
        Number of rows with each decision; None if no decision was requested.
    shift
        Difference of the scores from those of the labelled pairs of the decision; None if it cannot be measured.
    """

    rows: int = 0
    rejects: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    sentences: int = 0
    known: int = 0
    seconds: float = 0.0
    signature: str = ""
    decisions: Counter[str] | None = None
    shift: Shift | None = None

    @property
    def pairs_per_second(self) -> float:
        """Pairs that this run scored in a second of wall time."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        facts = {**vars(self), "flags": dict(sorted(self.flags.items())), "seconds": round(self.seconds, 3)}
        decided = {key: facts.pop(key) for key in ("decisions", "shift")}
        facts |= {"pairs_per_second": round(self.pairs_per_second, 1)}
        if self.decisions is None:
            return facts
        shift = None if self.shift is None else {**self.shift._asdict(), "clear": self.shift.clear}
        return {**facts, **decided, "shift": shift}


def predict_file(
    source: str | Path,
    target: str | Path = "-",
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: str | Sequence[str] | None = None,
    id: str | None = None,
    batch_size: int = BATCH,
    workers: int | str | None = None,
    resume: bool = False,
    checkpoint: float = CHECKPOINT,
    format: str | tuple[str | None, str | None] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
    covers: bool = False,
    keep_apart: Sequence[str] | None = None,
    escape_formulas: bool = False,
    **text: Unpack[DelimitedText],
) -> Summary:
    """Write a table with scores, intervals and flags beside the columns of another.

    Bad rows go to ``TARGET.rejects.jsonl`` (with the target ``-``: to standard error), one JSON object a line with
    ``line``, ``reason`` and ``raw``, and ``id`` if a column of names is given. Both files appear when they are
    complete; until then scores are kept in ``TARGET.unfinished``, for a run that goes on (`journal`).

    Parameters
    ----------
    source, target
        Files, or ``-`` for standard input and output.
    model
        As for `load`; a `ModelRef` also names languages, a cache of sentences and files of your own.
    columns, id, batch_size, text
        As for `open_table`.
    workers
        Processes; ``"auto"``, or None, is one a usable core, as far as free memory goes. A table of one batch is scored
        in this process.
    resume
        Continue an unfinished run, if there is one. Without it, an unfinished run is an error.
    checkpoint
        Seconds between checkpoints on disk.
    format
        The format of standard input and output, where no name shows it; two formats if they differ.
    progress
        Called with the rows done and, where it is known, the rows in all.
    decide, at_least, differences, covers, keep_apart
        Other columns to add, ``decision`` and ``reason``, ``probability``, ``differences``, ``covered`` and ``added``;
        see `added_columns`. A warning says so if the scores are distributed differently from those that the thresholds
        of the decision were chosen on. A run that goes on computes differences and shares again.

    escape_formulas
        As for `TableWriter`.

    Raises
    ------
    TableError
        If the table cannot be read or written, or an unfinished run cannot be resumed.
    ChildProcessError
        If worker processes keep dying.
    samewise.models.bundle.BundleError
        If the model cannot be loaded, or a decision is asked for that it does not have.
    """
    begin = time.perf_counter()
    check_target(source, target)
    check_output(target)
    rejects = rejects_file(target)
    count = worker_count(workers)
    source_format, target_format = format if isinstance(format, tuple) else (format, format)
    with ExitStack() as stack:
        reader = stack.enter_context(open_table(source, columns, id, source_format, batch_size, **text))
        loaded = load(model)
        added = added_columns(loaded, decide, at_least, differences, covers, keep_apart)
        summary = Summary(signature=loaded.signature, decisions=Counter() if decide else None)
        watch = None if added.decision is None else ShiftWatch(added.decision.bands)
        journal = _journal(source, target, reader, loaded, batch_size, resume, checkpoint)
        if journal is not None:
            stack.enter_context(journal)
        writer = stack.enter_context(
            TableWriter(
                target,
                target_format or (reader.format if is_stream(target) else None),
                escape_formulas=escape_formulas,
            )
        )
        note = stack.enter_context(noting(rejects))
        pool = stack.enter_context(Workers(loaded, count))
        writer.write(with_scores(pa.RecordBatch.from_pylist([], reader.schema), no_rows(added)))
        for chunk, scores, found in _scored(reader, pool, journal, summary, added):
            results = added.of(scores, loaded, *found)
            if watch is not None:
                watch.add(scores_array(scores))
            _write(chunk, results, reader, writer, note, summary)
            if progress is not None:
                progress(summary.rows + summary.rejects, reader.total)
    if rejects is not None and summary.rejects == 0 and Path(target).is_file():
        remove_rejects(rejects)
    if watch is not None:
        summary.shift = watch.shift
        _warn_of(summary.shift, source)
    summary.seconds = time.perf_counter() - begin
    return summary


def _warn_of(shift: Shift | None, source: str | Path) -> None:
    if shift is not None and shift.clear:
        warnings.warn(
            f"warning: scores of {source} are distributed differently from those the threshold was chosen on "
            f"(population stability index {shift.stability_index:.2f}, p = {shift.chance:.1g}); label some of these "
            "pairs and run samewise threshold again",
            stacklevel=3,
        )


def _journal(
    source: str | Path,
    target: str | Path,
    reader: TableReader,
    model: Model,
    batch_size: int,
    resume: bool,
    checkpoint: float,
) -> Journal | None:
    """Return the journal of a run, or None where input or output is a stream, which cannot be resumed."""
    path = Path(target)
    again = str(source) != "-" and all(file.is_file() for file in files_of(source).paths)
    if not again or is_stream(target) or (path.exists() and not path.is_file()):
        if resume:
            raise TableError("only a run from files to a file can be resumed; name files instead of streams")
        return None
    facts = {"model": model.signature, "columns": [reader.a_name, reader.b_name]}
    return Journal(path, source, facts, resume, checkpoint, batch_size)


def _scored(
    reader: TableReader, pool: Workers, journal: Journal | None, summary: Summary, added: AddedColumns
) -> Iterator[tuple[Chunk, pa.RecordBatch, Found]]:
    chunks = iter(reader)
    if journal is not None:
        yield from _replayed(chunks, reader, pool, journal, summary, added)
    waiting: deque[Chunk] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        for chunk in chunks:
            waiting.append(chunk)
            yield chunk.batch.select([reader.a_name, reader.b_name])

    for batch in pool.scores(texts(), added.differences_from, added.covers):
        summary.sentences += batch.sentences
        summary.known += batch.known
        if journal is not None:
            journal.add(batch.scores)
        yield waiting.popleft(), batch.scores, batch.found


def _replayed(
    chunks: Iterator[Chunk],
    reader: TableReader,
    pool: Workers,
    journal: Journal,
    summary: Summary,
    added: AddedColumns,
) -> Iterator[tuple[Chunk, pa.RecordBatch, Found]]:
    # The scores of an earlier run. A journal holds no differences and shares: they are computed again.
    waiting: deque[tuple[Chunk, pa.RecordBatch]] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        for scores in journal.replay():
            chunk = next(chunks, None)
            if chunk is None or chunk.batch.num_rows != scores.num_rows:
                raise TableError(f"{reader.name} has changed while it was read; begin again")
            summary.resumed += scores.num_rows
            waiting.append((chunk, scores))
            yield chunk.batch.select([reader.a_name, reader.b_name])

    asked = added.differences_from is not None, added.covers
    if any(asked):
        for found in pool.found(texts(), *asked):
            yield *waiting.popleft(), found
    else:
        for _ in texts():
            yield *waiting.popleft(), Found()


def _write(
    chunk: Chunk,
    results: pa.RecordBatch,
    reader: TableReader,
    writer: TableWriter,
    note: Callable[[dict[str, Any]], None],
    summary: Summary,
) -> None:
    unwritten = writer.write(with_scores(chunk.batch, results))
    rejects = list(chunk.rejects)
    for row in unwritten:
        values = plain_row(chunk.batch, row)
        rejects.append(Reject(chunk.lines[row], writer.refusal, json_text(values), values))
    for reject in sorted(rejects, key=lambda reject: reject.line):
        name = {"id": reader.id_of(reject)} if reader.id_name is not None else {}
        note({"line": reject.line, **name, "reason": reject.reason, "raw": reject.raw})
    summary.rejects += len(rejects)
    summary.rows += results.num_rows - len(unwritten)
    left_out = set(unwritten)
    flags_of_rows = results.column("flags").to_pylist()
    summary.flags.update(flag for i, flags in enumerate(flags_of_rows) if i not in left_out for flag in flags)
    if summary.decisions is not None:
        decisions = results.column(DECISION).to_pylist()
        summary.decisions.update(name for i, name in enumerate(decisions) if i not in left_out)
