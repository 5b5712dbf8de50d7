"""Rows that are kept by their dates or as the most complete, and cells that are filled in."""

import csv
from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.kept_rows import filled, preference
from samewise.ensemble.matching.options import DedupeOptions
from samewise.ensemble.matching.texts import TextRows

import samewise

from .test_dedupe_tables import Letters

ROWS = [
    ("The lift is out of order.", "2024-03-01", "", "red"),
    ("the lift is out of order", "2026-01-31", "north", ""),
    ("The lift  is out of order!", "", "south", "blue"),
    ("Who repairs the blinds?", "2025-01-01", "", ""),
]
IN_MEMORY = {"model": Letters(), "workers": 1}
SEARCH = {"views": ("characters",), "prefilter": "none"}


def order(values, keep):
    rows = TextRows(["x"] * len(values), table=pa.table({"d": values}))
    return np.argsort(preference(rows, keep), kind="stable").tolist()


@pytest.mark.parametrize(
    "values",
    [
        ["2024-03-01", None, "2026-01-31", "2025-12-31T23:59:59Z"],
        ["2024", "", "2026", "2025.5"],
        [3, None, 20, 10],
        [date(2024, 3, 1), None, date(2026, 1, 31), date(2025, 12, 31)],
        [datetime(2024, 3, 1, 1), None, datetime(2024, 3, 1, 3), datetime(2024, 3, 1, 2)],
    ],
)
def test_dates_in_order(values):
    assert order(values, "newest:d") == [2, 3, 0, 1]
    assert order(values, "oldest:d") == [0, 3, 2, 1]


def test_times_with_and_without_a_zone():
    assert order(["2024-01-01T12:00:00", "2024-01-01T12:00:00+02:00", "2024-01-01T11:00:00Z"], "oldest:d") == [1, 2, 0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["2024-01-01", "1.2.2024"], "must be numbers or ISO dates such as 2026-01-31, got '1.2.2024'"),
        (["2024-01-01", "2024"], "must be all numbers or all ISO dates, got '2024'"),
        (["inf"], "got 'inf'"),
    ],
)
def test_dates_that_cannot_be_read(values, message):
    with pytest.raises(ValueError, match=message):
        order(values, "newest:d")


@pytest.mark.parametrize("keep", ["newest", "newest:", "newer:d", "most_complete"])
def test_unknown_rows_to_keep(keep):
    with pytest.raises(ValueError, match=f"keep must be one of first, .*, got '{keep}'"):
        DedupeOptions(keep=keep)


def test_cells_are_those_of_the_first_row_that_has_one():
    table = pa.table({"a": [None, "x", "y", "z"], "b": ["own", "other", None, " "], "c": [None, None, 3, 4]})
    found = filled(table, np.array([0, 0, 0, 3])).to_pylist()
    assert found[0] == {"a": "x", "b": "own", "c": 3}
    assert found[3] == {"a": "z", "b": " ", "c": 4}


@pytest.mark.parametrize(
    ("keep", "kept", "cells"),
    [
        ("first", "14", ["2024-03-01", "north", "red"]),
        ("newest:date", "24", ["2026-01-31", "north", "red"]),
        ("oldest:2", "14", ["2024-03-01", "north", "red"]),
        ("most-complete", "14", ["2024-03-01", "north", "red"]),
    ],
)
def test_dedupe_keeps_and_fills(tmp_path, keep, kept, cells):
    with (tmp_path / "in.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "date", "place", "colour"), *ROWS])
    for fill in (False, True):
        options = DedupeOptions(keep=keep, **SEARCH)
        dedupe_file(tmp_path / "in.csv", tmp_path / "out.csv", options=options, fill=fill, **IN_MEMORY)
        with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert "".join(row["row"] for row in rows) == kept
        own = list(ROWS[int(kept[0]) - 1][1:])
        assert [rows[0][name] for name in ("date", "place", "colour")] == (cells if fill else own)


def test_the_most_complete_row_in_memory():
    frame = [
        dict(zip(("text", "date", "place", "colour"), (cell or None for cell in row), strict=True)) for row in ROWS
    ]
    frame[2]["date"] = "2020-01-01"
    found = samewise.dedupe(frame, column="text", keep="most-complete", **SEARCH, **IN_MEMORY)
    assert found.kept.tolist() == [2, 3]
    found = samewise.dedupe(frame, column="text", keep="newest:date", **SEARCH, **IN_MEMORY)
    assert found.kept.tolist() == [1, 3]
