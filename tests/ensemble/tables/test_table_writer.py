"""Tables that appear when they are complete."""

import os
import re
from pathlib import Path

import pyarrow as pa
import pytest
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_format import table_formats
from samewise.ensemble.tables.table_writer import TableWriter

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
