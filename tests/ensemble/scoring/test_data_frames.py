import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import score_batch
from samewise.ensemble.scoring.data_frames import score_table
from samewise.ensemble.tables.table_reader import TableError

from ...conftest import HOSTILE, PAIRS

pl = pytest.importorskip("polars")

NEW = ["score", "low", "high", "flags"]
A, B = ([pair[side] for pair in PAIRS] for side in (0, 1))


@pytest.fixture(scope="module")
def model():
    return load("surface")


@pytest.fixture(scope="module")
def expected(model):
    return model.predict_pairs(PAIRS)


KINDS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "table": pa.table,
    "batch": lambda columns: pa.RecordBatch.from_pydict(dict(columns)),
    "reader": lambda columns: pa.table(columns).to_reader(max_chunksize=4),
}


def rows_of(table):
    """Rows as dicts, whatever the kind of table; NaN is None."""
    if isinstance(table, pa.RecordBatchReader):
        table = table.read_all()
    if isinstance(table, pl.DataFrame):
        return table.to_dicts()
    if isinstance(table, pd.DataFrame):
        return [
            {k: None if isinstance(v, float) and np.isnan(v) else v for k, v in row.items()}
            for row in table.to_dict("records")
        ]
    return table.to_pylist()


class TestEveryKind:
    @pytest.mark.parametrize("kind", KINDS)
    def test_scores(self, model, expected, kind):
        given = KINDS[kind]({"n": list(range(len(PAIRS))), "sentence1": A, "sentence2": B})
        found = score_table(given, model=model)
        assert type(found) is type(given)
        rows = rows_of(found)
        assert list(rows[0]) == ["n", "sentence1", "sentence2", *NEW]
        assert [row["n"] for row in rows] == list(range(len(PAIRS)))
        for name in NEW[:3]:
            np.testing.assert_allclose([row[name] for row in rows], getattr(expected, name), atol=1e-9)
        assert [tuple(row["flags"]) for row in rows] == expected.flags

    @pytest.mark.parametrize("kind", KINDS)
    def test_missing_texts(self, model, expected, kind):
        a, b = [None, *A, None, "x"], ["x", *B, None, None]
        rows = rows_of(score_table(KINDS[kind]({"sentence1": a, "sentence2": b}), model=model))
        assert [row["score"] is None for row in rows] == [True, *[False] * len(A), True, True]
        assert [list(row["flags"]) for row in (rows[0], *rows[-2:])] == [["missing"]] * 3
        assert all(row["low"] is row["high"] is None for row in (rows[0], *rows[-2:]))
        np.testing.assert_allclose([row["score"] for row in rows[1:-2]], expected.score, atol=1e-9)

    @pytest.mark.parametrize("kind", KINDS)
    def test_nothing_but_missing_texts(self, model, kind):
        [row] = rows_of(score_table(KINDS[kind]({"sentence1": [None], "sentence2": ["x"]}), model=model))
        assert row["score"] is None

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_rows(self, model, kind):
        given = KINDS[kind]({"sentence1": ["a"], "sentence2": ["b"]})
        given = given.schema.empty_table().to_reader() if kind == "reader" else given[:0]
        found = score_table(given, model=model)
        assert rows_of(found) == []
        names = found.columns if isinstance(found, pd.DataFrame | pl.DataFrame) else found.schema.names
        assert list(names) == ["sentence1", "sentence2", *NEW]

    @pytest.mark.parametrize("kind", KINDS)
    def test_taken_names(self, model, kind):
        given = KINDS[kind]({"p, q": ["a"], "r": ["b"], "score": [1], "low": [2], "samewise_low": [3]})
        [row] = rows_of(score_table(given, model=model, columns=["p, q", "r"]))
        assert list(row)[5:] == [*(f"samewise_samewise_{name}" for name in ("score", "low", "high")), "flags"]
        assert [row["score"], row["low"], row["samewise_low"]] == [1, 2, 3]

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        ("columns", "names", "message"),
        [
            (None, "xyz", "no column 'sentence1'; its columns are: x, y, z"),
            ("x,w", "xyz", "no column 'w'"),
            ("x", "xyz", "name the two columns"),
        ],
    )
    def test_columns(self, model, kind, columns, names, message):
        with pytest.raises(TableError, match=message):
            score_table(KINDS[kind](dict.fromkeys(names, ["a"])), model=model, columns=columns)
        score_table(KINDS[kind](dict.fromkeys("xy", ["a"])), model=model)  # the only two there are

    @pytest.mark.parametrize("kind", KINDS)
    def test_numbers_are_no_text(self, model, kind):
        with pytest.raises(
            TableError, match=r"row 0 \(from 0\) of the column 'sentence2' is 1 of type int|holds int64"
        ):
            rows_of(score_table(KINDS[kind]({"sentence1": ["a"], "sentence2": [1]}), model=model))

    @pytest.mark.slow
    def test_more_rows_than_a_batch_and_workers(self, model, other_processes):
        a, b = (["x", *side * 150] for side in (A, B))
        table = pa.table({"sentence1": a, "sentence2": b})
        alone = score_table(table, model=model, workers=1)
        assert score_table(table, model="surface", workers=2).equals(alone)
        whole = score_batch(table.combine_chunks().to_batches()[0], "sentence1", "sentence2", model)
        assert alone.equals(pa.Table.from_batches([whole]))


