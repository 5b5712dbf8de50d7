"""Caches of sentences and of words, and the fields of a value that are left without what was cached.

The analysis and encoding of a sentence do not depend on other sentences, so a cached value is the computed value. Files
of one query and many candidates, or of the same candidates for each query, have few distinct sentences.
"""

import hashlib
import sqlite3
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

BUDGET = 1 << 26
"""Bytes kept in a process: about 13,000 tagged sentences, or 6,000 with the states of their word pieces."""

FILE = "sentences.sqlite"
"""Name of the file of a cache in its folder."""

_AT_A_TIME = 500
_CHECK = 8
_LONGEST_KEY = 2_000


class Packing(NamedTuple):
    """Storage of one kind of value.

    Attributes
    ----------
    kind
        Name of the kind, with the version and tables that computed it.
    pack, unpack
        Convert a value to bytes and back; `unpack` takes the text as well.
    size
        Return the approximate size of a value in memory, in bytes.
    """

    kind: str
    pack: Callable[[Any], bytes]
    unpack: Callable[[str, bytes], Any]
    size: Callable[[Any], int]


class SentenceCache:
    """Values of sentences by text and kind; the least recently used are dropped first.

    Parameters
    ----------
    folder
        Folder of the file that other processes share, at the same time or later; no file if None.
    budget
        Bytes kept in this process.

    Attributes
    ----------
    asked, known
        Number of values requested, and of those found in the cache.

    Raises
    ------
    ValueError
        If the folder holds a file of the name `FILE` that is not a cache, even if SQLite can read it.
    """

    def __init__(self, folder: str | Path | None = None, budget: int = BUDGET) -> None:
        self.budget = budget
        self.asked = self.known = 0
        self._kept: OrderedDict[tuple[str, str | bytes], tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._file = None if folder is None else _File(Path(folder))

    def recall(self, packing: Packing, texts: Sequence[str], compute: Callable[[list[str]], Sequence[T]]) -> list[T]:
        """Return the value of each text, computing those that are not cached.

        Parameters
        ----------
        packing
            The kind of value.
        texts
            Distinct normalised texts.
        compute
            Return the values of texts, in order.
        """
        values: list[Any] = [None] * len(texts)
        absent = []
        with self._lock:
            for place, text in enumerate(texts):
                key = packing.kind, _short(text)
                kept = self._kept.get(key)
                if kept is None:
                    absent.append(place)
                else:
                    self._kept.move_to_end(key)
                    values[place] = kept[0]
        stored = self._file.read(packing, [texts[place] for place in absent]) if absent and self._file else {}
        new = [place for place in absent if texts[place] not in stored]
        computed = compute([texts[place] for place in new]) if new else ()
        fresh = {texts[place]: value for place, value in zip(new, computed, strict=True)}
        if fresh and self._file is not None:
            self._file.write(packing, fresh)
        with self._lock:
            for place in absent:
                text = texts[place]
                values[place] = value = fresh[text] if text in fresh else stored[text]
                self._keep((packing.kind, _short(text)), value, packing.size(value))
            self.asked += len(texts)
            self.known += len(texts) - len(new)
        return values

    def _keep(self, key: tuple[str, str | bytes], value: Any, size: int) -> None:
        if key in self._kept:  # another thread was faster
            return
        self._kept[key] = value, size
        self._size += size
        while self._size > self.budget:
            _, (_, freed) = self._kept.popitem(last=False)
            self._size -= freed

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy, also in another process, starts with the content of the file.
        return SentenceCache, (None if self._file is None else self._file.path.parent, self.budget)


class _File:
    """SQLite file that several processes may read and write at once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE
        self._full = False
        # A connection has one transaction at a time: threads take turns.
        self._lock = threading.Lock()
        try:
            self._base = sqlite3.connect(self.path, timeout=60.0, isolation_level=None, check_same_thread=False)
            self._check_ours()
            # Values lost in a power failure are computed again.
            self._base.execute("PRAGMA synchronous = OFF")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        except sqlite3.DatabaseError as error:
            raise ValueError(
                f"the cache {self.path} must be an SQLite file, got {error}; remove it or choose another folder"
            ) from error

    def _check_ours(self) -> None:
        # Before anything is written: a foreign database must stay unchanged.
        others = self._base.execute("SELECT name FROM sqlite_master WHERE name != 'kept' LIMIT 1").fetchone()
        columns = [row[1] for row in self._base.execute("PRAGMA table_info(kept)")]
        if others or columns not in ([], ["key", "value"]):
            self._base.close()
            raise ValueError(
                f"the cache {self.path} must be one that samewise made, got another database; choose another folder"
            )

    def read(self, packing: Packing, texts: Sequence[str]) -> dict[str, Any]:
        values = {}
        for start in range(0, len(texts), _AT_A_TIME):
            text_of = {_key(packing.kind, text): text for text in texts[start : start + _AT_A_TIME]}
            marks = ",".join("?" * len(text_of))
            query = f"SELECT key, value FROM kept WHERE key IN ({marks})"
            try:
                with self._lock:
                    rows = self._base.execute(query, list(text_of)).fetchall()
            except sqlite3.DatabaseError as error:
                raise ValueError(f"the cache {self.path} is damaged ({error}); remove it") from error
            for key, value in rows:
                if value[:_CHECK] == _check(value[_CHECK:]):
                    values[text_of[key]] = packing.unpack(text_of[key], value[_CHECK:])
        return values

    def write(self, packing: Packing, values: dict[str, Any]) -> None:
        if self._full:
            return
        rows = []
        for text, value in values.items():
            data = packing.pack(value)
            rows.append((_key(packing.kind, text), _check(data) + data))
        with self._lock:
            try:
                self._base.execute("BEGIN IMMEDIATE")
                self._base.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
                self._base.execute("COMMIT")
            except sqlite3.OperationalError as error:
                # The disk is full or read-only: the values in the file still help.
                self._full = True
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                warnings.warn(
                    f"the cache {self.path} is full or read-only ({error}); it keeps no new values",
                    RuntimeWarning,
                    stacklevel=3,
                )


def _short(text: str) -> str | bytes:
    # The text itself where it is no larger than its value, else a digest, so that the budget holds for any text.
    return text if len(text) <= _LONGEST_KEY else _key("text", text)


def _key(kind: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16, key=hashlib.blake2b(kind.encode()).digest()).digest()


def _check(data: bytes) -> bytes:
    # SQLite has no checksums of its own.
    return hashlib.blake2b(data, digest_size=_CHECK).digest()


R = TypeVar("R")

LONGEST = 30
"""Most characters of a word whose value is kept; longer ones are rare."""


def cached_by_word(most: int) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that keeps the values of a function for the last `most` words, its first argument.

    `functools.lru_cache` alone bounds the number of words and not their length: 16,384 words of 2,000 characters, each
    with the vectors of its pieces, would take gigabytes.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def value(word: str, *more: Any) -> R:
            return (kept if len(word) <= LONGEST else function)(word, *more)

        return value

    return decorate


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, for ``__getstate__``.

    Cached properties stand in its ``__dict__`` too. They may be large, or hold a lock, an open session or a pipeline,
    which cannot be pickled; a copy computes them again.
    """
    return {field.name: getattr(value, field.name) for field in fields(value)}
