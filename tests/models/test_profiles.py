"""Names of profiles, and those whose distribution is not installed."""

import hashlib
import json
from collections import Counter

import pytest
from samewise.ensemble.commands import cli, options
from samewise.ensemble.core.bundle_parts import check_feature_values
from samewise.ensemble.core.manifest import PROBE
from samewise.ensemble.core.predictor import PROBE_TOLERANCE
from samewise.ensemble.loading import ModelRef, load
from samewise.features.encoders.large_encoder import best_folder
from samewise.features.pipeline.catalogue import resolve
from samewise.models import profiles
from samewise.models.bundle import BundleError
from samewise.models.profiles import (
    ALL_PROFILES,
    BENCHMARK_TWINS,
    BEST,
    PROFILES,
    benchmark_folder,
    bundle_folder,
    is_installed,
    is_profile,
    profile_folder,
)
from typer.testing import CliRunner

from ..conftest import PAIRS

REMEDIES = {
    "best": r"install samewise-best \(see docs/ensemble.md\), or use the profile 'full'",
    "multilingual": "install samewise-languages .* --languages auto",
    "translations": "install samewise-languages .* --languages auto",
    "surface-stsb": r"install samewise-benchmark \(see docs/training.md\), or use the profile 'surface'$",
    "fast-stsb": r"install samewise-benchmark \(see docs/training.md\), or use the profile 'fast'$",
    "full-stsb": r"install samewise-benchmark \(see docs/training.md\), or use the profile 'full'$",
    "best-stsb": r"install samewise-benchmark, and samewise-best, whose encoder it reads .* or use the profile 'full'$",
}

MEMBERS = {
    "surface-stsb": ["rf", "gbm", "xgb"],
    "fast-stsb": ["rf", "gbm", "xgb"],
    "full-stsb": ["rf", "gbm", "xgb", "cross_encoder"],
    "best-stsb": ["rf", "gbm", "xgb", "base_cross_encoder"],
}
STSB_TRAIN = "0f71910b59aa1ad973c5897f0791f3b0965a92b8f82b1a95f3eea9f4162fda82"
"""SHA-256 of the training file of STS Benchmark as it is distributed."""

needs_twins = pytest.mark.skipif(
    not (benchmark_folder() / "profiles" / "full-stsb" / "manifest.json").is_file(),
    reason="samewise-benchmark is not installed",
)


def test_each_profile_has_a_folder_of_its_own():
    folders = [profile_folder(name) for name in ALL_PROFILES]
    assert len(set(folders)) == len(ALL_PROFILES) == 10
    assert all(map(is_profile, folders))
    assert profile_folder(BEST) == best_folder() / "profiles" / "best"
    assert profile_folder("full-stsb") == benchmark_folder() / "profiles" / "full-stsb"


def test_those_of_the_package_are_installed():
    assert all(map(is_installed, PROFILES))
    assert is_installed("a folder of mine")


@pytest.mark.parametrize("name", REMEDIES)
@pytest.mark.parametrize("made", [False, True])
def test_a_profile_of_another_distribution(name, made, tmp_path, monkeypatch):
    # Not there, or a folder in which nothing is saved yet.
    monkeypatch.setattr(profiles, "profile_folder", lambda name: tmp_path if made else tmp_path / name)
    monkeypatch.setattr(profiles, "best_folder", lambda: tmp_path / "samewise_best")
    encoder = tmp_path / "samewise_best" / "encoder"
    encoder.mkdir(parents=True)
    (encoder / "manifest.json").write_text("{}")
    assert not is_installed(name)
    with pytest.raises(BundleError, match=f"^the profile '{name}' is not installed; {REMEDIES[name]}") as error:
        load(name)
    assert str(tmp_path) not in str(error.value)
    (tmp_path / name).mkdir(exist_ok=True)
    for folder in (tmp_path, tmp_path / name):
        (folder / "manifest.json").write_text("{}")
    assert is_installed(name)
    assert bundle_folder(name) == profiles.profile_folder(name)


def test_the_help_names_every_profile():
    [option] = options.ModelOption.__metadata__
    shipped = ", ".join(name for name in ALL_PROFILES if name not in BENCHMARK_TWINS)
    shipped = shipped.replace("full", "full (without --model)")
    assert option.help == (
        f"Folder of a trained model, or one that ships: {shipped}; or a benchmark twin, "
        f"fitted on STS Benchmark train alone: {', '.join(BENCHMARK_TWINS)}."
    )


