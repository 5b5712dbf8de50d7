"""The figures of the pages come from one data file, or a note says when they were measured."""

import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from samewise.models.bundle import signature
from samewise.models.profiles import ALL_PROFILES, profile_folder

from .conftest import ROOT

sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "benchmarks")]

import make_results  # noqa: E402
import repeat_results  # noqa: E402
from make_results import NOTE, PAGES, Figures, typed  # noqa: E402

BLOCK = re.compile(r"<!-- results: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
TEMPLATES = sorted((ROOT / "docs/templates/results").glob("*.md"))
NOTED = [page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")) if NOTE.search(page.read_text("utf-8"))]
"""Pages that say of figures that they were measured once."""


@pytest.fixture(scope="module")
def figures():
    return Figures.read()


def small(**series):
    one = {"what": "a", "kind": "repeated", "run": "r", "command": "c", "form": ".3f", "values": {"x": 0.8}}
    return Figures({}, {"r": {}}, {"s": {**one, **series}})


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_pages_and_drawing_are_those_of_the_data_file(figures):
    assert make_results.stale(figures) == [], "run python docs/make_results.py"


def test_no_figure_is_typed_without_a_note():
    assert make_results.untraced() == {}, "take it from docs/results/figures.json, or add a note (docs/make_results.py)"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_no_figure_is_typed_in_a_template(path):
    page = re.sub(r"\{[^}]*\}", "", path.read_text(encoding="utf-8"))
    assert typed(page, every=True) == []


@pytest.mark.parametrize("path", NOTED, ids=lambda path: path.stem)
def test_a_note_stands_where_figures_are(path):
    page = NOTE.sub("", path.read_text(encoding="utf-8"))
    assert typed(page, every=False), "the page has no figures that were measured once: remove the note"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_that_quotes_figures_has_no_note_on_all_of_them(path):
    assert "page" not in [note[1].split()[-1] for note in NOTE.finditer(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_figure_ends_no_paragraph(path):
    # Markdown takes a line that begins with a comment for a block of HTML.
    assert not re.search(r"^\s*(?:[-*] |\d+\. )?<!--(?:fig|/)", path.read_text(encoding="utf-8"), re.MULTILINE)


FAR = " and so on" * 5
PAGE = f"""# A

0.81{FAR}

## B

NOTE

- **Tried**: it had{FAR}
  0.82{FAR}
- **Seen**: 0.83{FAR}

### C

0.84{FAR}

## D

0.85
"""


@pytest.mark.parametrize(
    ("note", "left"),
    [
        ("Figures", ["0.81", "0.82", "0.83", "0.84", "0.85"]),
        ("Figures on this page were measured once, when made; `make results` does not print them again.", []),
        (
            "Figures in this section were measured once, on\na day; `make results` does not\nprint them again.",
            ["0.81", "0.85"],
        ),
        (
            "Figures under *Tried* were measured once, when tried; `make results` does not print them again.",
            ["0.81", "0.83", "0.84", "0.85"],
        ),
        (
            "Figures under *Tried* and *Seen* were measured once, on a day; `make results` does not print them again.",
            ["0.81", "0.84", "0.85"],
        ),
        ("Figures on this page were measured once.", ["0.81", "0.82", "0.83", "0.84", "0.85"]),
    ],
)
def test_a_note_covers_what_it_names(note, left):
    assert [re.findall(r"0\.8\d", words) for words in typed(PAGE.replace("NOTE", note), every=True)] == [
        [figure] for figure in left
    ]


@pytest.mark.parametrize(
    ("page", "every", "count"),
    [
        ("It has 3.4.", False, 0),
        ("It has 3.4.", True, 1),
        ("It takes 3.4 ms.", False, 1),
        ("It has 3.41.", False, 1),
        ("`0.81`, [a](b-0.81.md), Python 3.11 to 3.13, 0.1.0, CC BY-SA 4.0", True, 0),
        ("```\n0.81\n```\n", True, 0),
        ("<!--fig s:x-->0.800<!--/-->", True, 0),
        ("<!-- results: a -->\n0.81\n<!-- end -->\n", True, 0),
    ],
)
def test_what_counts_as_a_typed_figure(page, every, count):
    assert len(typed(page, every)) == count


def test_figures_in_sentences_are_written():
    figures = small(values={"x": 0.8, "of 2012 *": 0.9}, starred="({})")
    page = "It has <!--fig s:x-->?<!--/--> or <!--fig s:x +.1f-->?<!--/--> and\n<!--fig s:of 2012 *-->?<!--/-->."
    filled = make_results.filled(figures, page)
    assert re.sub(r"<!--.*?-->", "", filled) == "It has 0.800 or +0.8 and\n0.900."
    assert make_results.rows(figures, ["s", "s"]) == "| x | 0.800 | 0.800 |\n| of 2012 \\* | (0.900) | (0.900) |"


def test_the_data_file_is_as_it_is_written(tmp_path, figures):
    figures.write(tmp_path / "figures.json")
    assert (tmp_path / "figures.json").read_text(encoding="utf-8") == text("docs/results/figures.json")
    assert Figures.read(tmp_path / "figures.json") == figures


def test_the_table_of_profiles_in_the_readme_is_a_block():
    assert BLOCK.findall(text("README.md")) == ["readme-profiles"]
    assert len(text("README.md").splitlines()) <= 150


def test_every_template_is_shown_and_every_figure_quoted_or_drawn(figures):
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert {path.stem for path in TEMPLATES} == set(BLOCK.findall(pages))
    quoted = make_results.quoted(pages + "".join(path.read_text(encoding="utf-8") for path in TEMPLATES))
    for name in figures.series:
        assert name in quoted or name.startswith(("peer-", "speed-encoder")), name


@pytest.mark.parametrize("name", [name for name in ALL_PROFILES if name in Figures.read().models])
def test_signatures_are_those_of_the_models_that_ship(figures, name):
    try:
        folder = profile_folder(name)
    except Exception as error:  # a distribution of its own, which is not installed
        pytest.skip(str(error))
    found = signature(json.loads((folder / "manifest.json").read_text(encoding="utf-8")))
    assert figures.models[name] == found, "the model has changed: run make results and record what it finds"


def test_series_say_what_they_are_and_how_they_are_had(figures):
    for name, series in figures.series.items():
        assert series["what"] and series["values"], name
        assert series["command"] or series["kind"] == "published", name
        for key in series["values"]:
            assert figures.printed(name, key)
    runs = {series["run"] for series in figures.series.values() if series["kind"] == "repeated"}
    assert runs == set(figures.runs) == set(repeat_results.RUNS)
    for run in figures.runs.values():
        assert run["time"] and run["what"] and (run["default"] or run["option"] in ("--held", "--all"))


@pytest.mark.parametrize("kind", ["timed", "published", "kept", "guessed"])
def test_a_series_needs_what_its_kind_needs(tmp_path, kind):
    path = tmp_path / "figures.json"
    small(kind=kind).write(path)
    with pytest.raises(ValueError, match="series 's' must have a kind"):
        Figures.read(path)


@pytest.mark.parametrize(
    ("form", "value", "shown"),
    [
        (".3f", 0.87, "0.870"),
        ("+.2f", -0.35, "−0.35"),
        ("+.2f", 1.02, "+1.02"),
        (",.0f", 2644.4, "2,644"),
        (".0%", 0.911, "91 %"),
        ("d", 14, "14"),
        ("times", 27.8, "28"),
        ("times", 1.78, "1.8"),
    ],
)
def test_figures_are_printed_in_their_form(form, value, shown):
    assert small(form=form, values={"x": value}).printed("s", "x") == shown


@pytest.mark.parametrize(
    ("form", "recorded", "found", "verdict"),
    [
        (".3f", 0.8, 0.8004, "yes"),
        (".3f", 0.8, 0.8014, "near"),
        (".3f", 0.8, 0.7986, "near"),
        (".3f", 0.8, 0.8016, "NO"),
        (".4f", 0.8, 0.801, "near"),
        (".4f", 0.8, 0.8011, "NO"),
        ("+.2f", -0.35, -0.364, "near"),
        ("+.2f", -0.35, 0.35, "NO"),
        (".0%", 0.91, 0.923, "near"),
        (".0%", 0.91, 0.93, "NO"),
        ("d", 14, 14, "yes"),
        ("d", 14, 13, "NO"),
        (".3f", 0.8, float("nan"), "NO"),
    ],
)
def test_a_repeated_figure_is_compared_at_the_printed_precision(form, recorded, found, verdict):
    figures = small(form=form, values={"x": recorded})
    [row] = repeat_results.compared(figures, "r", iter([("s", "x", found)]))
    assert row.verdict == verdict


def test_figures_that_a_run_does_not_give_or_that_are_not_recorded_differ():
    rows = list(repeat_results.compared(small(), "r", iter([("s", "y", 1.0)])))
    assert [(row.name, row.verdict) for row in rows] == [("s:y", "NOT RECORDED"), ("s:x", "NOT FOUND")]


def run_main(monkeypatch, capsys, tmp_path, found, *options):
    path = tmp_path / "figures.json"
    runs = {name: {"default": name == "sizes", "time": "a second"} for name in repeat_results.RUNS}
    small(run="sizes")._replace(runs=runs).write(path)
    monkeypatch.setattr(repeat_results, "FIGURES", path)
    monkeypatch.setitem(repeat_results.RUNS, "sizes", lambda data: iter([("s", "x", found)]))
    monkeypatch.setattr(sys, "argv", ["repeat_results.py", str(tmp_path), *options])
    return repeat_results.main(), capsys.readouterr().out


def test_a_difference_fails_the_run(monkeypatch, capsys, tmp_path):
    code, said = run_main(monkeypatch, capsys, tmp_path, 0.8)
    assert code == 0 and "1 figures, 0 not as recorded; not run: benchmark" in said
    code, said = run_main(monkeypatch, capsys, tmp_path, 0.9, "--json", str(tmp_path / "found.json"))
    assert code == 1 and re.search(r"s:x +0\.800 +0\.900 +NO\n", said)
    assert json.loads((tmp_path / "found.json").read_text()) == {"s": {"x": 0.9}}


def test_what_cannot_run_here_is_said(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(repeat_results.shutil, "which", lambda name: None)
    monkeypatch.setattr(repeat_results, "find_spec", lambda name: None)
    code, said = run_main(monkeypatch, capsys, tmp_path, 0.8, "--only", "languages", "shared-tasks")
    assert code == 0 and "left out: apertium is not installed" in said and "left out: torch is not installed" in said


def test_runs_of_files_need_no_data(figures):
    rows = list(repeat_results.compared(figures, "sizes", repeat_results.sizes(ROOT)))
    assert {row.verdict for row in rows} <= {"yes", "near"}, rows


def test_tracks_are_taken_from_what_evaluate_prints(monkeypatch, figures):
    coverage = {"1": 0.7, "2": 0.8, "3": 0.9, "4a": 0.85, "4b": 0.3, "5": 0.99, "6": 0.75}
    tracks = {track: {"pearson": 0.5, "coverage": share} for track, share in coverage.items()}
    monkeypatch.setattr(repeat_results.shutil, "which", lambda name: name)
    monkeypatch.setattr(repeat_results, "_evaluated", lambda table, *options: {"tracks": tracks})
    found = list(repeat_results.languages(ROOT))
    assert {(name, key) for name, key, _ in found} == set(figures.repeated("languages"))
    assert {value for name, _, value in found if name != "tracks-coverage"} == {50.0}
    inside = {key: value for name, key, value in found if name == "tracks-coverage"}
    assert inside == {"least": 0.7, "most": 0.9, "es-en-4b": 0.3}


def test_speeds_beside_peers_are_taken_over(figures):
    keys = ("surface", "fast", "full", "best", "torch", "rapidfuzz")
    speeds = (3_000.0, 1_000.0, 150.0, 50.0, 100.0, 90_000.0)
    measured = {
        key: {"pairs_per_s": speed, "pearson": None if key == "rapidfuzz" else 0.9, "memory_mb": 512.3, "start_s": 1.26}
        for key, speed in zip(keys, speeds, strict=True)
    }
    new = make_results.with_speeds(figures, measured, {key: f"the {key}" for key in keys})
    assert new.printed("speed", "surface") == "3,000" and new.printed("speed-times", "surface") == "30"
    assert new.printed("speed-times", "best") == "0.5"
    assert make_results.encoder_speed(new) == "100"
    table = make_results.peers_table(new).splitlines()
    assert table[4] == "| the rapidfuzz | 90,000 | 900 | | 512 | 1.3 |"
    assert table[8] == "| the torch | 100 | 1.0 | 0.900 | 512 | 1.3 |"
    assert "90,000" in make_results.filled(new, text("docs/results.md"))
    with pytest.raises(ValueError, match="the speeds must be those of"):
        make_results.with_speeds(figures, {key: measured[key] for key in ("surface", "torch")}, dict.fromkeys(keys, ""))


def test_a_page_that_differs_is_named(tmp_path):
    check = [sys.executable, str(ROOT / "docs/make_results.py"), "--check"]
    assert subprocess.run(check, capture_output=True).returncode == 0
    page = text("README.md")
    changed = page.replace("| strings and tokens |", "| strings |")
    assert changed != page and make_results.filled(Figures.read(), changed) == page


def test_the_drawing_stands_alone(figures):
    drawn = make_results.drawing(figures)
    assert drawn == make_results.drawing(figures)
    root = ElementTree.fromstring(drawn)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("width") == "590"
    assert "href" not in drawn and "url(" not in drawn and "prefers-color-scheme: dark" in drawn
    # Dev, test and SICK have intervals for four profiles each.
    assert drawn.count('class="whisker ') == 12


def test_the_log_of_looks_at_test_ends_with_the_models_that_ship(figures):
    page = text("docs/test-exposures.md")
    others = re.search(r"\| `17564dd` \| ([\d.]+) \| ([\d.]+) \|", page)
    last = re.search(r"\| 2026-11-26 \| .* \| \*\*([\d.]+)\*\* \|", page)
    assert others is not None and last is not None
    for name, logged in zip(("surface-stsb", "fast-stsb", "full-stsb"), (*others.groups(), last[1]), strict=True):
        assert abs(float(logged) - figures.values("test")[name]) <= figures.tolerance("test")
