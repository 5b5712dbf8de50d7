import json
import re

import numpy as np
import pytest
from samewise.ensemble.commands.cli import app
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.catalogue import resolve
from samewise.features.pipeline.matrix import extract
from samewise.research.systems import exercises, read_system, run_systems, shipped_systems
from samewise.research.systems.training_and_test_sets import Exercise, Labelled
from typer.testing import CliRunner

from ...conftest import DATA, PAIRS, ROOT

SCORES = [4.2, 0.2, 4.6, 2.0, 1.8, 1.6, 3.8, 2.0, 4.4, 3.0, 4.4, 4.8, 0.4, 3.0, 0.2]

OWN = """title = "Mine"
citation = "Nobody (2026)"

[members.overlap]
columns = ["bow.one_hot"]
learner = "identity"

[members.words]
columns = ["ngram.tokens"]
learner = "linear"

[runs.overlap]
members = ["overlap"]

[runs.both]
members = ["overlap", "words"]
"""


@pytest.fixture
def own(tmp_path):
    def write(text=OWN, name="mine"):
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return read_system(path)

    return write


@pytest.fixture(scope="module")
def exercise():
    train = Labelled(PAIRS, np.asarray(SCORES))
    held_out = [(b, a) for a, b in PAIRS[:6]]
    return Exercise("STS Benchmark", train, {"dev": Labelled(held_out, train.gold[:6]), "test": train})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Lay out a folder as the collections are distributed, with sentences of our own."""
    folder = tmp_path_factory.mktemp("data")
    years = ["2012train", "2012test", "2013", "2014", "2015", "2016", "2017"]

    def write(name, prefix):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        rows = [
            "\t".join([*prefix, f"{name[-7:-4]}{k}", years[k % 7], str(k), str(score), f"{a} {k}", b])
            for k, ((a, b), score) in enumerate(zip(PAIRS, SCORES, strict=True))
        ]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")

    for split in ("train", "dev", "test"):
        write(f"stsbenchmark/sts-{split}.csv", ["genre"])
    for part in ("mt", "other"):
        write(f"stscompanion/sts-{part}.csv", [])
    (folder / "sts2015").mkdir()
    lines = [f"{score}\t{a}\t{b}" for (a, b), score in zip(PAIRS, SCORES, strict=True)]
    (folder / "sts2015/answers-students.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "sts2017").mkdir()
    texts = "".join(f"{a}\t{b}\n" for a, b in PAIRS)
    (folder / "sts2017/STS.input.track5.en-en.txt").write_text(texts, encoding="utf-8")
    (folder / "sts2017/STS.gs.track5.en-en.txt").write_text("".join(f"{s}\n" for s in SCORES), encoding="utf-8")
    return folder


def test_every_shipped_system_can_be_read_and_its_columns_are_there():
    systems = shipped_systems()
    assert len(systems) >= 40
    for system in systems.values():
        for run in system.runs.values():
            for member in run.members.values():
                for wanted in (member, member.instead):
                    if wanted is not None and wanted.columns:
                        assert resolve(wanted.columns)[1]
            if run.beside:
                assert resolve(run.beside)[1]


def test_a_baseline_is_its_column(own, exercise, tmp_path):
    outcomes = run_systems([own()], exercise, tmp_path / "fits")
    by = {(each.run, each.set): each for each in outcomes}
    features, columns = resolve(["bow.one_hot"])
    expected = extract(analyse(PAIRS, "tokens"), features, columns=columns).values[:, 0]
    found = by["overlap", "STS Benchmark test"]
    assert found.scores == pytest.approx(5 * expected, abs=1e-5)
    assert found.gold.tolist() == SCORES
    # Symmetric, and the sets are cut where they begin and end.
    assert by["overlap", "STS Benchmark dev"].scores == pytest.approx(found.scores[:6], abs=1e-6)
    assert found.label == "mine overlap"


def test_a_mean_is_the_mean_of_its_members(own, exercise, tmp_path):
    text = OWN + '\n[runs.words]\nmembers = ["words"]\n'
    outcomes = run_systems([own(text)], exercise, tmp_path / "fits")
    by = {each.run: each.scores for each in outcomes if each.set.endswith("test")}
    assert by["both"] == pytest.approx((by["overlap"] + by["words"]) / 2, abs=1e-9)


def test_a_combination_is_fitted_on_what_members_give_to_pairs_they_did_not_see(own, exercise, tmp_path):
    # A forest of one deep tree knows its own pairs by heart: if the combination saw that, it would trust it alone.
    text = """title = "Stack"