class TestPandas:
    INDEXES = {
        "labels twice": pd.Index([3, 3, 1], name="i"),
        "levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["x", None]),
        "times": pd.DatetimeIndex(["2024-01-01", "2023-01-01", None], tz="UTC"),
    }

    @pytest.mark.parametrize("index", INDEXES)
    def test_all_else_stays(self, model, index):
        given = pd.DataFrame(
            {
                "sentence1": pd.Categorical(["a b", "c", "a b"]),
                "sentence2": pd.array(["a b", pd.NA, "d"], dtype="string"),
                "nullable": pd.array([1, None, 3], dtype="Int8"),
                "category": pd.Categorical(["u", None, "v"], categories=["v", "w", "u"], ordered=True),
                "time": pd.to_datetime(["2024-01-01", None, "2024-01-02"]).tz_localize("Asia/Tokyo"),
                "things": [[1], {"k": 2}, object],
                "arrow": pd.array([Decimal("1.5"), None, Decimal("2")], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
                "small": np.array([1, 2, 3], np.float16),
                "period": pd.period_range("2024-01", periods=3, freq="M"),
            },
            index=self.INDEXES[index],
        )
        given.attrs["source"] = "a test"
        before = given.copy(deep=True)
        found = score_table(given, model=model)
        pd.testing.assert_frame_equal(found.drop(columns=NEW), given)
        pd.testing.assert_frame_equal(given, before)
        assert found.attrs == given.attrs
        assert found.index is given.index or found.index.identical(given.index)
        assert found["score"].tolist()[0] == 5.0
        assert found["flags"].tolist()[1:] == [["missing"], []]
        assert found.dtypes[NEW].tolist() == [np.float64] * 3 + [object]

    def test_the_result_is_a_copy(self, model):
        given = pd.DataFrame({"sentence1": ["a"], "sentence2": ["b"], "n": [1]})
        found = score_table(given, model=model)
        found.loc[0, "n"] = 9
        assert given["n"].tolist() == [1]

    def test_odd_labels(self, model):
        twice = pd.DataFrame([["a", "b", 1, 2]], columns=["sentence1", "sentence2", "n", "n"])
        assert list(score_table(twice, model=model).columns) == ["sentence1", "sentence2", "n", "n", *NEW]
        numbers = pd.DataFrame({0: ["a"], 1: ["b"], ("x", 1): [0]})
        assert list(score_table(numbers, model=model, columns=[1, 0]).columns) == [0, 1, ("x", 1), *NEW]
        levels = pd.DataFrame([["a", "b"]], columns=pd.MultiIndex.from_tuples([("t", "l"), ("t", "r")]))
        found = score_table(levels, model=model, columns=[("t", "r"), ("t", "l")])
        assert list(found.columns) == [("t", "l"), ("t", "r"), *((name, "") for name in NEW)]
        texts_twice = pd.DataFrame([["a", "b", "c"]], columns=["sentence1", "sentence1", "sentence2"])
        with pytest.raises(TableError, match="2 columns named 'sentence1'"):
            score_table(texts_twice, model=model)

    @pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.nan])
    def test_every_way_to_be_missing(self, model, missing):
        given = pd.DataFrame({"sentence1": pd.Series(["a", missing], dtype=object), "sentence2": ["b", "c"]})
        assert score_table(given, model=model)["flags"].tolist() == [[], ["missing"]]

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            (3.5, r"row 3000 \(from 0\) of the column 'sentence1' is 3.5 of type float, not text"),
            (b"a", "is b'a' of type bytes"),
            (["a"], "of type list"),
        ],
    )
    def test_no_text(self, value, message):
        texts = pd.Series(["a"] * 3001, dtype=object)
        texts.iat[3000] = value
        with pytest.raises(TableError, match=message):  # before any model is loaded
            score_table(pd.DataFrame({"sentence1": texts, "sentence2": "b"}), model="absent")

    def test_hostile_texts(self, model):
        pairs = [*HOSTILE, ("\ud800 a", "a dog"), ("\ud83d\ude00 \udc00", "\U0001f600 \ufffd")]
        given = pd.DataFrame(pairs, columns=["sentence1", "sentence2"], dtype=object)
        found, expected = score_table(given, model=model), model.predict_pairs(pairs)
        np.testing.assert_array_equal(found["score"], expected.score)
        assert found["flags"].map(tuple).tolist() == expected.flags
        assert found["sentence1"].tolist() == given["sentence1"].tolist()  # as it was
        assert found["score"].iloc[-1] == 5.0


