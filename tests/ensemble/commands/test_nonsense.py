"""Command lines that make no sense end with status 1 or 2 and one sentence; nothing is fitted or written before."""

import importlib.util
import shlex

import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.estimator import SimilarityEnsemble
from typer.testing import CliRunner

PAIRS = [
    ("A cook cuts an onion.", "An onion is cut by a cook.", 4.5),
    ("Two boys row a boat.", "A boat is rowed.", 3.5),
    ("The moon rises over the hill.", "A clerk counts coins.", 0.0),
    ("She bought three apples.", "She sold three apples.", 2.0),
    ("He sings in the bath.", "He is singing in the bath.", 5.0),
    ("The train was late.", "The bus was on time.", 1.5),
]
QUICK = "--features length,negation --members gbm --workers 1 --set gbm.n_estimators=3"


def _table(path, rows, score="score"):
    lines = [f"sentence1,sentence2,{score}", *(f"{a},{b},{value}" for a, b, value in rows)]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with tables, broken files and a folder of somebody's own."""
    folder = tmp_path_factory.mktemp("nonsense")
    _table(folder / "pairs.csv", PAIRS)
    _table(folder / "none.csv", [])
    _table(folder / "one.csv", PAIRS[:1])
    _table(folder / "equal.csv", [(a, b, 3.0) for a, b, _ in PAIRS])
    _table(folder / "nan.csv", [(a, b, "nan") for a, b, _ in PAIRS])
    _table(folder / "seven_hundred.csv", [(a, b, 700) for a, b, _ in PAIRS])
    _table(folder / "group.csv", PAIRS[:1] * 6)
    _table(folder / "unscored.csv", PAIRS, score="remark")
    (folder / "bytes.csv").write_bytes(bytes(range(256)) * 8)
    (folder / "file").write_text("mine")
    (folder / "own").mkdir()
    for name in ("report.html", "results.csv"):
        (folder / "own" / name).write_text("mine")
    (folder / "broken.py").write_text("def broken(:\n")
    (folder / "raises.py").write_text("1 / 0\n")
    (folder / "absent_import.py").write_text("import no_such_module_anywhere\n")
    (folder / "bare.py").write_text("x = 1\n")
    (folder / "broken.toml").write_text("[[")
    return folder


LISTS = [
    f"{command} {option} {value}"
    for command, options in {
        "train pairs.csv -o new": ("--features", "--members", "--languages", "--column", "--groups", "--set", "--dev"),
        "ablate pairs.csv -o new": (
            "--features",
            "--members",
            "--column",
            "--mode",
            "--part",
            "--ranks-of",
            "--feature-cache",
        ),
        "learning-curve pairs.csv --dev pairs.csv -o new": ("--features", "--members", "--sizes", "--vectors"),
        "label select pairs.csv --k 2": ("--features", "--edges", "--strata", "--space", "--method", "--labelled"),
        "evaluate pairs.csv": ("--by", "--track", "--tracks", "--weight-column", "--gold", "--report", "--against"),
        "research systems run ecnu -o new": ("--tasks", "--data", "--protocol"),
        "features extract pairs.csv -o new.parquet": ("--features", "--column"),
        "predict pairs.csv": ("--languages", "--column", "--workers", "--format"),
        "score x y": ("--languages", "--model"),
    }.items()
    for option in options
    for value in ("''", "','")
]

BAD_CODE = ("broken.py", "raises.py", "absent_import.py", "bare.py", "no.py")

OUTPUTS = [
    f"{command} -o {target}"
    for command in (
        f"train pairs.csv {QUICK}",
        f"train pairs.csv {QUICK} --search 2",
        f"ablate pairs.csv {QUICK}",
        f"learning-curve pairs.csv --dev pairs.csv {QUICK}",
        "research systems run ecnu --data .",
    )
    for target in ("file", "file/in", "own", "/dev/null", "/proc/none", "''")
]

INPUTS = [
    *(
        f"{command} {table}"
        for command in (f"train -o new {QUICK}", f"ablate -o new {QUICK}")
        for table in ("none.csv", "nan.csv", "seven_hundred.csv", "unscored.csv", "bytes.csv", "absent.csv", "''")
    ),
    *(
        f"{command} --dev {table}"
        for command in (
            f"train pairs.csv -o new {QUICK}",
            f"ablate pairs.csv -o new {QUICK}",
            f"learning-curve pairs.csv -o new {QUICK}",
            "evaluate pairs.csv --ranking --model surface",
        )
        for table in ("none.csv", "nan.csv", "unscored.csv", "bytes.csv", "absent.csv")
    ),
    f"train pairs.csv -o new {QUICK} --dev one.csv",
    f"train pairs.csv -o new {QUICK} --test one.csv",
    f"ablate pairs.csv -o new {QUICK} --dev one.csv",
    f"ablate pairs.csv -o new {QUICK} --dev equal.csv",
    f"ablate equal.csv -o new {QUICK}",
    f"ablate group.csv -o new {QUICK} --dev equal.csv",
    f"learning-curve pairs.csv -o new {QUICK} --dev equal.csv",
    f"train group.csv -o new {QUICK} --combine stack",
    f"train group.csv -o new {QUICK} --search 2",
    f"train pairs.csv -o new {QUICK} --groups absent",
    f"train pairs.csv -o new {QUICK} --column a,b,c",
    "evaluate one.csv --model surface",
    "evaluate pairs.csv --weight-column absent",
    "evaluate pairs.csv --report own",
    "evaluate pairs.csv --report absent/page.html",
    "evaluate pairs.csv --report /proc/page.html",
    "label select pairs.csv --k 2 -o /proc/chosen.csv",
    "label select pairs.csv --k 2 -o own",
    *(f"train pairs.csv -o new --features {file}" for file in BAD_CODE),
    "features extract pairs.csv -o new.parquet --features broken.py",
    "score x y --features-file broken.py",
    "research systems run broken.toml -o new --data .",
    "research systems run all -o new --protocol X --data .",
    "learning-curve pairs.csv --dev pairs.csv -o new --sizes 0",
    f"train pairs.csv -o new {QUICK} --workers 0",
    f"train pairs.csv -o new {QUICK} --contrast-share nan",
    "train pairs.csv -o new --members gbm,gbm",
    "train pairs.csv -o new --members nothing",
    "train pairs.csv -o new --features nothing",
    "nothing",
]


