"""Every block of commands or Python on a page runs, here or in the test of its page, or says why it does not.

A block that is not run has a comment directly above it, which readers do not see: ``<!-- not run: REASON -->``. Blocks
marked ``text``, ``toml``, ``yaml`` and ``json`` show something; one that begins with ``$ `` shows commands, which run.
"""

import csv
import re
import shutil
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .conftest import ROOT
from .tutorials import EXAMPLES, FENCED, Block, allow_only, needs_bash, run_blocks

PAGES = {path.name: path for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])}
SHOWN = {"text", "toml", "yaml", "json"}

ELSEWHERE = {
    "README.md": ("tests/test_docs.py", {"python", "$"}),
    "ablation.md": ("tests/ensemble/experiments/test_ablation.py", {"python"}),
    "adapting.md": ("tests/test_decision_tutorial.py", {"python"}),
    "adding-a-feature.md": ("tests/features/test_recipe_feature.py", {"python", "sh"}),
    "adding-a-language.md": ("tests/features/test_recipe_language.py", {"python", "sh"}),
    "adding-a-published-system.md": ("tests/research/test_recipe_system.py", {"python", "sh"}),
    "adding-a-regressor.md": ("tests/models/test_recipe_regressor.py", {"python", "sh"}),
    "adding-a-table-format.md": ("tests/ensemble/tables/test_recipe_format.py", {"python", "sh"}),
    "decision-tutorial.md": ("tests/test_decision_tutorial.py", {"python", "sh", "$"}),
    "differences.md": ("tests/ensemble/scoring/test_differences_column.py", {"python"}),
    "duplicates-tutorial.md": ("tests/test_duplicates_tutorial.py", {"python", "sh"}),
    "examples.md": ("tests/test_examples.py", {"$"}),
    "explain.md": ("tests/ensemble/core/test_explanation.py", {"python"}),
    "labels-tutorial.md": ("tests/test_labels_tutorial.py", {"python", "sh"}),
    "pyramid.md": ("tests/research/pyramid/test_pyramid.py", {"python", "$"}),
    "python.md": ("tests/test_python_page.py", {"python"}),
    "scales.md": ("tests/test_scales_page.py", {"python", "sh"}),
    "spark.md": ("tests/ensemble/scoring/test_spark.py", {"python"}),
    "start.md": ("tests/test_start_page.py", {"sh"}),
    "systems.md": ("tests/research/systems/test_systems.py", {"python"}),
    "tables.md": ("tests/ensemble/scoring/test_data_frames.py", {"python"}),
    "testing.md": ("tests/test_testing_page.py", {"python"}),
    "training.md": ("tests/ensemble/core/test_pair_features.py", {"python"}),
    "tutorial.md": ("tests/test_tutorial.py", {"python", "sh"}),
}
"""Pages with a test of their own: its module, and the kinds of blocks that it runs."""


class Fenced(NamedTuple):
    """A block of a page: why it is not run, if it is not, and its kind, ``$`` for commands that are shown."""

    reason: str
    kind: str
    block: Block


def fenced(page):
    found = []
    for match in FENCED.finditer(PAGES[page].read_text(encoding="utf-8")):
        block = Block(match["kind"], match["text"])
        shows_commands = block.kind == "text" and block.text.startswith("$ ")
        found.append(Fenced(match["reason"] or "", "$" if shows_commands else block.kind, block))
    return found


def run_here(page):
    """Return the blocks of a page that this module runs."""
    _, elsewhere = ELSEWHERE.get(page, ("", set()))
    return [each.block for each in fenced(page) if not each.reason and each.kind not in SHOWN | elsewhere]


def reports(count, first=0, best=5.0, alike=True, **more):
    """Return pairs of sentences with a score, in turn the same, alike if these are wanted, and of another matter."""
    pairs = []
    for k in range(first, first + count):
        thing, other = ("lift", "lamp", "heater", "door")[k % 4], ("printer", "sink", "window")[k % 3]
        text = f"The {thing} on floor {k} is broken."
        pairs.append((text, f"On floor {k} the {thing} is broken.", 0.96))
        if alike:
            pairs.append((text, f"The {thing} and the {other} on floor {k} were repaired.", 0.4))
        pairs.append((f"The {other} of house {k} leaks.", f"Lunch for {k} guests was served at noon.", 0.02))
    names = ("sentence1", "sentence2", "score")
    return [dict(zip(names, (a, b, best * score), strict=True)) | more for a, b, score in pairs[:count]]


def texts(*rows):
    return [{"text": row} for row in rows]


def sentences(column, count):
    return "".join(f"{row[column]}\n" for row in reports(count))


def vectors():
    words = sorted(set(re.findall(r"\w+", (sentences("sentence1", 60) + sentences("sentence2", 60)).lower())))
    values = np.random.default_rng(0).normal(size=(len(words), 300)).round(3)
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, values, strict=True))