citation = "Nobody (2026)"
[members.heart]
columns = ["ngram.tokens", "bow.one_hot", "length.size"]
learner = "rf"
params = { defaults = "library", n_estimators = 1, bootstrap = false }
[members.overlap]
columns = ["bow.one_hot"]
learner = "identity"
[runs.heart]
members = ["heart"]
[runs.stack]
members = ["heart", "overlap"]
combine = "linear"
beside = ["length.relative_difference"]
"""
    outcomes = run_systems([own(text, "stack")], exercise, tmp_path / "fits")
    by = {each.run: each.scores for each in outcomes if each.set.endswith("test")}
    assert by["heart"] == pytest.approx(SCORES, abs=1e-6)
    assert np.abs(by["stack"] - SCORES).max() > 0.1


def test_rules_clip_round_and_force_identical_texts(own, tmp_path):
    pairs = [("A cat, again.", "a cat again"), ("One dog runs.", "Two dogs run."), ("Rain falls.", "Snow fell here.")]
    sets = {"dev": Labelled(pairs, np.asarray([5.0, 2.0, 1.0]))}
    exercise = Exercise("STS Benchmark", Labelled(PAIRS, np.asarray(SCORES)), sets)
    text = OWN.replace('members = ["overlap"]\n', 'members = ["overlap"]\nrules = { identical = true, decimals = 1 }\n')
    scores = run_systems([own(text)], exercise, tmp_path / "fits")[0].scores
    assert scores[0] == 5.0
    assert scores.tolist() == np.round(scores, 1).tolist()


def test_what_cannot_be_run_does_not_take_the_others_with_it(own, exercise, tmp_path):
    text = OWN.replace('learner = "linear"', 'learner = "linear"\nparams = { no_such_setting = 1 }')
    outcomes = run_systems([own(text)], exercise, tmp_path / "fits")
    by = {each.run: each for each in outcomes if each.set.endswith("test")}
    assert by["both"].scores is None and "no_such_setting" in by["both"].failure
    assert by["overlap"].scores is not None


def test_finished_fits_are_not_done_again(own, exercise, tmp_path):
    seen = []
    first = run_systems([own()], exercise, tmp_path / "fits", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    again = run_systems([own()], exercise, tmp_path / "fits", progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 2
    assert all((a.scores == b.scores).all() and a.seconds == b.seconds for a, b in zip(first, again, strict=True))
    damaged = next((tmp_path / "fits").glob("*.npy"))
    damaged.write_bytes(b"\x93NUMPY")
    run_systems([own()], exercise, tmp_path / "fits", progress=lambda done, total: seen.append((done, total)))
    assert seen[2:] == [(1, 1)]


def test_vectors_of_the_users_take_the_place_of_a_stand_in(exercise, tmp_path):
    system = shipped_systems()["glove"]
    without = run_systems([system], exercise, tmp_path / "fits")[-1]
    assert without.lacks and without.rebuild == "stand-in"
    path = tmp_path / "vectors.txt"
    words = sorted({word for pair in PAIRS for text in pair for word in text.lower().split()})
    rng = np.random.default_rng(0)
    path.write_text("".join(f"{word} {' '.join(f'{x:.4f}' for x in rng.normal(size=8))}\n" for word in words))
    with_vectors = run_systems([system], exercise, tmp_path / "fits", vectors=path)[-1]
    assert with_vectors.lacks == () and with_vectors.rebuild == "faithful"
    assert np.abs(with_vectors.scores - without.scores).max() > 0.1


def test_what_a_run_lacks_is_its_own_or_that_of_all_runs(own):
    head = 'citation = "Nobody (2026)"\n'
    shared = 'lacks = ["word2vec: distilled vectors", "a thesaurus"]\n'
    first, run = (("word2vec", "distilled vectors"), ("a thesaurus", "")), "[runs.overlap]\n"
    runs = own(OWN.replace(head, head + shared)).runs
    assert [(each.rebuild, each.lacks) for each in runs.values()] == [("partial", first)] * 2
    system = own(OWN.replace(head, head + shared).replace(run, f"{run}lacks = []\n"))
    assert [(each.rebuild, each.lacks) for each in system.runs.values()] == [("faithful", ()), ("partial", first)]
    assert system.stand_ins == ("word2vec: distilled vectors", "a thesaurus: left out")
    own_lacks = 'lacks = ["SNLI: STS labels"]\nrebuild = "partial"\n'
    text = OWN.replace(head, head + shared + 'rebuild = "stand-in"\n').replace(run, run + own_lacks)
    runs = own(text).runs
    assert runs["overlap"].lacks == (("SNLI", "STS labels"),)
    assert [each.rebuild for each in runs.values()] == ["partial", "stand-in"]
    assert [each.rebuild for each in own().runs.values()] == ["faithful"] * 2
    # The earlier name of the key.
    assert own(OWN.replace(head, head + shared.replace("lacks", "stand_ins"))).runs["both"].lacks == first


def test_every_shipped_run_says_how_near_it_is():
    runs = {(system.name, name): run for system in shipped_systems().values() for name, run in system.runs.items()}
    assert len(runs) >= 90
    assert runs["cosine", "one_hot"].rebuild == "faithful"
    assert runs["ukp", "regression"].rebuild == "partial"
    assert "distributional thesaurus" in [lack.missing for lack in runs["ukp", "regression"].lacks]
    # A cosine of vectors that are not the published ones is a stand-in.
    for (name, run), made in runs.items():
        [*columns] = [column for member in made.members.values() for column in member.columns]
        learners = {member.learner for member in made.members.values()}
        if learners == {"identity"} and columns and all(column.split(".")[0] in VECTORS for column in columns):
            assert made.rebuild == "stand-in", (name, run)


VECTORS = ("embedding", "user_embedding", "centroid", "paragraph_vector")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('rebuild = "near"', "rebuild must be one of faithful, partial, stand-in, got 'near'; choose one"),
        ('rebuild = "partial"', "a partial rebuild must name what it lacks, got 0 lacks;"),
        ('rebuild = "faithful"\nlacks = ["SNLI"]', "a faithful rebuild must have no lacks, got 1 lacks;"),
        ('lacks = ["SNLI", 3]', "lacks must hold texts such as 'SNLI: STS labels', got 3;"),
        ('lacks = [" "]', "lacks must hold texts such as 'SNLI: STS labels', got ' ';"),
        ('lacks = "SNLI"', "lacks must be a list, got 'SNLI';"),
        ("rebuild = 1", "rebuild must be a string, got 1;"),
        ('lacks = ["a"]\nstand_ins = ["b"]', "must have either lacks or stand_ins, got both;"),
    ],
)
def test_a_wrong_word_on_what_is_lacking_is_refused(own, lines, message):
    for place in ('citation = "Nobody (2026)"\n', "[runs.overlap]\n"):
        with pytest.raises(ValueError, match=re.escape(message)) as error:
            own(OWN.replace(place, f"{place}{lines}\n"))
        assert "mine.toml" in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("title", "titel"), "titel"),
        (("[runs.overlap]", "[runs]\noverlap = 3\n[other]"), "other"),
        (('members = ["overlap"]', 'members = ["nobody"]'), "nobody"),
        (('learner = "identity"', 'learner = "magic"'), "magic"),
        (
            ('learner = "identity"', 'network = "magic"'),
            "must have columns and a learner, or a network, got the keys columns, network;",
        ),
        (('columns = ["bow.one_hot"]\nlearner = "identity"', 'network = "magic"'), "magic"),
        (('columns = ["bow.one_hot"]', 'columns = "bow.one_hot"'), "columns must be a list, got 'bow.one_hot';"),
        (('members = ["overlap"]\n', 'members = ["overlap"]\nrules = { round = 2 }\n'), "round"),
        (('members = ["overlap"]\n', 'members = ["overlap"]\nbeside = ["length"]\n'), "mean"),
        (('members = ["overlap"]\n', 'members = ["overlap"]\nlearner = "ridge"\n'), "must have either .*, got both;"),
        (('members = ["overlap"]\n', ""), "must have either .*, got neither;"),
        (('title = "Mine"', "title = Mine"), "TOML"),
    ],
)
def test_a_file_that_is_no_system_is_refused_and_says_why(own, change, message):
    with pytest.raises(ValueError, match=message) as error:
        own(OWN.replace(*change, 1))
    assert "mine.toml" in str(error.value)


def test_a_pattern_that_matches_no_column_is_an_error(own, exercise, tmp_path):
    with pytest.raises(ValueError, match="bow.two_hot"):
        run_systems([own(OWN.replace("bow.one_hot", "bow.two_hot"))], exercise, tmp_path / "fits")


def test_an_exercise_is_fitted_on_what_came_before_it(data):
    benchmark = exercises("B", (), data)[0]
    assert [len(benchmark.train.pairs), *(len(each.pairs) for each in benchmark.sets.values())] == [15, 15, 15]
    first, last, track = exercises("T", ["2012", "2016", "5"], data)
    per_year = {year: sum(k % 7 == place for k in range(15)) for place, year in enumerate(("train", "test"))}
    assert len(first.train.pairs) == 5 * per_year["train"]
    assert sum(len(each.pairs) for each in first.sets.values()) == 5 * per_year["test"]
    # 2017 is track 5 itself: its rows in the benchmark are no training pairs.
    assert len(track.train.pairs) == 5 * (15 - sum(k % 7 == 6 for k in range(15))) + 15
    assert list(track.sets) == ["track 5"]
    assert all(name.startswith("2016 ") for name in last.sets)


@pytest.mark.parametrize(
    ("protocol", "tracks", "message"),
    [("C", ["5"], "protocol must be B .*, got 'C';"), ("T", ["4b"], "4b"), ("T", [], "''")],
)
def test_an_unknown_exercise_is_refused(data, protocol, tracks, message):
    with pytest.raises(ValueError, match=message):
        exercises(protocol, tracks, data)
    with pytest.raises(ValueError, match=r"sts-train.csv does not exist; .* --data"):
        exercises("B", (), data / "nothing")


def test_the_command_runs_a_system_of_ones_own(data, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN, encoding="utf-8")
    assert len(OWN.splitlines()) < 20
    run = ["research", "systems", "run", str(path), "cosine", "--data", str(data)]
    run += ["-o", str(tmp_path / "out"), "--workers", "1"]
    found = CliRunner().invoke(app, run)
    assert found.exit_code == 0, found.output
    assert "mine" in found.stdout and "cosine" in found.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"fits", "scoreboard.md", "scoreboard.html"}
    rows = json.loads(CliRunner().invoke(app, [*run, "--json"]).stdout)
    assert {(row["system"], row["run"]) for row in rows} == {
        ("mine", "overlap"),
        ("mine", "both"),
        ("cosine", "one_hot"),
    }


def test_the_command_says_what_is_wrong(data, tmp_path):
    run = ["research", "systems", "run", "nobody", "-o", str(tmp_path / "out")]
    assert "'nobody' is unknown" in CliRunner().invoke(app, [*run, "--data", str(data)]).output
    assert CliRunner(env={"DATA": ""}).invoke(app, [*run[:2], "cosine", *run[3:]]).exit_code == 2


def test_the_list_names_every_system():
    rows = json.loads(CliRunner().invoke(app, ["research", "systems", "list", "--json"]).stdout)
    assert [row["name"] for row in rows] == list(shipped_systems())
    assert "en_seven" in CliRunner().invoke(app, ["research", "systems", "list"]).stdout


@pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not here")
def test_the_cosine_baseline_is_the_published_one(tmp_path):
    (track_5,) = exercises("T", ["5"], DATA)
    (outcome,) = run_systems([shipped_systems()["cosine"]], track_5, tmp_path / "fits")
    assert 100 * np.corrcoef(outcome.gold, outcome.scores)[0, 1] == pytest.approx(72.6, abs=0.3)
    (benchmark,) = exercises("T", ["2016"], DATA)
    assert len(benchmark.train.pairs) == 13_592


def test_the_system_file_of_the_docs_is_read(tmp_path):
    page = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    assert len(text.splitlines()) < 20
    path = tmp_path / "two_views.toml"
    path.write_text(text, encoding="utf-8")
    assert list(read_system(path).runs) == ["both"]
