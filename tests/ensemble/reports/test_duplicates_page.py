import base64
import hashlib
import html
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.scale import Scale
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.dedupe_files import DedupeRun, DedupeSummary, dedupe_file
from samewise.ensemble.matching.duplicates import Duplicates, Review
from samewise.ensemble.matching.options import PairRule
from samewise.ensemble.matching.pair_scores import ScoredPairs
from samewise.ensemble.matching.texts import TextCollection, TextRows
from samewise.ensemble.reports.duplicates_page import duplicates_report
from samewise.ensemble.scoring.batches import differences_array
from samewise.ensemble.tables.table_reader import TableError
from typer.testing import CliRunner

from .test_reports import ACTIVE, HOSTILE, Reader

LISTED = 50
MEMBERS = 20


class TwoWords:
    """Model that reads two words of each text: the text itself, which is aligned and differs, and one more."""

    scale = Scale()

    def __init__(self):
        self.asked, self.parts = [], {"model": self}

    def aligned_tokens(self, pairs):
        self.asked += pairs
        return [(((a, "the"), ("an", b)), [(0, 1)]) for a, b in pairs]

    def differences(self, pairs):
        return [[Difference("name", a, b, (0,), (1,)), Difference("missing", "the", "", (1,), ())] for a, b in pairs]


def run_of(
    texts,
    representatives,
    pairs,
    scores,
    review=(),
    *,
    ids=None,
    rule=None,
    model=None,
    signature="made-up model",
    source="rows.csv",
    recall=None,
    flags=(),
):
    """Return a run: of each row its representative and pair, of each pair its score, and (row, row, pair, reason)."""
    scores = np.asarray(scores, dtype=np.float64)
    first, second, of_pair, reasons = zip(*review, strict=True) if review else ((), (), (), ())
    places = (np.asarray(column, dtype=np.int64) for column in (first, second, of_pair))
    lacking = differences_array([[Difference("missing", f"clause {place}", "", (), ())] for place in of_pair])
    rows_and_pairs = (np.asarray(column, np.int64) for column in (representatives, pairs))
    groups = Duplicates(*rows_and_pairs, Review(*places, [*reasons], lacking), np.zeros(len(scores), np.bool_))
    nothing = Candidates(TextCollection.of(texts), scores, scores, {})
    numbers = ScoredPairs(
        nothing, scores, scores - 0.5, scores + 0.5, scores * 0, np.zeros(len(scores), np.int32), [flags], 0
    )
    rows = TextRows(texts, None if ids is None else pa.chunked_array([ids]))
    files = {"kept": Path("out.csv"), "removed": Path("out.removed.csv"), "review": Path("out.review.csv")}
    kept = len(set(representatives))
    sizes = Counter(representatives)
    summary = DedupeSummary(
        rows=len(texts),
        kept=kept,
        removed=len(texts) - kept,
        groups=sum(size > 1 for size in sizes.values()),
        equal=sum(row != own and pair < 0 for row, (own, pair) in enumerate(zip(representatives, pairs, strict=True))),
        candidates=len(scores),
        columns=["body"],
        same_from=4.0,
        unsure_from=2.5,
        review=Counter(reasons),
        rows_removed={3.0: 1_234, 4.0: 2},
        recall=recall or {},
        seconds=1.25,
        signature=signature,
    )
    model = model or TwoWords()
    return DedupeRun(source, files, rows, groups, numbers, rule or PairRule(4.0, 2.5), model, summary)


def small_run(text="plain", **settings):
    """Rows 0, 2 and 3 are one group, of which 3 has the text of 0; 1 and 4 are two pairs for review with 0."""
    return run_of(
        [f"{text} one", f"{text} two", f"{text} three", f"{text} one", f"{text} four"],
        [0, 1, 0, 0, 4],
        [-1, -1, 1, -1, -1],
        [3.25, 4.55, 3.75, 1.0, 1.05],
        [(0, 1, 0, "unsure"), (0, 4, 2, "number")],
        ids=[f"{text} a", f"{text} b", None, f"{text} d", f"{text} e"],
        rule=PairRule(4.0, 2.5, ("date", "name")),
        signature=f"{text} model",
        source=f"folder/{text}",
        flags=("long",),
        **settings,
    )


