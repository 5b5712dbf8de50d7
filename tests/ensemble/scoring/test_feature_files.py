"""Feature matrices written to files: row i is row i of the table."""

import numpy as np
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.loading import load
from samewise.ensemble.scoring.feature_files import extract_file
from samewise.ensemble.tables.sources import TableError
from samewise.features.pipeline.extraction import Extraction

PAIRS = [("The kettle boils.", "Water is boiling."), ("The kettle boils.", "A bus is late."), ("", "A bus is late.")]


@pytest.fixture(scope="module")
def model():
    return load("surface")


def table(path, rows):
    path.write_text("sentence1,sentence2\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path


def test_the_file_holds_the_columns_of_the_model(tmp_path, model):
    source, target = table(tmp_path / "in.csv", PAIRS), tmp_path / "out.parquet"
    assert extract_file(source, target, model=model) == (3, len(model.columns))
    matrix = pq.read_table(target)
    assert matrix.column_names == list(model.columns)
    expected = model.extract(model.analyse(PAIRS)).values
    assert np.array_equal(np.column_stack([column.to_numpy() for column in matrix.columns]), expected)


def test_other_features(tmp_path, model):
    source, target = table(tmp_path / "in.csv", PAIRS), tmp_path / "out.csv"
    rows, columns = extract_file(source, target, model=model, features="length")
    names = target.read_text().splitlines()[0].split(",")
    assert (rows, columns) == (3, len(names)) and {name.partition(".")[0] for name in names} == {"length"}


def test_missing_resources_are_named_with_a_remedy(tmp_path, model):
    source = table(tmp_path / "in.csv", PAIRS)
    with pytest.raises(ValueError, match=r"^user_contextual\.\S+ needs your sentence encoder; pass --encoder$"):
        extract_file(source, tmp_path / "out.csv", model=model, features="user_contextual")
    with pytest.raises(ValueError, match=r"needs the resource '\w+', which the model was not fitted with; pass"):
        extract_file(source, tmp_path / "out.csv", model=model, features="user_embedding")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_statistics_that_the_model_lacks_are_counted_on_another_table(tmp_path, model):
    source, training = table(tmp_path / "in.csv", PAIRS), table(tmp_path / "training.csv", PAIRS[:2])
    features = "lemma_translation.nist"
    extract_file(source, tmp_path / "out.parquet", model=model, features=features, statistics=training)
    counted = Extraction.fit(PAIRS[:2], features)[0]
    expected = counted.matrix(counted.analyse(PAIRS)).values
    found = pq.read_table(tmp_path / "out.parquet")
    assert np.array_equal(np.column_stack([column.to_numpy() for column in found.columns]), expected)


def test_a_bad_row_is_an_error(tmp_path, model):
    source = table(tmp_path / "in.csv", [*PAIRS, ("lonely",)])
    with pytest.raises(TableError, match=r"line 5 of .*in\.csv: 1 fields instead of 2; correct or remove it"):
        extract_file(source, tmp_path / "out.csv", model=model)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
