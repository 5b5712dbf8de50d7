"""Tables of reasons: one row a pair, with the explanation that the model gives of it."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.loading import load
from samewise.ensemble.scoring.explained_tables import explain_file
from samewise.ensemble.tables.sources import TableError

PAIRS = [
    ("The ferry leaves at noon.", "At noon the ferry departs."),
    ("Two boys fly a kite.", "A kite is stuck in a tree."),
    ("The shop is closed.", "The shop is closed."),
]


@pytest.fixture(scope="module")
def model():
    return load("surface")


@pytest.mark.slow
def test_every_row_has_its_explanation(tmp_path, model):
    a, b = zip(*PAIRS, strict=True)
    pq.write_table(pa.table({"sentence1": a, "sentence2": b, "base": ["x", "y", "z"]}), tmp_path / "in.parquet")
    assert explain_file(tmp_path / "in.parquet", tmp_path / "out.parquet", model=model) == 3
    table = pq.read_table(tmp_path / "out.parquet")
    names = [f"contribution.{name}" for name in model.contribution_names]
    assert table.column_names == ["sentence1", "sentence2", "base", "score", "samewise_base", *names, "differences"]
    assert set(table.schema.types[3:-1]) == {pa.float64()}
    for row, explanation in zip(table.to_pylist(), model.explain(PAIRS), strict=True):
        assert (row["score"], row["samewise_base"]) == (explanation.score, explanation.base)
        assert {name: row[f"contribution.{name}"] for name in explanation.contributions} == explanation.contributions
        expected = [{"kind": one.kind, "a": one.a, "b": one.b} for one in explanation.differences]
        assert row["differences"] == expected
    assert table["differences"].to_pylist()[2] == []


def test_a_bad_row_is_named_and_nothing_is_written(tmp_path, model):
    (tmp_path / "bad.csv").write_text("sentence1,sentence2\na,b\nlonely\n")
    with pytest.raises(TableError, match=r"line 3 of .*bad\.csv"):
        explain_file(tmp_path / "bad.csv", tmp_path / "bad_out.csv", model=model)
    assert not (tmp_path / "bad_out.csv").exists()
    (tmp_path / "tab.csv").write_text('sentence1,sentence2\na,"b\tc"\n')
    with pytest.raises(TableError, match=r"line 2 of .*tab\.csv holds a tab or a line break in a field, which TSV"):
        explain_file(tmp_path / "tab.csv", tmp_path / "tab.tsv", model=model)
    assert not (tmp_path / "tab.tsv").exists()
