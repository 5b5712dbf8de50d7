"""Spreadsheets: cells of all types, sheets, damage, and what is written."""

import datetime as dt
import re
import sys
import zipfile
from xml.etree import ElementTree as ET

import openpyxl
import pyarrow as pa
import pytest
from samewise.ensemble.tables import sheet_writer, sheets
from samewise.ensemble.tables.sources import TableError, open_table
from samewise.ensemble.tables.table_writer import TableWriter

from .written_tables import copy, read, write

PAIR = {"sentence1": ["The gate is open."], "sentence2": ["The gate stands open."]}

NAMES = ["sentence1", "sentence2"]


def book(path, contents):
    """Write a workbook of named sheets, each a list of rows, by another program than samewise."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in contents.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def packed(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def ods(path, rows, name="Pairs", manifest="<manifest/>"):
    """Write an OpenDocument spreadsheet whose rows are given as XML."""
    spaces = " ".join(f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"' for each in SPACES)
    content = (
        f'<office:document-content {spaces} xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:'
        f'calcext:1.0"><office:body><office:spreadsheet><table:table table:name="{name}">{rows}</table:table>'
        '<table:table table:name="Notes"><table:table-row/></table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    return packed(path, {"mimetype": "", "META-INF/manifest.xml": manifest, "content.xml": content})


SPACES = ("office", "table", "text")


def cell(text, kind="string", **attributes):
    values = "".join(f' office:{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<table:table-cell office:value-type="{kind}"{values}><text:p>{text}</text:p></table:table-cell>'


def row(*cells, **attributes):
    values = "".join(f' table:{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f"<table:table-row{values}>{''.join(cells)}</table:table-row>"


HEADER = row(cell("sentence1"), cell("sentence2"))


def test_cells_of_a_workbook(tmp_path):
    day, moment = dt.datetime(2024, 5, 1), dt.datetime(2024, 5, 1, 9, 30)
    header = [*NAMES, "n", "share", "ok", "day", "moment", "mixed", "none"]
    rows = [
        header,
        ["Lamp 1", "Lamp one", 7, 0.25, True, day, day, "A1", None],
        [],
        ["Lamp 2", 1984, 8, 2, False, None, moment, 12, None],
        [True, day, None, None, None, day, None, moment, None],
    ]
    found, pairs, rejects, lines = read(book(tmp_path / "t.xlsx", {"Pairs": rows}))
    assert (rejects, lines) == ([], [2, 4, 5])  # as the program numbers them
    assert pairs == [("Lamp 1", "Lamp one"), ("Lamp 2", "1984"), ("TRUE", "2024-05-01")]
    assert [each["n"] for each in found] == [7, 8, None]
    assert [each["share"] for each in found] == [0.25, 2.0, None]
    assert [each["ok"] for each in found] == [True, False, None]
    assert [each["day"] for each in found] == [day.date(), None, day.date()]
    assert [each["moment"] for each in found] == [day, moment, None]
    assert [each["mixed"] for each in found] == ["A1", "12", "2024-05-01 09:30:00"]
    assert [each["none"] for each in found] == [None] * 3


def test_formulas_are_read_as_what_they_gave(tmp_path):
    path = book(tmp_path / "t.xlsx", {"Pairs": [NAMES, ["a", "=A2"], ["b", "c"]]})
    assert read(path)[1] == [("a", ""), ("b", "c")]  # this one was never computed
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    computed = re.sub(rb'r="B2"><f>A2</f>.*?</c>', b'r="B2" t="str"><f>A2</f><v>of A2</v></c>', parts[sheet])
    assert computed != parts[sheet]
    parts[sheet] = computed
    assert read(packed(path, parts))[1] == [("a", "of A2"), ("b", "c")]
    parts[sheet] = parts[sheet].replace(b"of A2", b"#N/A").replace(b't="str"', b't="e"')
    _, pairs, [reject], _ = read(packed(path, parts))
    assert (pairs, reject.line, reject.reason) == ([("b", "c")], 2, "sentence2 is the error #N/A")


@pytest.mark.parametrize("format", ["xlsx", "ods"])
def test_texts_stay_as_written(tmp_path, format):
    texts = [
        "_x0041_",
        "_x_x0041__",
        "  two  spaces ",
        "a\tb",
        "a\r\nb\n",
        "=1+1",
        "007",
        "#N/A?",
        "<b>&amp;",
        "",
        "🙂",
    ]
    path = tmp_path / f"t.{format}"
    with TableWriter(path) as writer:
        assert writer.write(pa.record_batch({"sentence1": texts, "sentence2": texts[::-1]})) == []
    assert read(path)[1] == list(zip(texts, texts[::-1], strict=True))


def test_other_programs_read_what_is_written(tmp_path):
    when = dt.datetime(2024, 5, 1, 9, 30)
    columns = {
        **PAIR,
        "text": ["=1+1"],
        "n": [-3],
        "x": [0.1 + 0.2],
        "ok": [True],
        "day": [when.date()],
        "at": [when],
        "early": [dt.date(1815, 6, 18)],
        "no": pa.array([None], pa.string()),
        "long": [2**60],
        "inf": [float("inf")],
        "list": [["a", 1]],
    }
    columns["list"] = pa.array([["a", "b"]])
    with TableWriter(tmp_path / "t.xlsx") as writer:
        writer.write(pa.record_batch(columns))
    names, values = openpyxl.load_workbook(tmp_path / "t.xlsx").active.iter_rows()
    assert [each.value for each in names] == list(columns)
    found = dict(zip(columns, values, strict=True))
    assert found["text"].value == "=1+1" and found["text"].data_type in ("s", "inlineStr")  # and no formula
    assert [found[name].value for name in ("n", "x", "ok", "no")] == [-3, 0.1 + 0.2, True, None]
    assert (found["day"].value, found["at"].value) == (dt.datetime(2024, 5, 1), when)
    assert [found[name].value for name in ("early", "long", "inf")] == ["1815-06-18", str(2**60), "inf"]
    assert found["list"].value == '["a", "b"]'


@pytest.mark.parametrize("format", ["xlsx", "ods"])
def test_types_come_back_and_rows_give_the_same_bytes(tmp_path, format):
    when = dt.datetime(2024, 5, 1, 9, 30)
    rows = {**PAIR, "n": [-3], "x": [5e-324], "ok": [False], "day": [when.date()], "at": [when], "early": ["1815"]}
    with TableWriter(tmp_path / f"a.{format}") as writer:
        writer.write(pa.record_batch(rows))
    copy(tmp_path / f"a.{format}", tmp_path / f"b.{format}")
    assert read(tmp_path / f"b.{format}")[0] == [{name: value for name, [value] in rows.items()}]
    assert (tmp_path / f"a.{format}").read_bytes() == (tmp_path / f"b.{format}").read_bytes()


def test_the_first_sheet_that_is_shown_is_read_or_the_one_named(tmp_path):
    contents = {"Old": [NAMES, ["a", "b"]], "New": [NAMES, ["c", "d"]], "2024": [NAMES, ["e", "f"]], "Notes": [["x"]]}
    path = book(tmp_path / "t.xlsx", contents)
    assert read(path)[1] == [("a", "b")]
    assert read(path, sheet="New")[1] == read(path, sheet="2")[1] == [("c", "d")]
    assert read(path, sheet="2024")[1] == [("e", "f")]
    for wanted in ("5", "new", "0"):
        with pytest.raises(TableError, match=f"has no sheet '{wanted}'; its sheets are: Old, New, 2024, Notes"):
            read(path, sheet=wanted)
    with pytest.raises(TableError, match="no column 'sentence1'; its columns are: x; .*sheets, Old, New, 2024, Notes"):
        read(path, sheet="Notes")
    made = openpyxl.load_workbook(path)
    made["Old"].sheet_state = "hidden"
    made.save(path)
    assert read(path)[1] == [("c", "d")]


@pytest.mark.parametrize("format", ["xlsx", "ods"])
def test_no_header_names_by_number_and_wide_rows(tmp_path, format):
    with TableWriter(tmp_path / f"t.{format}") as writer:
        writer.write(pa.record_batch({"a": ["1"], "b": ["x"], "c": ["y"]}))
    assert read(tmp_path / f"t.{format}", columns="2,3", header=False)[1] == [("b", "c"), ("x", "y")]
    assert read(tmp_path / f"t.{format}", columns="2,c")[1] == [("x", "y")]


def test_a_row_wider_than_the_header_and_an_empty_sheet(tmp_path):
    path = book(tmp_path / "t.xlsx", {"Pairs": [[], NAMES, ["a", "b", None, "note"], ["c", "d"]]})
    _, pairs, [reject], lines = read(path)
    assert (pairs, lines) == ([("c", "d")], [4])
    assert (reject.line, reject.reason) == (3, "4 cells instead of 2")
    with pytest.raises(TableError, match="the sheet of .* is empty; name another with --sheet"):
        read(book(path, {"Pairs": [[], [None]], "More": [NAMES]}))


def test_cells_of_opendocument(tmp_path):
    text = 'two<text:s text:c="2"/>spaces<text:tab/>tab<text:line-break/>line  <text:span>bold</text:span>'
    header = row(*map(cell, [*NAMES, "n", "ok", "day", "at", "share"]))
    numbers = cell("7", "float", value="7"), cell("yes", "boolean", boolean_value="true")
    days = cell("1 May", "date", date_value="2024-05-01"), cell("9:30", "date", date_value="2024-05-01T09:30:00")
    first = row(cell(text), cell("b"), *numbers, *days, cell("25%", "percentage", value="0.25"))
    empty = '<table:table-cell table:number-columns-repeated="16000"/>'
    note = '<table:table-cell office:value-type="string"><office:annotation><text:p>no</text:p></office:annotation>'
    note += "<text:p>one</text:p><text:p>two</text:p></table:table-cell>"
    error = cell("#N/A").replace("<table:table-cell", '<table:table-cell calcext:value-type="error"')
    repeated = '<table:table-cell table:number-columns-repeated="2" office:value-type="string"><text:p>r</text:p>'
    rows = [
        header,
        first,
        row(empty, number_rows_repeated="3"),
        row(note, cell("c"), empty),
        row(repeated + "</table:table-cell>", number_rows_repeated="2"),
        row(error, cell("d")),
        row(empty, number_rows_repeated="1048567"),
    ]
    found, pairs, [reject], lines = read(ods(tmp_path / "t.ods", "".join(rows)))
    assert lines == [2, 6, 7, 8]
    assert pairs == [("two  spaces\ttab\nline bold", "b"), ("one\ntwo", "c"), ("r", "r"), ("r", "r")]
    typed = {"n": 7, "ok": True, "day": dt.date(2024, 5, 1), "at": dt.datetime(2024, 5, 1, 9, 30), "share": 0.25}
    assert {name: found[0][name] for name in typed} == typed
    assert (reject.line, reject.reason) == (9, "sentence1 is the error #N/A")


def test_a_sheet_of_opendocument_is_named(tmp_path):
    path = ods(tmp_path / "t.ods", HEADER + row(cell("a"), cell("b")))
    assert read(path, sheet="Pairs")[1] == read(path, sheet="1")[1] == [("a", "b")]
    with pytest.raises(TableError, match="the sheet of .* is empty"):
        read(path, sheet="Notes")


def test_a_password(tmp_path):
    locked = write(tmp_path / "t.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(TableError, match="workbook of Excel 2007 or later without a password, got another"):
        read(locked)
    with pytest.raises(TableError, match="must have no password, got one; save it without"):
        read(ods(tmp_path / "t.ods", HEADER, manifest="<manifest><encryption-data/></manifest>"))


@pytest.mark.parametrize("format", ["xlsx", "ods"])
@pytest.mark.parametrize("content", [b"sentence1,sentence2\na,b\n", b"PK\x03\x04" + bytes(90)])
def test_what_is_no_spreadsheet(tmp_path, format, content):
    with pytest.raises(TableError, match=r"t\.\w+ cannot be read as \w+: .*; save it again"):
        read(write(tmp_path / f"t.{format}", content))


@pytest.mark.parametrize("format", ["xlsx", "ods"])
def test_another_archive_and_broken_xml(tmp_path, format):
    path = packed(tmp_path / f"t.{format}", {"pairs.csv": "sentence1,sentence2\n"})
    with pytest.raises(TableError, match="cannot be read as"):
        read(path)
    with TableWriter(path) as writer:
        writer.write(pa.record_batch(PAIR))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "content.xml" if format == "ods" else "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"stands", b"<stands")
    with pytest.raises(TableError, match="cannot be read as"):
        read(packed(path, parts))


@pytest.mark.parametrize("format", ["xlsx", "ods"])
def test_a_bomb_is_refused(tmp_path, monkeypatch, format):
    monkeypatch.setattr(sheets, "_FREE_BYTES", 1_000_000)
    bomb = packed(tmp_path / f"t.{format}", {"content.xml": bytes(1_000_001)})
    with pytest.raises(TableError, match="must unpack to at most 100 times its size, got 1,000,001 bytes of"):
        open_table(bomb)


def test_a_cell_that_is_repeated_without_end(tmp_path):
    many = cell("a").replace("<table:table-cell", '<table:table-cell table:number-columns-repeated="2000000000"')
    with pytest.raises(TableError, match="at most 10,000 columns"):
        read(ods(tmp_path / "t.ods", HEADER + row(many)))


def test_what_a_spreadsheet_cannot_hold(tmp_path, monkeypatch):
    rows = pa.record_batch({"sentence1": ["a" * 32_767, "a" * 32_768, "\0"], "sentence2": ["b", "c", "d"]})
    with TableWriter(tmp_path / "t.xlsx") as writer:
        assert writer.write(rows) == [1]
        assert "32,767 characters" in writer.refusal
    assert [b for _, b in read(tmp_path / "t.xlsx")[1]] == ["b", "d"]
    with TableWriter(tmp_path / "t.ods") as writer:
        assert writer.write(rows) == [2]
    monkeypatch.setattr(sheet_writer, "MOST_ROWS", 3)
    with TableWriter(tmp_path / "t.ods") as writer:
        assert writer.write(rows) == [2]
        assert writer.write(rows.slice(0, 1)) == [0]
    assert len(read(tmp_path / "t.ods")[1]) == 2
    with pytest.raises(TableError, match="at most 16,384 columns"), TableWriter(tmp_path / "wide.ods") as writer:
        writer.write(pa.record_batch({f"c{k}": [1] for k in range(16_385)}))
    with pytest.raises(TableError, match="cannot hold the column name"), TableWriter(tmp_path / "t.ods") as writer:
        writer.write(pa.record_batch({"a\0": [1]}))


def test_without_the_extra_the_message_names_it(tmp_path, monkeypatch):
    path = book(tmp_path / "t.xlsx", {"Pairs": [NAMES, ["a", "b"]]})
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'samewise\[excel\]'"):
        read(path)
    with TableWriter(tmp_path / "u.xlsx") as writer:  # is written without it
        writer.write(pa.record_batch(PAIR))
    assert zipfile.is_zipfile(tmp_path / "u.xlsx")


def test_every_part_is_xml(tmp_path):
    for name in ("t.xlsx", "t.ods"):
        with TableWriter(tmp_path / name) as writer:
            writer.write(pa.record_batch(PAIR))
        with zipfile.ZipFile(tmp_path / name) as archive:
            first = archive.infolist()[0]
            assert name == "t.xlsx" or (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
            for part in archive.namelist():
                assert part == "mimetype" or ET.fromstring(archive.read(part)).tag
