import json
from types import SimpleNamespace

import pytest
from samewise.ensemble.core.explanation import Explanation
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.loading import load

from ..browsers import needs_axe, needs_browser, violations

for name in ("fastapi", "uvicorn", "prometheus_client"):
    pytest.importorskip(name)
pytest.importorskip("playwright.sync_api")

from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.responses import explain, score  # noqa: E402

from ..service.running import answering  # noqa: E402

pytestmark = needs_browser

FAMILIES = {"ngram": 0.5, "alignment": -0.75, "word_order": 0.25}
HOSTILE = [
    "<img src=x onerror=document.title='broken'>",
    "<script>document.title='broken'</script>",
    "</style></textarea><svg onload=document.title='broken'>",
    "&lt;b&gt; ${7*7} {{7*7}} \u202e reversed \u0000 nul",
]


class Scorer:
    """The model `surface`, with explanations made up: a first text that holds UNEXPLAINED has none."""

    languages, scale, slots = ("en",), POINTS, 1
    decides = False

    def __init__(self):
        self._model = load("surface")
        self.signature = self._model.signature

    async def score(self, pairs):
        return score(self._model, pairs)

    async def ready(self):
        return 1

    async def explain(self, pairs):
        model = SimpleNamespace(
            explain=self._explanations,
            predict_pairs=self._model.predict_pairs,
            parts=self._model.parts,
            differences=self._model.differences,
        )
        return explain(model, pairs)

    def _explanations(self, pairs):
        found = []
        for a, b in pairs:
            if "UNEXPLAINED" in a:
                raise ValueError("it was trained before; train it again")
            given = SimpleNamespace(**score(self._model, [(a, b)])[0])
            batch = self._model.analyse([(a, b)])
            tokens = tuple(side.tokens for side in batch[0])
            links = [(i, j) for i, left in enumerate(tokens[0]) for j, right in enumerate(tokens[1]) if left == right]
            found.append(
                Explanation(
                    *(given.score, given.low, given.high, tuple(given.flags), given.score, FAMILIES, links, tokens),
                    differences=tuple(self._model.differences([(a, b)])[0]),
                )
            )
        return found


class Indexed(Scorer):
    """The same with an index, whose rows are a text and the text again with another word."""

    index_signature, index_rows = "rows", 1_234

    async def match(self, asked):
        found = []
        for one in asked:
            rows = [] if one.text == "nothing" else [one.text, f"{one.text} too"]
            scores = score(self._model, [(one.text, row) for row in rows])
            matches = [
                {"row": k + 1, "id": None if k else "R-1", "text": row, **scores[k], "differences": []}
                for k, row in enumerate(rows)
            ]
            if rows:
                matches[1]["differences"] = [{"kind": "added", "a": "", "b": "too"}]
            found.append(json.dumps({"matches": matches}).encode())
        return found


@pytest.fixture(scope="module")
def service():
    scorer = Indexed()
    with answering(create_app(scorer, matcher=scorer)) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(params=[(1280, 800), (375, 812)], ids=["wide", "phone"])
def page(request, service, browser):
    """The page, which must complain of nothing and ask nobody but the service."""
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(120_000)
    page.complaints, page.asked = [], set()
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.add(request.url))
    page.goto(service)
    yield page
    assert page.complaints == []
    assert {url for url in page.asked if not url.startswith(("data:", service))} == set()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def compare(page, a, b):
    page.fill("#first", a)
    page.fill("#second", b)
    with page.expect_response("**/explain"):
        page.press("#second", "Enter")
    page.locator("#form:not([aria-busy])").wait_for()