def test_each_model_of_english_has_a_twin():
    assert BENCHMARK_TWINS == ("surface-stsb", "fast-stsb", "full-stsb", "best-stsb")
    assert ALL_PROFILES[-4:] == BENCHMARK_TWINS


def test_where_the_twins_are_looked_for(monkeypatch):
    monkeypatch.setattr(profiles, "find_spec", lambda name: None)
    assert benchmark_folder().parts[-3:] == ("models", "data", "benchmark")
    assert not any(map(is_installed, BENCHMARK_TWINS))
    assert all(map(is_installed, PROFILES))


@needs_twins
def test_the_twin_of_best_without_the_encoder_that_it_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(profiles, "best_folder", lambda: tmp_path)
    assert [is_installed(name) for name in BENCHMARK_TWINS] == [True, True, True, False]
    done = CliRunner().invoke(cli.app, ["score", "a dog", "a cat", "--model", "best-stsb"])
    assert done.exit_code == 1 and done.stdout == ""
    assert done.stderr == (
        "samewise: the profile 'best-stsb' is not installed; install samewise-benchmark, and samewise-best, whose "
        "encoder it reads (see docs/training.md), or use the profile 'full'\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_PROFILES)
def test_features_and_scores_are_those_that_were_recorded(name):
    if not is_installed(name):
        pytest.skip(f"the profile {name} is not installed")
    model = load(name)
    matrix = model.extract(model.analyse(PROBE))
    check_feature_values(name, model.manifest, model.features, matrix)
    assert set(model.manifest["checksums"]) == {value.full_name for value in model.features}
    assert model.probe_difference() <= PROBE_TOLERANCE


def test_no_two_profiles_hold_the_same_file():
    files = [path for name in ALL_PROFILES for path in profile_folder(name).glob("*") if path.name != "manifest.json"]
    contents = Counter((path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files)
    # Distributions that can be installed without each other hold the same word frequencies.
    assert {name for (name, _), count in contents.items() if count > 1} <= {"frequencies.npz"}


@needs_twins
class TestTwins:
    @pytest.mark.parametrize("twin", BENCHMARK_TWINS)
    def test_its_scored_pairs_are_those_of_the_training_split(self, twin):
        manifest = json.loads((profile_folder(twin) / "manifest.json").read_text())
        profile = twin.removesuffix("-stsb").replace("best", "full")
        assert manifest["training"]["data"] == "sts-train.csv" and manifest["training"]["rows"] == 5749
        assert manifest["training"]["sha256"] == STSB_TRAIN
        assert set(manifest["columns"]) < set(resolve(profile)[1])
        assert {name: manifest["metrics"][name]["n"] for name in ("dev", "test")} == {"dev": 1500, "test": 1379}
        assert [member["name"] for member in manifest["members"]] == MEMBERS[twin]

    @pytest.mark.parametrize("twin", BENCHMARK_TWINS)
    def test_it_holds_what_its_manifest_names_and_is_inert(self, twin):
        names = {path.name for path in profile_folder(twin).iterdir()}
        manifest = json.loads((profile_folder(twin) / "manifest.json").read_text())
        own = {name for name, fact in manifest["files"].items() if "profile" not in fact}
        assert names == {"manifest.json", *own}
        assert {name.rpartition(".")[2] for name in names} <= {"json", "npz", "onnx"}

    def test_they_are_small(self):
        sizes = [path.stat().st_size for path in benchmark_folder().rglob("*") if path.is_file()]
        assert max(sizes) < 50_000_000 and sum(sizes) < 80_000_000

    @pytest.mark.parametrize("twin", ["surface-stsb", "fast-stsb"])
    def test_its_name_is_a_model_wherever_one_is_named(self, twin):
        model = load(twin)
        expected = model.predict(PAIRS[:2])
        assert ModelRef(twin).load().signature == model.signature
        assert model.ref == ModelRef(twin)
        done = CliRunner().invoke(cli.app, ["score", *PAIRS[0], "--model", twin, "--json"])
        assert json.loads(done.stdout)["score"] == pytest.approx(expected[0], abs=1e-3)