BOXED = [
    ["1", "plain a", "3", "", "plain one", "plain three", "4.55", "removed"],
    ["1", "plain a", "4", "plain d", "plain one", "plain one", "5.00", "removed"],
    ["1", "plain a", "5", "plain e", "plain one", "plain four", "3.75", "number"],
    ["1", "plain a", "2", "plain b", "plain one", "plain two", "3.25", "unsure"],
]
"""Cells of the boxes of `small_run`, from the top."""


def shown_figures(page):
    return dict(re.findall(r"<dt>(.*?)</dt><dd><b>(.*?)</b>", page))


def section(page, name):
    return page[page.index(f'aria-labelledby="{name}"') :].partition("</section>")[0]


def cards(page):
    return [card.partition('<input class="choose"')[0] for card in page.split('<details class="pair">')[1:]]


def texts_of(html):
    return [text for text in Reader(html).texts if text]


def test_the_figures_are_those_of_the_summary():
    page = duplicates_report(small_run(recall={"words": 0.991, "characters": 0.97}))
    assert shown_figures(page) == {
        "Rows": "5",
        "Kept": "3",
        "Removed": "2",
        "Groups": "1",
        "For review": "2",
        "Candidates": "5",
        "Links found": "97.0%",
        "The same from": "4.00",
        "Review from": "2.50",
        "Time": "1.2",
    }
    texts = Reader(page).texts
    for note in (
        "40.0% of the rows; 1 with an equal text",
        "pairs: 1 number, 1 unsure",
        "The texts differ in a way that keeps them apart.",
        "of a sample: 97.0% by characters, 99.1% by words",
        "Differences that keep texts apart, whatever their score: date, name.",
        "out.removed.csv",
        "out.csv",
        "out.review.csv",
        "plain",
        "plain model",
        "by column body",
        "1,234",
    ):
        assert note in texts, note
    assert shown_figures(duplicates_report(small_run()))["Links found"] == "all"


def test_every_candidate_is_in_a_band_and_the_thresholds_are_drawn():
    page = duplicates_report(small_run())
    everything, highest = section(page, "scores1"), section(page, "scores2")
    # The axis is from 58 to 390, for 0 to 5; the highest column is of two candidates, from 1.0 to 1.1.
    columns = re.findall(r'<rect class="box" x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"', everything)
    assert [float(x) for x, *_ in columns] == pytest.approx([124.4, 270.5, 303.7, 356.8], abs=0.15)
    heights = [float(height) for *_, height in columns]
    assert heights == pytest.approx([2 * heights[1], heights[1], heights[1], heights[1]], abs=0.2)
    assert re.findall(r'class="identity" d="M(.*?) ', everything) == ["224.0", "323.6"]
    assert re.findall(r'text-anchor="end" x="[^"]*" y="[^"]*">([a-z ]+)<', everything) == ["review", "the same"]
    rows = dict(re.findall(r'<th scope="row">(.*?)</th><td class="value">(.*?)</td>', everything))
    assert len(rows) == 50
    assert {name: count for name, count in rows.items() if count != "0"} == {
        "1.00 to 1.10": "2",
        "3.20 to 3.30": "1",
        "3.70 to 3.80": "1",
        "4.50 to 4.60": "1",
    }
    # The chart of the highest begins a tenth of the scale below the lower threshold.
    assert "from 2.00 to 5.00" in highest
    assert highest.count('<rect class="box"') == 3


