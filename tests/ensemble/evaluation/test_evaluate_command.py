import json
import random

import numpy as np
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.evaluation.aggregates import NO_VALUE, groupings_of, weights_of
from samewise.ensemble.evaluation.assessment import Scored, Wanted, assess, worst_errors
from samewise.ensemble.evaluation.metrics import evaluate, one_hot_cosine, weighted_pearson
from samewise.ensemble.evaluation.ranking import ALIKE, ranking, tuned_thresholds
from samewise.ensemble.loading import load
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.ensemble.tables.table_reader import TableError

KEYS = [
    *("n", "pearson", "pearson_low", "pearson_high", "spearman", "rmse", "within_1", "coverage"),
    *("weighted_mean", "groups", "signature"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of 36 pairs with two sources, two years, the tracks of 2017 and a confidence, and a table to tune on."""
    folder = tmp_path_factory.mktemp("evaluate")
    rng = random.Random(3)
    subjects = ["A baker", "Two sailors", "My neighbour"]
    verbs = ["is reading", "painted", "sold"]
    objects = ["a small book", "the red car", "a wooden boat"]
    tracks = ["track1.ar-ar", "track2.ar-en", "track3.es-es", "track4a.es-en", "track4b.es-en", "track5.en-en"]
    for name in ("test", "dev"):
        lines = ["sentence1,sentence2,score,genre,year,track,sure"]
        for i in range(36):
            left, right = ([rng.choice(words) for words in (subjects, verbs, objects)] for _ in range(2))
            same = sum(a == b for a, b in zip(left, right, strict=True)) / 3
            gold = min(5.0, max(0.0, 5 * same + rng.choice([-0.5, 0.0, 0.5])))
            genre, year, sure = ("sea" if i % 2 else "land"), (2015 + i % 3 // 2), 100 - i
            lines.append(f"{' '.join(left)}.,{' '.join(right)}.,{gold:.2f},{genre},{year},{tracks[i % 6]},{sure}")
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """Run the command and return its status and what it printed."""
    monkeypatch.chdir(folder)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            app(["evaluate", *arguments], prog_name="samewise")
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.fixture
def facts(run):
    def facts(*arguments):
        status, out, error = run(*arguments, "--json")
        assert status == 0, error
        return json.loads(out)

    return facts


def truth(folder, name="test"):
    pairs, gold, table = read_pairs(folder / f"{name}.csv")
    return pairs, gold, table


def test_without_options_nothing_is_new(folder, run, facts):
    found = facts("test.csv", "--baseline")
    assert set(found) == set(KEYS)
    pairs, gold, _ = truth(folder)
    expected = evaluate(gold, one_hot_cosine(pairs)).as_dict()
    assert found == {**expected, "signature": "one-hot cosine"}
    assert len(run("test.csv", "--baseline")[1].splitlines()) == 3


def test_groups_by_several_columns(folder, run, facts):
    found = facts("test.csv", "--baseline", "--by", "genre,genre+year")
    assert set(found) == {*KEYS, "groupings"}
    assert {name: group["n"] for name, group in found["groups"].items()} == {"land": 18, "sea": 18}
    assert list(found["groupings"]) == ["genre", "genre+year"]
    both = found["groupings"]["genre+year"]
    assert {name: group["n"] for name, group in both["groups"].items()} == {
        **{"land + 2015": 12, "sea + 2015": 12, "land + 2016": 6, "sea + 2016": 6}
    }
    assert found["groupings"]["genre"]["groups"] == found["groups"]
    assert found["groupings"]["genre"]["weighted_mean"] == found["weighted_mean"]
    pairs, gold, table = truth(folder)
    mask = [cell == "sea" for cell in table.column("genre").to_pylist()]
    expected = evaluate(gold[mask], one_hot_cosine(pairs)[mask])
    assert found["groups"]["sea"] == expected.as_dict()
    status, out, _ = run("test.csv", "--baseline", "--by", "genre,genre+year")
    assert status == 0
    assert "genre+year: sea + 2016" in out
    assert f"{both['weighted_mean']:.4f}" in out
    alone = facts("test.csv", "--baseline", "--by", "genre")
    assert set(alone) == set(KEYS)
    assert alone["groups"] == found["groups"]


def test_aggregates_and_tracks(run, facts):
    found = facts("test.csv", "--baseline", "--by", "genre", "--track", "track", "--aggregates")
    tracks = found["groupings"]["track"]
    assert list(tracks["groups"]) == ["1", "2", "3", "4a", "4b", "5"]
    correlations = [group["pearson"] for group in tracks["groups"].values()]
    assert found["primary"]["primary6"] == pytest.approx(np.mean(correlations))
    assert (found["primary"]["primary7"], found["primary"]["missing"]) == (None, ["6"])
    assert tracks["all"] == pytest.approx(found["pearson"])
    assert tracks["plain_mean"] == pytest.approx(np.mean(correlations))
    assert found["groupings"]["genre"]["mean"] == pytest.approx(found["weighted_mean"])
    assert -1 <= tracks["all_normalised"] <= 1
    out = run("test.csv", "--baseline", "--by", "genre", "--track", "track", "--aggregates")[1]
    for word in ("ALLnrm, genre", "primary6", "tracks that are missing  "):
        assert word in out


def test_ranking_with_thresholds_of_other_pairs(folder, run, facts):
    found = facts("test.csv", "--model", "surface", "--ranking", "--threshold-data", "dev.csv", "--by", "genre")
    model = load("surface")
    pairs, gold, table = truth(folder)
    others, other_gold, _ = truth(folder, "dev")
    thresholds = tuned_thresholds(other_gold, model.predict(others))
    score = model.predict(pairs)
    assert found["ranking"] == ranking(gold, score, thresholds)
    assert [row["tuned"] for row in found["ranking"]["f1"]] == [True] * len(ALIKE)
    mask = np.array([cell == "sea" for cell in table.column("genre").to_pylist()])
    assert found["groups"]["sea"]["ranking"] == ranking(gold[mask], score[mask], thresholds)
    out = run("test.csv", "--model", "surface", "--ranking")[1]
    assert "nDCG@10%" in out
    assert "4.00 (not tuned)" in out


def test_everything(run, facts):
    found = facts("test.csv", "--model", "surface", "--all", "--by", "genre")
    assert set(found) == {*KEYS, "groupings", "ranking", "calibration", "interval", "bands", "worst"}
    assert found["interval"]["coverage"] == found["coverage"]
    assert found["interval"]["level"] == load("surface").interval.level
    assert set(found["groups"]["sea"]) >= {"ranking", "calibration", "interval", "bands"}
    assert len(found["worst"]) == 10
    out = run("test.csv", "--model", "surface", "--all", "--by", "genre")[1]
    for word in ("calibration error", "coverage of 90%", "mean width", "ALLnrm", "F1 gold>=4", "texts"):
        assert word in out
    bare = facts("test.csv", "--baseline", "--all")
    assert set(bare) == {*KEYS, "ranking", "calibration", "worst"}
    assert bare["worst"][0]["low"] is None


def test_confidence(folder, run, facts):
    found = facts("test.csv", "--model", "surface", "--weight-column", "sure", "--by", "genre")
    model = load("surface")
    pairs, gold, table = truth(folder)
    predicted = model.predict_pairs(pairs)
    weights = np.arange(100.0, 64.0, -1.0)
    assert found["confidence_pearson"] == pytest.approx(weighted_pearson(gold, predicted.score, weights))
    assert "confidence_pearson" in found["groups"]["sea"]
    own = facts("test.csv", "--model", "surface", "--weight-column", "interval")["confidence_pearson"]
    width = predicted.high - predicted.low
    assert own == pytest.approx(weighted_pearson(gold, predicted.score, 5 - width))
    assert "Pearson by confidence" in run("test.csv", "--baseline", "--weight-column", "7")[1]


def test_the_worst_errors(folder, run, facts):
    found = facts("test.csv", "--model", "surface", "--worst", "4")["worst"]
    pairs, gold, _ = truth(folder)
    predicted = load("surface").predict_pairs(pairs)
    error = predicted.score - gold
    assert sorted((abs(e) for e in error), reverse=True)[:4] == [abs(row["error"]) for row in found]
    for row in found:
        k = row["row"] - 1
        assert (row["a"], row["b"]) == pairs[k]
        assert (row["gold"], row["score"], row["error"]) == (gold[k], predicted.score[k], error[k])
        assert (row["low"], row["high"], row["flags"]) == (
            predicted.low[k],
            predicted.high[k],
            list(predicted.flags[k]),
        )
    out = run("test.csv", "--model", "surface", "--worst", "4")[1]
    assert found[3]["a"] in out
    assert f"{found[0]['error']:+.2f}" in out


def test_worst_of_equal_errors_is_the_earlier():
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    scored = Scored(pairs, np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.0, 3.0]))
    assert [row["row"] for row in worst_errors(scored, 9)] == [1, 2, 3]
    assert worst_errors(scored, 1)[0]["flags"] == []


def test_texts_cannot_move_the_cursor(folder, run):
    (folder / "odd.jsonl").write_text(
        "".join(
            json.dumps({"sentence1": text, "sentence2": "word", "score": k}) + "\n"
            for k, text in enumerate(["red \u001b[31m\ttext\nhere", "word " * 90])
        )
    )
    out = run("odd.jsonl", "--baseline", "--worst", "2")[1]
    assert "\u001b" not in out
    assert "red [31m text here" in out
    assert "…" in out


def test_compared_systems_as_a_matrix(run, facts):
    found = facts("test.csv", "--model", "surface", "--against", "members")
    names = [row["system"] for row in found["systems"]]
    assert len(found["williams"]) == len(names) * (len(names) - 1) / 2
    plain = run("test.csv", "--model", "surface", "--against", "members")[1]
    shown = run("test.csv", "--model", "surface", "--against", "members", "--matrix")[1]
    assert "above the diagonal" in shown
    assert "above the diagonal" not in plain


def test_small_groups_and_missing_cells(folder, run, facts):
    lines = ["sentence1,sentence2,score,set,sure"]
    lines += ["a cat,a dog,1,two,0", "a cat,a cat,5,two,0", "a b c,a b d,3,,1", "x y,x z,2,,3", "one,two,0,one,2"]
    (folder / "small.csv").write_text("\n".join(lines) + "\n")
    found = facts("small.csv", "--baseline", "--by", "set", "--all", "--weight-column", "sure")
    assert list(found["groups"]) == ["two", NO_VALUE]
    assert found["groupings"]["set"]["left_out"] == ["one"]
    two = found["groups"]["two"]
    assert (two["pearson_low"], two["pearson_high"]) == (-1.0, 1.0)
    assert two["confidence_pearson"] is None
    assert "groups of one pair, left out" in run("small.csv", "--baseline", "--by", "set")[1]


def test_constant_scores_are_measured():
    scored = Scored([("a", "b")] * 4, np.array([0.0, 1.0, 4.0, 5.0]), np.full(4, 2.0))
    with pytest.warns(UserWarning, match="all scores are 2, so the Pearson"):
        found = assess(scored, {"half": ["a", "a", "b", "b"]}, Wanted(ranking=True, calibration=True, aggregates=True))
    told = found.as_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["ranking"]["kendall"] is None
    assert told["calibration"]["slope"] is None


def test_columns_of_groups(folder):
    _, _, table = truth(folder)
    table = table.append_column("a,b", table.column("genre")).append_column("c+d", table.column("year"))
    assert list(groupings_of(table, "a,b", "t")) == ["a,b"]
    assert list(groupings_of(table, "4, c+d,4+5", "t")) == ["genre", "c+d", "genre+year"]
    with pytest.raises(TableError, match="t has no column 'nope'; its columns are"):
        groupings_of(table, "genre,nope", "t")
    with pytest.raises(TableError, match="the genre of pair 1 of t must be a number from 0 on, got 'land'"):
        weights_of(table, "genre", "t")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--baseline", "--aggregates"], 2, "there are no groups"),
        (["--baseline", "--threshold-data", "dev.csv"], 2, "add --ranking"),
        (["--matrix"], 2, "add --against"),
        (["--against", "members", "--ranking"], 2, "comparison is not by group"),
        (["--against", "members", "--all"], 2, "comparison is not by group"),
        (["--baseline", "--weight-column", "interval"], 2, "has no intervals; name a column"),
        (["--baseline", "--worst", "-1"], 2, "--worst"),
        (["--baseline", "--track", "genre,year"], 1, "has no column 'genre,year'"),
    ],
)
def test_errors(run, arguments, status, message):
    code, out, error = run("test.csv", *arguments)
    assert (code, out) == (status, "")
    assert message in " ".join(error.replace("│", " ").split())
