"""One short run of every command, from its words to its files."""

import csv
import json

import click
import pytest
import typer
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner

from .conftest import PAIRS, ROOT

SMALL = ["--features", "length", "--members", "gbm", "--set", "gbm.n_estimators=5", "--workers", "1"]

RUNS = {
    "score": (["A dog barks.", "A dog barked.", "--model", "surface"], None),
    "explain": (["A dog barks.", "A dog barked.", "--model", "surface", "--json"], None),
    "predict": (["pairs.csv", "--model", "surface", "-o", "out.jsonl"], "out.jsonl"),
    "train": (["scored.csv", *SMALL, "-o", "model"], "model/manifest.json"),
    "evaluate": (["scored.csv", "--model", "surface"], None),
    "ablate": (["scored.csv", *SMALL[2:], "--features", "length,style", "-o", "ablation"], "ablation/ablation.csv"),
    "learning-curve": (
        ["scored.csv", "--dev", "other.csv", *SMALL, "--sizes", "20", "--seeds", "1", "-o", "curve"],
        "curve/report.html",
    ),
    "label select": (["pairs.csv", "--k", "3", "-o", "chosen.csv"], "chosen.csv"),
    "label export": (["pairs.csv", "--annotators", "1", "-o", "sheets.csv"], "sheets.csv"),
    "label gold": (
        ["labels.csv", "--min-labels", "2", "--min-common", "3", "--pairs", "named.csv", "-o", "gold.csv"],
        "gold.csv",
    ),
    "match": (["left.csv", "right.csv", "--model", "surface", "-o", "matches.csv"], "matches.csv"),
    "dedupe": (["left.csv", "--model", "surface", "-o", "clean.csv"], "clean.csv"),
    "index": (["right.csv", "--model", "surface", "-o", "prepared"], "prepared"),
    "info": (["surface"], None),
    "features list": ([], None),
    "features extract": (["pairs.csv", "--features", "length", "-o", "matrix.parquet"], "matrix.parquet"),
    "research pyramid": (
        ["--subject", "one-hot", *map(str, sorted((ROOT / "docs" / "examples" / "pyramid").glob("*.pyr")))],
        None,
    ),
    "research systems list": ([], None),
}
"""Arguments of each command, and the file that it writes."""

ELSEWHERE = {
    "adapt": "tests/ensemble/commands/test_adapt_command.py",
    "threshold": "tests/ensemble/commands/test_threshold_command.py",
    "serve": "tests/service",
    "label import": "tests/apps/labels/test_labelling.py",
    "label page": "tests/apps/labels/test_label_page.py",
    "research wordnet": "tests/research/wordnet/test_wordnet_command.py",
    "features vectors": "tests/ensemble/core/test_user_vectors.py",
    "research systems run": "tests/research",
}
"""Commands whose short run needs more than tables, and the tests that have it."""


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    scored = [(a, b.replace(".", f" {k}."), (k * 7 + len(a)) % 11 / 2) for k in range(3) for a, b in PAIRS]
    write(folder / "pairs.csv", ("sentence1", "sentence2"), PAIRS)
    write(folder / "scored.csv", ("sentence1", "sentence2", "score"), scored)
    write(folder / "other.csv", ("sentence1", "sentence2", "score"), [(b, a, score) for a, b, score in scored[:30]])
    write(folder / "left.csv", ("text",), [[a] for a, _ in PAIRS])
    write(folder / "right.csv", ("text",), [[b] for _, b in PAIRS])
    write(folder / "named.csv", ("pair", "sentence1", "sentence2"), [(f"p{k}", *PAIRS[k]) for k in range(12)])
    labels = [(who, f"p{k}", k % 6) for who in ("ann", "bo", "cy") for k in range(12)]
    write(folder / "labels.csv", ("annotator", "pair", "label"), labels)
    return folder


@pytest.mark.parametrize("command", RUNS)
def test_a_short_run(command, tables, monkeypatch):
    monkeypatch.chdir(tables)
    words, file = RUNS[command]
    done = CliRunner().invoke(app, [*command.split(), *words])
    assert done.exit_code == 0, done.output
    assert (tables / file).exists() if file else done.stdout.strip()
    if "--json" in words:
        assert json.loads(done.stdout)


def commands(group, context, before=()):
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        words = (*before, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, context, words)
        else:
            yield " ".join(words)


def test_no_command_is_left_out():
    group = typer.main.get_command(app)
    assert {*commands(group, click.Context(group))} == RUNS.keys() | ELSEWHERE.keys()
