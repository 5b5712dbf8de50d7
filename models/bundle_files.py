"""Files of a bundle, read without trust: only plain files inside the folder, and no more bytes than announced."""

import os
import stat
from itertools import accumulate
from pathlib import Path

from .bundle_errors import BundleError

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # else a named pipe in place of a file would block
)


def read_inside(folder: Path, name: str, most: int, links: bool = False) -> bytes:
    """Return the content of a file of a bundle, or its first ``most + 1`` bytes if it is longer.

    Parameters
    ----------
    folder
        The bundle.
    name
        Name of the file, with slashes between folders.
    most
        Largest number of bytes that it should have.
    links
        Whether the file may be a link, as where an installer links the files of the package.

    Raises
    ------
    BundleError
        If it is not a plain file, or lies behind a link.
    FileNotFoundError
        If it is missing.
    """
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
