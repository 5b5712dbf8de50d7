"""Files of a scoreboard: Parquet, CSV, Markdown and HTML."""

from pathlib import Path

import pyarrow.csv
import pyarrow.parquet

from .markdown_tables import markdown
from .scoreboard import Scoreboard
from .systems_report import systems_report

FILES = ("results.parquet", "results.csv", "scoreboard.md", "scoreboard.html")
"""Files that `write_scoreboard` writes, replacing those of an earlier run."""


def write_scoreboard(board: Scoreboard, folder: str | Path) -> tuple[Path, ...]:
    """Write ``results.parquet``, ``results.csv``, ``scoreboard.md`` and ``scoreboard.html``; return their paths."""
    paths = tuple(Path(folder) / name for name in FILES)
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    table = board.to_table()
    pyarrow.parquet.write_table(table, paths[0])
    pyarrow.csv.write_csv(table, paths[1])
    texts = f"# Scoreboard\n\n{markdown(board)}", systems_report(board)
    for path, text in zip(paths[2:], texts, strict=True):
        path.write_text(text, encoding="utf-8", newline="\n")
    return paths
