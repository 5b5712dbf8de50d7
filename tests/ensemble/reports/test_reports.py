import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.apps.labels.aggregation import Figures, Gold, GoldPair, LeftOut
from samewise.apps.labels.gold_page import gold_report
from samewise.apps.labels.screening import Judgement
from samewise.ensemble.core.explanation import Explanation
from samewise.ensemble.core.scale import YES_OR_NO, Scale
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.evaluation.metrics import evaluate
from samewise.ensemble.evaluation.system_comparison import compare
from samewise.ensemble.reports import (
    ablation_report,
    evaluation_report,
    explanation_report,
    learning_curve_report,
)
from samewise.ensemble.reports.bar_tables import Bar, bars
from samewise.ensemble.reports.html_pages import shortened, signed
from samewise.ensemble.reports.svg_charts import Frame, tick_texts, ticks

HOSTILE = [
    "<script>document.title='broken'</script>",
    "</script></style></title>",
    '"><img src=x onerror="document.title=\'broken\'">',
    "' onmouseover='document.title=1",
    "{{ 7*7 }} {% include 'page.html' %} &lt;b&gt;",
]
VOID = {"meta", "link", "input", "img", "br"}
ACTIVE = {"script", "img", "iframe", "object", "embed", "base", "form", "foreignobject", "a", "use", "image"}