def test_one_threshold_is_one_line():
    page = duplicates_report(small_run()._replace(rule=PairRule(4.0, 4.0)))
    drawn = section(page, "scores1")
    assert re.findall(r'class="identity" d="M(.*?) ', drawn) == ["323.6"]
    assert ">the same</text>" in drawn and ">review</text>" not in drawn


def test_scores_are_shown_on_their_scale():
    model = TwoWords()
    model.scale = Scale(0.0, 100.0)
    run = run_of(["a", "b"], [0, 0], [-1, 0], [91.26], rule=PairRule(80.0, 80.0), model=model)
    page = duplicates_report(run)
    assert "<b>91.3</b> <span>of 100</span> <span>likely between 90.8 and 91.8</span>" in page
    assert shown_figures(page)["The same from"] == "80.0"
    assert "score on 0..100" in page


def test_a_group_lists_its_kept_row_and_the_removed_ones():
    texts = texts_of("<section " + section(duplicates_report(small_run()), "groups") + "</section>")
    assert texts[0] == "The groups"
    # Row 3 (the third) has no id; the lowest score is first, and an equal text has the highest.
    assert texts[2:] == [
        *("kept", "id", "plain a", "plain one"),
        *("4.55", "row", "3", "plain three"),
        *("4.55", "of 5", "likely between 4.05 and 5.05", "flags long", "plain three"),
        *("Kind", "First text", "Second text", "name", "plain one", "plain three", "missing", "the", "(nothing)"),
        *("5.00", "id", "plain d", "plain one", "5.00", "of 5", "equal text", "plain one"),
        "The texts are equal, but for case and form.",
    ]


def test_the_largest_groups_are_listed_and_of_their_members_the_least_sure():
    # Group g has g + 1 removed rows: 0 to 59; their scores fall, so that the last rows are the least sure.
    representatives, pairs, scores = [], [], []
    for size in range(60):
        kept = len(representatives)
        representatives += [kept] * (size + 2)
        pairs += [-1, *range(len(scores), len(scores) + size + 1)]
        scores += (4.9 - 0.01 * np.arange(size + 1)).tolist()
    texts = [f"text {row}" for row in range(len(representatives))]
    page = section(duplicates_report(run_of(texts, representatives, pairs, scores)), "groups")
    assert f"The {LISTED} largest groups" in page
    groups = page.split('<li class="group">')[1:]
    assert len(groups) == LISTED
    removed = [1 + group.partition("<ul")[2].count("<li>") for group in groups]
    assert removed == [1 + min(size, MEMBERS) for size in range(60, 10, -1)]
    assert "And 40 more in" in groups[0] and "more in" not in groups[-1]
    last = representatives[-1]
    assert re.findall(r'dir="auto">text (\d+)<', groups[0])[:3] == [str(last), str(last + 60), str(last + 59)]
    assert "<b>4.31</b>" in groups[0] and "<b>4.90</b>" not in groups[0]


def test_pairs_nearest_to_the_threshold_come_first():
    # Distances from 4.0: 0.75 and 0.25.
    first, second = cards(duplicates_report(small_run()))
    assert re.findall(r'dir="auto">(.*?)</p>', first) == ["plain one", "plain four"]
    assert re.findall(r"<bdi>(plain [ae])</bdi>", first) == ["plain a", "plain e"]
    assert "<b>3.75</b> <span>of 5</span> <span>likely between 3.25 and 4.25</span> <span>flags long</span>" in first
    assert "reason <code>number</code>" in first
    assert "<b>3.25</b>" in second and "reason <code>unsure</code>" in second


def test_a_pair_has_its_score_and_the_thresholds_on_one_scale():
    first, _ = cards(duplicates_report(small_run()))
    # 3.75 with 3.25 to 4.25, and the thresholds 2.5 and 4.0, in percent of 0 to 5.
    assert re.findall(r'class="mark" x1="(.*?)%"', first) == ["75.0"]
    assert re.findall(r'class="band" x="(.*?)%" y="4" width="(.*?)%"', first) == [("65.0", "20.0")]
    assert re.findall(r'class="limit" x1="(.*?)%"', first) == ["50.0", "80.0"]
    assert "3.75 on a scale from 0 to 5, with an interval from 3.25 to 4.25, left for review from 2.50" in first


