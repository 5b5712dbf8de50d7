"""Files of settings, on the command line."""

import json
import re
from pathlib import Path

import pytest
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner

PAGE = Path(__file__).parents[3] / "docs" / "commands.md"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("a,b\nA dog barks.,A dog sleeps.\n")

    def go(settings, *words):
        Path("run.toml").write_text(settings)
        return CliRunner().invoke(app, [*words, "--config", "run.toml"])

    return go


def test_a_file_sets_options(run):
    done = run('model = "surface"\nworkers = 1\ncolumn = "a,b"\nprobability-of = 4\njson = true\n', "predict", "in.csv")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["probability"] < 0.5


def test_the_command_line_wins_and_then_the_table_of_the_command(run):
    settings = 'model = "nothing"\njson = false\n[score]\nmodel = "surface"\njson = true\n[predict]\nany = 1\n'
    assert "features:surface" in json.loads(run(settings, "score", "a", "b").stdout)["signature"]
    found = run(settings, "score", "a", "b", "--model", "surface-stsb")
    assert "sts-train" in json.loads(found.stdout)["signature"]


def test_a_command_of_a_group_has_a_table_in_that_of_the_group(run):
    assert "us/pair" in run("[features.list]\njson = false\n", "features", "list").stdout
    by_column = json.loads(
        run("[features]\njson = true\n[features.list]\nby-column = true\n", "features", "list").stdout
    )
    assert "feature" in by_column[0]


def test_a_file_may_name_what_a_command_requires(run):
    done = run('[label.select]\nk = 1\ncolumn = "a,b"\n', "label", "select", "in.csv")
    assert done.exit_code == 0, done.output
    done = run("[label.select]\nk = 2\npool-size = 9\n", "label", "select", "in.csv")
    assert done.exit_code == 2
    assert "add --sentences" in done.output


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('modle = "fast"', "has the key modle, which is no option of .* score; did you mean 'model'?"),
        ("workers = 2", "has the key workers, which is no option of .* score; put a key for other commands into"),
        ("config = 'x'", "has the key config, which is no option of"),
        ("[scroe]\njson = true", "has the table [scroe], which is no command; did you mean 'score'?"),
        ("[score.all]\njson = true", "has the table [all], which is no command"),
        ("own = 'x.py'", "has the key own, which is now features-file"),
        ('json = "yes"', "the key json of run.toml must be true or false, got 'yes'"),
        ("json = 1", "the key json of run.toml must be true or false, got 1"),
        ("model = true", "the key model of run.toml must be a text or a number, got True"),
        ("model = ['fast']", "the key model of run.toml must be a text or a number, got ['fast']"),
        ("model = ' '", "the key model of run.toml must not be empty, got ' '; leave it out"),
        ("model = 'surfce'", "did you mean 'surface'?"),
        ("model =", "run.toml must be TOML: Invalid value"),
    ],
)
def test_what_is_refused(run, settings, message):
    done = run(settings, "score", "a", "b")
    assert done.exit_code == 2
    assert re.search(re.escape(message).replace(r"\.\*", ".*"), done.output), done.output


@pytest.mark.parametrize(
    ("command", "settings", "message"),
    [
        ("predict in.csv", "batch-size = 2.5", "must be a whole number, got 2.5"),
        ("predict in.csv", "probability-of = '4'", "must be a number, got '4'"),
        ("predict in.csv", "batch-size = 0", "0 is not in the range x>=1"),
        ("train in.csv -o m", "set = 'xgb.max_depth=4'", "must be a list, of a text or a number, got"),
        ("train in.csv -o m", "set = [true]", "must be a list, of a text or a number, got [True]"),
    ],
)
def test_types_of_options(run, command, settings, message):
    done = run(settings, *command.split())
    assert done.exit_code == 2
    assert message in done.output


def test_a_file_that_does_not_exist():
    done = CliRunner().invoke(app, ["score", "a", "b", "--config", "none.toml"])
    assert done.exit_code == 2
    assert "does not exist" in done.output


def test_the_file_of_the_page_is_read(run):
    [settings] = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    Path("questions.csv").write_text("id,text\n1,It rains.\n2,It is raining now.\n3,It rains.\n")
    done = run(settings, "dedupe", "questions.csv", "-o", "clean.csv", "--model", "surface", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert Path("clean.csv").read_text().startswith("id,text,")
