"""Journal of an unfinished run: its scores on disk, so that a killed run can be resumed.

The folder ``OUT.unfinished`` stands beside the output OUT. Its ``run.json`` describes input, model and versions, each
part holds the scores of consecutive chunks of the input, and ``journal.jsonl`` has a line for each part that is
completely on disk. A resumed run reads its input from the beginning and takes the scores of those chunks from the
parts, and so writes the same bytes as an undisturbed run.

Nothing in the folder is trusted: the journal ends at the first part that differs from what a run writes, and the rest
is scored again.
"""

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa

from ..._files import complete_file, on_disk, remove_abandoned
from ..core.scale import POINTS, Scale
from ..tables.sources import BATCH, fingerprint
from ..tables.table_reader import TableError
from .journal_folder import JOURNAL, RUN, claim, create_plain, open_plain, part_name, read_plain, remove
from .journal_parts import LONGEST_LINE, MOST_CHUNKS, MOST_ROWS, entry_of, packed, size_of, unpacked

UNFINISHED = ".unfinished"
"""Suffix of the folder of a journal, after the name of the output."""

LARGEST_RUN = 1 << 20
"""Most bytes of ``run.json`` that are read."""


class Journal:
    """Journal of one run; a context manager that keeps the scores if the block ends with an exception.

    Parameters
    ----------
    target
        The output.
    source
        The input: a path that `fingerprint` accepts.
    facts
        Everything else that the scores, their order and the form of the journal depend on, as JSON values.
    resume
        Whether to resume an unfinished run, if there is one.
    every
        Seconds between parts, the most that a power failure can lose. A shorter run writes no part.
    batch_size
        Most rows of a chunk.
    scale
        Scale of the model.

    Raises
    ------
    TableError
        If there is an unfinished run and `resume` is False, or it has another input, model or version, or another
        process runs it, or something else stands where its folder would.
    """

    def __init__(
        self,
        target: Path,
        source: str | Path,
        facts: dict[str, Any],
        resume: bool = False,
        every: float = 10.0,
        batch_size: int = BATCH,
        scale: Scale = POINTS,
    ) -> None:
        if not every >= 0.0:
            raise ValueError(f"the seconds between checkpoints must be at least 0, got {every:g}; give some such as 10")
        self.folder = target.with_name(f"{target.name}{UNFINISHED}")
        self._facts = {**facts, "batch size": batch_size}
        self._batch_size, self._every, self._scale = batch_size, every, scale
        self._run = b""
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0
        self._entries: list[dict[str, Any]] = []
        self._written = time.monotonic()
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
        self._lock = claim(self.folder)
        self._exists = os.path.lexists(self.folder / RUN)
        self._digest = _in_background(fingerprint, source)
        try:
            remove_abandoned(target)
            if self._exists and not resume:
                raise TableError(
                    f"{target} has an unfinished run; add --resume to go on, or remove {self.folder} to begin again"
                )
            if self._exists:
                self._check(target)
        except BaseException:
            self._close()
            raise

    @property
    def _done(self) -> int:
        return int(self._entries[-1]["rows"][1]) if self._entries else 0

    def _check(self, target: Path) -> None:
        self._run = read_plain(self.folder / RUN, LARGEST_RUN)
        now = {**self._facts, "input": self._digest.result()}
        then = _facts_of(self._run, self.folder)
        changed = next((name for name in {**now, **then} if then.get(name) != _text(now.get(name))), None)
        if changed is not None:
            raise TableError(
                f"the {_short(changed)} must be that of the unfinished run of {target}, {_short(then.get(changed))}, "
                f"got {_short(_text(now.get(changed)))}; restore it, or remove {self.folder} to begin again"
            )
        # Never rewritten: a run that is killed here keeps what earlier runs scored.
        with open_plain(self.folder / JOURNAL, os.O_RDWR | os.O_CREAT) as file:
            size = 0
            for line in iter(lambda: file.readline(LONGEST_LINE), b""):
                entry = entry_of(line, self._done, self._batch_size)
                if entry is None or self._part(len(self._entries), entry) is None:
                    break  # the run was killed while writing it
                self._entries.append(entry)
                size += len(line)
            file.truncate(size)
            on_disk(file)

    def _part(self, number: int, entry: dict[str, Any]) -> list[pa.RecordBatch] | None:
        with contextlib.suppress(FileNotFoundError):
            data = read_plain(self.folder / part_name(number), size_of(entry))
            return unpacked(entry, data, self._run, self._scale)
        return None

    def replay(self) -> Iterator[pa.RecordBatch]:
        """Yield the scores of the first chunks of the input from earlier runs.

        Raises
        ------
        TableError
            If a part has changed since it was checked.
        """
        for number, entry in enumerate(self._entries[:]):
            scores = self._part(number, entry)
            if scores is None:
                raise TableError(f"{self.folder} must not change while it is read, but did; begin again")
            yield from scores

    def add(self, scores: pa.RecordBatch) -> None:
        """Add the scores of the next chunk; write the chunks since the last part if that is long enough ago."""
        self._waiting.append(scores)
        self._rows += scores.num_rows
        full = len(self._waiting) >= MOST_CHUNKS or self._rows >= MOST_ROWS
        if full or (time.monotonic() - self._written >= self._every and self._digest.done()):
            self._write()

    def _write(self) -> None:
        if not self._exists:
            self._begin()
        entry, data = packed(self._waiting, self._done, self._run)
        path = self.folder / part_name(len(self._entries))
        with create_plain(path) as file:
            file.write(data)
            on_disk(file)
        with open_plain(self.folder / JOURNAL, os.O_WRONLY | os.O_APPEND) as file:
            file.write(json.dumps(entry).encode() + b"\n")
            on_disk(file)
        on_disk(self.folder)
        self._entries.append(entry)
        self._waiting, self._rows, self._written = [], 0, time.monotonic()

    def _begin(self) -> None:
        facts = {**self._facts, "input": self._digest.result()}
        self._run = json.dumps(facts, indent=1).encode()
        create_plain(self.folder / JOURNAL).close()
        with complete_file(self.folder / RUN) as file:
            file.write(self._run)
        on_disk(self.folder.parent)
        self._exists = True

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        try:
            if error is not None and self._waiting and self._exists:
                # A full disk loses these scores, but the earlier parts stay valid.
                with contextlib.suppress(OSError, TableError):
                    self._write()
            if error is not None and self._exists:
                error.add_note(f"{self._done:,} rows are scored; the same command with --resume goes on from there")
            self._exists = self._exists and error is not None
        finally:
            self._close()

    def _close(self) -> None:
        # The lock goes last: another process must not take over a folder that is being removed.
        try:
            if not self._exists:
                remove(self.folder)
        finally:
            if self._lock is not None:
                self._lock.close()


def _in_background(call: Callable[..., str], *arguments: Any) -> Future[str]:
    # Chunks are scored while a large file is read. A daemon thread does not delay the end of the process, unlike
    # the threads of an executor.
    future: Future[str] = Future()

    def run() -> None:
        try:
            future.set_result(call(*arguments))
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def _facts_of(run: bytes, folder: Path) -> dict[str, str]:
    """Return the facts of a run as JSON texts, which distinguish ``1``, ``1.0``, ``true`` and ``"1"``."""
    try:
        return {name: _text(value) for name, value in json.loads(run).items()}
    except (ValueError, AttributeError, RecursionError) as error:
        raise TableError(f"{folder / RUN} is damaged; remove its folder to begin again") from error


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _short(text: str | None) -> str:
    # A text without its quotes; control characters never reach a terminal.
    text = "nothing" if text is None else text
    text = text[1:-1] if text[:1] == text[-1:] == '"' else text
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else f"{text[:60]}...{text[-16:]}"
