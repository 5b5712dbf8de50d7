import json

from samewise.features import FEATURE_SETS, all_features, resolve
from samewise.features.pipeline.catalogue import costs
from typer.testing import CliRunner

NAMES = {value.full_name for value in all_features()}


def listed(*options):
    from samewise.ensemble.commands.feature_commands import app

    done = CliRunner().invoke(app, ["list", *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_costs_are_those_of_features_that_there_are():
    assert costs().keys() <= NAMES, "run `python benchmarks/cost_by_feature.py --write`"
    assert all(0 < cost < 10_000 for cost in costs().values())


def test_the_features_of_the_sets_are_measured():
    # A new feature is listed without a cost until it is measured: it needs no other file than its own.
    used = {value.full_name for name in FEATURE_SETS for value in resolve(name)[0]}
    assert used <= costs().keys(), "run `python benchmarks/cost_by_feature.py --write`"


def test_a_feature_that_was_not_measured_is_listed(monkeypatch):
    monkeypatch.setattr("samewise.features.pipeline.catalogue.costs", dict)
    line = next(line for line in listed().splitlines() if line.startswith("bow.one_hot "))
    assert line.split() == "bow.one_hot 1 tokens 0 to 1 BOW3 Cer et al. 2017 -".split()
    assert json.loads(listed("--json"))[0]["cost"] is None


def test_a_feature_and_a_column_a_line():
    assert len(listed().splitlines()) == 1 + len(NAMES)
    columns = json.loads(listed("--by-column", "--json"))
    assert len(columns) == len(listed("--by-column").splitlines()) - 1 == sum(len(v.names) for v in all_features())
    found = next(column for column in columns if column["name"] == "number.match.subset")
    assert (found["family"], found["feature"]) == ("number", "number.match")
    assert (found["level"], found["low"], found["high"]) == ("tokens", 0, 1)
    assert found["section"] == "NUM1 NUM5"
    assert found["cost"] == costs()["number.match"]


def test_what_a_user_must_bring_is_marked():
    marked = {line.split()[0] for line in listed().splitlines() if "+ --vectors" in line}
    assert marked == {name for name in NAMES if name.startswith("user_embedding.")}
    options = {each["name"]: each["options"] for each in json.loads(listed("--json"))}
    assert options["user_embedding.match"] == ["--vectors"]
    assert options["bow.kept"] == []
