"""JSON: an array of objects, or objects one after the other, each on one line or on several."""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

import pyarrow as pa

from ..table_format import TableFormat
from .jsonl_format import ObjectsWriter, columns_of_objects, open_objects

_BETWEEN = re.compile(r"[\s,]*")


class _Elements:
    """The values of an array, or of a file of several values, which is read whole.

    After one that is not JSON, the next is looked for on the next line.

    Attributes
    ----------
    count
        Number of lines read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the number of the line in which each value begins, and its text."""
        text = self.stream.read().decode("utf-8-sig", "surrogateescape")
        decoder = json.JSONDecoder()
        start = _end_of_space(text, 0)
        place = _end_of_space(text, start + text.startswith("[", start))
        self.count = 1 + text.count("\n", 0, place)
        while place < len(text) and not (text[place] == "]" and text[start] == "["):
            try:
                end = decoder.raw_decode(text, place)[1]
            except (ValueError, RecursionError):
                line_end = text.find("\n", place)
                end = len(text) if line_end < 0 else line_end
            yield self.count, text[place:end]
            after = _end_of_space(text, end)
            self.count += text.count("\n", place, after)
            place = after


def _end_of_space(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return place if found is None else found.end()


class _Writer(ObjectsWriter):
    """An array in the making, one object a line."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        super().__init__(file, schema)
        self._start = "[\n"

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; JSON can hold all of them."""
        for text in self.objects(batch):
            self._file.write((self._start + text).encode())
            self._start = ",\n"
        return []

    def close(self, complete: bool) -> None:
        """End the array."""
        self._file.write(b"[]\n" if self._start == "[\n" else b"\n]\n")


JSON = TableFormat(
    name="json",
    title="JSON",
    suffixes=(".json",),
    open=partial(open_objects, texts=_Elements),
    writer=_Writer,
    resembles=lambda text: text.startswith(b"["),
    columns_of=partial(columns_of_objects, texts=_Elements),
)