class Reader(HTMLParser):
    """What a page is made of; refuses tags that are not closed."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data.strip())


def scored(n=60, seed=0):
    rng = np.random.default_rng(seed)
    gold = np.round(rng.uniform(0, 5, n), 1)
    score = np.clip(gold + rng.normal(0, 0.7, n), 0, 5)
    return gold, score, np.clip(score - 1, 0, 5), np.clip(score + 1, 0, 5)


def whole_report(text="plain", n=60):
    gold, score, low, high = scored(n)
    return evaluation_report(
        gold,
        score,
        low,
        high,
        groups=[text if k % 3 else f"{text} {k % 9}" for k in range(n)],
        members={text: score / 2, "other": score[::-1]},
        pairs=[(f"{text} {k}", text) for k in range(n)],
        signature=text,
        title=text,
        comparison=compare(gold, {text: score, "other": score[::-1]}, reference=text),
    )


def explained(text="plain", score=3.2):
    return Explanation(
        score,
        score - 1,
        score + 1,
        ("long",),
        2.5,
        {"ngram": 0.9, "word_order": -0.2, "rules": 0.0},
        [(0, 1), (2, 0)],
        ((text, "b", "c"), ("c", text)),
        differences=(Difference("name", text, text, (0,), (1,)), Difference("missing", "b", "", (1,), ())),
    )


def explanations(text="plain"):
    return explanation_report([explained(text)], [(f"{text} b c", f"c {text}")], text, title=text)


@pytest.mark.parametrize(
    ("scale", "score", "low", "high", "shown"),
    [
        (Scale(0.0, 100.0), 73.14, 60.0, 90.0, ("<b>73.1</b>", "of 100", "Likely between 60.0 and 90.0", 'x="60.0%"')),
        (Scale(1.0, 5.0), 2.0, 1.0, 3.0, ("<b>2.00</b>", "on 1..5", "the same topic", 'x="0.0%"', 'width="50.0%"')),
        (YES_OR_NO, 0.62, 0.5, 0.75, ("<b>0.62</b>", "probability of yes", "<h2>Probability</h2>", 'x="50.0%"')),
        (Scale(), 3.25, 2.5, 4.0, ("<b>3.25</b>", "of 5", "roughly the same", 'x="50.0%"', "the score is 5 by rule")),
    ],
)
def test_an_explanation_is_drawn_on_its_scale(scale, score, low, high, shown):
    made = explained()._replace(score=score, low=low, high=high, flags=("identical",))
    page = explanation_report([made], [("a b c", "c a")], "s", scale=scale)
    for text in shown:
        assert text in page, text
    assert f"{scale.text(score)} on a scale from {scale.low:g} to {scale.high:g}" in page
    assert ("the same topic" in page) == (scale == Scale(1.0, 5.0))
    assert f"the score is {scale.high:g} by rule" in page


def test_an_evaluation_of_labels_yes_and_no():
    gold, predicted = np.asarray([0.0, 5.0, 5.0, 0.0]), np.asarray([0.5, 4.5, 1.5, 1.5])
    page = evaluation_report(gold, predicted, signature="s", title="t", scale=YES_OR_NO, labels=YES_OR_NO)
    for text in ("AUC", "0.8750", "Brier score", "0.1500", "mapped from scores on yes/no and labels on yes/no"):
        assert text in page, text
    ranked = evaluation_report(gold, predicted, signature="s", title="t", labels=YES_OR_NO)
    assert "AUC" in ranked and "Brier score" not in ranked
    plain = evaluation_report(gold, predicted, signature="s", title="t")
    assert "AUC" not in plain and "mapped from" not in plain


def ablation(text="plain"):
    row = {"name": text, "delta": -0.02, "low": -0.03, "high": -0.01, "p_holm": 0.004}
    return ablation_report([row, {**row, "delta": 0.001, "high": 0.002, "p_holm": None}], signature=text, title=text)


def learning(text="plain"):
    rows = [{"n": n, "pearson": r, "low": r - 0.02, "high": r + 0.02} for n, r in [(1000, 0.8), (250, 0.7)]]
    return learning_curve_report(rows, signature=text, title=text)


def gold(text="plain"):
    kept, dropped = Judgement("anna", 40, True, 40, 0.9, 0.6, ""), Judgement(text, 40, False, 40, 0.5, 0.1, "too low")
    settings = {"aggregate": "median", "min_correlation": 0.8, "min_kappa": 0.2, "min_common": 10, "confidence": 0.95}
    pairs, left_out = (GoldPair("p1", 4.0, 3, 0.5),), (LeftOut(text, "few", "too few labels"),)
    result = Gold(
        pairs, left_out, (kept, dropped), Figures(2, 80, 0.7, 0.6, 0.6), Figures(1, 40, 0.9, 0.8, 0.8), settings
    )
    return gold_report(result, title=text)


REPORTS = [whole_report, explanations, ablation, learning, gold]


def test_the_figures_are_those_of_evaluate():
    gold, score, low, high = scored()
    groups = ["left", "right", "right"] * 20
    found = evaluate(gold, score, low, high, groups=groups, seed=3)
    page = evaluation_report(gold, score, low, high, groups=groups, signature="s", title="t", seed=3)
    texts = Reader(page).texts
    for figure in (f"{found.pearson:.4f}", f"{found.spearman:.4f}", f"{found.rmse:.3f}", f"{found.within_1:.1%}"):
        assert figure in texts
    assert f"95 % interval {found.pearson_low:.4f} to {found.pearson_high:.4f}" in texts
    assert f"{found.coverage:.1%}" in texts
    for group in found.groups.values():
        assert f"{group.pearson:.4f}" in texts
        assert f"{group.pearson_low:.4f} to {group.pearson_high:.4f}" in texts
    assert f"weighted by size, is {found.weighted_mean:.4f}" in page


def test_charts_say_what_was_worked_out_by_hand():
    # Errors of +1 and -0.6 in the band of gold 0-1, of which the quartiles are -0.2 and +0.6, and of -2 in 4-5.
    page = evaluation_report(
        [0.5, 0.9, 4.5], [1.5, 0.3, 2.5], pairs=[("a", "b"), ("c", "d"), ("e", "f")], signature="s", title="t"
    )
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", page)
    cells = [re.split(r"<[^>]+>+", row) for row in rows]
    table = {row[0]: [cell for cell in row[1:] if cell] for row in cells}
    assert table["0-1"] == ["2", "+0.20", "+0.20", "\u22120.20 to +0.60", "\u22120.52 to +0.92"]
    assert table["1-2"] == ["0"]
    assert table["4-5"][:3] == ["1", "\u22122.00", "\u22122.00"]
    assert table["0.0-0.5"] == ["1", "0.30", "0.90"]
    assert table["2.5-3.0"] == ["1", "2.50", "4.50"]
    assert re.findall(r"<b>([+\u2212].*?)</b>", page) == ["\u22122.00", "+1.00", "\u22120.60"]
    assert "Coverage" not in page


@pytest.mark.slow
def test_parts_appear_when_they_are_given():
    gold, score, low, high = scored()
    bare = evaluation_report(gold, score, signature="s", title="t")
    for heading in ("By group", "How often", "Correlation of", "Systems compared", "largest errors", "Untick"):
        assert heading not in bare
        assert heading in whole_report()
    assert whole_report().count('<li>\n<p class="facts">') == 50


def test_every_pair_is_a_mark_and_the_smaller_groups_share_one():
    n = 330
    gold, score, _, _ = scored(n)
    # Group k has k * 10 pairs or so: ten groups, of which seven have a mark of their own.
    groups = np.repeat([f"group {k}" for k in range(10)], np.arange(15, 55, 4)[:10])[:n].tolist()
    page = evaluation_report(gold, score, groups=groups, signature="s", title="t")
    chart = page[page.index('<svg class="chart"') : page.index("<fieldset")]
    marks = [len(re.findall("M", g)) for g in re.findall(r'<g class="marks.*?</g>', chart)]
    assert len(marks) == 8
    assert sum(marks) == n
    assert "3 smaller groups" in page
    assert len(set(re.findall(r'class="marks series(\d)" viewBox', page))) == 8


def test_members_correlate_as_numpy_says():
    gold, score, _, _ = scored()
    page = evaluation_report(gold, score, members={"half": score / 2, "flat": np.ones(60)}, signature="s", title="t")
    matrix = page[page.index('class="matrix"') :]
    cells = re.findall(r'<td class="shade(\d)">(.*?)</td>', matrix)
    r = f"{np.corrcoef(gold, score)[0, 1]:.3f}"
    assert [text for _, text in cells[:4]] == ["1.000", "none", "1.000", r]
    assert cells[0][0] == "9"


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_stay_texts(report, hostile):
    page, plain = Reader(report(hostile)), Reader(report())
    assert page.tags == plain.tags
    assert [name for name, _ in page.attributes] == [name for name, _ in plain.attributes]
    assert any(hostile in text for text in page.texts)


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_is_one_file_that_asks_nobody_and_runs_nothing(report):
    page = report()
    read = Reader(page)
    assert ACTIVE.isdisjoint(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert [value for name, value in read.attributes if name == "href"] == ["data:,"]
    [policy] = [value for name, value in read.attributes if name == "content" and "-src" in value]
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'",
        policy,
    )
    assert not re.search(r"https?:|@import|url\((?!#)", page)
    assert not re.search(r"\bnan\b", page)


@pytest.mark.parametrize("report", REPORTS)
def test_what_html_may_not_hold_is_replaced(report):
    page = report("nul \x00 lone \ud800 bell \x07")
    assert "nul \ufffd lone \ufffd bell \ufffd" in page
    page.encode("utf-8")


def test_an_explanation_draws_a_line_for_each_aligned_word():
    page = explanations("dog")
    assert re.findall(r'<path d="(M.*?)"><title>(.*?)</title>', page) == [
        ("M0 0.5C50 0.5 50 1.5 100 1.5", "dog \u2194 dog"),
        ("M0 2.5C50 2.5 50 0.5 100 0.5", "c \u2194 c"),
    ]
    words = re.findall(r'<span class="word( alone)?" title="(.*?)">', page)
    assert words == [("", "dog"), (" alone", "b"), ("", "c"), ("", "c"), ("", "dog")]
    assert 'viewBox="0 0 100 3" height="6em"' in page
    texts = Reader(page).texts
    assert {"Short sequences", "ngram: sequences of words or of characters that occur in both sentences"} <= set(texts)
    assert {"3.20", "+0.90", "\u22120.20", "word order", "1 smaller one"} <= set(texts)
    assert '<details class="aligned" open>' in page


def test_an_explanation_lists_the_differences():
    page = explanations("a <b>bold</b> & co")
    rows = re.findall(r'<tr><th scope="row">(name|missing)</th><td>(.*?)</td><td>(.*?)</td></tr>', page)
    shown = "<bdi>a &lt;b&gt;bold&lt;/b&gt; &amp; co</bdi>"
    assert rows == [("name", shown, shown), ("missing", "<bdi>b</bdi>", '<span class="quiet">(nothing)</span>')]
    assert "<b>bold" not in page
    bare = explanation_report([explained()._replace(differences=())], [("plain b c", "c plain")], "s")
    assert "Where the texts differ" in page and "Where the texts differ" not in bare


def test_a_text_without_words_and_a_long_one():
    empty = Explanation(0.0, 0.0, 0.0, ("empty",), 2.5, {"rules": -2.5}, [], ((), ()))
    long = explained()._replace(tokens=(("w",) * 100, ("w",)), alignment=[])
    page = explanation_report([empty, long], [("", ""), ("w " * 100, "w")], "s")
    assert page.count("(no words)") == 2
    assert "Rules and the ends of the scale" in page
    assert page.count('<details class="aligned">') == 1


def test_ablation_and_learning_curve_tell_their_numbers():
    texts = Reader(ablation()).texts
    assert {"\u22120.0200", "\u22120.0300 to \u22120.0100", "0.0040", "+0.0010"} <= set(texts)
    page = learning()
    assert re.findall(r'<th scope="row">(.*?)</th><td class="value">(.*?)</td>', page) == [
        ("250", "0.7000"),
        ("1,000", "0.8000"),
    ]


def test_facts_of_an_experiment_stand_at_the_foot():
    facts = {
        "train": "my <b>pairs</b>.csv",
        "dev": None,
        "quick": True,
        "final": False,
        "settings": {"xgb": {"max_depth": 4, "eta": 0.1}, "rf": {}},
        "seeds": (0, 1),
        "time_limit": 60.0,
    }
    page = learning_curve_report([{"n": 10, "pearson": 0.5, "low": 0.4, "high": 0.6}], signature=facts)
    foot = page.partition("<footer>")[2]
    assert re.findall(r"<dt>(.*?)</dt><dd><bdi>(.*?)</bdi>", foot) == [
        ("training pairs", "my &lt;b&gt;pairs&lt;/b&gt;.csv"),
        ("quick fit", "yes"),
        ("settings", "XGBoost with max depth 4, eta 0.1"),
        ("seeds", "0, 1"),
        ("time limit", "60"),
    ]


def test_an_ablation_shows_the_titles_of_families_and_columns_as_they_are():
    row = {"delta": -0.02, "low": -0.03, "high": -0.01, "p_holm": None}
    page = ablation_report([{"name": name, **row} for name in ("cardinality", "my_family", "bow.one_hot.cosine")])
    names = re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', page)
    assert names == ["Words of similar spelling", "my family", "bow.one_hot.cosine"]
    assert page.count('<tr class="note">') == 1 and ">cardinality: words in common" in page


def test_words_stand_at_the_start_of_their_columns_and_numbers_at_the_end():
    page = gold()
    assert re.findall(r"<td([^>]*)>(0\.500|0\.100|dropped|too low)</td>", page) == [
        (' class="value"', "0.500"),
        (' class="value"', "0.100"),
        ("", "dropped"),
        ("", "too low"),
    ]
    assert '<th scope="col">note</th>' in page and '<th scope="col" class="value">kappa</th>' in page


@settings(max_examples=60, deadline=None)
@given(low=st.floats(-1e6, 1e6), width=st.floats(1e-3, 1e6))
def test_ticks_have_room(low, width):
    # A digit of the fonts of a page is up to 0.6 of their size wide, which is 14 at most in a drawing and 12 in a lane.
    svg = str(Frame((low, low + width), (low, low + width), "x", "y").draw([], "a chart"))
    texts = re.findall(r'text-anchor="(middle|end)" x="(.*?)" y="(.*?)">(.*?)</text>', svg)
    across = [(float(x), len(text) * 0.6 * 14) for anchor, x, _, text in texts if anchor == "middle" and text != "x"]
    assert all(b - a >= (n + m) / 2 for (a, n), (b, m) in zip(across, across[1:], strict=False))
    # The label of the axis is at 13, 7 wide.
    assert all(float(x) - len(text) * 0.6 * 14 >= 13 for anchor, x, _, text in texts if anchor == "end")
    laid = bars([Bar("a", low, low, low + width, ())], ("n", "v"))
    places = [(1.52 * at, len(text) * 0.6 * 12) for at, text in laid.ticks]
    assert all(b - a >= (n + m) / 2 for (a, n), (b, m) in zip(places, places[1:], strict=False))


def test_bars_are_where_their_values_are():
    laid = bars([Bar("a", 0.5, 0.25, 0.75, ()), Bar("b", -1.0, math.nan, math.nan, ())], ("n", "v"), high=1.0)
    up, down = laid.lanes
    assert (laid.zero, up.start, up.width, up.interval) == (50.0, 50.0, 25.0, (62.5, 87.5))
    assert (down.start, down.width, down.down, down.interval) == (0.0, 50.0, True, None)
    assert laid.ticks == [(0.0, "\u22121.0"), (25.0, "\u22120.5"), (50.0, "0.0"), (75.0, "0.5"), (100.0, "1.0")]
    [nothing] = bars([Bar("a", 0.0, math.nan, math.nan, ())], ("n", "v")).lanes
    assert nothing.width == 0


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 5.0, ["0", "1", "2", "3", "4", "5"]),
        (-0.012, 0.004, ["\u22120.010", "\u22120.005", "0.000"]),
        (0.0, 100.0, ["0", "20", "40", "60", "80", "100"]),
    ],
)
def test_ticks_are_round(low, high, expected):
    assert tick_texts(ticks(low, high)) == expected


def test_a_frame_puts_corners_in_corners():
    frame = Frame((0.0, 5.0), (0.0, 5.0), "x", "y")
    assert (frame.at(0, 0), frame.at(5, 5)) == ((58.0, 314.0), (390.0, 10.0))


def test_numbers_and_texts():
    assert [signed(x) for x in (0.0, -0.001, -0.5, math.nan)] == ["+0.00", "+0.00", "\u22120.50", ""]
    assert shortened("a" * 1_000) == "a" * 1_000
    assert shortened("a" * 1_001) == "a" * 1_000 + "\u2026 (1,001 characters)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluation_report([1, 2], [1, 2], pairs=[("a", "b")], signature="", title=""), "pairs has 1 values"),
        (lambda: evaluation_report([1, 2], [1, 2], [1], [2], signature="", title=""), "low has 1 values for 2 pairs"),
        (lambda: evaluation_report([1, 2], [1, 2], members={"m": [1]}, signature="", title=""), "'m' has 1 values"),
        (lambda: evaluation_report([1, 2], [1, math.nan], signature="", title=""), "must be finite"),
        (lambda: explanation_report([explained()], [], "s"), "1 explanations of 0 pairs"),
        (lambda: ablation_report([]), "there is nothing to report"),
        (lambda: ablation_report([{"name": "a"}]), "row 0 of the report has no 'delta'"),
        (lambda: learning_curve_report([{"n": 0, "pearson": 0, "low": 0, "high": 0}]), "give sizes of 1 or more"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
