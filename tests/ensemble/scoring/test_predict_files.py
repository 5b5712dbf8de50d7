import json
import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.scoring import NEW_COLUMNS, predict_file, score_batch
from samewise.ensemble.tables.sources import TableError, open_table


class Lengths:
    """A model for the tests: how alike two texts are in length."""

    signature = "lengths"
    scale = POINTS

    def predict_pairs(self, pairs):
        score = np.array([5.0 / (1 + abs(len(a) - len(b))) for a, b in pairs])
        flags = [tuple(["empty"] * (not a or not b) + ["identical"] * (a == b)) for a, b in pairs]
        return Prediction(score, score / 3, np.minimum(score * 1.1, 5.0), flags)


def run(source, target, **options):
    return predict_file(source, target, model=Lengths(), workers=1, **options)


def rejects_of(path):
    return [json.loads(line) for line in path.with_name(f"{path.name}.rejects.jsonl").read_text().splitlines()]


def test_the_unit_of_work():
    batch = pa.record_batch([pa.array(["a", ""]), pa.array([1, 2]), pa.array(["a", "bb"])], ["p", "score", "q"])
    found = score_batch(batch, "p", "q", Lengths())
    assert found.schema.names == ["p", "score", "q", "samewise_score", "samewise_low", "samewise_high", "flags"]
    assert found.column("samewise_score").to_pylist() == [5.0, 5 / 3]
    assert found.column("flags").to_pylist() == [["identical"], ["empty"]]
    assert score_batch(batch.slice(1), "p", "q", Lengths()).equals(found.slice(1))
    assert score_batch(batch.slice(0, 0), "p", "q", Lengths()).schema == found.schema


def test_names_that_are_taken_twice():
    batch = pa.record_batch([pa.array(["a"])] * 4, ["p", "q", "flags", "samewise_flags"])
    assert score_batch(batch, "p", "q", Lengths()).schema.names[-1] == "samewise_samewise_flags"


