"""Tables that appear when they are complete."""

import os
import re
from pathlib import Path

import pyarrow as pa
import pytest
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_format import table_formats
from samewise.ensemble.tables.table_writer import TableWriter

from .written_tables import read

SUFFIXES = (*table_formats(), "csv.gz", "tsv.zst", "jsonl.gz", "jsonl.zst")


@pytest.mark.parametrize("format", SUFFIXES)
def test_all_or_nothing(tmp_path, format):
    path = tmp_path / f"t.{format}"
    path.write_text("before")
    with pytest.raises(RuntimeError), TableWriter(path) as writer:
        writer.write(pa.record_batch([pa.array(["a"])], ["x"]))
        raise RuntimeError
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "before"


def test_devices_and_links_stay(tmp_path):
    batch = pa.record_batch([pa.array(["a"])], ["x"])
    (tmp_path / "real.csv").write_text("before")
    (tmp_path / "link.csv").symlink_to("real.csv")
    with TableWriter(tmp_path / "link.csv") as writer:
        writer.write(batch)
    assert (tmp_path / "real.csv").read_text() == "x\na\n"
    assert (tmp_path / "link.csv").is_symlink()
    with TableWriter(os.devnull, "csv") as writer:
        writer.write(batch)
    assert not Path(os.devnull).is_file()


def test_errors(tmp_path):
    with pytest.raises(TableError, match="does not show its format"):
        TableWriter(tmp_path / "t.xyz")
    with (
        pytest.raises(TableError, match=re.escape(r"TSV cannot hold the column name 'x\ty'; rename")),
        TableWriter(tmp_path / "t.tsv") as writer,
    ):
        writer.write(pa.record_batch([pa.array(["a"])], ["x\ty"]))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(TableError, match="must be a file, got a folder"), TableWriter(tmp_path / "folder.csv"):
        pass


FORMULAS = ["=1+1", "+1", "-2", "@A1", "\tx", "\rx", "a=b", " =1", ""]


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "json", "parquet", "xlsx", "ods"])
def test_formulas_are_escaped_where_a_spreadsheet_program_would_compute_them(tmp_path, format):
    batch = pa.record_batch({"sentence1": FORMULAS, "sentence2": ["b"] * 9, "=n": [-1] * 9, "x": [-0.5] * 9})
    with TableWriter(tmp_path / f"t.{format}", escape_formulas=True) as writer:
        left_out = writer.write(batch)
    assert left_out == ([4, 5] if format == "tsv" else [])
    rows, pairs, _, _ = read(tmp_path / f"t.{format}")
    text = format in ("csv", "tsv")
    expected = [f"'{cell}" for cell in FORMULAS[:6]] + FORMULAS[6:] if text else FORMULAS
    assert [a for a, _ in pairs] == [cell for place, cell in enumerate(expected) if place not in left_out]
    name = "'=n" if text else "=n"
    assert {(float(row[name]), float(row["x"])) for row in rows} == {(-1.0, -0.5)}


def test_formulas_stay_unless_it_is_asked_for(tmp_path):
    batch = pa.record_batch({"sentence1": FORMULAS, "sentence2": ["b"] * 9})
    with TableWriter(tmp_path / "t.csv") as writer:
        writer.write(batch)
    assert [a for a, _ in read(tmp_path / "t.csv")[1]] == FORMULAS
