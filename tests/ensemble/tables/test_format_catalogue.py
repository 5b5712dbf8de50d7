"""The catalogue of formats is what the folder holds."""

from dataclasses import replace
from pathlib import Path

import pytest
from samewise.ensemble.tables import table_format
from samewise.ensemble.tables.formats import tsv_format
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_format import known_format, sniff, suffixes, table_formats


def test_every_file_of_the_folder_declares_its_format():
    folder = Path(table_format.__file__).parent / "formats"
    files = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
    assert files == [f"{name}_format" for name in table_formats()] == sorted(files)
    assert list(table_formats()) == ["csv", "json", "jsonl", "ods", "parquet", "tsv", "xlsx"]
    assert set(suffixes().items()) == {
        (".csv", "csv"),
        (".json", "json"),
        (".jsonl", "jsonl"),
        (".ndjson", "jsonl"),
        (".ods", "ods"),
        (".parquet", "parquet"),
        (".tsv", "tsv"),
        (".txt", "tsv"),
        (".xlsx", "xlsx"),
    }


def test_an_unknown_format_is_refused_with_the_known_ones():
    with pytest.raises(TableError, match="must be one of csv, json, jsonl, ods, parquet, tsv, xlsx, got 'xls'"):
        known_format("xls")


@pytest.mark.parametrize("change", [{"name": "csv", "suffixes": (".other",)}, {"name": "other", "suffixes": (".csv",)}])
def test_two_formats_of_one_name_or_suffix_are_refused(monkeypatch, change):
    monkeypatch.setattr(tsv_format, "TSV", replace(tsv_format.TSV, **change))
    table_formats.cache_clear()
    with pytest.raises(ValueError, match=r"must be unique, got '\.?csv' twice"):
        table_formats()
    monkeypatch.undo()
    assert "tsv" in table_formats()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"PAR1\x15\x04", "parquet"),
        (b'\xef\xbb\xbf\n {"sentence1": "a\tb"}', "jsonl"),
        (b' [\n{"sentence1": "a\tb"}]', "json"),
        (b"sentence1\tsentence2\na,b\tc", "tsv"),
        (b"sentence1,sentence2\na\tb,c", "csv"),
        (b"", "csv"),
    ],
)
def test_first_bytes(head, name):
    assert sniff(head).name == name
