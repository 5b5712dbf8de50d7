"""Write docs/systems.md from what `samewise systems run` wrote into one or more folders."""

import argparse
import re
from pathlib import Path

from samewise.research.systems import shipped_systems

HEAD = Path(__file__).parent / "templates" / "systems.md"
COUNTS = re.compile(r"\nRuns: ([\d,]+)\. Distinct results: ([\d,]+) ")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders that the command wrote")
    options = parser.parse_args()
    page = Path(__file__).with_name("systems.md")
    page.write_text(text(options.folders), encoding="utf-8")


def text(folders: list[Path]) -> str:
    """Return the page for folders that the command wrote."""
    boards = [(folder / "scoreboard.md").read_text(encoding="utf-8") for folder in folders]
    parts = [head(boards[0])]
    notes: dict[str, None] = {}
    for k, board in enumerate(boards):
        board = board.removeprefix("# Scoreboard\n\n")
        # Said once: what the figures are, what there is to note, and which the systems are.
        board = board[board.index("Run with:") if k else 0 :].partition("\n## Systems\n")[0]
        board, noted = without_notes(board)
        notes |= dict.fromkeys(noted)
        parts.append(board.replace("\n## What was expected", "\n### What was expected").strip() + "\n")
    parts += ["\n".join(["## Notes", "", *notes, ""])] if notes else []
    return "\n".join([*parts, systems_table()])


def without_notes(board: str) -> tuple[str, list[str]]:
    """Return a scoreboard without its notes, and the notes."""
    before, found, after = board.partition("\n## Notes\n")
    if not found:
        return board, []
    notes, found, rest = after.partition("\n## ")
    return before + found + rest, [line for line in notes.splitlines() if line]


def head(board: str) -> str:
    """Return the first part of the page, with the number of distinct results of a scoreboard."""
    from samewise.models.member import MEMBERS, REGRESSORS
    from samewise.research.learners import LEARNERS, SCALES
    from samewise.research.networks.research_network import RESEARCH_NETWORKS

    networks = [name for name in (*MEMBERS, *RESEARCH_NETWORKS) if name not in REGRESSORS]
    names_by_word = {"LEARNERS": LEARNERS, "NETWORKS": networks, "SCALES": SCALES}
    counts = COUNTS.search(board)
    if counts is None:
        raise ValueError(
            "the first scoreboard must say how many results are distinct, got none; run `systems run` again"
        )
    page = HEAD.read_text(encoding="utf-8").replace("DISTINCT", f"{counts[1]} runs give {counts[2]} distinct results")
    for word, names in names_by_word.items():
        page = page.replace(word, ", ".join(f"`{name}`" for name in names))
    return page


def systems_table() -> str:
    """Return a table of all systems."""
    lines = ["## The systems", "", "| system | title | published |", "|---|---|---|"]
    lines += [f"| `{system.name}` | {system.title} | {system.citation} |" for system in shipped_systems().values()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
