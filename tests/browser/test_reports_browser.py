import csv

import numpy as np
import pytest
from samewise.ensemble.core.explanation import Explanation
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.matching.options import PairRule
from samewise.ensemble.reports import ablation_report, evaluation_report, explanation_report, learning_curve_report
from samewise.ensemble.reports.duplicates_page import duplicates_report

from ..browsers import needs_axe, needs_browser, violations
from ..ensemble.reports.test_duplicates_page import BOXED, small_run
from ..ensemble.reports.test_label_pages import decided
from ..ensemble.reports.test_label_pages import evaluated as yes_or_no
from ..ensemble.reports.test_reports import gold, whole_report

pytest.importorskip("playwright.sync_api")

pytestmark = needs_browser

HOSTILE = (
    "<script>document.title='broken'</script>",
    "</script></style></title><script>document.title='broken'</script>",
    '"><img src=x onerror="document.title=\'broken\'">',
    "<svg onload=document.title='broken'> \u202e turned \u0000 nul",
)
SHOWN = "document.body.textContent"


def scored(n, texts):
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 5, n), 1)
    score = np.clip(gold + rng.normal(0, 0.7, n), 0, 5)
    groups = [texts[k % len(texts)] for k in range(n)]
    pairs = [(f"{group} {k}", f"{group} of {k}") for k, group in enumerate(groups)]
    return evaluation_report(
        gold,
        score,
        np.clip(score - 1, 0, 5),
        np.clip(score + 1, 0, 5),
        groups=groups,
        members={texts[0]: score / 2, "other": score[::-1]},
        pairs=pairs,
        signature=texts[0],
        title=f"report {texts[0]}",
    )


def explained(text):
    # Links that cross, a long word without a break, and texts of different lengths.
    tokens = ((text, "old", "dog", "barks" * 20), ("dog", "old", text))
    points, links = {text: 0.9, "ngram": -0.2}, [(0, 2), (1, 1), (2, 0)]
    found = Explanation(3.2, 2.2, 4.2, ("long",), 2.5, points, links, tokens)
    found = found._replace(differences=(Difference("missing", "barks" * 20, "", (3,), ()),))
    return explanation_report([found, found], [(text, text)] * 2, text, title=f"report {text}")


def evaluated(text):
    return scored(60, [text, *HOSTILE])


def ablated(text):
    part = {"name": text, "delta": -0.02, "low": -0.03, "high": 0.01, "p_holm": 0.2}
    return ablation_report([part] * 3, signature=text, title=f"report {text}")


def learnt(text):
    sizes = [{"n": 250 * 2**k, "pearson": 0.7 + k / 50, "low": 0.6, "high": 0.9} for k in range(5)]
    return learning_curve_report(sizes, signature=text, title=f"report {text}")


@pytest.fixture(params=[(1280, 800), (375, 812)], ids=["wide", "phone"])
def page(request, browser):
    """A page, which must complain of nothing and ask for nothing but its own file."""
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    page.complaints, page.asked = [], set()
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.add(request.url))
    yield page
    assert page.complaints == []
    assert {url for url in page.asked if not url.startswith(("file:", "data:"))} == set()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def show(page, folder, html):
    file = folder / "report.html"
    file.write_text(html, encoding="utf-8")
    page.goto(file.as_uri())


@pytest.mark.parametrize("report", [evaluated, explained, ablated, learnt])
def test_hostile_texts_stay_texts_and_nothing_is_wider_than_the_page(page, tmp_path, report):
    for hostile in HOSTILE:
        show(page, tmp_path, report(hostile))
        read = hostile.replace("\0", "\ufffd")
        assert page.title() == f"report {read}: samewise"
        assert page.locator("h1").text_content() == f"report {read}"
        assert page.locator("footer code").text_content() == read
        assert page.locator("img, script, [onload], [onerror]").count() == 0
        assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderTopStyle") == "solid"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert read in page.evaluate(SHOWN)


def test_a_script_would_not_run_even_if_it_came_in(browser, tmp_path):
    page = browser.new_page()
    html = ablated("plain")
    show(page, tmp_path, html.replace("</main>", "<script>document.title='broken'</script></main>"))
    assert page.title() == "report plain: samewise"
    page.close()