def test_words_are_joined_and_differences_marked():
    first, _ = cards(duplicates_report(small_run()))
    assert re.findall(r'<path d="(M.*?)"><title>(.*?)</title>', first) == [
        ("M0 0.5C50 0.5 50 1.5 100 1.5", "plain one \u2194 plain four")
    ]
    words = re.findall(r'<span class="word( alone)?" title="(.*?)">(<mark>)?', first)
    assert words == [
        ("", "plain one", "<mark>"),
        (" alone", "the", "<mark>"),
        (" alone", "an", ""),
        ("", "plain four", "<mark>"),
    ]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>', first)
    assert rows == [
        ("name", "<bdi>plain one</bdi>", "<bdi>plain four</bdi>"),
        ("missing", "<bdi>the</bdi>", '<span class="quiet">(nothing)</span>'),
    ]


def test_places_in_a_translation_mark_no_other_word():
    class Translated(TwoWords):
        def differences(self, pairs):
            return [[Difference("name", "Paris", "London", (1,), (7,))] for _ in pairs]

    page = duplicates_report(small_run(model=Translated()))
    assert "<mark>" not in page
    assert page.count("<bdi>Paris</bdi>") == 3


def test_only_pairs_that_are_listed_are_read():
    count = 60
    rows = [f"text {row}" for row in range(2 * count)]
    # The scores rise towards the threshold, and one pair beyond it is nearer than all.
    scores = [*np.linspace(2.5, 3.9, count - 1).tolist(), 4.05]
    review = [(2 * k, 2 * k + 1, k, "unsure" if k < count - 1 else "chain") for k in range(count)]
    rows[2 * 58] = "long " * 300
    model = TwoWords()
    page = duplicates_report(run_of(rows, list(range(2 * count)), [-1] * 2 * count, scores, review, model=model))
    assert len(cards(page)) == LISTED
    assert f"{LISTED} of {count} pairs" in page
    assert "reason <code>chain</code>" in cards(page)[0]
    # The long text is the second pair: it is cut, and has no drawing.
    assert len(model.asked) == LISTED - 1
    assert "(1,500 characters)" in cards(page)[1] and "<details" not in cards(page)[1]
    assert ("text 0", "text 1") not in model.asked


def test_a_drawing_of_many_words_is_folded():
    class Wordy(TwoWords):
        def aligned_tokens(self, pairs):
            return [((tuple("abcdefghijklmnopqrstuvwxyz12345"), ("a",)), [(0, 0)]) for _ in pairs]

    assert '<details class="aligned">' in duplicates_report(small_run(model=Wordy()))
    assert '<details class="aligned" open>' in duplicates_report(small_run())


@pytest.mark.parametrize("texts", [[], ["one", "two"]], ids=["no rows", "no candidates"])
def test_a_run_without_groups_and_pairs(texts):
    page = duplicates_report(run_of(texts, list(range(len(texts))), [-1] * len(texts), []))
    shown = Reader(page).texts
    assert "There are no candidates: no two different texts are close." in shown
    assert "There are no groups: no two rows mean the same." in shown
    assert "There are no pairs for review." in shown
    assert shown_figures(page)["Rows"] == str(len(texts))
    assert "<svg" not in page and not re.search(r"\bnan\b", page)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_stay_texts(hostile):
    page, plain = Reader(duplicates_report(small_run(hostile))), Reader(duplicates_report(small_run()))
    assert page.tags == plain.tags
    assert [name for name, _ in page.attributes] == [name for name, _ in plain.attributes]
    for shown in (f"{hostile} one", f"{hostile} three", f"{hostile} a", f"{hostile} model"):
        assert shown in page.texts


