"""Commands that read and write what spreadsheet programs do."""

import csv

import pyarrow as pa
import pytest
from openpyxl import Workbook, load_workbook
from samewise.ensemble.commands.cli import app
from samewise.ensemble.tables.table_writer import TableWriter
from typer.testing import CliRunner


def run(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments), "--model", "surface", "--quiet"])
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.slow
def test_predict_reads_a_sheet_and_writes_a_workbook(tmp_path):
    book = Workbook()
    book.active.append(["notes"])
    sheet = book.create_sheet("May")
    for row in (["sentence1", "sentence2", "n"], ["The lid is shut.", "The lid is closed.", 7], ["=A1", "b", 8]):
        sheet.append(row)
    book.save(tmp_path / "in.xlsx")
    run("predict", tmp_path / "in.xlsx", "-o", tmp_path / "out.xlsx", "--sheet", "May")
    run("predict", tmp_path / "in.xlsx", "-o", tmp_path / "out.csv", "--sheet", "2")
    names, first, second = load_workbook(tmp_path / "out.xlsx").active.iter_rows(values_only=True)
    assert names == ("sentence1", "sentence2", "n", "score", "low", "high", "flags")
    assert first[:3] == ("The lid is shut.", "The lid is closed.", 7) and second[2] == 8
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [first[3], second[3]] == [float(row["score"]) for row in rows]


@pytest.mark.slow
def test_every_command_that_writes_texts_escapes_formulas(tmp_path):
    texts = ["=1+1 lamps are on", "=1+1 lamps are on", "@home it is warm", "A lamp is on."]
    rows = {"text": texts, "sentence1": texts, "sentence2": texts[::-1], "=n": [-1, -2, -3, -4]}
    with TableWriter(tmp_path / "in.csv") as writer:
        writer.write(pa.record_batch(rows))
    out = tmp_path / "out.csv"
    escape = ("-o", out, "--escape-formulas")
    commands = {
        "predict": ("predict", tmp_path / "in.csv"),
        "explain": ("explain", "--table", tmp_path / "in.csv"),
        "match": ("match", tmp_path / "in.csv", tmp_path / "in.csv", "--column", "text"),
        "dedupe": ("dedupe", tmp_path / "in.csv", "--column", "text"),
    }
    for name, command in commands.items():
        run(*command, *escape)
        for path in (out, tmp_path / "out.removed.csv") if name == "dedupe" else (out,):
            with path.open(encoding="utf-8", newline="") as file:
                cells = [cell for row in csv.reader(file) for cell in row]
            assert any(cell.startswith("'=1+1") for cell in cells), (name, path)
            unescaped = [cell for cell in cells if cell.startswith(("=", "+", "@"))]
            assert unescaped == [], (name, path)
