"""The tables of docs/systems.md: their making from recorded figures, and the tables as they stand."""

import importlib.util
import re

import numpy as np
from samewise.ensemble.evaluation.published_scores import read_table
from samewise.models.member import COLUMN_MEMBERS, MEMBERS
from samewise.research.learners import LEARNERS, SCALES
from samewise.research.networks.research_network import RESEARCH_NETWORKS
from samewise.research.systems import Outcome, Scoreboard, markdown, shipped_systems

from ...conftest import ROOT

TALLY = re.compile(
    r"^Runs: (\d+)\. Distinct results: (\d+) \((\d+) faithful, (\d+) partial, (\d+) of stand-ins alone\)\.$"
)


def _module():
    spec = importlib.util.spec_from_file_location("make_systems", ROOT / "docs" / "make_systems.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_systems = _module()
TABLES = make_systems.tables()


def test_recorded_figures_give_the_tables_that_the_systems_give():
    rng = np.random.default_rng(0)
    systems = [shipped_systems()[name] for name in ("bit", "takelab", "cosine")]
    # A year with all its sets has means; the runs of BIT give the same scores.
    sets = ["STS Benchmark test", "track 5", *(f"2012 {column}" for column in read_table("sts2012").sets)]
    outcomes = []
    for name in sets:
        gold, same = rng.uniform(0, 5, 30), rng.uniform(0, 5, 30)
        for system in systems:
            for run, made in system.runs.items():
                scores = same if system.name == "bit" else gold + rng.normal(size=30)
                outcomes.append(Outcome(system, run, name, gold, scores, 1.0, made.lacks))
    board = Scoreboard(outcomes)
    # The page has STS Benchmark first.
    board.groups = tuple(sorted(board.groups, key=lambda group: group.table.name != "stsbenchmark"))
    recorded = make_systems.RecordedScoreboard(make_systems.figures_of(board))
    expected, made = (markdown(each).partition("## Systems")[0] for each in (board, recorded))
    assert made == expected
    assert "bit information = bit alignment = bit vectors" in made and "ALLnrm" in made


def test_the_page_names_all_learners_networks_and_scales():
    page = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    assert page.count("<!-- generated -->") == 1
    networks = [name for name in (*MEMBERS, *RESEARCH_NETWORKS) if name not in COLUMN_MEMBERS]
    for names in (LEARNERS, networks, SCALES):
        assert ", ".join(f"`{name}`" for name in names) in page


def sections():
    """Yield the title, the tally and the rows of our runs of each table of the page, as lists of cells."""
    for part in re.split(r"^## (?=STS )", TABLES, flags=re.MULTILINE)[1:]:
        before_ranking = re.split(r"^### .*: all published rows", part, flags=re.MULTILINE)[0]
        lines = before_ranking.splitlines()
        tally = next(TALLY.match(line) for line in lines if line.startswith("Runs: "))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
        ours = [row for row in rows if row[0] not in ("run", "---") and not row[0].startswith("published: ")]
        yield lines[0], [int(number) for number in tally.groups()], ours


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
    assert "\u2020" not in TABLES