class TestPolars:
    def test_all_else_stays(self, model):
        given = pl.DataFrame(
            {
                "sentence1": pl.Series(["a b", "c", "a b"], dtype=pl.Categorical),
                "sentence2": pl.Series(["a b", None, "d"], dtype=pl.Enum(["d", "a b"])),
                "list": [[1], None, []],
                "struct": [{"a": 1, "b": "x"}] * 3,
                "time": pl.Series([datetime(2024, 1, 1, tzinfo=UTC)] * 3, dtype=pl.Datetime("ns", "UTC")),
                "decimal": pl.Series([Decimal("1.5")] * 3, dtype=pl.Decimal(10, 2)),
                "thing": pl.Series([object, 1, "x"], dtype=pl.Object),
            }
        )
        found = score_table(given, model=model)
        assert found.select(given.columns).schema == given.schema
        assert found.drop("thing", *NEW).equals(given.drop("thing"))
        assert found["thing"].to_list() == given["thing"].to_list()
        assert found.schema.to_python()["flags"] is list
        assert found["score"].to_list()[:2] == [5.0, None]

    def test_lazy(self, model):
        with pytest.raises(TableError, match=r"collect\(\) it first"):
            score_table(pl.DataFrame({"a": ["x"], "b": ["y"]}).lazy(), model=model)


