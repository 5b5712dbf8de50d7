"""A model as a folder of data files: written as a whole, checked file by file, never executed.

``docs/model-format.md`` describes the format and why it is not a pickle.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .npz import pack_arrays, unpack_arrays

__all__ = [
    "FORMAT",
    "Bundle",
    "BundleError",
    "digest",
    "dumps",
    "pack_arrays",
    "read_bundle",
    "seal",
    "signature",
    "unpack_arrays",
    "write_bundle",
]

FORMAT = 1
"""Number of the format written here. A bundle with a higher one is refused; one with a lower one must stay readable."""

MANIFEST = "manifest.json"
MANIFEST_LIMIT = 16 << 20
"""Largest manifest that is read, in bytes."""

KEYS: dict[str, tuple[type, ...]] = {
    "format": (int,),  # filled in by `seal`
    "samewise": (str,),  # version that wrote it
    "libraries": (dict,),  # name: version of what fitted it
    "python": (str,),
    "feature_set": (str,),
    "columns": (list,),  # names, in the order that the members read
    "set_digest": (str,),  # of the columns and the versions of their features
    "members": (list,),  # {"name", "file", "params"}, in the order in which they are combined
    "combine": (str,),  # how, such as "mean"
    "resources": (dict,),  # name: file
    "interval": (dict,),  # facts from which the interval is made
    "seed": (int, type(None)),
    "training": (dict,),  # {"data", "rows", "command"}
    "metrics": (dict,),
    "licence": (str,),
    "files": (dict,),  # name: {"sha256", "size"}; filled in by `seal`
}
"""The manifest: required keys and their types. Other keys are kept, and change the digest of the model."""

DESCRIPTIVE = ("samewise", "libraries", "python", "feature_code", "training", "metrics", "licence")
"""Keys that describe a model and do not change a prediction; like ``.md`` files, they are not part of its digest."""

_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class BundleError(ValueError):
    """A folder that cannot be read or written as a bundle; one sentence that names the fault and what to do."""


@dataclass(frozen=True)
class Bundle:
    """Content of a bundle.

    Attributes
    ----------
    manifest
        The facts of `KEYS`.
    files
        Content by name, as listed under ``files`` of the manifest.
    """

    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]

    @property
    def signature(self) -> str:
        """The line that names this model; see `signature`."""
        return signature(self.manifest)


def dumps(value: Any) -> str:
    """Return JSON text, the same for the same content: keys sorted, one a line, a line feed at the end."""
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def seal(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the manifest with the format number and the size and hash of each file.

    Raises
    ------
    BundleError
        If a key is missing or of another type, or a member or resource names a file that is not there.
    """
    listed = {name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in files.items()}
    try:
        # Through JSON, so that what was written and what is read are equal: a tuple becomes a list.
        sealed: dict[str, Any] = json.loads(dumps({**manifest, "format": FORMAT, "files": listed}))
    except (TypeError, ValueError) as error:
        raise BundleError(f"the manifest to write cannot be JSON ({error}); give it plain values") from None
    _check(sealed, "the manifest to write")
    return sealed


def write_bundle(folder: str | Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """Write a bundle; the folder appears complete or not at all.

    Parameters
    ----------
    folder
        Where; a bundle that is there is replaced.
    manifest
        The facts of `KEYS`, where ``format`` and ``files`` are filled in.
    files
        Content by name; a name may have folders, parted by slashes.

    Returns
    -------
    dict
        The manifest as written.

    Raises
    ------
    BundleError
        If the manifest is incomplete, or the folder holds anything that is not part of a bundle.
    """
    folder = Path(os.path.abspath(folder))
    sealed = seal(manifest, files)
    _check_replaceable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    workplace = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        new = workplace / "new"
        new.mkdir()  # not `workplace` itself, which others may not read
        for name, data in {**files, MANIFEST: dumps(sealed).encode()}.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(data)
        _replace(folder, new, workplace)
    except BaseException:
        if (workplace / "old").exists() and not folder.exists():
            (workplace / "old").rename(folder)
        raise
    finally:
        shutil.rmtree(workplace, ignore_errors=True)
    return sealed


def _replace(folder: Path, new: Path, workplace: Path) -> None:
    # Another process may write the same bundle at the same time; the last one wins.
    while True:
        if folder.exists():
            with suppress(FileNotFoundError):
                shutil.rmtree(workplace / "old", ignore_errors=True)
                folder.rename(workplace / "old")
                _check_replaceable(workplace / "old")  # again: others may have put something there meanwhile
        try:
            new.rename(folder)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
        else:
            return


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BundleError(f"{str(folder)!r} is a file; name a folder for the bundle")
    content = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir() or not any(path.iterdir())]
    present = {path.relative_to(folder).as_posix() for path in content}
    foreign = sorted(present - {MANIFEST, *_read_manifest(folder)["files"]}) if MANIFEST in present else sorted(present)
    if foreign:
        raise BundleError(f"{str(folder)!r} holds {foreign[0]!r}, which is not part of a bundle; name another folder")


