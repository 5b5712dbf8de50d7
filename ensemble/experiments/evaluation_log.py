"""Guard and log of evaluations on a test split."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LOG = "log.jsonl"


def looks_like_test(paths: Iterable[str]) -> str | None:
    """Return the first path whose file name contains ``test``, or None."""
    return next((path for path in paths if "test" in Path(path).name.lower()), None)


def check_split(paths: Iterable[str], final: bool) -> None:
    """Refuse a test split unless the measurement is final.

    Raises
    ------
    ValueError
        If a file looks like a test split and `final` is not set.
    """
    test_path = looks_like_test(paths)
    if test_path is not None and not final:
        raise ValueError(
            f"the file must not be a test split, got {test_path}, because what is chosen on a test split cannot be "
            "tested on it; measure on a dev split or by cross-validation, or pass --final if all choices are made, "
            "which is logged"
        )


def log_final(folder: str | Path, facts: Mapping[str, Any]) -> None:
    """Append a line to the log of a folder: the time and facts of a final measurement."""
    line = {"event": "final", "time": datetime.now(UTC).isoformat(timespec="seconds"), **facts}
    Path(folder).mkdir(parents=True, exist_ok=True)
    with (Path(folder) / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
