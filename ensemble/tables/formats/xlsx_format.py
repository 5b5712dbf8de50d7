"""Excel workbooks: openpyxl reads them; they are written here, because it would write numbers in 16 digits."""

import re
import warnings
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from xml.sax.saxutils import escape

from ...._messages import from_extra
from ..sheet_writer import SheetLayout, SheetWriter
from ..sheets import MOST_ROWS, Cell, ErrorCell, chosen_sheet, damaged, open_archive, open_sheet
from ..table_format import TableFile, TableFormat
from ..table_reader import TableError, TableReader

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of workbooks with a password, and of those of Excel before 2007."""

_MOST_TEXT = 32_767
"""Characters of a cell, by the specification of Excel."""

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")

_TO_ESCAPE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""Characters that XML cannot hold, and the beginning of what would be read as one of them (ECMA-376, 22.4.2.4)."""


def _open(file: TableFile) -> TableReader:
    with from_extra("excel", f"reading {file.name}"):
        from openpyxl import load_workbook
        from openpyxl.cell.cell import ERROR_CODES

    if file.head.startswith(_COMPOUND):
        raise TableError(
            f"{file.name} must be a workbook of Excel 2007 or later without a password, got another; save it as .xlsx "
            "without a password"
        )
    open_archive(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and the like, which are not read
        try:
            book = load_workbook(file.stream, read_only=True, data_only=True, keep_links=False)
        except Exception as error:  # damage makes openpyxl raise errors of many kinds
            raise damaged(file, error) from error
    shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
    sheets = [sheet.title for sheet in shown]
    sheet = shown[chosen_sheet(file, sheets)]
    sheet.reset_dimensions()  # those that a file declares may be wrong

    def value(cell: Cell) -> Cell:
        if isinstance(cell, str):
            if cell in ERROR_CODES:
                return ErrorCell(cell)
            return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), cell) if "_x" in cell else cell
        return str(cell) if isinstance(cell, time | timedelta) else cell

    def rows() -> Iterator[tuple[int, Sequence[Cell]]]:
        for number, row in enumerate(sheet.iter_rows(max_row=MOST_ROWS, values_only=True), 1):
            yield number, [value(cell) for cell in row]

    return open_sheet(file, sheets, rows)


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_PARTS = {
    "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # Styles 0 to 2 of cells: none, a day, a day with its time.
    "xl/styles.xml": f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>'
    '<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}

_DAY_0 = datetime(1899, 12, 30)


@cache
def _letters(place: int) -> str:
    """Return the letters of a column from its number, from 1."""
    before, last = divmod(place - 1, 26)
    return (_letters(before) if before else "") + chr(65 + last)


def _xml(place: str, cell: Cell) -> str | None:
    if cell is None:
        return ""
    if isinstance(cell, str):
        if len(cell) > _MOST_TEXT:
            return None
        text = escape(_TO_ESCAPE.sub(lambda match: f"_x{ord(match[0]):04X}_", cell))
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    if isinstance(cell, bool):
        return f'<c r="{place}" t="b"><v>{cell:d}</v></c>'
    if isinstance(cell, datetime):
        return f'<c r="{place}" s="2"><v>{(cell - _DAY_0) / timedelta(days=1)!r}</v></c>'
    if isinstance(cell, date):
        return f'<c r="{place}" s="1"><v>{(cell - _DAY_0.date()).days}</v></c>'
    return f'<c r="{place}"><v>{cell!r}</v></c>'


def _row(number: int, cells: Sequence[Cell]) -> str | None:
    written = [_xml(f"{_letters(place)}{number}", cell) for place, cell in enumerate(cells, 1)]
    return None if None in written else f'<row r="{number}">{"".join(map(str, written))}</row>\n'


XLSX = TableFormat(
    name="xlsx",
    title="Excel",
    suffixes=(".xlsx",),
    open=_open,
    writer=partial(
        SheetWriter,
        layout=SheetLayout(
            title="Excel",
            parts=_PARTS,
            sheet="xl/worksheets/sheet1.xml",
            above=f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>\n',
            below="</sheetData></worksheet>\n",
            row=_row,
        ),
    ),
    magic=b"PK\x03\x04",
    resembles=lambda head: b"mimetype" not in head[:128],  # with which an OpenDocument file begins
    cannot_hold="a cell of over 32,767 characters, or more than 1,048,576 rows",
)
