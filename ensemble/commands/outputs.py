"""Outputs of commands: where they are written, and the hints that follow them."""

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from .console import say

FITS = "fits"
"""Folder of finished fits, by which the output folder of an experiment is known as one."""


def output_name(path: str) -> str:
    """Return an output as named, or ``-`` for a name of standard output such as ``/dev/stdout``."""
    from ..tables.table_writer import is_standard_output

    return "-" if is_standard_output(path) else path


def check_outputs(*paths: str | Path | None) -> None:
    """Refuse outputs that cannot be written; see `table_writer.check_output`."""
    from ..tables.table_writer import check_output

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
    from ..experiments.experiment_matrices import LOG
    from ..tables.table_writer import check_output_folder

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
    from ..tables.table_writer import check_output_folder

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


def check_rejects(rows: int, rejects: int, most: int | None) -> None:
    """Refuse a run, whose output is written, in which too many rows were rejected.

    Parameters
    ----------
    rows, rejects
        Rows that were used, and rows that were rejected.
    most
        Rows that may be rejected; None for all but one.

    Raises
    ------
    ValueError
        If there are more.
    """
    if rejects and not rows:
        raise ValueError(f"one row or more must be read, got none and {rejects:,} rejected; correct by the reasons")
    if most is not None and rejects > most:
        raise ValueError(
            f"rejected rows must be at most {most:,}, got {rejects:,}; correct what their reasons say, or allow them "
            "by --max-rejects"
        )


MANY = 0.01
"""Share of the rows of a table that do not look English from which that is taken for more than chance.

Of English rows 0.1 % have the flag, and 0.5 % in the worst of the sets of ``benchmarks/false_alarms.py``.
"""


def suggest_for_pair(texts: Sequence[str], flags: Container[str], languages: str | None, translate: str | None) -> None:
    """Suggest ``--languages``, or a translator, if a text that does not look English is in another known language."""
    if "non_english" not in flags:
        return
    if languages is not None or translate is not None:
        _suggest_translator(translate)
        return
    from ...features.analysis.analysis import normalise
    from ...features.linguistics.known_languages import LANGUAGES
    from ...features.linguistics.languages import ENGLISH, detect

    found = [code for code in dict.fromkeys(detect(list(map(normalise, texts)))) if code in LANGUAGES]
    others = [code for code in found if code != ENGLISH]
    if others:
        names = " and ".join(LANGUAGES[code].name for code in others)
        say(f"a text looks like {names}; add --languages {','.join([*others, ENGLISH])}")


def suggest_for_table(flags: Mapping[str, int], rows: int, languages: str | None, translate: str | None) -> None:
    """Suggest ``--languages``, or a translator, if the share `MANY` of the rows or more does not look English."""
    count = flags.get("non_english", 0)
    if not count:
        return
    if languages is not None or translate is not None:
        _suggest_translator(translate)
    elif count >= MANY * rows:
        from ...features.linguistics.languages import SUPPORTED

        codes = ", ".join(SUPPORTED)
        say(
            f"{count:,} of {rows:,} rows do not look English; if they are in a known language ({codes}), add "
            "--languages es,en with its code, or --languages auto"
        )


def _suggest_translator(translate: str | None) -> None:
    if translate == "apertium":
        say("not every text could be translated; --translate apertium,dictionary knows more languages")