def read_bundle(folder: str | Path) -> Bundle:
    """Read and verify a bundle.

    Raises
    ------
    BundleError
        If the folder is not a bundle, the bundle is of a newer format, or a file of it is missing or changed.
    """
    folder = Path(folder)
    manifest = _read_manifest(folder)
    files = {}
    for name, fact in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise BundleError(f"{str(folder)!r} lacks the file {name!r}; copy the bundle again")
        # The size first: a changed file may be of any length.
        data = path.read_bytes() if path.stat().st_size == fact["size"] else b""
        if len(data) != fact["size"] or hashlib.sha256(data).hexdigest() != fact["sha256"]:
            raise BundleError(f"{str(path)!r} is not the file that the bundle was sealed with; copy the bundle again")
        files[name] = data
    return Bundle(manifest, files)


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        raise BundleError(f"{str(folder)!r} is not a bundle, for it has no {MANIFEST}; name a folder that was saved")
    if path.stat().st_size > MANIFEST_LIMIT:
        raise BundleError(f"{str(path)!r} is larger than {MANIFEST_LIMIT} bytes; copy the bundle again")
    try:
        manifest = json.loads(path.read_bytes().decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{str(path)!r} is not well-formed JSON ({error}); copy the bundle again") from None
    if not isinstance(manifest, dict):
        raise BundleError(f"{str(path)!r} does not hold a JSON object; copy the bundle again")
    number = manifest.get("format")
    if type(number) is int and number > FORMAT:
        raise BundleError(
            f"{str(path)!r} has the format {number} and this samewise reads up to {FORMAT}; upgrade samewise"
        )
    _check(manifest, repr(str(path)))
    return manifest


def _check(manifest: Mapping[str, Any], where: str) -> None:
    for key, kinds in KEYS.items():
        if key not in manifest:
            raise BundleError(f"{where} has no {key!r}; save the model again")
        if type(manifest[key]) not in kinds:
            raise BundleError(
                f"{key!r} of {where} must be {kinds[0].__name__}, not {manifest[key]!r:.60}; save it again"
            )
    if manifest["format"] < 1:
        raise BundleError(f"{where} has the unknown format {manifest['format']}; save the model again")
    for name, fact in manifest["files"].items():
        if not _FILE.fullmatch(name) or name == MANIFEST:
            raise BundleError(
                f"{where} lists the file {name!r}, which is not a plain name inside the folder; do not use it"
            )
        plain = isinstance(fact, dict) and type(fact.get("size")) is int
        if not plain or not isinstance(fact.get("sha256"), str) or not _SHA256.fullmatch(fact["sha256"]):
            raise BundleError(f"{where} gives no size and SHA-256 of the file {name!r}; save the model again")
    needed = [("column", column, column) for column in manifest["columns"]]
    for member in manifest["members"]:
        if not isinstance(member, dict) or not {"name", "file", "params"} <= member.keys():
            raise BundleError(f"a member of {where} lacks a name, file or params; save the model again")
        needed.append(("member", member["name"], member["file"]))
    needed += [("resource", name, file) for name, file in manifest["resources"].items()]
    for kind, name, file in needed:
        if not isinstance(name, str) or not isinstance(file, str) or kind != "column" and file not in manifest["files"]:
            raise BundleError(f"the {kind} {name!r} of {where} names no file of the bundle; save the model again")


def digest(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all that determines a prediction: the manifest without the keys `DESCRIPTIVE`."""
    content = {key: value for key, value in manifest.items() if key not in DESCRIPTIVE}
    content["files"] = {name: fact["sha256"] for name, fact in manifest["files"].items() if not name.endswith(".md")}
    return hashlib.sha256(dumps(content).encode()).hexdigest()


def signature(manifest: Mapping[str, Any]) -> str:
    """Return one printable line that names a sealed model, to be quoted with every figure.

    ``samewise:0.1.0|features:surface-1a2b3c4d|members:rf+gbm+xgb|combine:mean|seed:0|train:stsb|model:0123456789ab``
    """
    parts = {
        "samewise": manifest["samewise"],
        "features": f"{manifest['feature_set']}-{manifest['set_digest'][:8]}",
        "members": "+".join(member["name"] for member in manifest["members"]),
        "combine": manifest["combine"],
        "seed": manifest["seed"],
        "train": manifest["training"].get("data", "unknown"),
        "model": digest(manifest)[:12],
    }
    return "|".join(f"{key}:{re.sub(r'[^!-{}~]', '-', str(value))}" for key, value in parts.items())
