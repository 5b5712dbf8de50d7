import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from importlib import import_module
from importlib.metadata import version

import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.commands.options import member_settings
from samewise.ensemble.commands.train_command import Recipe
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import predict_file

EVALUATION = ["n", "pearson", "pearson_low", "pearson_high", "spearman", "rmse", "within_1", "coverage"]


def samewise(*arguments, stdin=None, cwd=None, **options):
    command = [sys.executable, "-m", "samewise", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, timeout=600, **options)


def succeed(*arguments, **options):
    done = samewise(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with a table of 40 pairs and a small model fitted on them through the command line."""
    folder = tmp_path_factory.mktemp("cli")
    rng = random.Random(1)
    subjects = ["A baker", "Two sailors", "My neighbour", "The old dog"]
    verbs = ["is reading", "painted", "sold", "is washing"]
    objects = ["a small book", "the red car", "a wooden boat", "an old map"]
    lines = ["sentence1,sentence2,score,genre"]
    for i in range(40):
        left = [rng.choice(words) for words in (subjects, verbs, objects)]
        right = [
            w if rng.random() < 0.6 else rng.choice(v) for w, v in zip(left, (subjects, verbs, objects), strict=True)
        ]
        same = sum(a == b for a, b in zip(left, right, strict=True)) / 3
        lines.append(f"{' '.join(left)}.,{' '.join(right)}.,{5 * same:.2f},{'land' if i % 2 else 'sea'}")
    (folder / "pairs.csv").write_text("\n".join(lines) + "\n")
    options = ["--features", "length,sequence,negation", "--members", "gbm", "--seed", "3"]
    held_out = ["--dev", "pairs.csv", "--test", "pairs.csv", "--licence", "CC0-1.0"]
    succeed("train", "pairs.csv", "-o", "model", *held_out, *options, cwd=folder)
    return folder


@pytest.mark.slow
def test_help():
    assert "predict" in succeed("--help").stdout


@pytest.mark.slow
def test_version():
    assert succeed("--version").stdout == f"samewise {version('samewise')}\n"


@pytest.mark.slow
def test_the_model(folder):
    model = load(folder / "model")
    training = model.manifest["training"]
    assert training["data"] == "pairs.csv"
    assert training["pairs"] == 40
    assert training["command"] == (
        "samewise train pairs.csv --features length,sequence,negation --members gbm --seed 3"
    )
    metrics = model.manifest["metrics"]
    assert metrics["dev"]["pearson"] == metrics["test"]["pearson"] > 0.8
    assert model.manifest["licence"] == "CC0-1.0"
    text = succeed("info", folder / "model").stdout
    assert model.signature in text
    assert f"{metrics['test']['pearson']:.4f} (pairs.csv, 40 pairs)" in text
    found = json.loads(succeed("info", folder / "model", "--json").stdout)
    assert found["signature"] == model.signature
    assert found["probe_difference"] == 0.0


@pytest.mark.slow
def test_score(folder):
    done = succeed("score", "A baker sold a boat.", "A baker has sold a boat.", "--model", folder / "model", "--json")
    found = json.loads(done.stdout)
    assert list(found) == ["score", "low", "high", "flags", "signature"]
    assert 0 <= found["low"] <= found["score"] <= found["high"] <= 5
    [expected] = load(folder / "model").predict_pairs([("A baker sold a boat.", "A baker has sold a boat.")]).score
    assert found["score"] == expected
    text = succeed("score", "One text.", " One  text. ", "--model", folder / "model").stdout
    assert "5.00" in text
    assert "identical" in text


@pytest.mark.slow
def test_predict(folder, tmp_path):
    model = load(folder / "model")
    done = succeed("predict", folder / "pairs.csv", "-o", tmp_path / "o.jsonl", "--model", folder / "model")
    assert done.stdout == ""
    assert done.stderr.startswith("40 rows")
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    expected = model.predict_pairs([(row["sentence1"], row["sentence2"]) for row in rows])
    assert [row["samewise_score"] for row in rows] == expected.score.tolist()
    assert [row["flags"] for row in rows] == [list(flags) for flags in expected.flags]


@pytest.mark.slow
def test_predict_through_pipes(folder):
    table = (folder / "pairs.csv").read_text()
    plain = succeed("predict", "-", "--model", folder / "model", stdin=table)
    named = succeed("predict", folder / "pairs.csv", "--model", folder / "model")
    assert plain.stdout == named.stdout
    assert plain.stdout.startswith("sentence1,sentence2,score,genre,samewise_score,samewise_low,samewise_high,flags\n")
    as_json = succeed("predict", "-", "--model", folder / "model", "--json", stdin=table)
    assert len([json.loads(line) for line in as_json.stdout.splitlines()]) == 40


@pytest.mark.slow
def test_workers_and_batches_change_nothing(folder, tmp_path, other_processes):
    lines = (folder / "pairs.csv").read_text().splitlines()
    (tmp_path / "in.csv").write_text("\n".join([*lines, "a bad row", *lines[1:], ",", "x,y"]) + "\n")
    alone, several = tmp_path / "alone.csv", tmp_path / "several.csv"
    one = predict_file(tmp_path / "in.csv", alone, model=folder / "model", workers=1)
    two = predict_file(tmp_path / "in.csv", several, model=folder / "model", workers=2, batch_size=9)
    assert alone.read_bytes() == several.read_bytes()
    assert (one.rows, one.rejects, one.flags) == (two.rows, two.rejects, two.flags)
    assert (two.rows, two.rejects) == (80, 3)
    rejects = [json.loads(line)["line"] for line in (tmp_path / "several.csv.rejects.jsonl").read_text().splitlines()]
    assert rejects == [42, 83, 84]


@pytest.mark.slow
def test_a_model_in_memory_reaches_the_workers(folder, tmp_path, other_processes):
    model = load(folder / "model")
    predict_file(folder / "pairs.csv", tmp_path / "a.csv", model=model, workers=2, batch_size=15)
    predict_file(folder / "pairs.csv", tmp_path / "b.csv", model=model, workers=1)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.slow
def test_prediction_imports_no_training_library(folder):
    code = (
        "import sys; from samewise.ensemble.scoring import predict_file; "
        f"predict_file({str(folder / 'pairs.csv')!r}, model={str(folder / 'model')!r}); "
        "print(sorted({'sklearn', 'xgboost', 'spacy', 'torch'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.stderr == "[]\n"


@pytest.mark.slow
def test_a_score_imports_only_what_it_needs(folder):
    not_needed = {"importlib.metadata", "scipy", "onnxruntime"}
    not_needed |= {"samewise.models.tree_ensembles.attribution", "samewise.ensemble.core.model_decision"}
    code = (
        "import sys; from samewise.ensemble.commands.cli import app; "
        f"app(['score', 'a dog', 'a cat', '--model', {str(folder / 'model')!r}], standalone_mode=False); "
        "print([name for name in sys.modules if name.endswith(('_command', '_commands')) "
        f"or name in {not_needed}], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.stderr == "['samewise.ensemble.commands.score_command']\n"


@pytest.mark.slow
@pytest.mark.parametrize(("command", "enabled"), [("score", False), ("info", True)])
def test_only_a_score_looks_for_no_garbage(command, enabled):
    code = (
        "import atexit, gc, sys; atexit.register(lambda: print(gc.isenabled(), file=sys.stderr)); "
        "from samewise.ensemble.commands.cli import main; "
        f"sys.argv[1:] = [{command!r}, '--help']; main()"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == f"{enabled}\n"


@pytest.mark.slow
def test_evaluate(folder):
    path = folder / "pairs.csv"
    found = json.loads(succeed("evaluate", path, "--model", folder / "model", "--by", "genre", "--json").stdout)
    assert set(found) == {*EVALUATION, "signature", "groups", "weighted_mean"}
    assert found["n"] == 40
    assert {name: group["n"] for name, group in found["groups"].items()} == {"sea": 20, "land": 20}
    assert set(EVALUATION) <= set(found["groups"]["sea"])
    assert found["signature"] == load(folder / "model").signature
    text = succeed("evaluate", path, "--model", folder / "model", "--by", "genre").stdout
    assert f"{found['pearson']:.4f}" in text
    assert f"{found['weighted_mean']:.4f}" in text


@pytest.mark.slow
def test_a_stack_and_its_comparison(folder, tmp_path):
    model = tmp_path / "stack"
    options = ["--features", "length,sequence", "--members", "gbm,xgb", "--combine", "stack"]
    options += ["--set", "xgb.n_estimators=20", "--set", "gbm.n_estimators=30"]
    done = succeed("train", "pairs.csv", "-o", model, *options, cwd=folder)
    assert load(model).signature in done.stdout
    told = json.loads((model / "manifest.json").read_text())
    assert told["combine"] == "stack"
    assert len(told["combination"]["weights"]) == 2
    assert "--combine stack --set xgb.n_estimators=20" in told["training"]["command"]
    assert [member["params"]["n_estimators"] for member in told["members"]] == [30, 20]
    path = folder / "pairs.csv"
    found = json.loads(succeed("evaluate", path, "--model", model, "--against", "members", "--json").stdout)
    assert [row["system"] for row in found["systems"]] == ["gbm", "xgb", "mean", str(model)]
    assert found["reference"] == str(model)
    plain = json.loads(succeed("evaluate", path, "--model", model, "--json").stdout)
    assert found["systems"][-1]["pearson"] == plain["pearson"]
    text = succeed("evaluate", path, "--model", model, "--against", folder / "model").stdout
    assert str(folder / "model") in text
    assert "gbm" not in text.splitlines()[1]


@pytest.mark.slow
def test_coverage_by_band(folder):
    path = folder / "pairs.csv"
    found = json.loads(succeed("evaluate", path, "--model", folder / "model", "--bands", "--json").stdout)
    assert [row["band"] for row in found["bands"]] == ["0-1", "1-2", "2-3", "3-4", "4-5"]
    assert sum(row["n"] for row in found["bands"]) == found["n"]
    held = sum(row["n"] * row["coverage"] for row in found["bands"] if row["n"])
    assert held / found["n"] == pytest.approx(found["coverage"])
    assert "mean width" in succeed("evaluate", path, "--model", folder / "model", "--bands").stdout


def test_settings_of_members():
    given = ["xgb.max_depth=4", "xgb.tree_method=hist", "cross_encoder.start=a=b", "rf.max_features=null"]
    assert member_settings(given) == {
        "xgb": {"max_depth": 4, "tree_method": "hist"},
        "cross_encoder": {"start": "a=b"},
        "rf": {"max_features": None},
    }


def test_recorded_settings_name_files_and_folders_without_their_places(tmp_path):
    (tmp_path / "lessons.tsv").write_text("")
    given = [f"cross_encoder.start={tmp_path}", f"cross_encoder.lessons={tmp_path / 'lessons.tsv'}", "xgb.max_depth=4"]
    recorded = Recipe().arguments([*given, f"cross_encoder.checkpoints={tmp_path}"])
    expected = [f"cross_encoder.start={tmp_path.name}", "cross_encoder.lessons=lessons.tsv", "xgb.max_depth=4"]
    assert recorded[recorded.index("--set") :] == [word for setting in expected for word in ("--set", setting)]


@pytest.mark.slow
def test_evaluate_the_baseline_with_gold_apart(folder, tmp_path):
    lines = [line.split(",") for line in (folder / "pairs.csv").read_text().splitlines()[1:]]
    (tmp_path / "input.txt").write_text("".join(f"{line[0]}\t{line[1]}\n" for line in lines))
    (tmp_path / "gold.txt").write_text("".join(f"{line[2]}\n" for line in lines[:30]))
    done = succeed("evaluate", tmp_path / "input.txt", "--gold", tmp_path / "gold.txt", "--baseline", "--json")
    found = json.loads(done.stdout)
    assert (found["n"], found["coverage"], found["groups"]) == (30, None, {})
    assert found["pearson"] > 0.8


@pytest.mark.slow
def test_pages(folder, tmp_path):
    """What is told in the terminal stands in the pages for a browser too."""
    model = ("--model", folder / "model")
    page = tmp_path / "page.html"
    found = json.loads(
        succeed("evaluate", folder / "pairs.csv", *model, "--by", "genre", "--json", "--report", page).stdout
    )
    text = page.read_text()
    assert f"{found['pearson']:.4f}" in text
    assert found["signature"] in text
    assert "sea" in text
    succeed("evaluate", folder / "pairs.csv", *model, "--against", folder / "model", "--report", page)
    assert "pairs.csv" in page.read_text()
    succeed("evaluate", folder / "pairs.csv", "--baseline", "--report", page)
    assert "one-hot cosine" in page.read_text()
    told = json.loads(succeed("explain", "A <b>dog</b>.", "A dog barks.", *model, "--report", page, "--json").stdout)
    assert f"{told['score']:.2f}" in page.read_text()
    assert "<b>dog" not in page.read_text()
    assert told["base"] + sum(told["contributions"].values()) == pytest.approx(told["score"], abs=1e-6)


@pytest.mark.slow
def test_ablate(folder, tmp_path):
    options = ["--features", "length,sequence", "--members", "gbm", "--seeds", "2", "--set", "gbm.n_estimators=5"]
    done = succeed("ablate", folder / "pairs.csv", *options, "--json", "-o", tmp_path)
    assert json.loads(done.stdout)
    rows = pq.read_table(tmp_path / "ablation.parquet").to_pylist()
    assert {row["what"] for row in rows} == {"whole", "length", "sequence"}
    assert "sequence" in (tmp_path / "report.html").read_text()


@pytest.mark.slow
def test_features(folder, tmp_path):
    found = json.loads(succeed("features", "list", "--json").stdout)
    assert all(len(value["columns"]) > 0 for value in found)
    assert found[0]["name"] in succeed("features", "list").stdout
    model = load(folder / "model")
    succeed("features", "extract", folder / "pairs.csv", "-o", tmp_path / "m.parquet", "--model", folder / "model")
    matrix = pq.read_table(tmp_path / "m.parquet")
    assert (matrix.column_names, matrix.num_rows) == (list(model.columns), 40)
    options = ["--model", folder / "model", "--features", "negation"]
    succeed("features", "extract", folder / "pairs.csv", "-o", tmp_path / "n.parquet", *options)
    assert pq.read_table(tmp_path / "n.parquet").column_names[0].startswith("negation.")


@pytest.mark.slow
def test_a_feature_of_ones_own(folder, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from samewise import feature\n\n\n@feature('both')\ndef exclaims(pairs):\n"
        "    return [[float(a.text.endswith('!') and b.text.endswith('!'))] for a, b in pairs]\n"
    )
    options = ["--features", "length,mine.py", "--members", "gbm"]
    succeed("train", folder / "pairs.csv", "-o", "model", *options, cwd=tmp_path)
    assert "both" in json.dumps(
        json.loads(succeed("info", "model", "--features-file", "mine.py", "--json", cwd=tmp_path).stdout)
    )
    succeed("score", "Stop!", "Halt!", "--model", "model", "--features-file", "mine.py", cwd=tmp_path)
    done = samewise("score", "Stop!", "Halt!", "--model", "model", cwd=tmp_path)
    assert done.returncode == 1
    assert "mine" in done.stderr


@pytest.mark.slow
def test_header_only(folder, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("sentence1,sentence2,score\n")
    done = succeed("predict", path, "--model", folder / "model")
    assert done.stdout == "sentence1,sentence2,score,samewise_score,samewise_low,samewise_high,flags\n"
    assert done.stderr.startswith("0 rows")
    for command in (["evaluate", path, "--baseline"], ["train", path, "-o", tmp_path / "m"]):
        failed = samewise(*command)
        assert (failed.returncode, failed.stdout) == (1, "")
        assert "holds no pairs" in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        # One of each kind: a table, an option of a column, a model, a path, a value that Python refuses, an estimator.
        (["predict", "empty.csv", "--model", "model"], 1, "empty.csv is empty"),
        (["predict", "pairs.csv", "--id", "key"], 1, "no column 'key'"),
        (["predict", "pairs.csv", "--model", "nowhere"], 1, "nowhere"),
        (["predict", "pairs.csv", "--model", "model", "-o", "no/such/folder.csv"], 1, "No such file or directory"),
        (["evaluate", "pairs.csv", "--model", "model", "--by", "year"], 1, "no column 'year'"),
        (["evaluate", "pairs.csv", "--model", "model", "--against", "nosuch"], 1, "got 'nosuch', which does not exist"),
        (["evaluate", "pairs.csv", "--model", "model", "--column", "1,2,4"], 1, "all yes and no, got 'sea'"),
        (["train", "pairs.csv", "-o", "pairs.csv"], 1, "pairs.csv"),
        (["train", "pairs.csv", "-o", "new", "--groups", "author"], 1, "no column 'author'; its columns are: sent"),
        (["train", "pairs.csv", "-o", "new", "--combine", "median"], 1, "combine must be one of mean, stack, got 'med"),
        (["train", "pairs.csv", "-o", "new", "--members", "svm"], 1, "member 'svm' is unknown"),
        (["train", "pairs.csv", "-o", "new", "--set", "trees=4"], 1, "must be of the form MEMBER.SETTING=VALUE"),
        (["train", "pairs.csv", "-o", "new", "--set", "svm.c=4"], 1, "member_params must name members, got 'svm'"),
        # Of wrong use: a number, an argument, options that are unknown, in conflict or of other names, a command.
        (["predict", "pairs.csv", "--workers", "0"], 2, "workers"),
        (["predict"], 2, "IN"),
        (["predict", "pairs.csv", "--what"], 2, "--what"),
        (["score", "a", "b", "--own", "mine.py"], 2, "--own is now --features-file"),
        (["score", "a", "b", "--model", "huge"], 1, "huge"),
        (["evaluate", "pairs.csv", "--model", "model", "--against", "members", "--by", "genre"], 2, "is not by group"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_errors(folder, arguments, status, message, monkeypatch, capsys):
    (folder / "empty.csv").touch()
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        app(arguments, prog_name="samewise")
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (status, "")
    assert message in err
    assert status == 2 or err.count("\n") == 1


@pytest.mark.slow
def test_an_error_as_a_program():
    done = samewise("predict", "absent.csv")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "samewise: there is no file absent.csv\n")


@pytest.mark.slow
def test_debug_shows_the_traceback():
    done = samewise("--debug", "predict", "absent.csv")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.slow
def test_hostile_rows(folder, tmp_path):
    rows = [
        b"sentence1\tsentence2",
        b"\0 and \0\ta",
        b"\xff\tb",
        b'"\t""',
        b"only one",
        b"x" * (1 << 20) + b"\ty",
        "👩‍👩‍👧 \u202e\tcafé".encode(),
        b"\t",
    ]
    (tmp_path / "in.tsv").write_bytes(b"\r\n".join(rows))
    options = ["-o", tmp_path / "out.jsonl", "--model", folder / "model", "--json"]
    found = json.loads(succeed("predict", tmp_path / "in.tsv", *options).stdout)
    assert (found["rows"], found["rejects"]) == (5, 2)
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert out[0]["sentence1"] == "\0 and \0"
    assert "truncated" in out[2]["flags"]
    assert "empty" in out[4]["flags"]
    done = succeed("predict", tmp_path / "in.tsv", "--model", folder / "model")
    assert [json.loads(line)["line"] for line in done.stderr.splitlines()[:2]] == [3, 5]


@pytest.mark.slow
def test_a_closed_pipe(folder):
    command = [sys.executable, "-m", "samewise", "predict", "pairs.csv", "--model", "model"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    stderr = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 1
    assert stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_nothing(folder, tmp_path, workers, number, status):
    # A pipe that stays open keeps the program waiting for rows in the midst of its work.
    options = f"--model model -o {tmp_path}/out.csv --workers {workers} --batch-size 20 --format csv"
    command = [sys.executable, "-m", "samewise", "predict", "-", *options.split()]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(command, cwd=folder, start_new_session=True, **pipes)
    process.stdin.write((folder / "pairs.csv").read_bytes() * 100)
    process.stdin.flush()
    limit = time.monotonic() + 600
    while not list(tmp_path.iterdir()) and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == status, stderr
    assert b"Traceback" not in stderr
    assert stdout == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "module",
    [
        "features.pipeline.catalogue",
        "models.bundle",
        "ensemble.core.predictor",
        "ensemble.commands.console",
        "research.systems.specification",
    ],
)
def test_warnings_of_every_part_of_the_package_are_one_sentence(capsys, monkeypatch, module):
    from samewise.ensemble.commands import console

    file = import_module(f"samewise.{module}").__file__
    others = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", lambda message, *rest: others.append(str(message)))
        with console.reporting(debug=False):
            warnings.warn_explicit("folds share sentences", UserWarning, file, 1)
            warnings.warn_explicit("of a library", UserWarning, "elsewhere.py", 1)
            warnings.warn_explicit("old", DeprecationWarning, file, 1)
    assert capsys.readouterr().err == "samewise: folds share sentences\n"
    assert others == ["of a library", "old"]