@pytest.mark.parametrize("source_format", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("target_format", ["csv", "tsv", "jsonl", "parquet"])
def test_every_format_to_every_other(tmp_path, source_format, target_format):
    rows = [{"id": i, "sentence1": "x" * (i % 7), "sentence2": "x" * (i % 5)} for i in range(50)]
    start = tmp_path / "start.parquet"
    pq.write_table(pa.Table.from_pylist(rows), start)
    source = tmp_path / f"in.{source_format}"
    run(start, source)
    first, target = tmp_path / f"direct.{target_format}", tmp_path / f"out.{target_format}"
    run(start, first)
    summary = run(source, target, batch_size=7)
    assert (summary.rows, summary.rejects) == (50, 0)
    assert summary.flags["empty"] == sum(not row["sentence1"] or not row["sentence2"] for row in rows)
    with open_table(target) as reader:
        found = [row for chunk in reader for row in chunk.batch.to_pylist()]
    assert [int(row["id"]) for row in found] == list(range(50))
    for row, given in zip(found, rows, strict=True):
        expected = 5.0 / (1 + abs(len(given["sentence1"]) - len(given["sentence2"])))
        assert float(row["samewise_score"]) == float(row["score"]) == expected
    assert not list(tmp_path.glob("*.rejects.jsonl"))
    assert not list(tmp_path.glob(".*"))


def test_every_format_holds_the_same_numbers_to_the_last_bit(tmp_path):
    class Awkward(Lengths):
        """Scores of 0, 5, their neighbours, tiny ones and ones that need all 17 digits."""

        def predict_pairs(self, pairs):
            draw = np.random.default_rng(7)
            corners = [0.0, 5e-324, 2.2250738585072014e-308, 1e-5, 0.1 + 0.2, 1 / 3, np.nextafter(5.0, 0.0), 5.0]
            score = np.concatenate([corners, 10.0 ** draw.uniform(-20, 0, 2000), draw.uniform(0, 5, len(pairs))])
            score = score[: len(pairs)]
            return Prediction(score, score / 3, np.minimum(score * 1.1, 5.0), [()] * len(pairs))

    rows = 5000
    source, read = tmp_path / "in.csv", {}
    source.write_text("sentence1,sentence2\n" + "".join(f"a{k},b{k}\n" for k in range(rows)))
    for name in ("csv", "tsv", "jsonl", "parquet"):
        target = tmp_path / f"out.{name}"
        predict_file(source, target, model=Awkward(), workers=1, batch_size=rows)
        with open_table(target) as reader:
            batches = [chunk.batch for chunk in reader]
        read[name] = {
            column: np.array([value for batch in batches for value in batch.column(column).to_pylist()], float)
            for column in ("score", "low", "high")
        }
    expected = Awkward().predict_pairs([("", "")] * rows)
    for columns in read.values():
        for column, values in columns.items():
            assert values.tobytes() == getattr(expected, column).tobytes()


def test_rejects_in_order_with_their_ids(tmp_path):
    path = tmp_path / "in.csv"
    path.write_bytes(b'k,sentence1,sentence2\n1,a,b\n2,a\n3,"a\nb",c\n4,\xff,b\n5,"d\te",f\n6,g,h\n')
    summary = run(path, tmp_path / "out.tsv", id="k")
    assert (summary.rows, summary.rejects) == (2, 4)
    found = rejects_of(tmp_path / "out.tsv")
    assert [(reject["line"], reject["id"]) for reject in found] == [(3, "2"), (4, "3"), (6, "4"), (7, "5")]
    assert "TSV cannot hold" in found[1]["reason"]
    assert found[2]["raw"] == "4,\udcff,b"
    assert json.loads(found[3]["raw"])["sentence1"] == "d\te"


def test_stale_rejects_go(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("sentence1,sentence2\na,b\nc\n")
    run(source, target)
    assert len(rejects_of(target)) == 1
    source.write_text("sentence1,sentence2\na,b\n")
    run(source, target)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.csv", "out.csv"]


def test_rejects_of_standard_output(tmp_path, capfdbinary):
    source = tmp_path / "in.csv"
    source.write_text("sentence1,sentence2\na,b\nc\n")
    summary = run(source, "-", format="jsonl")
    out, err = capfdbinary.readouterr()
    assert json.loads(out)["score"] == 5.0
    assert json.loads(err) == {"line": 3, "reason": "1 fields instead of 2", "raw": "c"}
    assert (summary.rows, summary.rejects) == (1, 1)


@pytest.mark.parametrize("target_format", ["csv", "tsv", "jsonl", "parquet"])
def test_header_only(tmp_path, target_format):
    source, target = tmp_path / "in.csv", tmp_path / f"out.{target_format}"
    source.write_text("sentence1,sentence2\n")
    assert run(source, target).rows == 0
    if target_format == "parquet":
        assert pq.read_table(target).column_names == ["sentence1", "sentence2", *NEW_COLUMNS]
    else:
        heading = {"csv": "sentence1,sentence2,score,low,high,flags\n", "jsonl": ""}
        assert target.read_text().replace("\t", ",") == heading.get(target_format, heading["csv"])


def test_a_failure_leaves_nothing(tmp_path):
    class Broken(Lengths):
        def predict_pairs(self, pairs):
            if len(pairs) and "stop" in pairs[0]:
                raise ValueError("stopped")
            return super().predict_pairs(pairs)

    source = tmp_path / "in.csv"
    source.write_text("sentence1,sentence2\na,b\nbad\nstop,stop\n")
    with pytest.raises(ValueError, match="stopped"):
        predict_file(source, tmp_path / "out.csv", model=Broken(), workers=1, batch_size=1)
    assert [file.name for file in tmp_path.iterdir()] == ["in.csv"]


def test_refusals(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("sentence1,sentence2\na,b\n")
    with pytest.raises(TableError, match="must not be a file of the input"):
        run(source, source)
    with pytest.raises(ValueError, match="workers must be a whole number from 1 on, or auto, got 0"):
        predict_file(source, tmp_path / "o.csv", model=Lengths(), workers=0)
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        run(source, tmp_path / "o.csv", batch_size=0)
    with pytest.raises(FileNotFoundError):
        run(source, tmp_path / "absent" / "o.csv")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    def peak(rows):
        source = tmp_path / "in.tsv"
        source.write_text("sentence1\tsentence2\n" + "one text of a pair\tand the other\n" * rows)
        tracemalloc.start()
        # Scores wait in memory for so many seconds, however many they are; without a wait the peak does not depend
        # on the speed of the machine.
        run(source, tmp_path / "out.csv", batch_size=100, checkpoint=0)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(100)  # imports
    assert peak(20_000) < 1.2 * peak(2_000)


def test_progress(tmp_path):
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"sentence1": ["a", None, "c"], "sentence2": ["b", "c", "d"]}), source)
    calls = []
    run(source, tmp_path / "o.csv", batch_size=2, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(2, 3), (3, 3)]


def test_categories_pass_through(tmp_path):
    source = tmp_path / "in.parquet"
    kinds = pa.array(["news", "forum", "news"]).dictionary_encode()
    pq.write_table(pa.table({"sentence1": ["a", "b", "c"], "sentence2": ["b", "c", "d"], "kind": kinds}), source)
    run(source, tmp_path / "out.parquet", batch_size=2)
    assert pq.read_table(tmp_path / "out.parquet").column("kind").to_pylist() == ["news", "forum", "news"]
