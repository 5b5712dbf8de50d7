"""Names of profiles, and those whose distribution is not installed."""

import pytest
from samewise.ensemble.commands import model_options
from samewise.ensemble.core import profiles
from samewise.ensemble.core.profiles import (
    ALL_PROFILES,
    BEST,
    PROFILES,
    bundle_folder,
    is_installed,
    is_profile,
    profile_folder,
)
from samewise.ensemble.multilingual.model_source import load
from samewise.features.encoders.base_encoder import best_folder
from samewise.models.bundle import BundleError

REMEDIES = {
    "best": r"install samewise-best \(see docs/ensemble.md\), or use the profile 'full'",
    "multilingual": "install samewise-languages .* --languages auto",
    "translations": "install samewise-languages .* --languages auto",
}


def test_each_profile_has_a_folder_of_its_own():
    folders = [profile_folder(name) for name in ALL_PROFILES]
    assert len(set(folders)) == len(ALL_PROFILES) == 6
    assert all(map(is_profile, folders))
    assert profile_folder(BEST) == best_folder() / "profiles" / "best"


def test_those_of_the_package_are_installed():
    assert all(map(is_installed, PROFILES))
    assert is_installed("a folder of mine")


@pytest.mark.parametrize("name", REMEDIES)
@pytest.mark.parametrize("made", [False, True])
def test_a_profile_of_another_distribution(name, made, tmp_path, monkeypatch):
    # Not there, or a folder in which nothing is saved yet.
    monkeypatch.setattr(profiles, "profile_folder", lambda name: tmp_path if made else tmp_path / name)
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
    [option] = model_options.ProfileOption.__metadata__
    assert option.help == f"A model that ships: {', '.join(ALL_PROFILES)}."
