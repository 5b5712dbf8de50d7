"""What is known of sentences that were seen before: kept in this process, and if wanted in a file for later ones.

A sentence is analysed and encoded in the same way whatever stands beside it, so that what is remembered is what would
be computed. Files of one query and many candidates, or of the same candidates for each query, hold few sentences.
"""

import hashlib
import sqlite3
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

BUDGET = 1 << 26
"""Bytes that are kept in a process: about 13,000 tagged sentences, or 6,000 with the states of their word pieces."""

FILE = "sentences.sqlite"
"""What a cache is called in its folder."""

_AT_A_TIME = 500
_CHECK = 8


class Packing(NamedTuple):
    """How one kind of thing that is known of a sentence is kept.

    Attributes
    ----------
    kind
        Tells what it is and by what it was made: another version or table has another kind.
    pack, unpack
        To bytes and back; `unpack` is given the text too.
    size
        About how many bytes a value takes in memory.
    """

    kind: str
    pack: Callable[[Any], bytes]
    unpack: Callable[[str, bytes], Any]
    size: Callable[[Any], int]


class SentenceMemory:
    """Values of sentences by text and kind; the least recently used are forgotten first.

    Parameters
    ----------
    folder
        Where values are kept for other processes, at the same time or later; only in this process if None.
    budget
        Bytes kept in this process.

    Attributes
    ----------
    asked, known
        How many values have been asked for, and how many of them were known.

    Raises
    ------
    ValueError
        If the folder holds a file of this name that is none of ours.
    """

    def __init__(self, folder: str | Path | None = None, budget: int = BUDGET) -> None:
        self.budget = budget
        self.asked = self.known = 0
        self._kept: OrderedDict[tuple[str, str], tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._file = None if folder is None else _File(Path(folder))

    def recall(self, packing: Packing, texts: Sequence[str], compute: Callable[[list[str]], Sequence[T]]) -> list[T]:
        """Return the value of each text, computing those that are not known.

        Parameters
        ----------
        packing
            What is asked for.
        texts
            Distinct normalised texts.
        compute
            Returns the values of texts, in order.
        """
        found: list[Any] = [None] * len(texts)
        absent = []
        with self._lock:
            for place, text in enumerate(texts):
                kept = self._kept.get((packing.kind, text))
                if kept is None:
                    absent.append(place)
                else:
                    self._kept.move_to_end((packing.kind, text))
                    found[place] = kept[0]
        stored = self._file.read(packing, [texts[place] for place in absent]) if absent and self._file else {}
        new = [place for place in absent if texts[place] not in stored]
        made = compute([texts[place] for place in new]) if new else ()
        fresh = {texts[place]: value for place, value in zip(new, made, strict=True)}
        if fresh and self._file is not None:
            self._file.write(packing, fresh)
        with self._lock:
            for place in absent:
                text = texts[place]
                found[place] = value = fresh[text] if text in fresh else stored[text]
                self._keep((packing.kind, text), value, packing.size(value))
            self.asked += len(texts)
            self.known += len(texts) - len(new)
        return found

    def _keep(self, key: tuple[str, str], value: Any, size: int) -> None:
        if key in self._kept:  # by another thread, meanwhile
            return
        self._kept[key] = value, size
        self._size += size
        while self._size > self.budget:
            _, (_, gone) = self._kept.popitem(last=False)
            self._size -= gone

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy, or another process, begins with what is in the file.
        return SentenceMemory, (None if self._file is None else self._file.path.parent, self.budget)


class _File:
    """An SQLite file, which several processes may read and write at once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE
        self._full = False
        # One connection has one transaction: threads take turns.
        self._lock = threading.Lock()
        try:
            self._base = sqlite3.connect(self.path, timeout=60.0, isolation_level=None, check_same_thread=False)
            # What a power failure loses of it is computed again.
            self._base.execute("PRAGMA synchronous = OFF")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        except sqlite3.DatabaseError as error:
            raise ValueError(f"the cache {self.path} cannot be used ({error}); remove it or name another") from error

    def read(self, packing: Packing, texts: Sequence[str]) -> dict[str, Any]:
        found = {}
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
                    found[text_of[key]] = packing.unpack(text_of[key], value[_CHECK:])
        return found

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
                # A full disk, or one that cannot be written to: what is in the file still helps.
                self._full = True
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                warnings.warn(f"nothing more is kept in the cache {self.path}: {error}", RuntimeWarning, stacklevel=3)


def _key(kind: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16, key=hashlib.blake2b(kind.encode()).digest()).digest()


def _check(data: bytes) -> bytes:
    # SQLite has no checksums of its own.
    return hashlib.blake2b(data, digest_size=_CHECK).digest()
