"""Journal of an unfinished run: its scores on disk, so that a killed run can be resumed.

The folder ``OUT.unfinished`` stands beside the output OUT. Its ``run.json`` describes input and model, each part holds
the scores of consecutive chunks of the input as an Arrow stream, and ``journal.jsonl`` has a line for each part that is
completely on disk. A resumed run reads its input from the beginning and takes the scores of those chunks from the
parts, and so writes the same bytes as an undisturbed run.
"""

import contextlib
import errno
import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

import pyarrow as pa

from ...features.complete_files import complete_file, locked, on_disk, remove_abandoned
from ..tables.table_errors import TableError
from ..tables.table_source import fingerprint
from .batch_scores import SCORES

UNFINISHED = ".unfinished"
"""Suffix of the folder of a journal, after the name of the output."""

FORMAT = 1

_RUN, _JOURNAL = "run.json", "journal.jsonl"


class Journal:
    """Journal of one run; a context manager that keeps the scores if the block ends with an exception.

    Parameters
    ----------
    target
        The output.
    source
        The input: a path that `fingerprint` accepts.
    facts
        Everything else that the scores and their order depend on, as JSON values.
    resume
        Whether to resume an unfinished run, if there is one.
    every
        Seconds between parts, the most that a power failure can lose. A shorter run writes no part.

    Raises
    ------
    TableError
        If there is an unfinished run and `resume` is False, or it has another input or model, or another process
        runs it.
    """

    def __init__(
        self, target: Path, source: str | Path, facts: dict[str, Any], resume: bool = False, every: float = 10.0
    ) -> None:
        self.folder = target.with_name(f"{target.name}{UNFINISHED}")
        self._facts, self._every = {"format": FORMAT, **facts}, every
        self._waiting: list[pa.RecordBatch] = []
        self._entries: list[dict[str, Any]] = []
        self._written = time.monotonic()
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
        self.folder.mkdir(exist_ok=True)
        self._lock = _locked(self.folder)
        self._exists = (self.folder / _RUN).is_file()
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
        then = _read(self.folder / _RUN)
        now = {**self._facts, "input": self._digest.result()}
        changed = [name for name in now if then.get(name) != now[name]]
        if changed:
            raise TableError(
                f"the {changed[0]} must be that of the unfinished run of {target}, {_short(then.get(changed[0]))}, got "
                f"{_short(now[changed[0]])}; restore it, or remove {self.folder} to begin again"
            )
        log, size = self.folder / _JOURNAL, 0
        for number, line in enumerate(log.read_bytes().splitlines(keepends=True)):
            entry = _entry(line, number, self.folder)
            if entry is None:  # it was being written when the run was killed
                break
            self._entries.append(entry)
            size += len(line)
        # Never rewritten: a run that is killed here keeps what earlier runs scored.
        with log.open("r+b") as file:
            file.truncate(size)
            on_disk(file)

    def replay(self) -> Iterator[pa.RecordBatch]:
        """Yield the scores of the first chunks of the input from earlier runs."""
        for entry in self._entries[:]:
            with pa.ipc.open_stream((self.folder / entry["part"]).read_bytes()) as stream:
                yield from stream

    def add(self, scores: pa.RecordBatch) -> None:
        """Add the scores of the next chunk; write the chunks since the last part if that is long enough ago."""
        self._waiting.append(scores)
        if time.monotonic() - self._written >= self._every and self._digest.done():
            self._write()

    def _write(self) -> None:
        if not self._exists:
            self._begin()
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, SCORES) as stream:
            for scores in self._waiting:
                stream.write_batch(scores)
        data = sink.getvalue()
        name = f"part-{len(self._entries):06d}.arrows"
        with (self.folder / name).open("wb") as file:
            file.write(data)
            on_disk(file)
        chunks = [scores.num_rows for scores in self._waiting]
        entry = {
            "part": name,
            "rows": [self._done, self._done + sum(chunks)],
            "chunks": chunks,
            "digest": _digest(data),
        }
        with (self.folder / _JOURNAL).open("ab") as file:
            file.write(_line(entry))
            on_disk(file)
        on_disk(self.folder)
        self._entries.append(entry)
        self._waiting, self._written = [], time.monotonic()

    def _begin(self) -> None:
        facts = {**self._facts, "input": self._digest.result()}
        (self.folder / _JOURNAL).write_bytes(b"")
        with complete_file(self.folder / _RUN) as file:
            file.write(json.dumps(facts, indent=1).encode())
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
            else:
                # First of all, so that a folder without a journal is never taken for an unfinished run.
                (self.folder / _RUN).unlink(missing_ok=True)
                shutil.rmtree(self.folder, ignore_errors=True)
        finally:
            self._close()

    def _close(self) -> None:
        if self._lock is not None:
            self._lock.close()
        if not self._exists:
            shutil.rmtree(self.folder, ignore_errors=True)


def _locked(folder: Path) -> BinaryIO | None:
    # Held as long as this process lives, however it ends.
    if os.name == "nt":  # Windows removes no folder with an open file
        return None
    lock = (folder / "lock").open("wb")
    if not locked(lock):
        lock.close()
        raise TableError(f"another process is at work in {folder}; wait until it is done, or end it")
    return lock


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


def _read(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TableError(f"{path} is damaged; remove its folder to begin again") from error
    return facts if isinstance(facts, dict) else {}


def _entry(line: bytes, number: int, folder: Path) -> dict[str, Any] | None:
    """Return the entry of a line of the journal, or None if the line or its part is incomplete."""
    try:
        if not line.endswith(b"\n"):
            return None
        entry: dict[str, Any] = json.loads(line)
        data = (folder / f"part-{number:06d}.arrows").read_bytes()
        return entry if entry["digest"] == _digest(data) else None
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:60]}...{text[-16:]}"
