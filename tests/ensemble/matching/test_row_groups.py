"""Rows of groups: compared within one group alone, or between groups alone."""

import csv

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.matching.candidates import find_candidates
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.index import Index
from samewise.ensemble.matching.match_files import match_file
from samewise.ensemble.matching.options import DedupeOptions, MatchOptions
from samewise.ensemble.matching.row_groups import cell_text, group_codes, grouped_texts, pairs_of_rows
from samewise.ensemble.matching.text_index import CandidateSettings
from samewise.ensemble.matching.texts import TextCollection, TextRows, equal_form
from samewise.ensemble.tables.table_reader import TableError

import samewise

from .test_dedupe_tables import Letters

SEARCH = {"views": ("characters",), "prefilter": "none"}
IN_MEMORY = {"model": Letters(), "workers": 1}
WORDS = ["lamp", "red lamp", "Lamp.", "blue lamp", "chair", "red chair", "old chair", "roof"]


def rows_of(texts, groups):
    return TextRows(texts, table=pa.table({"g": pa.array(groups, pa.string())}))


def named(found):
    texts = found.texts.texts
    return {(texts[a], texts[b]) for a, b in zip(found.first.tolist(), found.second.tolist(), strict=True)}


def test_values_are_equal_whatever_type_they_have():
    assert list(map(cell_text, [" a ", 5, 5.0, "5", 0.5, None, " ", float("nan")])) == [
        "a", "5", "5", "5", "0.5", None, None, None,
    ]  # fmt: skip


def test_a_missing_value_is_no_others():
    first, second = group_codes([rows_of(list("abcd"), ["x", None, " x", ""]), rows_of(["e", "f"], ["x", None])], "g")
    assert first[0] == first[2] == second[0]
    assert len({*first.tolist(), *second.tolist()}) == 4


@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(["x", "y", None])), min_size=1, max_size=12),
    st.integers(1, 3),
)
@settings(max_examples=60, deadline=None)
def test_within_groups_is_a_search_of_each_group(rows, most):
    asked = CandidateSettings(("words",), most, 0.3)
    texts, groups = map(list, zip(*rows, strict=True))
    found = find_candidates(grouped_texts([rows_of(texts, groups)], equal_form, "g", None), asked)
    alone = set()
    for group in {"x", "y"} & set(groups):
        own = [text for text, name in rows if name == group]
        alone |= named(find_candidates(TextCollection.of(own, form=equal_form), asked))
    assert named(found) == alone


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(["x", "y", None])), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_between_groups_a_row_finds_its_best_of_other_groups(rows):
    texts, groups = map(list, zip(*rows, strict=True))
    grouped = grouped_texts([rows_of(texts, groups)], equal_form, None, "g")
    one, everything = (find_candidates(grouped, CandidateSettings(("words",), most, -1.0)) for most in (1, 50))
    codes = grouped.apart
    assert np.all(codes[everything.first] != codes[everything.second])
    n = len(codes)
    assert len(everything.first) == sum(codes[a] != codes[b] for a in range(n) for b in range(a))
    reached = {*one.first.tolist(), *one.second.tolist()}
    assert reached == {*everything.first.tolist(), *everything.second.tolist()}


def test_equal_texts_of_one_group_stay_apart():
    rows = rows_of(["lamp", "Lamp!", "lamp", "roof"], ["x", "x", "y", "y"])
    found = pairs_of_rows(find_candidates(grouped_texts([rows], equal_form, None, "g"), CandidateSettings(least=0.5)))
    assert set(zip(found.first.tolist(), found.second.tolist(), strict=True)) == {(0, 2), (1, 2)}
    assert found.texts.texts[:3] == ["lamp"] * 3


TABLE = [
    ("a", "The lift is out of order."),
    ("a", "The lift is out of order!"),
    ("b", "the lift is out of order"),
    ("", "The lift is out of order"),
    ("b", "Who repairs the blinds?"),
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("place", "text"), *TABLE])
    return path


@pytest.mark.parametrize(
    ("groups", "kept", "equal"),
    [({}, "15", 3), ({"within": "place"}, "1345", 1), ({"not_within": "1"}, "125", 2)],
)
def test_dedupe_of_groups(table, tmp_path, groups, kept, equal):
    summary = dedupe_file(table, tmp_path / "out.csv", **IN_MEMORY, options=DedupeOptions(**SEARCH, **groups))
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        assert "".join(row["row"] for row in csv.DictReader(file)) == kept
    assert (summary.kept, summary.equal) == (len(kept), equal)
    frame = [{"place": place, "text": text} for place, text in TABLE]
    named = {name: "place" for name in groups}
    found = samewise.dedupe(frame, column="text", **IN_MEMORY, **SEARCH, **named)
    assert found.kept.tolist() == [int(row) - 1 for row in kept]


def test_matches_of_groups(table, tmp_path):
    pairs = {}
    for name in ("within", "not_within"):
        options = MatchOptions(top=9, **SEARCH, **{name: "place"})
        match_file(table, table, tmp_path / "out.csv", **IN_MEMORY, options=options)
        with (tmp_path / "out.csv").open(encoding="utf-8") as file:
            pairs[name] = {(int(row["row1"]), int(row["row2"])) for row in csv.DictReader(file)}
    assert {(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (5, 5)} <= pairs["within"]
    assert {(1, 3), (3, 1), (2, 3), (4, 1), (4, 4)} <= pairs["not_within"]
    groups = [place for place, _ in TABLE]
    assert all(groups[a - 1] == groups[b - 1] != "" for a, b in pairs["within"])
    assert all(groups[a - 1] != groups[b - 1] or groups[a - 1] == "" for a, b in pairs["not_within"])


def test_columns_that_are_not_there(table, tmp_path):
    with pytest.raises(TableError, match="has no column 'plaice'; its columns are: place, text; did you mean 'place'"):
        dedupe_file(table, tmp_path / "out.csv", **IN_MEMORY, options=DedupeOptions(within="plaice", **SEARCH))
    with pytest.raises(ValueError, match="must have the column 'place', got an index"):
        samewise.match([{"text": "a", "place": "b"}], Index.build(["b"]), **IN_MEMORY, **SEARCH, within="place")
