import re
from shutil import which

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest
from samewise.ensemble.evaluation.metrics import pearson_interval
from samewise.ensemble.evaluation.system_comparison import compare
from samewise.research.systems import Outcome, System
from samewise.research.systems.markdown_tables import markdown, text
from samewise.research.systems.scoreboard import Scoreboard
from samewise.research.systems.specification import Lack, Member, Run
from samewise.research.systems.systems_report import COMPARED, systems_report, write_scoreboard

from ...ensemble.reports.test_reports import ACTIVE, HOSTILE, Reader

GOLD = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
# Sums of products with gold less its mean, (-2, -1, 0, 1, 2), over the root of the sums of squares.
RIGHT, SWAPPED, TURNED = GOLD, GOLD[[0, 1, 2, 4, 3]], GOLD[::-1]
DRAWN = "document.documentElement.scrollWidth <= innerWidth"


def system(name="mine", lacks=(), rebuild=None, **runs):
    """A system with runs, each given by what was published of it."""
    near = {"rebuild": rebuild or ("partial" if lacks else "faithful"), "lacks": tuple(map(Lack.parse, lacks))}
    members = {"m": Member(("length.*",), "ridge")}
    made = {run: Run(members, published=published, **near) for run, published in (runs or {"only": {}}).items()}
    return System(name, f"Title of {name}", "Me (2020)", made)


def outcome(of, run, name, scores, gold=GOLD, seconds=30.0, failure=None):
    return Outcome(of, run, name, gold, scores, seconds, of.runs[run].lacks, failure)


def drawn(n=200, runs=4, name="STS Benchmark test", seed=0):
    """Runs whose scores are more and more noisy."""
    rng = np.random.default_rng(seed)
    gold, noise = rng.uniform(0, 5, n), rng.normal(size=n)
    made = system(**{f"run{k}": {} for k in range(runs)})
    scores = [gold + (0.9 + k / 20) * noise + rng.normal(0, 0.3, n) for k in range(runs)]
    return [outcome(made, f"run{k}", name, column, gold) for k, column in enumerate(scores)]


def row_of(markdown, start):
    return next(line for line in markdown.splitlines() if line.startswith(f"| {start} "))


def test_figures_by_hand():
    ecnu = system("ecnu", first={"sts2017": "ECNU", "stsbenchmark": "ECNU GB"}, second={})
    outcomes = [
        outcome(ecnu, "first", "track 5", SWAPPED),
        outcome(ecnu, "second", "track 5", TURNED),
        outcome(ecnu, "first", "STS Benchmark test", RIGHT),
        outcome(ecnu, "first", "STS Benchmark dev", SWAPPED),
    ]
    table = Scoreboard(outcomes).to_table().to_pylist()
    assert [(row["run"], row["set"]) for row in table] == [
        ("first", "track 5"),
        ("second", "track 5"),
        ("first", "STS Benchmark dev"),
        ("first", "STS Benchmark test"),
    ]
    # 4 + 1 + 0 + 2 + 2 of 10, all turned round, and all.
    assert [row["pearson"] for row in table] == pytest.approx([0.9, -1.0, 0.9, 1.0])
    assert [row["published"] for row in table] == [0.8518, None, 0.836, 0.802]
    assert [row["difference"] for row in table] == [
        pytest.approx(0.0482),
        None,
        pytest.approx(0.064),
        pytest.approx(0.198),
    ]
    assert [row["n"] for row in table] == [5] * 4
    assert [(row["low"], row["high"]) for row in table] == [
        pytest.approx(pearson_interval(GOLD, scores)) for scores in (SWAPPED, TURNED, SWAPPED, RIGHT)
    ]


