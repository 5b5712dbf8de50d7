"""A test split is measured on once, on purpose, and that it was stands in a log."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LOG = "log.jsonl"


def looks_like_test(paths: Iterable[str]) -> str | None:
    """Return the first of the files that looks like a test split: its name contains ``test``."""
    return next((path for path in paths if "test" in Path(path).name.lower()), None)


def check_split(paths: Iterable[str], final: bool) -> None:
    """Refuse a test split that is not meant to be measured on.

    Raises
    ------
    ValueError
        If one of the files looks like a test split and `final` is not set.
    """
    found = looks_like_test(paths)
    if found is not None and not final:
        raise ValueError(
            f"{found} looks like a test split: what is chosen on it can no longer be tested on it; measure on a dev "
            "split or by cross-validation, or pass --final if all is chosen (this is logged)"
        )


def log_final(folder: str | Path, facts: Mapping[str, Any]) -> None:
    """Add a line to the log of a folder: that there was a final measurement, when, and of what."""
    line = {"event": "final", "time": datetime.now(UTC).isoformat(timespec="seconds"), **facts}
    Path(folder).mkdir(parents=True, exist_ok=True)
    with (Path(folder) / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
