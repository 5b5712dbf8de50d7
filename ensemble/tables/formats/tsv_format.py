"""TSV: fields between tabs, never quoted."""

import re
from collections.abc import Sequence
from functools import partial

from ..delimited_text import DelimitedWriter, open_delimited
from ..table_format import TableFormat

_BREAKS = re.compile("[\t\r\n]")


def _line(fields: Sequence[str]) -> str | None:
    return None if any(map(_BREAKS.search, fields)) else "\t".join(fields)


TSV = TableFormat(
    name="tsv",
    title="TSV",
    suffixes=(".tsv", ".txt"),
    open=partial(open_delimited, quoted=False),
    writer=partial(DelimitedWriter, line_of=_line, title="TSV"),
    formulas=True,
    resembles=lambda text: b"\t" in re.split(b"[\r\n]", text, maxsplit=1)[0],
    cannot_hold="a tab or a line break in a field",
)
