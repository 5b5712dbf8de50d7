"""Output of the command `info` for a model from elsewhere."""

import hashlib
import json
import re
import shutil

import pytest
from samewise.ensemble.commands.cli import main
from samewise.models.profiles import profile_folder

from samewise import SimilarityEnsemble

STEERING = "CC0\x1b]0;title\x07\x1b[31m\u202e\x9b2J"
SHOWN = r"CC0\x1b]0;title\x07\x1b[31m\u202e\x9b2J"


@pytest.fixture
def edited(tmp_path):
    def edit(**changes):
        folder = tmp_path / "model"
        shutil.copytree(profile_folder("surface"), folder)
        path = folder / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
        return str(folder)

    return edit


def run(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("signal.signal", lambda *_: None)  # the process is pytest's
            patch.setattr("sys.argv", ["samewise", *arguments])
            main()
    return ended.value.code or 0, *capsys.readouterr()


FACTS = {
    "licence": STEERING,
    "training": {"data": STEERING, "command": STEERING},
    "metrics": {STEERING: {"pearson": 0.5, "data": STEERING, "n": STEERING}},
    "fitted_members": ["rf", STEERING],
}


def test_control_characters_are_spelt_out(edited, capsys):
    status, out, err = run(["info", edited(**FACTS)], capsys)
    assert status == 0 and out.count(SHOWN) == 7
    assert all(line.isprintable() for line in (out + err).split("\n"))


def test_control_characters_are_escaped_in_json(edited, capsys):
    status, out, _ = run(["info", edited(**FACTS), "--json"], capsys)
    assert status == 0 and out.removesuffix("\n").isprintable()
    assert json.loads(out)["manifest"]["licence"] == STEERING


def test_control_characters_are_spelt_out_in_errors(edited, capsys):
    status, out, err = run(["info", edited(analysis=0, samewise=STEERING)], capsys)
    assert status == 1 and not out and SHOWN in err and err.removesuffix("\n").isprintable()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"foundations": ["wordnet"]}, "foundations of {} must be an object, got a list of 1"),
        ({"foundations": {"pipeline": "x"}}, "foundations.pipeline of {} must be an object, got 'x'"),
        ({"foundations": {"wordnet": [1]}}, "foundations.'wordnet' of {} must be text, got a list of 1"),
        ({"languages": "en"}, "languages of {} must be a list, got 'en'"),
        ({"languages": [1]}, "languages[0] of {} must be the code of a known language, got 1"),
        ({"languages": ["xx"]}, "languages[0] of {} must be the code of a known language, got 'xx'"),
        ({"own_features": 3}, "own_features of {} must be an object, got 3"),
        ({"own_features": {"a.b": {"file": 3}}}, "own_features.'a.b'.file of {} must be text, got 3"),
        ({"given": []}, "given of {} must be an object, got []"),
        ({"fitted_members": {"a": 1}}, "fitted_members of {} must be a list, got an object of 1"),
        ({"checksums": []}, "checksums of {} must be an object, got []"),
        ({"probe": [0.0, "1", 2.0]}, "probe[1] of {} must be a number from"),
        ({"training": {"vectors": "x"}}, "training.vectors of {} must be an object, got 'x'"),
        ({"metrics": [1]}, "metrics of {} must be an object, got a list of 1"),
        ({"libraries": {"numpy": 2}}, "libraries.'numpy' of {} must be text, got 2"),
        ({"member_means": {"rf": None}}, "member_means.'rf' of {} must be a number from"),
        ({"combination": "mean"}, "combination of {} must be an object, got 'mean'"),
        ({"contrasts": [0]}, "contrasts of {} must be a number from"),
    ],
)
def test_a_value_of_another_type_is_named_in_one_sentence(changes, message, edited, capsys):
    folder = edited(**changes)
    status, _, err = run(["info", folder], capsys)
    assert status == 1 and err.count("\n") == 1
    assert err.startswith("samewise: " + message.format(repr(f"{folder}/manifest.json")))


