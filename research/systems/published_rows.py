"""Check of the published rows that systems name."""

from collections.abc import Iterable

from ...ensemble.evaluation.published_scores import read_table
from .specification import System


def check_published(systems: Iterable[System]) -> None:
    """Refuse systems with a run that names an unknown published table or row, before anything is fitted.

    Raises
    ------
    ValueError
        If there is one; names the system, the run, and the known rows.
    """
    for system in systems:
        for name, run in system.runs.items():
            for table, label in run.published.items():
                try:
                    read_table(table).row(str(label))
                except ValueError as error:
                    raise ValueError(f"{system.name}.toml: runs.{name}.published: {error}") from None
