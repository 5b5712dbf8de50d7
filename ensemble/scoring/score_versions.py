"""Versions of what scores depend on beside the model, so that no file is scored by two versions."""

import hashlib
import sys
from functools import cache
from pathlib import Path

from ...features.provenance import package_digest
from ..core.manifest import installed_version

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

_CODE = ("core", "matching", "multilingual", "tables", "scoring")


@cache
def score_versions() -> dict[str, str]:
    """Return the versions of samewise, Python and `LIBRARIES`, and a digest of the code of samewise.

    The digest distinguishes two states of a checkout with the same version.
    """
    versions = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    versions |= {name: installed_version(name) or "none" for name in ("samewise", *LIBRARIES)}
    return {**{f"version of {name}": version for name, version in versions.items()}, "code of samewise": _code()}


def _code() -> str:
    from ... import models

    ensemble = Path(__file__).parents[1]
    folders = [Path(str(models.__file__)).parent, *(ensemble / name for name in _CODE)]
    digest = hashlib.sha256(package_digest().encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder.parent).as_posix()
            digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