def test_a_resource_of_another_shape_is_named_in_one_sentence(edited, capsys):
    import numpy as np
    from samewise.models.npz import pack_arrays, unpack_arrays

    folder = edited()
    with open(f"{folder}/idf.npz", "rb") as file:
        arrays = unpack_arrays(file.read())
    data = pack_arrays({**arrays, "words_df": np.asarray(arrays["words_df"])[:-1]})
    with open(f"{folder}/idf.npz", "wb") as file:
        file.write(data)
    with open(f"{folder}/manifest.json", encoding="utf-8") as file:
        manifest = json.load(file)
    manifest["files"]["idf.npz"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    with open(f"{folder}/manifest.json", "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    status, _, err = run(["info", folder], capsys)
    assert (status, err) == (
        1,
        f"samewise: {folder} cannot be used: the array 'words_df' of the resource 'idf' must have the shape (21052), "
        "got (21051,); fit it again\n",
    )


def test_levels_and_shares_are_told(edited, capsys):
    facts = {"source_levels": {"news 2014": -0.25, STEERING: 0.5, "answers": 0.0}, "member_shares": {"rf": 0.3}}
    status, out, _ = run(["info", edited(**facts)], capsys)
    assert status == 0 and f"of 3 sources of scores, from -0.25 (news 2014) to +0.50 ({SHOWN})" in out
    assert "combined by" in out and "of the variance" not in out  # a mean has no weights to explain


def test_a_stack_tells_weights_and_shares(tmp_path, capsys):
    pairs = [(f"a{n} b{n} c{n} d{n}", " ".join([f"a{n}", f"b{n}", f"c{n}"][: n % 4] + [f"e{n}"])) for n in range(80)]
    gold = [float(n % 4) for n in range(80)]
    small = {"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 9, "min_samples_leaf": 5, "learning_rate": 0.3}}
    model = SimilarityEnsemble(["ngram.words"], ["rf", "gbm"], combine="stack", member_params=small).fit(pairs, gold)
    shares = model.predictor_.manifest["member_shares"]
    assert sum(shares.values()) == pytest.approx(1, abs=0.01)
    model.save(tmp_path / "stacked")
    status, out, _ = run(["info", str(tmp_path / "stacked")], capsys)
    weights = dict(zip(("rf", "gbm"), model.predictor_.combination.weights, strict=True))
    for name in ("rf", "gbm"):
        assert f"{name} {weights[name]:.2f} ({shares[name]:.0%} of the variance)" in " ".join(out.split())


def test_the_whole_digest_is_printed(capsys):
    _, out, _ = run(["info", "surface", "--json"], capsys)
    facts = json.loads(out)
    assert re.fullmatch("[0-9a-f]{64}", facts["digest"])
    assert facts["signature"].endswith(f"model:{facts['digest'][:12]}")


def test_families_of_columns_are_told_with_their_share_of_splits(tmp_path, capsys):
    pairs = [(f"a{n} b{n} c{n} d{n}", " ".join([f"a{n}", f"b{n}", f"c{n}"][: n % 4] + [f"e{n}"])) for n in range(80)]
    gold = [float(n % 4) for n in range(80)]
    small = {"rf": {"n_estimators": 3}}
    model = SimilarityEnsemble(["ngram.words", "length"], ["rf"], member_params=small, interval=None).fit(pairs, gold)
    [forest] = model.predictor_.members
    splits = [column.partition(".")[0] for column in forest.columns_of_splits()]
    assert len(splits) == (forest.trees.feature >= 0).sum() > 3
    model.save(tmp_path / "fitted")
    _, out, _ = run(["info", str(tmp_path / "fitted")], capsys)
    for family in ("ngram", "length"):
        count = sum(column.startswith(f"{family}.") for column in forest.columns)
        assert f"{family} {count} ({splits.count(family) / len(splits):.0%})" in " ".join(out.split())