class TestArrow:
    SCHEMA = pa.schema(
        [
            pa.field("sentence1", pa.dictionary(pa.int8(), pa.string())),
            pa.field("sentence2", pa.large_string(), nullable=False),
            pa.field("x", pa.struct([("t", pa.timestamp("ns"))]), metadata={"unit": "none"}),
        ],
        metadata={"origin": "a test"},
    )

    def test_all_else_stays(self, model):
        rows = [{"sentence1": a, "sentence2": "d", "x": {"t": k}} for k, a in enumerate(["a", None, "d"])]
        given = pa.concat_tables([pa.Table.from_pylist(rows, self.SCHEMA)] * 2)
        for found in (score_table(given, model=model), score_table(given.to_reader(), model=model).read_all()):
            assert found.schema.metadata == self.SCHEMA.metadata
            assert found.select(range(3)).equals(given, check_metadata=True)
            assert found["flags"].to_pylist() == [[], ["missing"], ["identical"]] * 2

    def test_whatever_has_the_interface(self, model):
        class Relation:
            def __arrow_c_stream__(self, requested_schema=None):
                return pa.table({"sentence1": ["a", "b"], "sentence2": ["a", None]}).__arrow_c_stream__()

        found = score_table(Relation(), model=model)
        assert isinstance(found, pa.Table)
        assert found["score"].to_pylist() == [5.0, None]

    @pytest.mark.slow
    def test_a_reader_is_read_as_it_is_asked(self, model):
        taken = []

        def batches():
            for k in range(3):
                taken.append(k)
                yield pa.record_batch({"sentence1": ["a"] * 3000, "sentence2": ["a"] * 3000})

        schema = pa.schema([("sentence1", pa.string()), ("sentence2", pa.string())])
        found = score_table(pa.RecordBatchReader.from_batches(schema, batches()), model=model, workers=1)
        assert taken == []
        assert found.read_next_batch()["score"].to_pylist() == [5.0] * 2048
        assert taken == [0]
        assert found.read_all()["score"].to_pylist() == [5.0] * (3 * 3000 - 2048)

    def test_where_a_reader_is_wrong(self, model):
        batch = pa.record_batch({"sentence1": ["a"] * 1500, "sentence2": ["b"] * 1500})
        broken = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
        bad = pa.record_batch({"sentence1": broken, "sentence2": ["b"]})
        stream = pa.RecordBatchReader.from_batches(batch.schema, iter([batch, batch, bad]))
        found = score_table(stream, model=model, workers=1)
        assert found.read_next_batch().num_rows == found.read_next_batch().num_rows == 1500
        with pytest.raises(TableError, match="'sentence1' holds bytes that are not UTF-8"):
            found.read_next_batch()

    def test_bytes_that_are_no_text(self, model):
        bad = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff\xfe"]).buffers())
        with pytest.raises(TableError, match="'sentence1' holds bytes that are not UTF-8"):
            score_table(pa.table({"sentence1": bad, "sentence2": ["x", "y"]}), model=model)

    def test_other_things(self, model):
        for other in (PAIRS, None, pd.Series(["a"]), pl.Series(["a"]), np.array([["a", "b"]]), {"a": ["b"]}, "ab"):
            with pytest.raises(TableError, match="of type .*; give a pandas"):
                score_table(other, model=model)

    @pytest.mark.parametrize("columns", [5, "x", "x,y,z", b"x,y", ["x"], {"x": 1}])
    def test_other_columns(self, model, columns):
        with pytest.raises(TableError, match="the columns are given as"):
            score_table(pa.table({"x": ["a"], "y": ["b"]}), model=model, columns=columns)

    @pytest.mark.parametrize("workers", [0, -1, "two", 1.5, [1]])
    def test_other_workers(self, model, workers):
        with pytest.raises(ValueError, match="workers must be a whole number from 1 on, or auto"):
            score_table(pa.table({"x": ["a"], "y": ["b"]}), model=model, workers=workers)

    @pytest.mark.parametrize("other", [None, 5, b"surface", {}])
    def test_other_models(self, other):
        with pytest.raises(TypeError, match="model must be a profile, the folder of a bundle"):
            score_table(pa.table({"x": ["a"], "y": ["b"]}), model=other)


TEXT = (
    st.none()
    | st.sampled_from(["", "A dog runs.", "A dog ran.", "a\tb", "\0", "é"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
)


@pytest.mark.slow
@settings(max_examples=25)
@given(rows=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=8), kind=st.sampled_from(sorted(KINDS)))
def test_row_by_row(model, rows, kind):
    a, b = zip(*rows, strict=True)
    found = KINDS[kind](
        {"sentence1": pa.array(a, pa.string()), "sentence2": pa.array(b, pa.string())}
        if kind not in ("pandas", "polars")
        else {"sentence1": list(a), "sentence2": list(b)}
    )
    found = rows_of(score_table(found, model=model))
    for (first, second), row in zip(rows, found, strict=True):
        if first is None or second is None:
            assert (row["score"], list(row["flags"])) == (None, ["missing"])
        else:
            alone = model.predict_pairs([(first, second)])
            assert row["score"] == pytest.approx(alone.score[0], abs=1e-6)
            assert tuple(row["flags"]) == alone.flags[0]


@pytest.mark.slow
def test_neither_library_is_imported():
    code = "import sys, samewise.ensemble.scoring.data_frames; sys.exit(bool({'pandas', 'polars'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