def test_lines_join_the_words_that_are_aligned(page, tmp_path):
    show(page, tmp_path, explained("cat"))
    joined = page.evaluate(
        """() => {
          const card = document.querySelector('.pair');
          const sides = [...card.querySelectorAll('.words ol')].map((side) => [...side.querySelectorAll('.word')]);
          return [...card.querySelectorAll('.links path')].map((path) => {
            const ends = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())];
            return ends.map((end, k) => {
              const at = end.matrixTransform(path.getScreenCTM());
              return sides[k].find((word) => {
                const box = word.getBoundingClientRect();
                return Math.abs(box.top + box.height / 2 - at.y) < 2 && Math.abs((k ? box.left : box.right) - at.x) < 2;
              })?.textContent;
            });
          });
        }"""
    )
    assert joined == [["cat", "cat"], ["old", "old"], ["dog", "dog"]]


def test_the_points_of_an_explanation_are_in_sight_on_a_phone(page, tmp_path):
    show(page, tmp_path, explained("cat"))
    assert page.evaluate(
        "[...document.querySelectorAll('.scroll')].every(part => part.scrollWidth <= part.clientWidth)"
    )


def test_bars_and_marks_are_where_their_values_are(page, tmp_path):
    rows = [
        {"name": "worse", "delta": -0.04, "low": -0.04, "high": 0.0, "p_holm": 0.2},
        {"name": "better", "delta": 0.02, "low": 0.0, "high": 0.04, "p_holm": None},
    ]
    show(page, tmp_path, ablation_report(rows))
    down, up, lane = (page.locator(f"td svg.lane{part}").first.bounding_box() for part in (" .down", " .up", ""))
    middle = lane["x"] + lane["width"] / 2
    assert down["x"] + down["width"] == pytest.approx(middle, abs=1.5)
    assert up["x"] == pytest.approx(middle, abs=1.5)
    assert down["width"] == pytest.approx(2 * up["width"], abs=3)


def test_ticks_stand_under_their_grid_lines(page, tmp_path):
    rows = [{"name": "worse", "delta": -0.4, "low": -0.4, "high": 0.4, "p_holm": 0.2}]
    show(page, tmp_path, ablation_report(rows))
    middles = "lines => lines.map(line => (box => box.left + box.width / 2)(line.getBoundingClientRect()))"
    lines = page.locator("tbody svg.lane .grid").evaluate_all(middles)
    ticks = page.locator("tfoot .tick:visible").evaluate_all(middles)
    assert len(ticks) >= 2
    # The first too, at the end of the axis; on a phone every second tick has a text.
    assert min(ticks) == pytest.approx(lines[0], abs=1.5)
    for tick in ticks:
        assert min(abs(tick - line) for line in lines) < 1.5


def grounds(page):
    return [
        page.evaluate(f"getComputedStyle(document.querySelector('{name}')).backgroundColor")
        for name in ("body", ".card")
    ]


def luminance(colour):
    # Of an rgb() text, in 0..255, by the weights of sRGB.
    red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_report_follows_the_colour_scheme_and_prints_on_white(page, tmp_path):
    show(page, tmp_path, ablated("plain"))
    assert min(map(luminance, grounds(page))) > 200
    page.emulate_media(color_scheme="dark")
    assert max(map(luminance, grounds(page))) < 60
    assert luminance(page.evaluate("getComputedStyle(document.querySelector('h1')).color")) > 180
    page.emulate_media(color_scheme="dark", media="print")
    assert min(map(luminance, grounds(page))) > 200
    page.emulate_media(media="screen")


def duplicates(text):
    return duplicates_report(small_run(text))


def decision(text):
    return decided(text)[0]