def test_a_comparison(page):
    compare(page, "The old dog barks.", "The dog barks.")
    [found] = score(Scorer()._model, [("The old dog barks.", "The dog barks.")])
    assert page.inner_text("#score") == f"{found['score']:.2f}"
    track, band, mark = (page.locator(f"#scale .{name}").bounding_box() for name in ("track", "band", "mark"))
    at = {
        name: 5 * (place - track["x"]) / track["width"]
        for name, place in {
            "low": band["x"],
            "high": band["x"] + band["width"],
            "score": mark["x"] + mark["width"] / 2,
        }.items()
    }
    assert at == pytest.approx({name: found[name] for name in at}, abs=0.08)
    assert page.locator("#flags li").count() == 0
    assert f"{found['score']:.2f} on a scale from 0 to 5" in page.text_content("#status")
    cells = page.locator("#why tbody tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.innerText))")
    whole = f"{found['score']:.2f}"
    assert [(cells[0], cells[-1]) for cells in cells if len(cells) == 3] == [
        ("base", whole),
        ("Aligned words", "\u22120.75"),
        ("Short sequences", "+0.50"),
        ("word order", "+0.25"),
        ("score", whole),
    ]
    # A family of the user's has no line.
    assert [cells[0] for cells in cells if len(cells) == 1] == [
        "alignment: share of the words that have a partner in the other sentence",
        "ngram: sequences of words or of characters that occur in both sentences",
    ]
    down, up = page.locator("#why .down").bounding_box(), page.locator("#why .up >> nth=0").bounding_box()
    # Each bar begins where the one above ends, on the axis of the scale.
    base = page.locator("#why .sum >> nth=0").bounding_box()
    assert down["x"] + down["width"] == pytest.approx(base["x"] + base["width"], abs=1)
    assert down["x"] == pytest.approx(up["x"], abs=1)
    assert down["width"] == pytest.approx(1.5 * up["width"], abs=1)
    grid = page.locator("#why tr.total >> nth=0 >> .grid").evaluate_all(
        "lines => lines.map(line => line.getBoundingClientRect()).map(box => box.left + box.width / 2)"
    )
    ticks = page.locator("#axis span").evaluate_all(
        "all => all.map(one => [one.textContent, one.getBoundingClientRect().left])"
    )
    assert [text for text, _ in ticks] == ["0", "1", "2", "3", "4", "5"]
    assert [place for _, place in ticks] == pytest.approx(grid, abs=1)
    assert down["width"] == pytest.approx(0.75 * (grid[1] - grid[0]), abs=1)


JOINED = """() => [...document.querySelectorAll('#links path')].map((path) => {
  const ends = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())];
  const frame = document.querySelector('#alignment').getBoundingClientRect();
  const columns = document.querySelector('#alignment').classList.contains('columns');
  return ends.map(({ x, y }, k) => [...document.querySelectorAll('.words')[k].querySelectorAll('.word')]
    .find((word) => {
      const box = word.getBoundingClientRect();
      const [u, v] = columns
        ? [k ? box.left : box.right, box.top + box.height / 2] : [box.left + box.width / 2, k ? box.top : box.bottom];
      return Math.abs(u - frame.left - x) < 1 && Math.abs(v - frame.top - y) < 1;
    })?.innerText);
})"""

CROSSED = """() => {
  const frame = document.querySelector('#alignment').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.words .word')]
    .map((word) => [word.innerText, word.getBoundingClientRect()]);
  return [...document.querySelectorAll('#links path')].flatMap((path) => {
    const length = path.getTotalLength();
    return Array.from({ length: 101 }, (_, k) => path.getPointAtLength(length * k / 100)).flatMap(({ x, y }) => boxes
      .filter(([, box]) => x + frame.left > box.left + 2 && x + frame.left < box.right - 2
        && y + frame.top > box.top + 2 && y + frame.top < box.bottom - 2)
      .map(([text]) => text));
  });
}"""

LONG = (
    "On Tuesday the parliament in London rejected the new bill that the government had proposed, and the opposition "
    "applauded for several minutes.",
    "The opposition applauded when on Tuesday the bill of the government was rejected in London.",
)


def test_no_line_crosses_a_word(page):
    for pair in (LONG, LONG[::-1], ("The old dog barks at the postman.", "The postman barks at the old dog.")):
        compare(page, *pair)
        assert page.locator("#links path").count() >= 6
        assert page.evaluate(CROSSED) == []
    # A window that becomes narrower or wider.
    for width in (600, 320, 1280, 375):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("() => document.querySelectorAll('#links path').length > 0")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate(CROSSED) == [], width
        assert all(first is not None and first.lower() == second.lower() for first, second in page.evaluate(JOINED))


def test_words_of_a_script_from_right_to_left_keep_their_sides(page):
    words = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u05d8\u05d5\u05d1 \u05de\u05d0\u05d5\u05d3 " * 6
    compare(page, words, words[::-1])
    assert page.locator("#alignment.columns").count() == 1
    first, second = (page.locator(f"#words-{name} .word >> nth=0").bounding_box() for name in ("first", "second"))
    assert first["x"] + first["width"] < second["x"]
    assert page.evaluate(CROSSED) == []


@needs_axe
def test_the_page_is_accessible(page):
    assert violations(page) == []
    for pair in (LONG, ("The <b>old</b> boat left on 3 May.", "It left on 8 May."), ("UNEXPLAINED words", "")):
        compare(page, *pair)
        assert violations(page) == []