def test_tests_against_the_best_are_those_of_compare():
    outcomes = drawn()
    found = Scoreboard(outcomes).to_table().to_pylist()
    expected = compare(outcomes[0].gold, {one.run: one.scores for one in outcomes}, reference="run0")
    assert max(found, key=lambda row: row["pearson"])["run"] == "run0"
    assert (found[0]["p_best"], found[0]["p_best_holm"]) == (None, None)
    for row, other in zip(found[1:], expected.rows[1:], strict=True):
        assert row["pearson"] == pytest.approx(other.evaluation.pearson)
        assert (row["low"], row["high"]) == (other.evaluation.pearson_low, other.evaluation.pearson_high)
        assert row["p_best"] == pytest.approx(other.difference.p)
        assert row["p_best_holm"] == pytest.approx(other.difference.p_holm)


def test_marks_are_of_runs_that_chance_does_not_tell_from_the_best():
    outcomes = drawn(runs=6)
    scores = list(Scoreboard(outcomes).scores())
    assert [score.best for score in scores] == [True] + [False] * 5
    assert [score.tied for score in scores] == [p is None or p > 0.05 for p in (score.p_best for score in scores)]
    assert {score.tied for score in scores} == {True, False}


def test_the_same_scores_up_to_a_line_are_tied_and_constant_ones_are_not():
    made = system(a={}, b={}, c={})
    given = {"a": SWAPPED, "b": 2 * SWAPPED + 1, "c": np.ones(5)}
    a, b, c = Scoreboard([outcome(made, run, "track 5", scores) for run, scores in given.items()]).scores()
    assert (a.best or b.best, a.tied, b.tied, c.tied) == (True, True, True, False)
    assert (a.p_best, b.p_best, c.p_best) == (None, None, None)
    assert (c.pearson, c.low, c.high) == (0.0, -1.0, 1.0)


def test_runs_that_failed_are_told_and_leave_the_others():
    made = system(good={}, bad={"sts2017": "ECNU"}, odd={}, none={})
    outcomes = [
        outcome(made, "good", "track 5", SWAPPED),
        outcome(made, "bad", "track 5", None, failure="the net needs torch"),
        outcome(made, "odd", "track 5", np.array([0, 1, 2, 3, np.nan])),
        outcome(made, "none", "track 5", None),
    ]
    board = Scoreboard(outcomes)
    table = board.to_table().to_pylist()
    assert [row["pearson"] for row in table] == [pytest.approx(0.9), None, None, None]
    assert [row["failure"] for row in table] == [
        None,
        "the net needs torch",
        "not all of its scores are finite numbers",
        "it gave no scores",
    ]
    shown = markdown(board)
    assert row_of(shown, "mine bad") == "| mine bad | nothing | ECNU | failed |  | 85.18 |  |"
    assert "## Runs that failed\n\n- mine bad: the net needs torch\n" in shown
    assert "samewise: mine good" in shown
    assert "samewise: mine bad" not in shown
    assert "3 failed" in systems_report(board)
    systems_report(Scoreboard(outcomes[1:]))


def test_weighted_means_of_a_year_by_hand():
    """2013 has three files: correlations of 0.9, -1 and 1 on 5, 5 and 10 pairs have the mean (4.5 - 5 + 10) / 20."""
    made = system(run={"sts2013": "UMBC"})
    twice = np.concatenate([GOLD, GOLD])
    outcomes = [
        outcome(made, "run", "2013 headlines", SWAPPED),
        outcome(made, "run", "2013 FNWN", TURNED),
        outcome(made, "run", "2013 OnWN", twice, twice),
    ]
    [group] = Scoreboard(outcomes).groups
    assert group.columns == ("headlines", "FNWN", "OnWN", "mean")
    assert group.lines[0].summaries == {"mean": pytest.approx(0.475)}
    shown = markdown(Scoreboard(outcomes))
    assert row_of(shown, "mine").endswith("| 47.50 |")
    assert row_of(shown, "published: UMBC") == "| published: UMBC |  |  |  |  | 61.81; \u221214.31 |"
    [without] = Scoreboard(outcomes[:2]).groups
    assert without.columns == ("headlines", "FNWN")
    assert "20 pairs" in systems_report(Scoreboard(outcomes))