def test_ticked_pairs_are_downloaded_as_csv(page, tmp_path):
    show(page, tmp_path, duplicates("plain"))
    assert page.get_by_role("button").is_disabled()
    page.get_by_label("Tick row 3").check()
    page.get_by_label("Tick id plain a and id plain b").check()
    assert page.get_by_role("status").text_content() == "2 pairs are ticked."
    with page.expect_download() as waited:
        page.get_by_role("button").click()
    assert waited.value.suggested_filename == "out.ticked.csv"
    with open(waited.value.path(), newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["row1", "id1", "row2", "id2", "sentence1", "sentence2", "score", "reason"]
    assert rows == [BOXED[0], BOXED[3]]
    page.asked = {url for url in page.asked if not url.startswith("blob:file:")}


def test_quotes_and_lines_of_texts_survive_the_download(page, tmp_path):
    text = 'a "b", c\nd <script>'
    show(page, tmp_path, duplicates(text))
    page.get_by_role("checkbox").first.check()
    with page.expect_download() as waited:
        page.get_by_role("button").click()
    with open(waited.value.path(), newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1] == [cell.replace("plain", text) for cell in BOXED[0]]
    page.asked = {url for url in page.asked if not url.startswith("blob:file:")}


def test_without_a_script_the_page_reads_and_has_no_boxes(browser, tmp_path):
    page = browser.new_context(java_script_enabled=False).new_page()
    show(page, tmp_path, duplicates("plain"))
    assert page.get_by_role("checkbox").count() == page.get_by_role("button").count() == 0
    page.locator("summary", has_text="plain three").click()
    assert page.locator("details[open] .differences").first.is_visible()
    page.context.close()


OVERLAPPING = """() => {
  const texts = [...document.querySelectorAll('svg text')].map((text) => [text, text.getBoundingClientRect()]);
  const shown = texts.filter(([, box]) => box.width > 0);
  const found = [];
  shown.forEach(([one, a], k) => {
    if (a.left < -1 || a.right > document.documentElement.scrollWidth + 1) found.push(['outside', one.textContent]);
    shown.slice(k + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) found.push([one.textContent, other.textContent]);
    });
  });
  return found;
}"""
LONG = "A name that goes on and on without an end " * 3


def many_parts(_):
    random = np.random.default_rng(0)
    rows = [
        {"name": f"{LONG}{k}", "delta": float(d), "low": float(d) - 1e-4, "high": float(d) + 1e-4, "p_holm": 0.5}
        for k, d in enumerate(random.normal(0, 0.004, 60))
    ]
    return ablation_report([{**rows[0], "delta": -0.31, "low": -0.32, "high": -0.30}, *rows], title=LONG)


def many_sizes(_):
    sizes = [{"n": 90_000 + 1_000 * k, "pearson": 0.7 + k / 1e4, "low": 0.69, "high": 0.78} for k in range(40)]
    return learning_curve_report(sizes, title=LONG)


def many_candidates(_):
    run = small_run(LONG)
    run.scores.score[:] = 4.99
    scores = np.repeat(run.scores.score, 250_000)
    return duplicates_report(run._replace(scores=run.scores._replace(score=scores), rule=PairRule(4.0, 3.97, ())))


def long_labels(_):
    return scored(400, [f"{LONG}{k}" for k in range(30)])


CHARTS = [many_parts, many_sizes, many_candidates, long_labels, whole_report, explained, duplicates, yes_or_no]


@pytest.mark.parametrize("report", CHARTS)
def test_texts_of_charts_do_not_overlap(page, tmp_path, report):
    show(page, tmp_path, report("harbour"))
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate(OVERLAPPING) == []


@needs_axe
@pytest.mark.parametrize("report", [whole_report, explained, ablated, learnt, duplicates, gold, yes_or_no, decision])
def test_a_report_is_accessible(page, tmp_path, report):
    show(page, tmp_path, report("harbour"))
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert violations(page) == []


def test_the_keyboard_reaches_the_boxes_and_the_folded_parts(page, tmp_path):
    show(page, tmp_path, whole_report())
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.className"))
    assert {"INPUT toggle0", "SUMMARY ", "DIV scroll"} <= reached


def test_a_group_is_hidden_by_its_box(page, tmp_path):
    show(page, tmp_path, scored(200, ["first", "second", "third"]))
    marks = page.locator(".chart .series1")
    assert marks.is_visible()
    page.get_by_label("second").uncheck()
    assert not marks.is_visible()
    assert page.locator(".chart .series0").is_visible()


def test_ten_thousand_pairs_are_small_and_drawn(page, tmp_path):
    html = scored(10_000, [f"group {k}" for k in range(9)])
    assert len(html.encode()) < 5_000_000
    show(page, tmp_path, html)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    drawn = page.locator(".chart .marks path").evaluate_all("paths => paths.map(p => p.getAttribute('d')).join('')")
    assert drawn.count("M") == 10_000