def test_the_page_asks_nobody_and_runs_its_own_script_alone():
    page = duplicates_report(small_run())
    read = Reader(page)
    assert ACTIVE & set(read.tags) == {"script"} and read.tags.count("script") == 1
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = [value for name, value in read.attributes if name == "content" and "-src" in value]
    assert (
        re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-([\w+/=]{44})'; img-src data:; "
            "base-uri 'none'; form-action 'none'",
            policy,
        )[1]
        == digest
    )
    assert "innerHTML" not in script and "fetch" not in script
    assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert [value for name, value in read.attributes if name == "href"] == ["data:,"]
    assert not re.search(r"https?:|@import|url\((?!#)", page)


def test_a_box_holds_the_cells_of_its_pair():
    page = duplicates_report(small_run())
    boxes = re.findall(r'<input class="choose"[^>]* hidden aria-label="(.*?)" value="(.*?)">', page)
    assert [(label, json.loads(html.unescape(value))) for label, value in boxes] == [
        ("Tick row 3", BOXED[0]),
        ("Tick id plain d", BOXED[1]),
        ("Tick id plain a and id plain e", BOXED[2]),
        ("Tick id plain a and id plain b", BOXED[3]),
    ]


def test_a_removed_row_whose_text_is_long_has_no_differences():
    run = run_of(["a " * 600, "b"], [0, 0], [-1, 0], [4.5])
    page = section(duplicates_report(run), "groups")
    assert "so no differences are listed" in page and "First text" not in page


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rows.csv"
    lines = [
        "name,text",
        "k1,The lift in block <script>alert(1)</script> is stuck again.",
        "k2,The lift in block <script>alert(1)</script> is stuck again.",
        "k3,The elevator in block <script>alert(1)</script> got stuck again.",
        "k4,Our rent was raised on 3 May.",
        "k5,Our rent was raised on 4 May.",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def dedupe(table, *options):
    names = (table, "-o", table.with_name("out.csv"), "--column", "text", "--model", "surface", "--workers", "1")
    return CliRunner().invoke(app, ["dedupe", *map(str, (*names, *options))])


def test_the_command_writes_a_page(table):
    page = table.with_name("page.html")
    result = dedupe(table, "--id", "name", "--same-from", "4.9", "--unsure-from", "0", "--report", page)
    assert result.exit_code == 0, result.output
    shown = page.read_text(encoding="utf-8")
    read = Reader(shown)
    assert read.tags.count("script") == 1
    assert "The lift in block <script>alert(1)</script> is stuck again." in read.texts
    assert {"k1", "k2", "equal text", "out.removed.csv", "rows.csv"} <= set(read.texts)
    assert shown_figures(shown)["Removed"] == "1"
    reviewed = table.with_name("out.review.csv").read_text(encoding="utf-8").splitlines()
    assert len(cards(shown)) == len(reviewed) - 1 > 0
    days = next(card for card in cards(shown) if "3 May." in card and "4 May." in card)
    assert "<mark><bdi>3</bdi></mark>" in days and "<mark><bdi>4</bdi></mark>" in days


def test_without_the_option_there_is_no_page(table):
    assert dedupe(table).exit_code == 0
    assert not list(table.parent.glob("*.html"))


@pytest.mark.parametrize("name", ["out.csv", "out.removed.csv", "rows.csv"])
def test_the_page_is_no_other_file_of_the_run(table, name):
    before = table.read_bytes()
    page = table.with_name(name)
    with pytest.raises(TableError, match="must be different files|must not be a file of the input"):
        dedupe_file(table, table.with_name("out.csv"), model="surface", column="text", report=page)
    assert dedupe(table, "--report", page).exit_code != 0
    assert [path.name for path in table.parent.iterdir()] == ["rows.csv"]
    assert table.read_bytes() == before