def test_all_of_2012_and_the_primary_score_of_2017():
    made = system()
    files = ("MSRvid", "MSRpar", "SMTeuroparl", "surprise.SMTnews", "surprise.OnWN")
    scores = [SWAPPED + k for k in range(5)]
    [group] = Scoreboard(
        [outcome(made, "only", f"2012 {name}", one) for name, one in zip(files, scores, strict=True)]
    ).groups
    [line] = group.lines
    assert line.summaries["mean"] == pytest.approx(0.9)
    assert line.summaries["allnrm"] == pytest.approx(0.9)
    assert line.summaries["all"] == pytest.approx(np.corrcoef(np.tile(GOLD, 5), np.concatenate(scores))[0, 1])
    tracks = ("1", "2", "3", "4a", "4b", "5", "6")
    given = [SWAPPED] * 6 + [TURNED]
    outcomes = [outcome(made, "only", f"track {track}", one) for track, one in zip(tracks, given, strict=True)]
    [group] = Scoreboard(outcomes).groups
    assert group.lines[0].summaries == {"primary": pytest.approx((6 * 0.9 - 1) / 7)}
    assert group.key == "primary"
    assert [group.heading(column) for column in group.columns][:2] == ["primary", "track 1"]
    assert Scoreboard(outcomes[1:4]).groups[0].columns == ("2", "3", "4a")


def test_the_ranking_holds_what_was_published_and_ours():
    made = system(good={}, bad={})
    [group] = Scoreboard([outcome(made, "good", "track 5", SWAPPED), outcome(made, "bad", "track 5", TURNED)]).groups
    labels = [entry.label for entry in group.ranking()]
    assert len(labels) == 77 + 2
    assert labels[:3] == ["mine good", "RTV 3", "RTV"]
    assert labels[-2:] == ["hjpwhu 2", "mine bad"]


