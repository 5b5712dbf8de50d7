"""Names of the models that ship, and the folders of their bundles."""

from importlib.util import find_spec
from pathlib import Path

from ..features.encoders.large_encoder import best_folder
from ..features.linguistics.languages import languages_folder
from .manifest_shape import MANIFEST, BundleError

PROFILES = ("surface", "fast", "full")
"""Models of English that ship with the package: strings only; tags, lemmas and lexical tables too; networks too."""

BEST = "best"
"""Model of English of the distribution ``samewise-best``: with a network on a larger encoder, which takes more time."""

_TWIN = "-stsb"
_BEST_TWIN = f"{BEST}{_TWIN}"

BENCHMARK_TWINS = (*(f"{name}{_TWIN}" for name in PROFILES), _BEST_TWIN)
"""Models of the distribution ``samewise-benchmark``: those of English, fitted on STS Benchmark train alone."""

MULTILINGUAL, TRANSLATIONS = "multilingual", "translations"
"""Models of the distribution ``samewise-languages``: of several languages, and of translations into English."""

ALL_PROFILES = (*PROFILES, BEST, MULTILINGUAL, TRANSLATIONS, *BENCHMARK_TWINS)
"""All names of shipped models."""

DEFAULT_PROFILE = "full"

_LANGUAGES_REMEDY = (
    "install samewise-languages (see docs/languages.md), or leave it out and pass --languages auto, which compares "
    "translations"
)
_REMEDIES = {
    BEST: f"install samewise-best (see docs/ensemble.md), or use the profile {DEFAULT_PROFILE!r}",
    MULTILINGUAL: _LANGUAGES_REMEDY,
    TRANSLATIONS: _LANGUAGES_REMEDY,
    **{
        f"{name}{_TWIN}": f"install samewise-benchmark (see docs/training.md), or use the profile {name!r}"
        for name in PROFILES
    },
    _BEST_TWIN: "install samewise-benchmark, and samewise-best, whose encoder it reads (see docs/training.md), or use "
    f"the profile {DEFAULT_PROFILE!r}",
}
"""Remedies where a profile of another distribution is not installed, by profile."""


def benchmark_folder() -> Path:
    """Return the folder with the benchmark twins: the distribution ``samewise-benchmark``."""
    spec = find_spec("samewise_benchmark")
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else Path(__file__).parent / "data" / "benchmark"


def profile_folder(name: str) -> Path:
    """Return the folder of a profile; it is missing where the profile's distribution is not installed."""
    if name in (MULTILINGUAL, TRANSLATIONS):
        return languages_folder() / "profiles" / name
    if name == BEST:
        return best_folder() / "profiles" / name
    if name in BENCHMARK_TWINS:
        return benchmark_folder() / "profiles" / name
    return Path(__file__).parent / "pretrained" / name


def is_profile(folder: str | Path) -> bool:
    """Return whether a folder is that of a profile, which is released together with the code that it needs."""
    return any(Path(folder).absolute() == profile_folder(name) for name in ALL_PROFILES)


def is_installed(model: str) -> bool:
    """Return False only for a profile whose distribution is not installed.

    The twin of `BEST` also needs the encoder of ``samewise-best``.
    """
    if model == _BEST_TWIN and not (best_folder() / "encoder" / MANIFEST).is_file():
        return False
    return model not in _REMEDIES or (profile_folder(model) / MANIFEST).is_file()


def bundle_folder(model: str) -> Path:
    """Return the folder of a bundle, given as the name of a profile or as a path.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the profile is not installed, or the path does not exist.
    """
    if not is_installed(model):
        raise BundleError(f"the profile {model!r} is not installed; {_REMEDIES[model]}")
    if model in ALL_PROFILES:
        return profile_folder(model)
    if not Path(model).exists():
        raise BundleError(
            f"model must be a folder or one of the profiles {', '.join(PROFILES)}, got {model!r}, which does not exist"
        )
    return Path(model)
