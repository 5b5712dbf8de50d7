"""The page docs/systems.md: its making from scoreboards, and the page as it stands."""

import importlib.util
import re

import numpy as np
import pytest
from samewise.research.systems import Outcome, System, shipped_systems
from samewise.research.systems.scoreboard import Scoreboard
from samewise.research.systems.scoreboard_files import write_scoreboard
from samewise.research.systems.specification import Lack, Member, Run

from ...conftest import ROOT

PAGE = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
GOLD = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
TALLY = re.compile(
    r"^Runs: (\d+)\. Distinct results: (\d+) \((\d+) faithful, (\d+) partial, (\d+) of stand-ins alone\)\.$"
)


@pytest.fixture(scope="module")
def make_systems():
    spec = importlib.util.spec_from_file_location("make_systems", ROOT / "docs" / "make_systems.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    near = {"rebuild": "partial", "lacks": (Lack("SNLI", "STS labels"),)}
    member = {"m": Member(("length.*",), "ridge")}
    system = System("mine", "Mine", "Me (2020)", {run: Run(member, note="Noted.", **near) for run in "ab"})
    folders = []
    for name in ("STS Benchmark test", "track 5"):
        outcomes = [Outcome(system, run, name, GOLD, GOLD, 1.0, system.runs[run].lacks) for run in "ab"]
        folders.append(tmp_path_factory.mktemp("board"))
        write_scoreboard(Scoreboard(outcomes, f"samewise, {name}"), folders[-1])
    return folders


def test_a_page_says_once_what_its_scoreboards_share(make_systems, folders):
    page = make_systems.text(folders)
    assert "Under protocol B 2 runs give 1 distinct results." in page
    for once in ("All figures are 100 times", "## Notes\n\n- mine (a, b): Noted.\n\n## The systems\n"):
        assert page.count(once) == 1
    assert [line for line in page.splitlines() if line.startswith("## STS")] == ["## STS Benchmark", "## STS 2017"]
    assert page.count("| mine a = mine b | SNLI (STS labels) |") == 2
    assert page.count("\nRun with: samewise, ") == 2
    assert not re.search(r"LEARNERS|NETWORKS|SCALES|DISTINCT|\n## Systems\n|All fits took", page)
    [first] = [line for line in page.splitlines() if line.startswith("| `bit` ")]
    assert first == f"| `bit` | BIT | {shipped_systems()['bit'].citation} |"


def test_a_scoreboard_of_an_earlier_kind_is_refused(make_systems, tmp_path):
    (tmp_path / "scoreboard.md").write_text("# Scoreboard\n\nRun with: x\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must say how many results are distinct, got none;"):
        make_systems.text([tmp_path])


def sections():
    """Yield the title, the tally and the rows of our runs of each table of the page, as lists of cells."""
    for part in re.split(r"^## (?=STS )", PAGE, flags=re.MULTILINE)[1:]:
        before_ranking = re.split(r"^### .*: all published rows", part, flags=re.MULTILINE)[0]
        lines = before_ranking.splitlines()
        tally = next(TALLY.match(line) for line in lines if line.startswith("Runs: "))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
        ours = [row for row in rows if row[0] not in ("run", "---") and not row[0].startswith("published: ")]
        yield lines[0], [int(number) for number in tally.groups()], ours


def test_the_page_begins_and_ends_as_it_is_made(make_systems):
    board = PAGE[PAGE.index("\n## STS Benchmark") :]
    assert PAGE.startswith(make_systems.head(board))
    assert PAGE.endswith(make_systems.systems_table())


def test_the_page_counts_its_rows():
    numbers = {}
    for title, (runs, results, faithful, partial, stand_ins), rows in sections():
        assert len(rows) == results == faithful + partial + stand_ins
        labels = [label for row in rows for label in row[0].split(" = ")]
        assert len(labels) == runs
        assert sum(row[1] == "nothing" for row in rows) <= faithful
        numbers[title] = (runs, results)
    assert list(numbers) == ["STS Benchmark", "STS 2017", "STS 2012", "STS 2014", "STS 2015", "STS 2016"]
    assert numbers["STS Benchmark"][0] == sum(len(system.runs) for system in shipped_systems().values())


def test_every_row_of_the_page_says_what_its_runs_lack():
    labels = {
        system.name if len(system.runs) == 1 else f"{system.name} {name}": run
        for system in shipped_systems().values()
        for name, run in system.runs.items()
    }
    for _, _, rows in sections():
        for row in rows:
            for label in row[0].removesuffix(" (stand-in)").split(" = "):
                for lack in labels[label.removesuffix(" (stand-in)")].lacks:
                    assert lack.short in row[1], label


def test_no_row_of_figures_stands_twice():
    for title, _, rows in sections():
        figures = [tuple(re.findall(r"\d+\.\d\d", " ".join(row[2:]))) for row in rows]
        if title != "STS Benchmark":  # there rows were joined by their scores, not by their figures
            assert len(set(figures)) == len(figures)
    assert "\u2020" not in PAGE
