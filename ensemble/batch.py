"""Stream a table through a model: order kept, rejects aside, memory independent of the length of the file."""

import gc
import os
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from .predictor import DEFAULT_PROFILE, USER_RESOURCES, Prediction, Predictor, load
from .tables.reading import BATCH, Chunk, TableError, TableReader, open_table
from .tables.rows import Reject, json_text
from .tables.writing import AS_WORDS, TableWriter, complete_file

NEW_COLUMNS = ("score", "low", "high", "flags")
"""What is added to every row."""

LOOK_AHEAD = 2
"""Chunks in hand for each worker."""


class Model(Protocol):
    """What scores pairs: a `Predictor` or anything with this method."""

    def predict_pairs(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        """Return scores, intervals and flags of n pairs."""
        ...


@dataclass
class Summary:
    """What a run did.

    Attributes
    ----------
    rows, rejects
        Rows written, and rows set aside.
    flags
        How many rows each flag was raised for.
    seconds
        Wall time.
    signature
        Of the model.
    """

    rows: int = 0
    rejects: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    signature: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**vars(self), "flags": dict(sorted(self.flags.items())), "seconds": round(self.seconds, 3)}


def score_batch(batch: pa.RecordBatch, a_name: str, b_name: str, model: Model) -> pa.RecordBatch:
    """Return the batch with the columns ``score``, ``low``, ``high`` (float64) and ``flags`` (lists of words) added.

    The unit of work, in this process, in a worker or on a cluster: it depends on nothing but its arguments. A name that
    the batch uses already is prefixed (``samewise_score``).

    Parameters
    ----------
    batch
        n rows.
    a_name, b_name
        The columns with the texts.
    model
        The fitted model.
    """
    pairs = list(zip(batch.column(a_name).to_pylist(), batch.column(b_name).to_pylist(), strict=True))
    found = model.predict_pairs(pairs)
    numbers = [pa.array(values, pa.float64()) for values in (found.score, found.low, found.high)]
    flags = pa.array([list(flags) for flags in found.flags], pa.list_(pa.string()))
    schema = batch.schema
    for name, kind in zip(NEW_COLUMNS, (pa.float64(),) * 3 + (pa.list_(pa.string()),), strict=True):
        schema = schema.append(_new_field(name, kind, schema.names))
    return pa.record_batch([*batch.columns, *numbers, flags], schema=schema)


def _new_field(name: str, kind: pa.DataType, taken: Sequence[str]) -> pa.Field:
    while name in taken:
        name = f"samewise_{name}"
    return pa.field(name, kind, metadata=AS_WORDS if pa.types.is_list(kind) else None)


class _Source(NamedTuple):
    """Where a worker finds the model, and which one it must be."""

    model: str
    features_file: str | None
    given: tuple[tuple[str, Any], ...]
    signature: str


_loaded: dict[_Source, Predictor] = {}


def _score_in_worker(batch: pa.RecordBatch, a_name: str, b_name: str, source: _Source) -> pa.RecordBatch:
    if source not in _loaded:
        model = load_model(source.model, source.features_file, **dict(source.given))
        if model.signature != source.signature:
            raise TableError(f"the model {source.model} changed while it was in use; start again")
        _loaded[source] = model
    return score_batch(batch, a_name, b_name, _loaded[source])


