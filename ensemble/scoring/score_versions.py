"""Versions of what scores depend on beside the model, so that no file is scored by two versions."""

import sys
from functools import cache

from ..._code_version import installed_version, package_digest

LIBRARIES = (
    "numpy",
    "onnxruntime",
    "py3langid",
    "PyStemmer",
    "RapidFuzz",
    "scipy",
    "spacy",
    "tokenizers",
    "wordfreq",
)
"""Libraries whose results enter a score."""


@cache
def score_versions() -> dict[str, str]:
    """Return the versions of samewise, Python and `LIBRARIES`, and a digest of the code of samewise.

    The digest distinguishes two states of a checkout with the same version.
    """
    versions = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    versions |= {name: installed_version(name) or "none" for name in ("samewise", *LIBRARIES)}
    return {
        **{f"version of {name}": version for name, version in versions.items()},
        "code of samewise": package_digest("features", "models", "ensemble"),
    }
