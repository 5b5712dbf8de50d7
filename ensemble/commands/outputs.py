"""Outputs of commands: checked before the work begins, and written when they are complete."""

from collections.abc import Sequence
from pathlib import Path

FITS = "fits"
"""Folder of finished fits, by which the output folder of an experiment is known as one."""


def output_name(path: str) -> str:
    """Return an output as named, or ``-`` for a name of standard output such as ``/dev/stdout``."""
    from ..tables.output_places import is_standard_output

    return "-" if is_standard_output(path) else path


def check_outputs(*paths: str | Path | None) -> None:
    """Refuse outputs that cannot be written; see `output_places.check_output`."""
    from ..tables.output_places import check_output

    for path in paths:
        check_output(path)


def check_experiment_folder(folder: Path, names: Sequence[str]) -> None:
    """Refuse the output folder of an experiment if it cannot be written, or holds other files.

    Parameters
    ----------
    folder
        The folder.
    names
        Files that the experiment writes there, replacing those of an earlier one.

    Raises
    ------
    ValueError
        If it is a file, or holds such a file without finished fits or the log of a run.
    OSError
        If it cannot be written to.
    """
    from ..experiments.evaluation_log import LOG
    from ..tables.output_places import check_output_folder

    check_output_folder(folder)
    if (folder / FITS).is_dir() or (folder / LOG).is_file():
        return
    for name in names:
        if (folder / name).exists():
            raise ValueError(
                f"{folder / name} must be of an earlier run, with the folder {FITS!r} beside it, got another "
                "file; name another folder"
            )


def check_model_folder(folder: Path) -> None:
    """Refuse a folder that a model cannot be written to.

    Raises
    ------
    ValueError
        If it is a file, or a folder with other content than a model.
    OSError
        If it cannot be made.
    """
    from ..tables.output_places import check_output_folder

    other = folder.exists() and not folder.is_dir()
    if other or (folder.is_dir() and any(folder.iterdir()) and not (folder / "manifest.json").is_file()):
        raise ValueError(f"the output must be a new folder or that of a model, got {folder}; name another folder")
    check_output_folder(folder.resolve().parent)


def write_text(path: Path, text: str) -> Path:
    """Write a text as a file that appears when it is complete; return its path."""
    from ..tables.table_writer import complete_output

    with complete_output(path) as file:
        file.write(text.encode())
    return path
