"""Streams of text in other encodings, read as UTF-8.

UTF-16 and UTF-32, which spreadsheets call Unicode text, show themselves; others are named by the user.
"""

import codecs
import io
from typing import Any, BinaryIO, cast

from .table_reader import TableError

_MARKS = {  # those of UTF-32 first: one of them begins with one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def check_encoding(encoding: str) -> None:
    """Refuse a name that is not one of an encoding of text.

    Raises
    ------
    TableError
        If Python knows no such encoding.
    """
    try:
        "a".encode(encoding)
    except (LookupError, ValueError):
        raise TableError(
            f"the encoding must be a name such as cp1252, latin-1, utf-16 or shift_jis, got {encoding!r}; give one "
            "that Python knows"
        ) from None


_SAMPLE = 256
"""Most bytes of the first line that are looked at for NULs."""

_FEWEST = 8


def encoding_of(head: bytes) -> str | None:
    """Return the encoding of a text that begins with these bytes if it is UTF-16 or UTF-32, or None.

    Without a mark it is known by its NULs: in the first line of a table, most characters are ASCII.
    """
    marked = next((encoding for mark, encoding in _MARKS.items() if head.startswith(mark)), None)
    if marked is not None or len(head) < _FEWEST:
        return marked
    line = head[:_SAMPLE].partition(b"\n")[0]
    sample = head[: max(len(line) // 4 * 4, 4)]
    zeros = [sample[place::4].count(0) * 4 / len(sample) for place in range(4)]
    for encoding, places in {"utf-32-le": (1, 2, 3), "utf-32-be": (0, 1, 2)}.items():
        if min(zeros[place] for place in places) > 0.9 and sum(zeros) < 3.1:
            return encoding
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if min(even, odd) == 0 and max(even, odd) > 0.8:
        return "utf-16-le" if odd else "utf-16-be"
    return None


class _Utf8(io.RawIOBase):
    def __init__(self, source: BinaryIO, encoding: str, name: str) -> None:
        self.source = source
        self.encoding = encoding
        self.codec = codecs.lookup(encoding).name
        self.name = name
        self._begin()

    def _begin(self) -> None:
        # What is no character becomes bytes that are no UTF-8, so that its row is a reject.
        self.errors = "surrogatepass" if "utf-16" in self.codec or "utf-32" in self.codec else "surrogateescape"
        self.decoder = codecs.getincrementaldecoder(self.encoding)(self.errors)
        self.held = b""
        self.ended = False
        self.place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self.source.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        if (offset, whence) != (0, 0):
            raise io.UnsupportedOperation("a recoded stream can only go back to its beginning")
        self.source.seek(0)
        self._begin()
        return 0

    def tell(self) -> int:
        return self.place

    def readinto(self, buffer: Any) -> int:
        while not self.held and not self.ended:
            data = self.source.read(1 << 16)
            self.ended = not data
            try:
                self.held = self.decoder.decode(data, final=self.ended).encode("utf-8", self.errors)
            except UnicodeDecodeError as error:
                raise TableError(
                    f"{self.name} must be {self.encoding.upper()} text up to its end, got other bytes "
                    f"({error.reason}); save it again as UTF-8"
                ) from error
        count = min(len(buffer), len(self.held))
        buffer[:count], self.held = self.held[:count], self.held[count:]
        self.place += count
        return count

    def close(self) -> None:
        self.source.close()
        super().close()


def as_utf8(source: BinaryIO, encoding: str, name: str) -> BinaryIO:
    """Return a stream with the text of another, which is in some encoding, in UTF-8."""
    return cast(BinaryIO, io.BufferedReader(_Utf8(source, encoding, name), 1 << 17))
