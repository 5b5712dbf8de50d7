import csv

import pytest
from samewise.apps.labels.pair_answers import AskedPair, PairAnswers
from samewise.ensemble.core.scale import POINTS

from ..browsers import needs_axe, needs_browser, violations

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")

from samewise.apps.labels.label_page import LabelPages, label_app  # noqa: E402

from ..service.running import answering  # noqa: E402

pytestmark = needs_browser

PAIRS = [
    AskedPair("The lamp in Mill Street is out.", "The lamp in Mill Street flickers.", 3.4, 2.1, 4.5, "unsure"),
    AskedPair("A pothole in Station Street.", "word" * 60, 3.1),
    AskedPair("<b>Pay</b> 30 euros.", "", 4.4, 3.9, 4.9, "number"),
]


@pytest.fixture(params=[(1280, 800), (375, 812)], ids=["wide", "phone"])
def page(request, browser, tmp_path):
    """The first pair, on a page that must complain of nothing and ask nobody but its own server."""
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    page.complaints, page.asked, page.file = [], set(), tmp_path / "answers.csv"
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.add(request.url))
    with answering(label_app(LabelPages(PAIRS, PairAnswers(page.file), POINTS, "reports"), "127.0.0.1")) as port:
        address = f"http://127.0.0.1:{port}/"
        page.goto(address)
        yield page
        assert page.complaints == []
        assert {url for url in page.asked if not url.startswith(("data:", address))} == set()
        page.close()


def saved(page):
    with page.file.open(newline="") as file:
        return {row["sentence1"]: row["label"] for row in csv.DictReader(file)}


def press(page, key, place):
    page.keyboard.press(key)
    page.wait_for_url(f"**/{place}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_answer_skip_and_go_back(page):
    assert page.locator("mark").all_inner_texts() == ["is", "out", "flickers"]
    press(page, "d", "?pair=2")
    assert saved(page) == {PAIRS[0].sentence1: "different"}
    press(page, "k", "?pair=3")
    press(page, "s", "?pair=2")
    press(page, "b", "?pair=1")
    assert "Your answer to this pair is different" in page.inner_text("main")
    press(page, "S", "?pair=2")
    press(page, "s", "end")
    assert saved(page) == {pair.sentence1: "same" for pair in PAIRS}
    assert "3 of 3 pairs have an answer: 3 same, 0 different." in page.inner_text("#progress")


def test_the_keyboard_reaches_every_answer(page):
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.key"))
    assert reached == ["s", "d", "k", "e"]
    page.locator("[data-key=d]").focus()
    press(page, "Enter", "?pair=2")
    assert saved(page) == {PAIRS[0].sentence1: "different"}


@needs_axe
def test_the_pages_are_accessible(page):
    assert violations(page) == []
    for key, place in (("s", "?pair=2"), ("d", "?pair=3"), ("s", "end")):
        press(page, key, place)
        assert violations(page) == []
    assert page.locator(".chart .errors").count() == 3