LUNCH = [{"sentence1": "La comida está lista.", "sentence2": "Lunch is ready."}]
TABLES = {
    "README.md": {
        "fifty-labels.csv": reports(20, best=1.0),
        "labelled.csv": reports(200, first=50, best=1.0, alike=False),
        "new.csv": reports(9, first=300),
        "questions.csv": texts("Where is the lift?", "Where can I find the lift?", "When is lunch?"),
        "tickets.csv": texts("The lift is stuck.", "My lamp flickers."),
        "answers.csv": texts("A stuck lift is freed by the caretaker.", "Lamps are replaced on Monday."),
    },
    "adapting.md": {"fifty-labels.csv": reports(20, best=1.0)},
    "batch.md": {"pairs.parquet": reports(9)},
    "decisions.md": {
        "labelled.csv": reports(200, alike=False),
        "new.csv": reports(300, first=300),
    },
    "evaluation.md": {
        "sts-dev.csv": reports(15, genre="news") + reports(15, first=50, genre="forums"),
        "sts-test.csv": reports(30, first=100),
        "test.csv": reports(30),
    },
    "explain.md": {"pairs.csv": reports(3)},
    "labelling.md": {"pairs.csv": reports(30), "known.csv": reports(9, first=50)},
    "languages.md": {"pairs.csv": LUNCH},
    "selection.md": {
        "pool.csv": reports(300, source="desk") + reports(300, first=300, source="phone"),
        "done.csv": reports(30),
        "news.txt": sentences("sentence1", 90),
        "headlines.txt": sentences("sentence2", 90),
    },
    "serving.md": {"questions.csv": [{"key": "Q1", "question": "How can I return shoes?"}]},
    "tables.md": {"pairs.csv": "sentence1,sentence2\nÇay soğudu.,Soğuk bir çay.\n".encode("cp1254")},
    "training.md": {
        "mine.csv": reports(60),
        "held-out.csv": reports(30, first=100),
        "test.csv": reports(30, first=200, source="desk"),
        "sts-train.csv": reports(210),
        "sts-dev.csv": reports(30, first=300),
    },
    "vectors.md": {"glove.6B.300d.txt": vectors(), "mine.csv": reports(60), "pairs.csv": reports(6)},
}
"""Files that the blocks of a page read, by page and by name."""

NAMES = """
import csv

import numpy as np
import samewise

with open("labelled.csv", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
pairs = others = [(row["sentence1"], row["sentence2"]) for row in rows]
labels = np.array([float(row["score"]) for row in rows])
model = samewise.load("surface")
"""
"""The names that the Python of decisions.md says nothing of."""

BEFORE = """
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
pip() { :; }  # the tests have what the pages install
service=
stop() { if [ "$service" ]; then kill "$service"; wait "$service" || true; service=; fi; }
trap stop EXIT
samewise() {
    local word profile="--profile surface"
    for word; do
        shift
        case $word in
            full | fast) word=surface ;;
            --model | --profile) profile= ;;
        esac
        set -- "$@" "$word"
    done
    case $1 in
        predict | evaluate | score | match | dedupe) "$PYTHON" -m samewise "$@" $profile ;;
        serve) serve "$@" --workers 1 --port 0 ;;
        *) "$PYTHON" -m samewise "$@" ;;
    esac
}
serve() {
    stop
    rm -f service.txt
    touch service.txt
    (exec "$PYTHON" -m samewise "$@") > service.txt &
    service=$!
    until address=$(grep -o 'http://[^ ]*' service.txt); do kill -0 "$service"; sleep 0.1; done
}
curl() { command curl -sSf --noproxy '*' "${@/http:\\/\\/127.0.0.1:8000/$address}"; echo; }
"""
"""Lines of the shell: `surface` stands in for the larger profiles, and a service runs beside what follows it.

Loading the larger profiles would take most of the time; other tests hold what each of them answers.
"""


NEEDS = {"evaluation.md": "samewise_benchmark", "languages.md": "samewise_languages"}
"""Distributions of models that a page uses."""


def write(path, content):
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(content), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, content[0])
            table.writeheader()
            table.writerows(content)


def needed(page):
    return () if {block.kind for block in run_here(page)} == {"python"} else (needs_bash,)


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, marks=needed(page)) for page in PAGES if run_here(page)])
def test_blocks_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    if page in NEEDS:
        pytest.importorskip(NEEDS[page], reason="a model of the page is not installed")
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
    for name, content in TABLES.get(page, {}).items():
        write(tmp_path / name, content)
    monkeypatch.chdir(tmp_path)
    allow_only((), monkeypatch)
    chosen = run_here(page)
    if page == "decisions.md":
        chosen.insert(0, Block("python", NAMES))
    if page == "serving.md":  # one terminal, in which a service runs
        chosen = [Block("sh", "".join(block.text for block in chosen))]
    if page == "vectors.md":
        (tmp_path / "elsewhere").symlink_to(tmp_path)
        chosen = [
            block._replace(text=block.text.replace("/elsewhere", "elsewhere").replace("full,", "surface,"))
            for block in chosen
        ]
    ran = run_blocks(chosen, page, capsys, BEFORE)
    if page in ("differences.md", "explain.md"):
        [(shown, printed, _)] = [each for each in ran if each[0].kind == "text"]
        lines = iter(printed.splitlines())
        for line in shown.text.splitlines()[1:]:
            assert line == "..." or line in lines, f"{line}\n{printed}"


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs_or_says_why_not(page):
    found = fenced(page)
    fences = re.findall(r"^ *(?:```|~~~)", PAGES[page].read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(fences) == 2 * len(found), "a block begins with ``` and a word at the start of a line, and ends with ```"
    assert {each.kind for each in found} <= {"python", "sh", "$", *SHOWN}, "mark what the block is"
    assert not any(each.reason and each.kind in SHOWN for each in found), "what is only shown needs no reason"
    module, elsewhere = ELSEWHERE.get(page, ("", set()))
    assert elsewhere <= {each.kind for each in found if not each.reason}, "take out what is not on the page any more"
    assert not module or page in (ROOT / module).read_text(encoding="utf-8"), f"{module} does not run {page}"


def test_tables_are_those_of_pages_that_run_here():
    assert set(TABLES) <= {page for page in PAGES if run_here(page)}
    for page, tables in TABLES.items():
        commands = " ".join(block.text for block in run_here(page))
        assert not [name for name in tables if name not in commands], page