def load_model(
    model: str | Path,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    *,
    others: bool = False,
) -> Predictor:
    """Load a profile or a bundle, and the user's own features, word vectors and encoder that it was trained with.

    Parameters
    ----------
    model, features_file, vectors, encoder
        As for `predict_file`.
    others
        Whether features are wanted that the model does not have, for which vectors and encoder may be.

    Raises
    ------
    ValueError
        If word vectors or an encoder are given to a model that reads none.
    """
    from ..features.catalogue import load_features

    loaded = load(model, load_features(features_file) if features_file is not None else (), vectors, encoder)
    for key, place in {"vectors": vectors, "encoder": encoder}.items():
        if place is not None and not (others or key in loaded.given):
            title = USER_RESOURCES[key].title
            raise ValueError(f"the model {str(model)!r} reads no {title} of yours; leave {str(place)!r} out")
    return loaded


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def predict_file(
    source: str | Path,
    target: str | Path = "-",
    *,
    model: str | Path | Predictor = DEFAULT_PROFILE,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    columns: str | Sequence[str] | None = None,
    id: str | None = None,
    batch_size: int = BATCH,
    workers: int | None = None,
    format: str | None = None,
    target_format: str | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Summary:
    """Write a table with scores, intervals and flags beside the columns of another.

    Bad rows go to ``TARGET.rejects.jsonl`` (with the target ``-``: to standard error), one JSON object a line with
    ``line``, ``reason`` and ``raw``, and ``id`` where one is asked for. Both files appear when they are complete.

    Parameters
    ----------
    source, target
        Files, or ``-`` for standard input and output.
    model
        A profile, the folder of a bundle, or a loaded model.
    features_file
        Python file of your own features that the model was trained with.
    vectors, encoder
        Where the word vectors and the sentence encoder are that the model was trained with, if not where they were.
    columns, id, batch_size
        As for `open_table`.
    workers
        Processes; without it one a usable core, at most 8. A table of one batch is scored in this process.
    format
        The format of standard input or output, where no name tells it.
    target_format
        The format of the output where it is not the same.
    progress
        Called with the rows done and, where it is known, the rows in all.

    Raises
    ------
    TableError
        If the table cannot be read or written.
    samewise.models.bundle.BundleError
        If the model cannot be loaded.
    """
    begin = time.perf_counter()
    to_stdout = str(target) == "-"
    if not to_stdout and str(source) != "-" and os.path.realpath(source) == os.path.realpath(target):
        raise TableError(f"{target} is both input and output; name another output")
    count = min(usable_cores(), 8) if workers is None else workers
    if count < 1:
        raise ValueError(f"workers is {count}; it must be at least 1")
    rejects_file = Path(f"{target}.rejects.jsonl")
    with ExitStack() as stack:
        reader = stack.enter_context(open_table(source, columns, id, format, batch_size))
        given = load_model(model, features_file, vectors, encoder) if isinstance(model, str | Path) else model
        known = target_format or format or (reader.format if to_stdout else None)
        writer = stack.enter_context(TableWriter(target, known))
        note = stack.enter_context(_rejects_to_stderr() if to_stdout else _rejects_to(rejects_file))
        summary = Summary(signature=given.signature)
        empty = pa.RecordBatch.from_pylist([], schema=reader.schema)
        writer.write(score_batch(empty, reader.a_name, reader.b_name, given))
        feed = stack.enter_context(closing(_scored(reader, given, model, features_file, count, stack)))
        for chunk, scored in feed:
            _write(chunk, scored, reader, writer, note, summary)
            if progress is not None:
                progress(summary.rows + summary.rejects, reader.total)
    if not to_stdout and summary.rejects == 0 and Path(target).is_file():
        rejects_file.unlink(missing_ok=True)  # of an earlier run
    summary.seconds = time.perf_counter() - begin
    return summary


def _write(
    chunk: Chunk,
    scored: pa.RecordBatch,
    reader: TableReader,
    writer: TableWriter,
    note: Callable[[dict[str, Any]], None],
    summary: Summary,
) -> None:
    unwritten = writer.write(scored)
    rejects = list(chunk.rejects)
    for row in unwritten:
        [values] = chunk.batch.slice(row, 1).to_pylist()
        reason = f"a tab or a line break in a field, which {writer.format.upper()} cannot hold"
        rejects.append(Reject(chunk.lines[row], reason, json_text(values), values))
    for reject in sorted(rejects, key=lambda reject: reject.line):
        name = {"id": reader.id_of(reject)} if reader.id_name is not None else {}
        note({"line": reject.line, **name, "reason": reject.reason, "raw": reject.raw})
    summary.rejects += len(rejects)
    summary.rows += scored.num_rows - len(unwritten)
    left_out = set(unwritten)
    found = scored.column(scored.num_columns - 1).to_pylist()
    summary.flags.update(flag for i, flags in enumerate(found) if i not in left_out for flag in flags)


@contextmanager
def _rejects_to(path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    # Opened at the first reject, so that a clean run leaves no empty file.
    with ExitStack() as stack:
        file: list[Any] = []

        def note(facts: dict[str, Any]) -> None:
            if not file:
                file.append(stack.enter_context(complete_file(path)))
            file[0].write((json_text(facts) + "\n").encode())

        yield note


@contextmanager
def _rejects_to_stderr() -> Iterator[Callable[[dict[str, Any]], None]]:
    yield lambda facts: print(json_text(facts), file=sys.stderr)


def _scored(
    reader: TableReader,
    given: Predictor,
    model: str | Path | Predictor,
    features_file: str | Path | None,
    workers: int,
    stack: ExitStack,
) -> Generator[tuple[Chunk, pa.RecordBatch], None, None]:
    chunks = iter(reader)
    head = list(islice(chunks, 2)) if workers > 1 else []
    chunks = chain(head, chunks)
    if len(head) < 2:
        for chunk in chunks:
            yield chunk, score_batch(chunk.batch, reader.a_name, reader.b_name, given)
        return
    if not isinstance(model, str | Path):
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "model"
        given.save(folder)
        model = folder
    features_file = None if features_file is None else str(features_file)
    places = tuple((key, str(path)) for key, path in given.given.items())
    source = _Source(str(model), features_file, places, given.signature)
    # Bounded by what has been written, not by what has been scored: a slow reader of our output must not make finished
    # chunks pile up, as they would with `joblib.Parallel(return_as="generator")`.
    ahead: deque[tuple[Chunk, Future[pa.RecordBatch]]] = deque()
    with _pool(workers) as submit:
        try:
            for chunk in chunks:
                future = submit(partial(_score_in_worker, chunk.batch, reader.a_name, reader.b_name, source))
                ahead.append((chunk, future))
                if len(ahead) >= LOOK_AHEAD * workers:
                    yield _first(ahead)
            while ahead:
                yield _first(ahead)
        except BaseException:
            # loky can be stopped at once only when every call has left its first queue, which takes milliseconds.
            limit = time.monotonic() + 1.0
            while not all(f.running() or f.done() for _, f in ahead) and time.monotonic() < limit:
                time.sleep(0.005)
            raise


def _first(ahead: "deque[tuple[Chunk, Future[pa.RecordBatch]]]") -> tuple[Chunk, pa.RecordBatch]:
    chunk, future = ahead.popleft()
    return chunk, future.result()


@contextmanager
def _pool(workers: int) -> Iterator[Callable[..., Future[pa.RecordBatch]]]:
    from joblib.externals.loky import ProcessPoolExecutor

    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    pool = ProcessPoolExecutor(workers, initializer=_prepare_worker, env=one_thread)
    try:
        yield pool.submit
    except BrokenExecutor as error:
        raise ChildProcessError("a worker process died, perhaps for want of memory; use fewer workers") from error
    finally:
        # Nothing is running any more, or what is running is not wanted.
        pool.shutdown(wait=True, kill_workers=True)


def _prepare_worker() -> None:
    # Interrupts are the parent's to handle.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A batch makes many small tuples that live as long as it does: looking for garbage among them so often finds none
    # and takes 9 % of the time of the profile full, 5 % of surface.
    gc.set_threshold(100_000, 50, 50)
