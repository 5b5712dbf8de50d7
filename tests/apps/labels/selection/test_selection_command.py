import csv
import io
import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.apps.labels.selection import k_center_greedy, select_pairs
from samewise.apps.labels.selection.pair_pool import Pool, pair_key
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.predictive_distribution import spread_of
from samewise.ensemble.loading import load
from samewise.features.pipeline.matrix import extract
from typer.testing import CliRunner

from ....conftest import PAIRS

SURFACE = ("--model", "surface")
GREEDY = ("--method", "greedy", *SURFACE)


def run(*arguments, code=0):
    done = CliRunner().invoke(app, ["label", "select", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def pool(tmp_path):
    """A table of `PAIRS` with a number, a kind, a pair that comes again, one turned round, and one that is empty."""
    rows = [(str(k), a, b, "ab"[k % 2]) for k, (a, b) in enumerate(PAIRS)]
    rows += [("again", *PAIRS[3], "a"), ("turned", *PAIRS[4][::-1], "a"), ("empty", PAIRS[0][0], " ", "b")]
    with (tmp_path / "pool.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("number", "sentence1", "sentence2", "kind"), *rows])
    return tmp_path / "pool.csv"


@pytest.fixture
def labelled(tmp_path):
    with (tmp_path / "labelled.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "score"), (*PAIRS[0][::-1], 4), ("One.", "Two.", 0)])
    return tmp_path / "labelled.csv"


def standardised(pairs):
    model = load("surface")
    values = extract(model.analyse(pairs), model.features, model.resources, columns=model.columns).values
    wide = values.astype(float)
    deviation = wide.std(axis=0)
    return ((wide - wide.mean(axis=0)) / np.where(deviation > 0, deviation, 1)).astype(np.float32)


@pytest.mark.slow
def test_the_program_chooses_from_a_file(pool):
    command = [sys.executable, "-m", "samewise", "label", "select", pool.name, "--k", "4", *GREEDY]
    done = subprocess.run(command, capture_output=True, text=True, cwd=pool.parent, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = rows_of(done.stdout)
    expected = k_center_greedy(standardised(PAIRS), 4)
    assert [int(row["number"]) for row in rows] == expected.rows.tolist()
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["distance"] == ""
    assert [float(row["distance"]) for row in rows[1:]] == pytest.approx(expected.distances[1:], rel=1e-4)
    for row in rows:
        assert (row["sentence1"], row["sentence2"]) == PAIRS[int(row["number"])]
    assert "4 of 15 pairs chosen" in done.stderr
    assert "left out 2 duplicates, 1 with an empty text" in done.stderr


def test_labelled_pairs_are_centres_and_never_chosen(pool, labelled, tmp_path):
    out = tmp_path / "out.csv"
    done = run(pool, "--k", 14, "--labelled", labelled, *GREEDY, "-o", out, "--json")
    facts = json.loads(done.stdout)
    counts = {"pool": 14, "duplicates": 2, "labelled_in_pool": 1, "empty": 1, "rejects": 0, "labelled": 2, "chosen": 14}
    assert {key: facts[key] for key in counts} == counts
    assert facts["start"] == "labelled" and facts["radius"] == 0 and facts["notes"] == []
    assert facts["signature"].startswith("samewise:")
    rows = rows_of(out.read_text())
    assert sorted(int(row["number"]) for row in rows) == list(range(1, 15))
    points = standardised([PAIRS[0][::-1], ("One.", "Two."), *PAIRS[1:]])
    expected = k_center_greedy(points[2:], 14, points[:2])
    assert [int(row["number"]) for row in rows] == (expected.rows + 1).tolist()


@pytest.mark.slow
def test_the_same_command_writes_the_same_bytes(pool, tmp_path):
    for method in ("greedy", "random", "uncertainty", "bands"):
        settings = [pool, "--k", 5, "--method", method, *SURFACE, *(["--edges", "0,1"] if method == "bands" else [])]
        for name in ("one.parquet", "two.parquet"):
            run(*settings, "-o", tmp_path / name)
        assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes(), method
        assert pq.read_table(tmp_path / "one.parquet").column("rank").to_pylist() == [1, 2, 3, 4, 5]


def test_uncertainty_takes_where_the_members_disagree(pool):
    model = load("surface")
    spread = spread_of(model.member_scores(model.analyse(PAIRS)))
    rows = rows_of(run(pool, "--k", 5, "--method", "uncertainty", *SURFACE).stdout)
    assert [int(row["number"]) for row in rows] == np.argsort(-spread, kind="stable")[:5].tolist()
    assert [float(row["spread"]) for row in rows] == pytest.approx(np.sort(spread)[::-1][:5])


def test_one_member_cannot_disagree(pool):
    model = load("surface")
    model = replace(model, members=model.members[:1])
    with pytest.raises(ValueError, match="one member"):
        select_pairs(pool, 2, method="uncertainty", model=model)


def test_random_choices_begin_alike(pool):
    few, many, other = (
        [row["number"] for row in rows_of(run(pool, "--k", k, "--seed", seed).stdout)]
        for k, seed in ((3, 1), (15, 1), (15, 2))
    )
    assert few == many[:3] and many != other
    assert few == select_pairs(pool, 3, seed=1).table.column("number").to_pylist()
    assert sorted(map(int, many)) == sorted(map(int, other)) == list(range(15))


def test_bands_and_strata(pool, tmp_path):
    out = tmp_path / "out.csv"
    done = run(pool, "--k", 9, "--method", "bands", "--edges", "0,0.5,1", "--strata", "kind", "-o", out, "--json")
    facts = json.loads(done.stdout)
    rows = rows_of(out.read_text())
    assert facts["n_per_band"] == 2 and "9 pairs over 4 bands and strata are 2 from each, 8 in all" in facts["notes"]
    assert facts["chosen"] == len(rows) == 8 - sum(s["wanted"] - s["found"] for s in facts["shortfalls"])
    for row in rows:
        low, high = map(float, row["band"].split(" to "))
        assert low <= float(row["similarity"]) <= high
    assert {row["kind"] for row in rows} == {"a", "b"}


def test_lists_of_sentences_are_paired(tmp_path):
    (tmp_path / "a.txt").write_text("\n".join(pair[0] for pair in PAIRS) + "\n\n")
    (tmp_path / "b.txt").write_text("\n".join(pair[1] for pair in PAIRS))
    lists = ["--sentences", tmp_path / "a.txt", "--with", tmp_path / "b.txt"]
    done = run(*lists, "--k", 4, "--pool-size", 12, *GREEDY)
    rows = rows_of(done.stdout)
    assert len(rows) == 4
    firsts, seconds = {pair[0] for pair in PAIRS}, {pair[1] for pair in PAIRS}
    assert all(row["sentence1"] in firsts and row["sentence2"] in seconds for row in rows)
    assert {row["heuristic"] for row in rows} <= {"sim_l", "sim_v"}
    done = run("--sentences", tmp_path / "a.txt", "--k", 2, "--pool-size", 5_000)
    assert "of 5,000 candidates" in done.stderr
    # What bands measure has another name than what the heuristic measured.
    done = run(*lists, "--k", 2, "--pool-size", 12, "--method", "bands", "--edges", "0,1")
    assert {"similarity", "samewise_similarity", "band"} <= set(rows_of(done.stdout)[0])


def test_another_space_and_other_columns(pool):
    settings = ["--k", 2, "--method", "greedy", "-o", pool.parent / "o.csv", "--json"]
    encoder = json.loads(run(pool, *settings, "--space", "encoder").stdout)
    assert encoder["dimension"] == 768 and "signature" not in encoder
    own = run(pool, *settings, "--features", "length", *SURFACE)
    assert 0 < json.loads(own.stdout)["dimension"] < 30


def test_more_than_there_are_is_told(pool):
    done = run(pool, "--k", 500)
    assert len(rows_of(done.stdout)) == 15
    assert "500 pairs were requested and the pool holds 15" in done.stderr


def test_unreadable_rows_are_counted(tmp_path):
    text = "".join(f"{a}\t{b}\n" for a, b in PAIRS[:4]) + "one field\n" + "".join(f"{a}\t{b}\n" for a, b in PAIRS[4:8])
    (tmp_path / "pool.tsv").write_text("sentence1\tsentence2\n" + text)
    done = run(tmp_path / "pool.tsv", "--k", 8)
    assert "1 rows could not be read, the first at line 6" in done.stderr
    assert len(done.stdout.splitlines()) == 9


def test_rows_come_out_as_they_went_in(tmp_path):
    table = pa.table(
        {
            "sentence1": [pair[0] for pair in PAIRS],
            "sentence2": [pair[1] for pair in PAIRS],
            "rank": pa.array(range(15), pa.int8()),
            "kind": pa.array(["x", "y", None] * 5).dictionary_encode(),
            "words": [[1.5, None]] * 15,
        }
    )
    pq.write_table(table, tmp_path / "pool.parquet")
    run(tmp_path / "pool.parquet", "--k", 15, "-o", tmp_path / "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.column_names == [*table.column_names, "samewise_rank"]
    again = found.sort_by("rank").select(table.column_names).to_pylist()
    assert again == table.to_pylist()
    assert found.schema.field("rank").type == pa.int8()


def test_a_pool_of_many_batches(tmp_path):
    table = pa.table({"a": [f"left {k}" for k in range(100)], "b": ["right"] * 100, "k": range(100)})
    with Pool(tmp_path, [("right", "left 7")]) as pool:
        sizes = [len(pairs) for _, pairs in pool.take_in(table, 8)]
        assert sum(sizes) == pool.count == 99 and pool.labelled == 1
        rows = np.random.default_rng(0).permutation(99)
        expected = np.delete(np.arange(100), 7)[rows]
        assert pool.take(rows).column("k").to_pylist() == expected.tolist()
        assert pool.take(rows[:0]).num_rows == 0


def test_a_pair_has_one_key_in_either_order():
    assert pair_key(("a  b", "c")) == pair_key(("c", " a b"))
    assert pair_key(("cafe\u0301", "x")) == pair_key(("café", "x"))
    assert len({pair_key(pair) for pair in (("a", "b c"), ("a b", "c"), ("a", "b"), ("A", "b"))}) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["pool.csv"], 2, "number of pairs to choose"),
        (["--k", "3"], 2, "--sentences"),
        (["pool.csv", "--sentences", "a.txt", "--k", "3"], 2, "give one of the two"),
        (["pool.csv", "--with", "a.txt", "--k", "3"], 2, "--sentences"),
        (["pool.csv", "--k", "0"], 2, "k"),
        (["pool.csv", "--k", "3", "--method", "best"], 2, "greedy"),
        (["pool.csv", "--k", "3", "--space", "outer"], 2, "encoder"),
        (["pool.csv", "--k", "3", "--edges", "0,1"], 2, "bands"),
        (["pool.csv", "--k", "3", "--space", "encoder"], 2, "must be left out with random"),
        (["pool.csv", "--k", "3", "--features", "length"], 2, "must be given with greedy"),
        (["pool.csv", "--k", "3", "--model", "surface"], 2, "random choice reads no model"),
        (["pool.csv", "--k", "3", "--method", "bands", "--edges", "0,x"], 2, "list of numbers"),
        (
            ["pool.csv", "--k", "3", "--method", "greedy", "--space", "encoder", "--features", "length"],
            2,
            "reads no features",
        ),
        (
            ["pool.csv", "--k", "3", "--method", "bands", "--edges", "1,0"],
            1,
            "edges must be two or more growing numbers, got 1, 0",
        ),
        (["pool.csv", "--k", "3", "--method", "bands"], 1, "k must be at least 5, one pair from each band"),
        (
            ["pool.csv", "--k", "9", "--method", "bands", "--strata", "sort"],
            1,
            "strata must be a column of the pool, got 'sort'",
        ),
        (["absent.csv", "--k", "3"], 1, "there is no file absent.csv"),
        (["pool.csv", "--k", "3", "--labelled", "absent.csv"], 1, "there is no file absent.csv"),
        (["pool.csv", "--k", "3", "-o", "pool.csv"], 1, "must not be a file of the input"),
        (["pool.csv", "--k", "3", "--labelled", "pool.csv"], 1, "labelled already"),
        (["--sentences", "absent.txt", "--k", "3"], 1, "the file absent.txt does not exist"),
        (["--sentences", "empty.txt", "--k", "3"], 1, "must hold at least one sentence, got none"),
        (["--sentences", "latin.txt", "--k", "3"], 1, "line 2 of latin.txt must be UTF-8"),
        (["--sentences", "one.txt", "--k", "3"], 1, "the pool must hold a pair to choose, got none"),
        (
            ["--sentences", "one.txt", "--k", "3", "--pool-size", "2"],
            1,
            "the number of candidates must be at least k=3, got 2",
        ),
    ],
)
def test_bad_use_and_bad_input(arguments, code, told, pool, monkeypatch):
    monkeypatch.chdir(pool.parent)
    (pool.parent / "empty.txt").write_text("\n \n")
    (pool.parent / "one.txt").write_text("Only one sentence.\n")
    (pool.parent / "latin.txt").write_bytes(b"one\ncaf\xe9\n")
    done = run(*arguments, code=code)
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.output
