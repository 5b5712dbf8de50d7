"""Checks of where a command writes, made before the work whose result is written there."""

import tempfile
from pathlib import Path

from ..experiments.test_log import LOG

FITS = "fits"
"""Folder of finished fits inside the output of an experiment."""


def check_model_folder(folder: Path) -> None:
    """Refuse a folder that a model cannot be written to: a file, files of the user, or a place without permission.

    Raises
    ------
    ValueError
        If it is a file, holds something and no model, or nothing can be written there.
    """
    if _is_other(folder) or (_holds_something(folder) and not (folder / "manifest.json").is_file()):
        raise ValueError(f"the output must be a new folder or that of a model, got {folder}; name another folder")
    check_writable(folder)


def check_experiment_folder(folder: Path) -> None:
    """Refuse a folder that an experiment cannot write its tables to.

    Raises
    ------
    ValueError
        If it is a file, holds something and neither the fits nor the log of an experiment, or nothing can be written
        there.
    """
    ours = (folder / FITS).is_dir() or (folder / LOG).is_file()
    if _is_other(folder) or (_holds_something(folder) and not ours):
        raise ValueError(f"the output must be a new folder or that of an experiment, got {folder}; name another folder")
    check_writable(folder)


def check_file(file: Path) -> None:
    """Refuse a file that cannot be written.

    Raises
    ------
    ValueError
        If it is a folder, its folder does not exist, or nothing can be written there.
    """
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise ValueError(f"the output must be a file in a folder that exists, got {file}; name another file")
    if not file.exists():  # such as a device
        check_writable(file)


def check_writable(path: Path) -> None:
    """Refuse a path under which no file can be made, now or once its missing folders are made.

    A file is made and removed: permissions do not tell of read-only and special file systems.

    Raises
    ------
    ValueError
        If the nearest folder that exists takes no file.
    """
    place = path.absolute() if path.is_dir() else path.absolute().parent
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise ValueError(
            f"the output must be in a folder that can be written to, got {path}: {error.strerror}; name another folder"
        ) from error


def _is_other(path: Path) -> bool:
    # A file or a device.
    return path.exists() and not path.is_dir()


def _holds_something(path: Path) -> bool:
    return path.is_dir() and any(path.iterdir())
