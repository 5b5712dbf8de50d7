"""Texts and tables in the forms that people hold them in."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from samewise.ensemble.loading import load
from samewise.ensemble.scoring.data_frames import score_table
from samewise.ensemble.scoring.frames import column_texts
from samewise.ensemble.tables.table_reader import TableError

import samewise

pl = pytest.importorskip("polars")

TEXTS = ["The gate squeaks.", None, "Where is the key?", "the gate squeaks"]


class Dataset:
    """Of the library datasets, as far as it is used."""

    def __init__(self, columns, format=None):
        self.columns, self.format = columns, format
        self.column_names = list(columns)

    def with_format(self, format):
        return Dataset(self.columns, format)

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def __getitem__(self, rows):
        assert self.format == "arrow"
        return pa.table(self.columns)[rows]


class Streamed:
    column_names = ["text"]

    def with_format(self, format):
        return self


FORMS = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "pandas series": lambda texts: pd.Series(texts, index=[7] * len(texts), name="any"),
    "pandas objects": lambda texts: pd.Series([np.nan if text is None else text for text in texts], dtype=object),
    "pandas NA": lambda texts: pd.Series([pd.NA if text is None else text for text in texts], dtype=object),
    "pandas categories": lambda texts: pd.Series(texts, dtype="category"),
    "pandas index": pd.Index,
    "polars series": lambda texts: pl.Series("any", texts),
    "polars categories": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "numpy objects": lambda texts: np.array(texts, dtype=object),
    "numpy NaN": lambda texts: np.array([np.nan if text is None else text for text in texts], dtype=object),
    "arrow array": pa.array,
    "chunked array": lambda texts: pa.chunked_array([texts[:1], texts[1:]], pa.string()),
    "records": lambda texts: [{"id": n, "text": text} if text else {"id": n} for n, text in enumerate(texts)],
    "dataset": lambda texts: Dataset({"id": list(range(len(texts))), "text": texts}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same_texts(form):
    assert column_texts(FORMS[form](TEXTS)) == TEXTS


def test_arrays_of_numpy_strings():
    given = ["a b", "c"]
    assert column_texts(np.array(given)) == column_texts([np.str_(text) for text in given]) == given


def test_duplicates_and_matches_of_columns():
    settings = {"model": load("surface"), "views": ("words",), "prefilter": "none", "workers": 1}
    frame = pd.DataFrame({"remark": TEXTS, "number": range(4)})
    for given in (frame["remark"], (text for text in TEXTS)):
        assert samewise.dedupe(given, **settings).representatives.tolist() == [0, 1, 2, 0]
    known = samewise.Index.build(frame["remark"].dropna(), views=("words",))
    for b, column in ((pl.Series(TEXTS), None), (frame.to_dict("records"), "remark"), (known, None)):
        found = samewise.match(frame["remark"].to_numpy(), b, top=1, columns=(None, column), **settings)
        assert found.column("row1").to_pylist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("given", "column", "message"),
    [
        ("one text", None, "texts must be strings in an order, or a table, got str; give a list"),
        (b"one text", None, "got bytes"),
        ({"text": ["a"]}, None, "got dict"),
        ({"a", "b"}, None, "got set"),
        (7, None, "got int"),
        (np.array([["a", "b"]]), None, r"an array of shape \(n,\), got shape \(1, 2\)"),
        (["a", 3], None, "a text must be a string, got 3 at position 1"),
        (np.array([1, 2]), None, "a text must be a string, got 1 at position 0"),
        (pd.Series(["a", 3], dtype=object), None, r"row 1 \(from 0\) of the column 0 is 3 of type int"),
        (["a"], "text", "column must be None for texts without columns, got 'text'"),
        ([{"text": "a"}, "b"], None, "each row must be a dict, got 'b' at position 1"),
        (
            [{"remark": "a", "note": "b"}],
            None,
            "no column 'text'; its columns are: remark, note; name the one with the texts, as in column=",
        ),
        (Streamed(), None, "got a Dataset that is streamed"),
    ],
)
def test_what_holds_no_texts_is_refused(given, column, message):
    with pytest.raises(TableError, match=message):
        column_texts(given, column)


def test_scores_of_records_and_of_a_dataset():
    model = load("surface")
    rows = [{"sentence1": "A dog runs.", "sentence2": "A dog runs", "score": 3}, {"sentence1": "Fog."}]
    found = score_table(rows, model=model)
    assert found[0]["samewise_score"] == model.predict([("A dog runs.", "A dog runs")])[0]
    assert found[0]["score"] == 3
    assert (found[1]["samewise_score"], found[1]["flags"]) == (None, ["missing"])
    assert [*rows[0]] == ["sentence1", "sentence2", "score"]
    columns = {"sentence1": ["A dog runs.", "Fog."], "sentence2": ["A dog runs", None], "score": [3, None]}
    table = score_table(Dataset(columns), model=model)
    assert table.column("samewise_score").to_pylist() == [row["samewise_score"] for row in found]
