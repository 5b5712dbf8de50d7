"""CSV: fields between commas, quoted where they hold commas, quotes or line breaks."""

import re
from collections.abc import Sequence
from functools import partial

from ..delimited_text import DelimitedWriter, open_delimited
from ..table_format import TableFormat

_QUOTED = re.compile('[",\r\n]')


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _line(fields: Sequence[str]) -> str:
    # Not csv.writer: with "\n" as line end it leaves a lone "\r" unquoted, and a reader ends the row there.
    return ",".join(map(_quoted, fields))


CSV = TableFormat(
    name="csv",
    title="CSV",
    suffixes=(".csv",),
    open=partial(open_delimited, quoted=True),
    writer=partial(DelimitedWriter, line_of=_line, title="CSV"),
    formulas=True,
)
