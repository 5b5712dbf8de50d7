"""Names that options take: suggestions for a misspelt one, and completion."""

import pytest
from samewise.apps.labels.commands import select_command
from samewise.apps.labels.selection.pair_coverage import SPACES
from samewise.apps.labels.selection.selection_methods import METHODS
from samewise.ensemble.commands import (
    ablate_command,
    choices,
    dedupe_command,
    feature_commands,
    matching_options,
    train_command,
)
from samewise.ensemble.commands.choices import Choices, check_model, one_of
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.combination import RULES
from samewise.ensemble.experiments.ablation import MODES, PARTS
from samewise.ensemble.matching.options import KEEPS
from samewise.ensemble.matching.texts import view_names
from samewise.features.lexicon.vector_files import STORAGES
from samewise.features.pipeline.catalogue import all_features
from samewise.features.pipeline.named_sets import FEATURE_SETS
from samewise.research.commands import systems_commands
from samewise.research.systems import shipped_systems
from typer import BadParameter
from typer.testing import CliRunner

COLOURS = Choices(lambda: ("red", "green", "grey"))


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (ablate_command._MODES, MODES),
        (ablate_command._PARTS, PARTS),
        (dedupe_command._KEEPS, KEEPS),
        (feature_commands._STORAGES, STORAGES),
        (matching_options._VIEWS, view_names()),
        (select_command.METHODS, METHODS),
        (select_command._SPACES, SPACES),
        (systems_commands._SYSTEMS, ("all", *shipped_systems())),
        (train_command._RULES, RULES),
        (choices.FEATURES, (*FEATURE_SETS, *dict.fromkeys(value.family for value in all_features()))),
    ],
    ids=["mode", "by", "keep", "storage", "views", "method", "space", "systems", "combine", "features"],
)
def test_names_are_those_of_the_library(chosen, names):
    assert sorted(chosen.read()) == sorted(names)


def test_a_known_name_is_kept():
    assert COLOURS.check("green") == "green"
    assert COLOURS.check(None) is None


def test_an_unknown_name_is_refused_with_the_closest():
    with pytest.raises(BadParameter, match=r"must be one of red, green, grey, got 'geren'; did you mean 'green'\?$"):
        COLOURS.check("geren")
    with pytest.raises(BadParameter, match="must be one of red, green, grey, got 'xyz'$"):
        COLOURS.check("xyz")


def test_each_name_of_a_list_is_checked():
    listed = Choices(COLOURS.read, several=True)
    assert listed.check("red, grey") == "red, grey"
    with pytest.raises(BadParameter, match="got 'gray'; did you mean 'grey'"):
        listed.check("red,gray")


def test_only_a_misspelling_is_refused_where_the_library_refuses_the_rest():
    lenient = Choices(COLOURS.read, strict=False)
    assert lenient.check("xyz") == "xyz"
    with pytest.raises(BadParameter, match="did you mean 'red'"):
        lenient.check("redd")


def test_one_of_names_the_option():
    with pytest.raises(BadParameter) as raised:
        one_of("b", ("a",), "--letter")
    assert raised.value.param_hint == "--letter"


def test_completion():
    assert COLOURS.complete("gre") == ["green", "grey"]
    listed = Choices(COLOURS.read, several=True)
    assert listed.complete("red,gre") == ["red,green", "red,grey"]
    assert listed.complete("red,") == ["red,green", "red,grey"]
    assert listed.complete("") == ["red", "green", "grey"]


def test_a_folder_or_a_profile(tmp_path):
    for name in (None, "fast", str(tmp_path), "nothing/like/it"):
        assert check_model(name) == name
    with pytest.raises(BadParameter, match=r"must be a folder or a profile, got 'fsat'; did you mean 'fast'\?"):
        check_model("fsat")


@pytest.mark.parametrize(
    ("arguments", "close"),
    [
        ("predcit in.csv", "predict"),
        ("features lst", "list"),
        ("predict in.csv --modle fast", "--model"),
        ("predict in.csv --model surfce", "surface"),
        ("predict in.csv --model surfce", "surface"),
        ("predict in.csv --format jsnl", "jsonl"),
        ("info fasst", "fast"),
        ("adapt fasst in.csv -o out", "fast"),
        ("match a.csv b.csv --prefilter fasst", "fast"),
        ("dedupe in.csv -o out.csv --keep longst", "longest"),
        ("dedupe in.csv -o out.csv --keep-apart datte", "date"),
        ("train in.csv -o out --members rff", "rf"),
        ("ablate in.csv -o out --mode dropp", "drop"),
        ("label select in.csv --k 2 --method gredy", "greedy"),
        ("label select in.csv --k 2 --space encodr", "encoder"),
        ("label gold in.csv --aggregate meen", "mean"),
        ("label export in.csv -o out.csv --as cvs", "csv"),
    ],
)
def test_commands_suggest_the_closest_name(arguments, close):
    done = CliRunner().invoke(app, arguments.split())
    assert done.exit_code == 2
    assert close in done.output.splitlines()[-1].partition(", got ")[2 if ", got " in done.output else 0]


def test_a_setting_of_a_misspelt_member(tmp_path):
    (tmp_path / "in.csv").write_text("sentence1,sentence2,score\nA dog.,A cat.,1\nA bee.,A wasp.,5\n")
    arguments = ["train", str(tmp_path / "in.csv"), "-o", str(tmp_path / "out"), "--set", "gmb.max_depth=2"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert "got 'gmb'; did you mean" in done.output