def test_lines_join_the_words_and_light_up(page):
    compare(page, "The old dog barks at the postman every single morning.", "Every morning the old postman barks.")
    joined = page.evaluate(JOINED)
    assert sorted(joined) == sorted([[w, w] for w in ("old", "barks", "the", "postman", "morning", ".")])
    page.get_by_role("button", name="barks, matches barks").first.hover()
    assert page.locator(".word.lit").all_inner_texts() == ["barks", "barks"]
    assert page.inner_text("#link") == "barks \u2194 barks"
    # By the keyboard: one stop a sentence, then arrows.
    page.locator("#words-first .word >> nth=0").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".word.lit").all_inner_texts() == ["old", "old"]
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#links path.lit").count() == 1
    assert page.locator(".word.lit").all_inner_texts() == ["barks", "barks"]
    assert page.get_by_role("button", name="single, no partner", exact=True).count() == 1
    # Equal words without a line are not said to be alone.
    every = page.get_by_role("button", name="every, also in the other sentence", exact=True)
    assert every.count() == 1 and "alone" not in every.get_attribute("class")
    every.focus()
    assert page.inner_text("#link") == "every, also in the other sentence"


def test_differences_are_listed_beside_the_words(page):
    compare(page, "The <b>old</b> boat left on 3 May.", "The boat left on 8 May.")
    cells = page.locator("#differences tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(c => c.innerText))"
    )
    assert ["date", "3", "8"] in cells
    assert any(kind == "missing" and "old" in a and b == "(nothing)" for kind, a, b in cells)
    compare(page, "The boat left.", "The boat left.")
    assert not page.is_visible("#differing")


def test_hostile_sentences_stay_text(page):
    for hostile in HOSTILE:
        compare(page, hostile, hostile + " too")
        shown = "".join(page.locator("#words-first .word").all_text_contents())
        assert shown == "".join(hostile.replace("\u202e", "").split())
        assert page.locator("#result img, #result script, #result svg:not(#links)").count() == 0
    assert page.title().startswith("samewise")


def test_flags_and_a_model_without_explanations_say_why(page):
    compare(page, "UNEXPLAINED words", "")
    assert page.locator("#flags code").all_inner_texts() == ["empty"]
    assert "the score is the lowest by rule" in page.inner_text("#flags")
    assert "it was trained before; train it again" in page.inner_text("#note")
    assert not page.is_visible("#why")
    assert page.inner_text("#words-second") == "(no words)"
    compare(page, "twin", "twin")
    assert page.locator("#flags code").all_inner_texts() == ["identical"]
    assert page.is_visible("#why")


def test_a_refusal_is_shown_and_the_page_goes_on(page):
    page.fill("#first", "x" * 10_001)
    page.click("#send")
    page.locator("#error").wait_for()
    assert "10,001 characters and the limit is 10,000" in page.inner_text("#error")
    assert not page.is_visible("#result")
    compare(page, "a long word " + "y" * 3_000, "b")
    assert not page.is_visible("#error")
    # Chromium itself notes the refusal.
    [noted] = page.complaints
    assert "422" in noted
    page.complaints.clear()


def test_an_example_fills_both_boxes_and_is_compared(page):
    with page.expect_response("**/explain") as asked:
        page.get_by_role("button", name="another day").click()
    assert asked.value.request.post_data_json == {
        "sentence1": "The boat left on 3 May.",
        "sentence2": "The boat left on 8 May.",
    }
    page.locator("#form:not([aria-busy])").wait_for()
    assert page.is_visible("#result")
    assert page.input_value("#second") == "The boat left on 8 May."


def search(page, text):
    page.fill("#question", text)
    with page.expect_response("**/match"):
        page.press("#question", "Enter")
    page.locator("#search:not([aria-busy])").wait_for()


def test_the_index_is_searched(page):
    assert page.inner_text("#index-hint") == "The index has 1,234 rows."
    search(page, HOSTILE[0])
    assert page.locator("#found .text").all_inner_texts() == [HOSTILE[0], f"{HOSTILE[0]} too"]
    facts = page.locator("#found .quiet:not(td)").all_inner_texts()
    assert facts[0] == "5.00, row 1, R-1" and facts[1].endswith(", row 2")
    track, mark = (page.locator(f"#found .{name} >> nth=0").bounding_box() for name in ("track", "mark"))
    assert mark["x"] + mark["width"] / 2 == pytest.approx(track["x"] + track["width"], abs=1)
    assert page.locator("#found table td").all_inner_texts() == ["(nothing)", "too"]
    search(page, "nothing")
    assert page.inner_text("#matches-title") == "No row is close."
    assert page.locator("#found li").count() == 0


@needs_axe
def test_the_search_is_accessible(page):
    search(page, "Where is the car park?")
    assert violations(page) == []


def test_a_service_without_an_index_has_no_search_and_names_its_paths(browser):
    with answering(create_app(Scorer())) as port:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("#signature:not(:empty)").wait_for()
        assert not page.is_visible("#search")
        page.get_by_role("link", name="the paths, with examples").click()
        assert page.inner_text("h1") == "Paths of the service"
        page.close()