def _files(place):
    """Return the paths of all files but bytecode, which Python writes when a module is first imported."""
    return sorted(path.relative_to(place) for path in place.rglob("*") if "__pycache__" not in path.parts)


def _run(line, place, monkeypatch):
    monkeypatch.chdir(place)
    before = _files(place)
    done = CliRunner().invoke(app, shlex.split(line))
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert _files(place) == before
    return done


@pytest.mark.parametrize("line", [*LISTS, *OUTPUTS, *INPUTS])
def test_it_ends_in_one_sentence(line, place, monkeypatch):
    # Nothing is fitted on the way there.
    monkeypatch.setattr("samewise.models.tree_ensembles.tree_regressor.TreeRegressor.fit", _fitted)
    done = _run(line, place, monkeypatch)
    assert done.exit_code in (1, 2), done.output
    if done.exit_code == 1:
        assert done.stderr.startswith("samewise: ") and len(done.stderr.splitlines()) == 1, done.stderr
    else:
        assert "Traceback" not in done.stderr and len(done.stderr.split("Error")) == 2, done.stderr


def _fitted(*arguments, **options):
    raise AssertionError("a member was fitted before the fault was told")


@pytest.mark.parametrize("value", ["", ",", " , "])
def test_an_empty_list_is_a_wrong_use_with_a_remedy(value, place, monkeypatch):
    done = _run(f"train pairs.csv -o new --features '{value}'", place, monkeypatch)
    assert done.exit_code == 2
    assert "--features: must not be empty" in done.stderr and "leave it out" in done.stderr


def test_empty_texts_are_scored(place, monkeypatch):
    done = _run("score '' '' --model surface --json", place, monkeypatch)
    assert done.exit_code == 0, done.stderr


NETWORKS = ("cross_encoder", "cnn", "dl_dan", "dl_lstm", "dl_proj", "dl_word", "esim")


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
@pytest.mark.parametrize("command", ["train", "ablate", "learning-curve --dev pairs.csv"])
@pytest.mark.parametrize("member", NETWORKS)
def test_a_network_without_its_library_is_refused_in_one_sentence(command, member, place, monkeypatch):
    monkeypatch.setattr("samewise.models.tree_ensembles.tree_regressor.TreeRegressor.fit", _fitted)
    done = _run(f"{command} pairs.csv -o new --features length,negation --members gbm,{member}", place, monkeypatch)
    assert done.exit_code == 1
    assert done.stderr == (f"samewise: fitting the member '{member}' needs torch; pip install 'samewise[train]'\n")


@pytest.mark.parametrize("members", [("rf",), ("gbm",), ("xgb",)])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("calibrate", [False, True])
def test_few_pairs_are_enough_to_fit(members, rows, calibrate):
    ensemble = SimilarityEnsemble(
        "length", members, calibrate=calibrate, n_jobs=1, member_params={members[0]: {"n_estimators": 5}}
    )
    pairs = [(a, b) for a, b, _ in PAIRS[:rows]]
    ensemble.fit(pairs, [score for *_, score in PAIRS[:rows]])
    scores, low, high = ensemble.predict(pairs, return_interval=True)
    assert ((low >= 0) & (low <= scores) & (scores <= high) & (high <= 5)).all()


@pytest.mark.slow
@pytest.mark.parametrize("members", [("rf",), ("gbm",), ("xgb",)])
def test_one_pair_gives_its_score(members):
    ensemble = SimilarityEnsemble("length", members, n_jobs=1, interval=None)
    ensemble.fit([("a dog runs", "a cat sleeps there")], [2.5])
    assert ensemble.predict([("a dog runs", "a cat sleeps there")])[0] == pytest.approx(2.5, abs=1e-6)


def test_scores_of_one_group_can_be_fitted():
    ensemble = SimilarityEnsemble(
        "length", ["gbm"], n_jobs=1, calibrate=True, member_params={"gbm": {"n_estimators": 3}}
    )
    pairs = [("the same text", f"another text {k}") for k in range(4)]
    scores = ensemble.fit(pairs, [3.0, 3.1, 3.1, 3.0]).predict(pairs)
    assert scores == pytest.approx([3.05] * 4, abs=0.1)
