"""Bundle: a folder of data files that holds a model; checked file by file, never executed.

``docs/model-format.md`` describes the format and why it is not a pickle.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

from .manifest_shape import (
    DESCRIPTIVE,
    FORMAT,
    MANIFEST,
    PROFILE,
    BundleError,
    check_manifest,
    names_format_of_the_future,
)
from .npz import pack_arrays, unpack_arrays, unpacked_size
from .profiles import ALL_PROFILES, is_profile, profile_folder

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # else a named pipe in place of a file would block
)


def read_inside(folder: Path, name: str, most: int, links: bool = False) -> bytes:
    """Return the content of a file of a bundle, or its first ``most + 1`` bytes if it is longer."""
    path = folder / name
    if not links and any((folder / part).is_symlink() for part in accumulate(name.split("/"), "{}/{}".format)):
        raise BundleError(f"{name!r} of {str(folder)!r} must be a plain file, got a link; put what it links to there")
    try:
        _check_plain(path.stat(), folder, name)
        descriptor = os.open(path, _FLAGS | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
    except NotADirectoryError as error:
        raise FileNotFoundError(*error.args) from None
    with open(descriptor, "rb") as file:
        _check_plain(os.fstat(descriptor), folder, name)  # of the opened file, which may not be the one that was found
        return file.read(most + 1)


def _check_plain(status: os.stat_result, folder: Path, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise BundleError(f"{name!r} of {str(folder)!r} must be a plain file; copy the bundle again")


__all__ = [
    "FORMAT",
    "MANIFEST",
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

MANIFEST_LIMIT = 4 << 20
"""Largest manifest that is read, in bytes; those that ship have some 15,000."""

LIMIT = 1 << 28
"""Largest size of a bundle in bytes, its files and what their arrays unpack to; the largest that ships has 21 million.

Trees take the most memory: about six times the size of their arrays.
"""


@dataclass(frozen=True)
class Bundle:
    """Content of a bundle: the facts of `MANIFEST_SHAPE`, and the content of its files by name."""

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
        If a key is missing or of another type, a member or resource names a file that is not there, or the bundle is
        too large to be read again.
    """
    listed = {name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in files.items()}
    try:
        # Through JSON, so that what was written and what is read are equal: a tuple becomes a list.
        sealed: dict[str, Any] = json.loads(dumps({**manifest, "format": FORMAT, "files": listed}))
    except (TypeError, ValueError) as error:
        raise BundleError(f"the manifest to write cannot be JSON ({error}); give it plain values") from None
    check_manifest(sealed, "the manifest to write")
    _check_sizes(sealed, files, "the bundle to write")
    return sealed


def write_bundle(folder: str | Path, manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """Write a bundle, over one that is there, and return its manifest; the folder appears complete or not at all.

    Raises `BundleError` if the manifest is incomplete, or the folder holds anything that is not part of a bundle.
    """
    folder = Path(os.path.realpath(folder))
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
                # Once more, because files may have come into the folder since: only a known bundle is removed.
                _check_replaceable(workplace / "old", folder)
        try:
            new.rename(folder)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
        else:
            return


def _check_replaceable(folder: Path, name: Path | None = None) -> None:
    """Refuse to replace anything but an empty folder or a bundle whose files are unchanged."""
    name = name or folder
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise BundleError(f"{str(name)!r} is a file; name a folder for the bundle")
    present = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    listed = _read_manifest(folder)["files"] if MANIFEST in present else {}
    folders = {str(parent) for file in listed for parent in PurePosixPath(file).parents}
    for file in present:
        own = file in folders and not (folder / file).is_symlink()
        if not own and not (file == MANIFEST and listed) and not (file in listed and _is_sealed(folder, file, listed)):
            raise BundleError(
                f"{str(name)!r} holds {file!r}, which is not part of a bundle as it was saved; name another folder"
            )


def _is_sealed(folder: Path, name: str, listed: Mapping[str, Any]) -> bool:
    try:
        _read_sealed(folder, name, listed[name])
    except BundleError:
        return False
    return True


def read_bundle(folder: str | Path, shipped: bool | None = None) -> Bundle:
    """Read and verify a bundle.

    Parameters
    ----------
    folder
        The bundle.
    shipped
        Whether its files may be links, as an installer makes them, or files of another profile; those of a bundle from
        elsewhere may not lead out of the folder. By default, whether it is that of a profile.

    Raises
    ------
    BundleError
        If the folder is not a bundle, the bundle is of a newer format or too large, or a file of it is missing, changed
        or not a plain file.
    """
    folder = Path(folder)
    shipped = is_profile(folder) if shipped is None else shipped
    manifest = _read_manifest(folder, shipped)
    _check_sizes(manifest, {}, repr(str(folder)))
    files = {}
    for name, fact in manifest["files"].items():
        owner = fact.pop(PROFILE, None)
        if owner is not None and not (shipped and owner in ALL_PROFILES):
            raise BundleError(
                f"{name!r} of {str(folder)!r} must be a file of the bundle, got one of the profile {owner!r}; save the "
                "model that it was copied from"
            )
        files[name] = _read_sealed(folder if owner is None else profile_folder(owner), name, fact, shipped)
    _check_sizes(manifest, files, repr(str(folder)))
    return Bundle(manifest, files)


def _read_sealed(folder: Path, name: str, fact: Mapping[str, Any], links: bool = False) -> bytes:
    try:
        data = read_inside(folder, name, fact["size"], links)
    except FileNotFoundError:
        raise BundleError(f"{str(folder)!r} lacks the file {name!r}; copy the bundle again") from None
    if len(data) != fact["size"] or hashlib.sha256(data).hexdigest() != fact["sha256"]:
        where = str(folder / name)
        raise BundleError(f"{where!r} is not the file that the bundle was sealed with; copy the bundle again")
    return data


def _check_sizes(manifest: Mapping[str, Any], files: Mapping[str, bytes], where: str) -> None:
    # Before a file is read, and before one is unpacked.
    size = sum(fact["size"] for fact in manifest["files"].values())
    for data in files.values():
        with suppress(ValueError):  # not arrays
            size += unpacked_size(data)
    if size > LIMIT:
        raise BundleError(
            f"{where} must have up to {LIMIT} bytes with its arrays unpacked, got {size}; train with fewer or smaller "
            "trees"
        )


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _read_manifest(folder: Path, links: bool = False) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        data = read_inside(folder, MANIFEST, MANIFEST_LIMIT, links)
    except FileNotFoundError:
        message = f"{str(folder)!r} is not a bundle, for it has no {MANIFEST}; name a folder that was saved"
        raise BundleError(message) from None
    if len(data) > MANIFEST_LIMIT:
        raise BundleError(f"{str(path)!r} is larger than {MANIFEST_LIMIT} bytes; copy the bundle again")
    try:
        manifest = json.loads(data.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{str(path)!r} is not well-formed JSON ({error}); copy the bundle again") from None
    if names_format_of_the_future(manifest):
        raise BundleError(
            f"{str(path)!r} must have a format up to {FORMAT}, got {manifest['format']}; upgrade samewise"
        )
    check_manifest(manifest, repr(str(path)))
    return manifest


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
