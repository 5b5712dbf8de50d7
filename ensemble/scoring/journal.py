"""Journal of an unfinished run: its scores in one SQLite file beside the output, so that a killed run can be resumed.

``OUT.unfinished`` holds what the scores depend on and, for each chunk of the input, its scores as an Arrow batch.
SQLite puts a chunk on disk as a whole or not at all, and lets one process write at a time. A resumed run reads its
input from the beginning, takes the scores of the chunks that are there, and so writes the same bytes as an
uninterrupted run.
"""

import json
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..._code_version import installed_version, package_digest
from ..._files import remove_abandoned
from ..tables.sources import BATCH, fingerprint
from ..tables.table_reader import TableError
from .batches import PREDICTION

UNFINISHED = ".unfinished"
"""Suffix of the file of a journal, after the name of the output."""

SCORING, SCREENING, PARTS = "scoring", "screening", "parts"
"""Steps of a run, each of which has its scores in the journal."""

_MARK = 0x73616D65  # "same": the application id in the header of our SQLite files

_TABLES = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT)",
    "CREATE TABLE IF NOT EXISTS chunks (id INTEGER PRIMARY KEY, step TEXT, rows INT, checksum INT, scores BLOB)",
)

_LIBRARIES = ("numpy", "onnxruntime", "py3langid", "PyStemmer", "RapidFuzz", "scipy", "spacy", "tokenizers", "wordfreq")


class Journal:
    """Journal of one run; a context manager that keeps the scores if the block ends with an exception.

    Parameters
    ----------
    target
        The output.
    source
        The input: a path that `fingerprint` accepts.
    facts
        Everything else that the scores and their order depend on, as JSON values; versions are added.
    resume
        Whether to resume an unfinished run, if there is one.
    every
        Seconds between commits, the most that a power failure can lose. A shorter run keeps nothing.
    batch_size
        Most rows of a chunk.

    Raises
    ------
    TableError
        If there is an unfinished run and `resume` is False, or it has another input, model or version, or another
        process runs it, or something else has the name of the journal.
    """

    def __init__(
        self,
        target: Path,
        source: str | Path,
        facts: dict[str, Any],
        resume: bool = False,
        every: float = 10.0,
        batch_size: int = BATCH,
    ) -> None:
        if not every >= 0.0:
            raise ValueError(f"the seconds between checkpoints must be at least 0, got {every:g}; give some such as 10")
        self.path = target.with_name(f"{target.name}{UNFINISHED}")
        self._every, self._committed = every, time.monotonic()
        self._checksums: dict[str, int] = {}  # by step, of all chunks until now: none is lost or moved unnoticed
        facts = {**facts, "batch size": batch_size, "input": fingerprint(source), **versions_of_scores()}
        rollback = target.with_name(f"{self.path.name}-journal")  # what SQLite writes beside a file of ours
        if os.path.lexists(rollback) and not self.path.exists():
            raise self._not_ours(rollback)
        if self.path.is_symlink() or (self.path.exists() and not self.path.is_file()):
            raise self._not_ours(self.path)
        with self._sqlite_errors():
            self._db = sqlite3.connect(self.path, timeout=0.0, isolation_level=None)
        try:
            with self._sqlite_errors():
                self._begin(target, {name: json.dumps(value) for name, value in facts.items()}, resume)
            remove_abandoned(target)
        except BaseException:
            self._db.close()
            raise

    def _begin(self, target: Path, facts: dict[str, str], resume: bool) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("BEGIN EXCLUSIVE")
        [mark] = self._db.execute("PRAGMA application_id").fetchone()
        [tables] = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if mark != _MARK and (mark or tables):
            raise self._not_ours(self.path)
        for statement in (f"PRAGMA application_id = {_MARK}", *_TABLES):
            self._db.execute(statement)
        [self._rows] = self._db.execute("SELECT coalesce(sum(rows), 0) FROM chunks").fetchone()
        self._kept = self._rows
        if self._kept and not resume:
            raise TableError(
                f"{target} has an unfinished run; add --resume to go on, or remove {self.path} to begin again"
            )
        then = dict(self._db.execute("SELECT name, value FROM facts"))
        changed = next((name for name in {**facts, **then} if then.get(name) != facts.get(name)), None)
        if self._kept and changed is not None:
            raise TableError(
                f"the {changed} must be that of the unfinished run of {target}, {then.get(changed)}, "
                f"got {facts.get(changed)}; restore it, or remove {self.path} to begin again"
            )
        self._db.execute("DELETE FROM facts")
        self._db.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        self._commit()

    def _commit(self) -> None:
        self._db.execute("COMMIT")
        self._kept, self._committed = self._rows, time.monotonic()
        self._db.execute("BEGIN")

    def replay(self, step: str = SCORING) -> Iterator[pa.RecordBatch]:
        """Yield the scores of the first chunks of a step from earlier runs."""
        query = "SELECT checksum, scores FROM chunks WHERE step = ? ORDER BY id"
        self._checksums[step] = 0
        with self._sqlite_errors():
            for checksum, scores in self._db.execute(query, (step,)):
                self._checksums[step] = zlib.crc32(scores, self._checksums[step])
                if self._checksums[step] != checksum:
                    raise sqlite3.DatabaseError("a checksum does not fit")
                yield pa.ipc.read_record_batch(pa.py_buffer(scores), PREDICTION)

    def add(self, scores: pa.RecordBatch, step: str = SCORING) -> None:
        """Add the scores of the chunk after those of `replay`; commit if the last commit is long enough ago."""
        data = scores.serialize().to_pybytes()
        self._checksums[step] = zlib.crc32(data, self._checksums.get(step, 0))
        chunk = (step, scores.num_rows, self._checksums[step], data)
        with self._sqlite_errors():
            self._db.execute("INSERT INTO chunks (step, rows, checksum, scores) VALUES (?, ?, ?, ?)", chunk)
            self._rows += scores.num_rows
            if time.monotonic() - self._committed >= self._every:
                self._commit()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if error is None or not self._kept:
            self._db.close()
            self.path.unlink(missing_ok=True)
            return
        with suppress(sqlite3.Error):  # a full disk loses what came after the last commit
            self._commit()
        self._db.close()
        error.add_note(f"{self._kept:,} pairs are scored; the same command with --resume goes on from there")

    def _not_ours(self, path: Path) -> TableError:
        return TableError(
            f"{path} must be the unfinished run of samewise, got something else; rename it, or name another output"
        )

    @contextmanager
    def _sqlite_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite quotes what it cannot read
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code == sqlite3.SQLITE_NOTADB:
                raise self._not_ours(self.path) from error
            message = f"{self.path} is damaged ({error}); remove it to begin again"
            if code == sqlite3.SQLITE_BUSY:
                message = f"another process is at work in {self.path}; wait until it is done, or end it"
            elif code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                message = f"{self.path} must be writable, got {str(error)!r}; make room, or name another output"
            raise TableError(message) from error


def versions_of_scores() -> dict[str, str]:
    """Return the versions of what scores depend on beside the model, and a digest of the code of samewise."""
    versions = {name: installed_version(name) or "none" for name in ("samewise", *_LIBRARIES)}
    versions["Python"] = f"{sys.version_info.major}.{sys.version_info.minor}"
    named = {f"version of {name}": version for name, version in versions.items()}
    return {**named, "code of samewise": package_digest()}