def test_markdown_as_a_whole():
    made = system("ecnu", ["Paragram: none"], seven={"stsbenchmark": "ECNU EN-seven"})
    shown = markdown(Scoreboard([outcome(made, "seven", "STS Benchmark test", SWAPPED)], "seed 0"))
    low, high = (100 * end for end in pearson_interval(GOLD, SWAPPED))
    header = (
        "| run | lacks (instead) | published as | test | 95 % interval | published | difference |\n"
        "| --- | --- | ---" + " | ---:" * 4 + " |"
    )
    ours = f"| ecnu | Paragram (none) | ECNU EN-seven | **90.00** | {low:.2f} to {high:.2f} | 81.0 | +9.00 |"
    tally = "Runs: 1. Distinct results: 1 (0 faithful, 1 partial, 0 of stand-ins alone)."
    assert f"Run with: seed 0\n\n## STS Benchmark\n\n{tally}" in shown
    assert f"\n\n{header}\n{ours}\n\n### STS Benchmark: all published rows and our rebuilds\n" in shown
    assert "| samewise: ecnu | **90.00** |  |\n| ECNU EN-seven | 81.0 | Cer et al. (2017) |\n" in shown
    band = "| ecnu | STS Benchmark test | 90.00 | at least 81 | within | mean of three trees and four networks |"
    assert band in shown
    assert "\n\n## Systems\n\n- ecnu: Title of ecnu. Me (2020)\n" in shown
    assert shown.endswith("All fits took about 1 min, those that runs share counted for each.\n")
    for table in re.findall(r"(?:^\|.*\n)+", shown, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_seconds_of_a_fit_count_once_for_all_its_sets():
    made = system()
    outcomes = [
        outcome(made, "only", "STS Benchmark dev", SWAPPED, seconds=60.0),
        outcome(made, "only", "STS Benchmark test", SWAPPED, seconds=60.0),
        outcome(made, "only", "track 5", SWAPPED, seconds=120.0),
    ]
    assert Scoreboard(outcomes).seconds == 180.0


def test_runs_that_share_a_remark_share_its_line():
    members = {"m": Member(("length.*",), "ridge")}
    runs = {"a": Run(members, note="one"), "b": Run(members, note="one"), "c": Run(members, note="two")}
    made, other = System("ecnu", "Title", "Me (2020)", runs), system("bit", a={}, b={})
    outcomes = [outcome(of, run, "track 5", SWAPPED) for of in (made, other) for run in of.runs]
    assert Scoreboard(outcomes).remarks == {"Notes": {"ecnu (a, b)": "one", "ecnu c": "two"}}


def crowd():
    """Four runs on two sets: three give the same scores for every pair, of them two stand-ins; one other stand-in."""
    vectors = system("vectors", ["GloVe: ours"], "stand-in", mean={"stsbenchmark": "GloVe average"}, other={})
    network = system("network", ["GloVe: ours", "SNLI"], proj={})
    multilingual = system("many", ["vectors of many languages: GloVe"], "stand-in", only={"stsbenchmark": "SIF"})
    same = {"STS Benchmark dev": SWAPPED, "STS Benchmark test": RIGHT}
    # The same correlations, but other scores: not the same result.
    scaled = {name: 2 * scores for name, scores in same.items()}
    return [
        outcome(made, run, name, scores)
        for made, run, of_run in (
            (vectors, "mean", same),
            (vectors, "other", scaled),
            (network, "proj", same),
            (multilingual, "only", same),
        )
        for name, scores in of_run.items()
    ]


def test_runs_with_the_same_scores_for_every_pair_are_one_result():
    [group] = Scoreboard(crowd()).groups
    assert [[line.label for line in result.lines] for result in group.results] == [
        ["vectors other"],
        ["network", "vectors mean", "many"],
    ]
    # The row stands where its nearest run does, and names the others as what they are.
    assert [result.label for result in group.rebuilds] == ["network = vectors mean (stand-in) = many (stand-in)"]
    assert [result.label for result in group.stand_ins] == ["vectors other"]
    assert group.tally == "Runs: 4. Distinct results: 2 (0 faithful, 1 partial, 1 of stand-ins alone)."
    assert group.rebuilds[0].lacks == (
        "network: GloVe (ours); SNLI. vectors mean: GloVe (ours). many: vectors of many languages (GloVe)"
    )


def test_one_other_score_makes_another_result():
    made = system(a={}, b={})
    nearly = RIGHT.copy()
    nearly[0] = np.nextafter(0.0, 1.0)
    for scores, expected in ((RIGHT.copy(), 1), (nearly, 2)):
        on_dev = [outcome(made, run, "STS Benchmark dev", SWAPPED) for run in "ab"]
        on_test = [outcome(made, "a", "STS Benchmark test", RIGHT), outcome(made, "b", "STS Benchmark test", scores)]
        [group] = Scoreboard([*on_dev, *on_test]).groups
        assert len(group.results) == expected
    # A run that was not scored on the other set is another result, and so is one that failed.
    [group] = Scoreboard([*on_dev, on_test[0]]).groups
    assert len(group.results) == 2
    failed = [outcome(made, run, "track 5", None, failure="no torch") for run in "ab"]
    [group] = Scoreboard(failed).groups
    assert len(group.results) == 2
    assert group.tally.startswith("Runs: 0. Distinct results: 0 (0 faithful, 0 partial, 0 of stand-ins alone).")


def test_a_row_of_several_runs_holds_all_that_is_published_of_them():
    shown = markdown(Scoreboard(crowd()))
    cells = [cell.strip() for cell in row_of(shown, "network").strip("| ").split("|")]
    assert cells[0] == "network = vectors mean (stand-in) = many (stand-in)"
    assert cells[2] == "GloVe average; SIF"
    # Ours are 90 on dev and 100 on test.
    assert [cells[k] for k in (3, 5, 6)] == ["**90.00**", "52.4; 80.1", "+37.60; +9.90"]
    assert [cells[k] for k in (7, 9, 10)] == ["**100.00**", "40.6; 72.0", "+59.40; +28.00"]


def test_stand_ins_have_a_table_of_their_own_and_no_place_in_the_ranking():
    board = Scoreboard(crowd())
    shown = markdown(board)
    start = shown.index("### STS Benchmark: stand-ins")
    end = shown.index("### STS Benchmark: all published rows and our rebuilds")
    assert "| vectors other | GloVe (ours) |  | **90.00** |" in shown[start:end]
    assert "| vectors other |" not in shown[:start]
    assert "samewise: network = vectors mean" in shown[end:] and "samewise: vectors other" not in shown
    page = systems_report(board)
    assert "Stand-ins on dev" in page and "Stand-ins on test" in page
    assert board.groups[0].tally in page and "of 3 systems; 0 failed" in page
    assert page.count("lacks: <bdi>GloVe (ours)</bdi>") == 2
    alone = [one for one in crowd() if one.run == "other"]
    shown = markdown(Scoreboard(alone))
    assert "| vectors | " not in shown and "| vectors other | GloVe (ours) |" in shown
    systems_report(Scoreboard(alone))


def test_wide_tables_have_a_row_for_every_published_run():
    made = system("ours", ["SNLI: STS labels", "a thesaurus"], a={"sts2013": "UMBC"}, b={"sts2013": "UMBC"})
    sets = ("2013 headlines", "2013 FNWN", "2013 OnWN")
    shown = markdown(Scoreboard([outcome(made, run, name, SWAPPED) for run in "ab" for name in sets]))
    assert row_of(shown, "ours a = ours b").startswith(
        "| ours a = ours b | SNLI (STS labels); a thesaurus | **90.00** ("
    )
    assert shown.count("| published: UMBC |  |  |  |  | 61.81; +28.19 |") == 2
    # All that is published of this year stands above; the ranking has only what it ranks by.
    ranking = shown[shown.index("### STS 2013: all published rows") :]
    header = "| run | weighted mean |\n| --- | ---: |\n"
    assert f"{header}| samewise: ours a = ours b | 90.00 |\n| UMBC | 61.81 |\n" in ranking
    other = system(only={})
    shown = markdown(Scoreboard([outcome(other, "only", name, SWAPPED) for name in sets]))
    assert "| run | headlines | FNWN | OnWN | weighted mean |" in shown[shown.index("all published rows") :]


def test_files_hold_every_run_and_say_which_are_the_same():
    rows = {(row["system"], row["run"], row["set"][-4:]): row for row in Scoreboard(crowd()).to_table().to_pylist()}
    assert len(rows) == 8
    facts = [(row["rebuild"], row["lacks"], row["stand_ins"], row["same_scores_as"]) for row in rows.values()]
    assert facts[:4] == [
        ("stand-in", "GloVe", "GloVe: ours", "network; many"),
        ("stand-in", "GloVe", "GloVe: ours", None),
        ("partial", "GloVe; SNLI", "GloVe: ours; SNLI: left out", "vectors mean; many"),
        ("stand-in", "vectors of many languages", "vectors of many languages: GloVe", "network; vectors mean"),
    ]
    [row] = Scoreboard([outcome(system(), "only", "track 5", RIGHT)]).to_table().to_pylist()
    assert (row["rebuild"], row["lacks"], row["stand_ins"], row["same_scores_as"]) == ("faithful", None, None, None)


def test_files_are_written_alike_each_time(tmp_path):
    outcomes = drawn(n=40)
    first = write_scoreboard(Scoreboard(outcomes, "seed 0"), tmp_path / "a" / "deep")
    second = write_scoreboard(Scoreboard(outcomes, "seed 0"), tmp_path / "b")
    assert [path.name for path in first] == ["results.parquet", "results.csv", "scoreboard.md", "scoreboard.html"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    table = Scoreboard(outcomes).to_table()
    assert pyarrow.parquet.read_table(first[0]).equals(table)
    assert pyarrow.csv.read_csv(first[1]).column_names == table.column_names
    assert first[2].read_text(encoding="utf-8").startswith("# Scoreboard\n\n")
    names = "system run set n pearson low high published difference p_best p_best_holm seconds stand_ins failure"
    names += " rebuild lacks same_scores_as"
    assert table.column_names == names.split()


def hostile_board(name):
    near = {"rebuild": "partial", "lacks": (Lack(name, name),)}
    runs = {"a": Run({}, published={"sts2017": "ECNU"}, note=name, **near), name: Run({}, **near)}
    made = System(name, name, name, runs)
    return Scoreboard([outcome(made, "a", "track 5", SWAPPED), outcome(made, name, "track 5", RIGHT)], name)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    page, plain = Reader(systems_report(hostile_board(name), title=name)), Reader(systems_report(hostile_board("b")))
    assert page.tags == plain.tags
    assert ACTIVE.isdisjoint(page.tags)
    assert [key for key, _ in page.attributes] == [key for key, _ in plain.attributes]
    assert any(name in one for one in page.texts)
    shown = markdown(hostile_board(name))
    assert len(shown.splitlines()) == len(markdown(hostile_board("b")).splitlines())
    assert not re.search(r"(?<!\\)[<>]", shown.replace("p > .05", ""))


def test_markdown_of_texts():
    assert text("a|b\n# c  *d* _e_ f_g `h` [i](j) <k>") == r"a\|b \# c \*d\* \_e\_ f_g \`h\` \[i\](j) \<k\>"
    assert text("\x00 x \u2028 y\ud800") == "x y"
    assert text("\\|") == r"\\\|"


def test_a_report_is_one_file_that_asks_nobody_and_runs_nothing():
    page = systems_report(Scoreboard(drawn(n=60, runs=COMPARED + 3), "seed 0"))
    read = Reader(page)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert not re.search(r"https?:|@import|url\((?!#)|\bnan\b", page)
    assert f"The {COMPARED} best results compared with each other" in page
    # Half of the cells beside the diagonal are differences.
    matrix = page[page.index('class="matrix"') : page.index("</table>", page.index('class="matrix"'))]
    assert len(re.findall(r"<td[^>]*>(?:<|&lt;|\.|1<)", matrix)) >= COMPARED * (COMPARED - 1) // 2
    assert len(re.findall(r"<td>[+\u2212]", matrix)) == COMPARED * (COMPARED - 1) // 2


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([], "outcomes must hold at least one run, got none"),
        ([outcome(system(), "only", "my set", GOLD)], "no published table has a column for 'my set'"),
        ([outcome(system(), "only", "track 5", GOLD)] * 2, "runs of track 5 must be distinct, got 'mine' twice"),
        (
            [outcome(system(name), "only", "track 5", GOLD, GOLD + k) for k, name in enumerate("ab")],
            "gold scores of track 5 must be equal in all runs, got different ones for 'a' and 'b'",
        ),
        ([outcome(system(only={"sts2017": "ECNU 4"}), "only", "track 5", GOLD)], "sts2017 has no row 'ECNU 4'"),
        ([outcome(system(), "only", "track 5", GOLD[1:])], "'mine' must have 5 scores for track 5, got 4"),
    ],
)
def test_bad_outcomes_are_named(outcomes, message):
    with pytest.raises(ValueError, match=message):
        Scoreboard(outcomes)


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("there is no Chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("width", [1280, 375])
def test_diamonds_are_where_their_values_are(browser, tmp_path, width):
    ecnu = system("ecnu" * 9, ["x" * 200], seven={"sts2017": "RTV 3", "stsbenchmark": "GloVe average"})
    outcomes = [outcome(ecnu, "seven", name, RIGHT) for name in ("track 5", "STS Benchmark test")]
    paths = write_scoreboard(Scoreboard(outcomes, "s" * 200), tmp_path)
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(paths[-1].as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate(DRAWN)
    lanes, marks = page.locator("td svg.lane:has(.mean)"), page.locator("td svg.lane .mean")
    for k, value in enumerate((0.8547, 0.406)):
        lane, mark = lanes.nth(k).bounding_box(), marks.nth(k).bounding_box()
        place = (mark["x"] + mark["width"] / 2 - lane["x"]) / lane["width"]
        assert place == pytest.approx(value, abs=0.02)
        assert abs(mark["y"] + mark["height"] / 2 - lane["y"] - lane["height"] / 2) < 2
    page.close()
