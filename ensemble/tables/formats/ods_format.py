"""OpenDocument spreadsheets, as LibreOffice writes them, read and written row by row by the standard library."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import partial
from typing import IO
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from ..sheet_writer import SheetLayout, SheetWriter
from ..sheets import MOST_ROWS, Cell, ErrorCell, chosen_sheet, damaged, open_archive, open_sheet
from ..table_format import TableFile, TableFormat
from ..table_reader import MOST_COLUMNS, TableError, TableReader

_TYPE = "application/vnd.oasis.opendocument.spreadsheet"

_URN = "urn:oasis:names:tc:opendocument:xmlns"

_TABLE, _TEXT, _OFFICE = (f"{{{_URN}:{name}:1.0}}" for name in ("table", "text", "office"))

_CELLS = {f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"}

_ERROR = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"

_SPACE = re.compile("[ \t\n]+")


def _open(file: TableFile) -> TableReader:
    archive = open_archive(file)
    try:
        if b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise TableError(f"{file.name} must have no password, got one; save it without")
        with archive.open("content.xml") as content:
            sheets = [
                element.get(f"{_TABLE}name", "")
                for _, element in ET.iterparse(content, ["start"])
                if element.tag == f"{_TABLE}table"
            ]
    except TableError:
        raise
    except Exception as error:  # of a damaged archive or of XML
        raise damaged(file, error) from error
    place = chosen_sheet(file, sheets)

    def rows() -> Iterator[tuple[int, Sequence[Cell]]]:
        with archive.open("content.xml") as content:
            yield from _rows(content, place, file.name)

    return open_sheet(file, sheets, rows)


def _rows(content: IO[bytes], place: int, name: str) -> Iterator[tuple[int, Sequence[Cell]]]:
    parents: list[ET.Element] = []
    count = 0
    for event, element in ET.iterparse(content, ["start", "end"]):
        if event == "start":
            place -= element.tag == f"{_TABLE}table"
            parents.append(element)
            continue
        parents.pop()
        if element.tag == f"{_TABLE}table-row":
            if place == -1:
                cells = _cells(element, name)
                times = min(int(element.get(f"{_TABLE}number-rows-repeated", 1)), MOST_ROWS - count)
                for number in range(count + 1, count + 1 + times if cells else 0):
                    yield number, cells
                count += times
            parents[-1].remove(element)  # else all rows would stay in memory
        elif element.tag == f"{_TABLE}table" and place == -1:
            return


def _cells(row: ET.Element, name: str) -> list[Cell]:
    cells: list[Cell] = []
    empty = 0
    for element in row:
        if element.tag in _CELLS:
            times = int(element.get(f"{_TABLE}number-columns-repeated", 1))
            cell = _cell(element)
            if cell is None:
                empty += times
                continue
            if len(cells) + empty + times > MOST_COLUMNS:
                raise TableError(f"{name} must have at most {MOST_COLUMNS:,} columns, got more; remove some")
            cells += [None] * empty + [cell] * times
            empty = 0
    return cells


def _cell(element: ET.Element) -> Cell:
    kind = element.get(f"{_OFFICE}value-type")
    if kind is None:
        return None
    number, day, truth = (element.get(f"{_OFFICE}{name}") for name in ("value", "date-value", "boolean-value"))
    if kind == "boolean":
        return truth == "true"
    if number is not None:
        return int(number) if number.removeprefix("-").isdecimal() else float(number)
    if day is not None:
        return datetime.fromisoformat(day) if "T" in day else date.fromisoformat(day)
    text = element.get(f"{_OFFICE}string-value")
    if text is None:
        text = "\n".join(map(_paragraph, element.findall(f"{_TEXT}p")))
    return ErrorCell(text) if element.get(_ERROR) == "error" else text


def _paragraph(element: ET.Element) -> str:
    parts = [_SPACE.sub(" ", element.text or "")]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * min(int(child.get(f"{_TEXT}c", 1)), 1 << 16))
        elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            parts.append("\t" if child.tag == f"{_TEXT}tab" else "\n")
        elif child.tag != f"{_OFFICE}annotation":
            parts.append(_paragraph(child))
        parts.append(_SPACE.sub(" ", child.tail or ""))
    return "".join(parts)


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

_NAMESPACES = " ".join(f'xmlns:{name}="{_URN}:{name}:1.0"' for name in ("office", "table", "text"))

_PARTS = {
    "mimetype": _TYPE,
    "META-INF/manifest.xml": f'{_XML}<manifest:manifest xmlns:manifest="{_URN}:manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_TYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
}

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

_LAID_OUT = re.compile(" {2,}|^ | $|\t|\r")
"""White space that a paragraph would not keep."""


def _text_xml(text: str) -> str:
    def kept(match: re.Match[str]) -> str:
        if match[0] == "\t":
            return "<text:tab/>"
        return "&#13;" if match[0] == "\r" else f'<text:s text:c="{len(match[0])}"/>'

    lines = [_LAID_OUT.sub(kept, escape(line)) for line in text.split("\n")]
    return "".join(f"<text:p>{line}</text:p>" for line in lines)


def _xml(cell: Cell) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        return f'<table:table-cell office:value-type="string">{_text_xml(cell)}</table:table-cell>'
    if isinstance(cell, bool):
        kind, name, value = "boolean", "boolean-value", str(cell).lower()
    elif isinstance(cell, date):
        kind, name, value = "date", "date-value", cell.isoformat()
    else:
        kind, name, value = "float", "value", repr(cell)
    return (
        f'<table:table-cell office:value-type="{kind}" office:{name}="{value}"><text:p>{value}</text:p>'
        "</table:table-cell>"
    )


def _row(number: int, cells: Sequence[Cell]) -> str | None:
    if any(isinstance(cell, str) and _NOT_XML.search(cell) for cell in cells):
        return None
    return f"<table:table-row>{''.join(map(_xml, cells))}</table:table-row>\n"


ODS = TableFormat(
    name="ods",
    title="OpenDocument",
    suffixes=(".ods",),
    open=_open,
    writer=partial(
        SheetWriter,
        layout=SheetLayout(
            title="OpenDocument",
            parts=_PARTS,
            sheet="content.xml",
            above=f'{_XML}<office:document-content {_NAMESPACES} office:version="1.2"><office:body><office:spreadsheet>'
            '<table:table table:name="Sheet1">\n',
            below="</table:table></office:spreadsheet></office:body></office:document-content>\n",
            row=_row,
            stored=["mimetype"],
        ),
    ),
    magic=b"PK\x03\x04",
    resembles=lambda head: _TYPE.encode() in head[:128],
    cannot_hold="a control character in a cell, or more than 1,048,576 rows",
)
