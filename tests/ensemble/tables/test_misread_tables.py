"""Messages for tables whose first line does not hold the names: they say what is seen and what to do."""

import pytest
from openpyxl import Workbook
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.text_rows import bad_text
from samewise.ensemble.tables.text_tables import open_texts

from .written_tables import read, write

COMMAS = "the first line has commas, but the file is read by tabs; add --delimiter ','"
SEMICOLONS = "the first line has semicolons, but the file is read by tabs; add --delimiter ';'"
BARS = "the first line has vertical bars, but the file is read by commas; add --delimiter '|'"
TABS = "the first line has tabs, but the file is read by commas; add --delimiter tab"
TITLE = "the first line, 'Pairs of May', looks like a title; remove what stands above the names of the columns"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.txt", "id,sentence1,sentence2\n1,a,b\n", COMMAS),
        ("t.tsv", "id;sentence1;sentence2\n1;a;b\n", SEMICOLONS),
        ("t.csv", "id|sentence1|sentence2\n1|a, c|b\n", BARS),
        ("t.csv", "id\tfirst\tsecond\n1\ta\tb\n", TABS),
        ("t.csv", "Pairs of May,,\nid,sentence1,sentence2\n1,a,b\n", TITLE),
        ("t.csv", "Pairs of May\r\n\r\nid,sentence1,sentence2\r\n1,a,b\r\n", TITLE),
        ("t.csv", "Pairs of May;;\n;;\nid;sentence1;sentence2\n1;a;b\n", TITLE),
        ("t.tsv", "Pairs of May\nid\tsentence1\tsentence2\n1\ta\tb\n", TITLE),
    ],
)
def test_what_is_seen_is_said(tmp_path, name, content, message):
    path = write(tmp_path / name, content)
    with pytest.raises(TableError) as raised:
        read(path)
    assert str(raised.value) == f"{path} has no column 'sentence1': {message}"
    with pytest.raises(TableError) as raised:
        open_texts(path)
    assert str(raised.value) == f"{path} has no column 'text': {message}"


@pytest.mark.parametrize(
    "content",
    ["question,answer,n\na,b,c\n", "question\na\n", "question\na, b\n", "first, second\n", "Pairs of May,,\n"],
)
def test_what_does_not_show_is_not_said(tmp_path, content):
    with pytest.raises(TableError, match="has no column 'sentence1'; its columns are: .*name the two with the texts"):
        read(write(tmp_path / "t.txt", content.replace(", ", "\x01").replace(",", "\t").replace("\x01", ", ")))


def test_without_a_header_no_title_is_seen(tmp_path):
    path = write(tmp_path / "t.csv", "Pairs of May,,\na,b,c\n")
    with pytest.raises(TableError, match="its columns are: column1, column2, column3"):
        read(path, header=False)


def test_a_title_in_a_spreadsheet(tmp_path):
    book = Workbook()
    for row in (["Pairs of May"], [], ["id", "sentence1", "sentence2"], [1, "a", "b"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(TableError) as raised:
        read(tmp_path / "t.xlsx")
    assert str(raised.value) == f"{tmp_path / 't.xlsx'} has no column 'sentence1': {TITLE}"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (5, "x is an int, not text"),
        (0.5, "x is a float, not text"),
        (True, "x is a bool, not text"),
        ([], "x is a list, not text"),
        (None, "x is missing"),
        (float("nan"), "x is missing"),
        ("", None),
    ],
)
def test_what_is_not_a_text(value, reason):
    assert bad_text(value, "x") == reason


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("t.xls", "must be in a format that is read, got .xls; save it as .xlsx"),
        ("t.numbers", "got .numbers; save it as .xlsx"),
        ("t.csv.lz4", "got .lz4; unpack it"),
        ("t.doc", r"does not show its format; end it in one of \.csv, .*\.xlsx, or name one with --format"),
    ],
)
def test_names_of_other_formats(tmp_path, name, remedy):
    with pytest.raises(TableError, match=remedy):
        read(write(tmp_path / name, "x"))


@pytest.mark.parametrize(
    ("content", "end"),
    [
        ('{\n"sentence1": "a"}\n', "; line 1: not JSON: .*; name it .json, as objects take several lines"),
        ("{'sentence1': 'a'}\n", "; line 1: not JSON: Expecting property name enclosed in double quotes: [^;]*"),
        ('{"sentence1": "\\ud800"}\n', "; line 1: a lone surrogate, which is not a character"),
        ("{}\n", ""),
    ],
)
def test_json_lines_without_an_object(tmp_path, content, end):
    with pytest.raises(TableError, match=f"has no line with a JSON object that holds anything{end}$"):
        read(write(tmp_path / "t.jsonl", content))
