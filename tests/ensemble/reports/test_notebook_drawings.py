"""What notebooks draw: every text escaped, nothing that runs, and the figures of the result."""

from html.parser import HTMLParser

import numpy as np
import pytest
from samewise.ensemble.core.explanation import Explanation
from samewise.ensemble.core.scale import YES_OR_NO, Scale
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.evaluation.metrics import evaluate
from samewise.ensemble.evaluation.system_comparison import compare
from samewise.ensemble.reports.notebook_drawings import drawn

import samewise

HOSTILE = [
    "<script>alert(1)</script>",
    '"></iframe><img src=x onerror=alert(1)>',
    "'{{ 7*7 }}&lt;b&gt;",
    "a\x00b\ud800",
]


class Reader(HTMLParser):
    """Tags, attributes and texts of a piece of HTML, by what a browser makes of them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data):
        if data.strip():
            self.texts.append(data.strip())


def explanation(text="harbour", **changes):
    points = {text: 0.5, "rules": -0.25}
    tokens = ((text, "."), (text, "at", "night", "."))
    differences = (Difference("added", "", text, (), (1,)),)
    made = Explanation(2.75, 2.0, 3.5, ("long",), 2.5, points, [(0, 0), (1, 3)], tokens, (None, None), differences)
    return made._replace(**changes)


def page_of(html):
    outer = Reader(html)
    assert outer.tags == ["iframe"] and outer.texts == []
    assert outer.attributes["sandbox"] == ""  # no script, whatever the page holds
    return outer.attributes["srcdoc"]


def test_an_explanation_is_its_page_in_a_frame():
    page = Reader(page_of(explanation()._repr_html_()))
    assert page.tags[0] == "html" and page.attributes["http-equiv"] == "Content-Security-Policy"
    assert {"2.75", "harbour", "+0.50", "at", "night", "Rules and the ends of the scale"} <= set(page.texts)
    assert "of 5" in page.texts and "a" not in page.tags and "footer" not in page.tags
    assert "Likely between 2.00 and 3.50 (the shaded part)." in page.texts


@pytest.mark.parametrize(("scale", "words"), [(Scale(0.0, 100.0), "of 100"), (YES_OR_NO, "probability of yes")])
def test_an_explanation_is_drawn_on_its_own_scale(scale, words):
    numbers = [number / 5.0 * scale.high for number in (2.75, 2.0, 3.5)]
    found = explanation(scale=scale, **dict(zip(("score", "low", "high"), numbers, strict=True)))
    assert words in Reader(page_of(found._repr_html_())).texts


@pytest.mark.slow
def test_a_model_gives_its_scale_to_explanations():
    pairs = [(f"{k} boats left the harbour.", f"{k % 5} boats left the harbour.") for k in range(40)]
    ensemble = samewise.SimilarityEnsemble("length", members=["gbm"], scale="0..100", interval=None)
    [found] = ensemble.fit(pairs, [20.0 * (k % 6) for k in range(40)]).explain(pairs[:1])
    assert found.scale == Scale(0.0, 100.0)
    assert "scale" not in found.as_dict()
    assert "of 100" in Reader(page_of(found._repr_html_())).texts


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_are_escaped(text):
    page = Reader(page_of(explanation(text)._repr_html_()))
    assert not {"script", "img", "iframe"} & set(page.tags)
    gold = np.arange(6.0)
    for result in (
        evaluate(gold, gold[::-1], groups=[text, "plain"] * 3),
        compare(gold, {text: gold, "plain": gold[::-1]}, reference=text),
    ):
        html = result._repr_html_()
        tables = Reader(html)
        assert set(tables.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi"}
        shown = text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
        assert any(shown in each for each in tables.texts)
        html.encode("utf-8")


def test_a_pair_without_words_is_drawn():
    empty = Explanation(0.0, 0.0, 0.0, ("empty",), 2.5, {"rules": -2.5}, [], ((), ()))
    assert "(no words)" in Reader(page_of(empty._repr_html_())).texts


def test_the_frame_grows_with_the_explanation():
    def height(found):
        return int(Reader(found._repr_html_()).attributes["height"])

    many = {f"family {k}": 0.1 for k in range(12)}
    assert 400 < height(explanation()) < height(explanation(contributions=many)) < 1_000
    endless = explanation(tokens=(("word",) * 500, ("word",) * 500), alignment=[])
    assert height(endless) < 1_000


def test_an_evaluation_is_a_table_of_its_figures():
    # Gold 0 2 4 and scores 1 2 5: errors 1, 0 and 1.
    tables = Reader(evaluate([0, 2, 4], [1, 2, 5])._repr_html_())
    assert tables.tags.count("table") == 1
    assert tables.texts[:3] == ["Evaluation", "figure", "value"]
    cells = dict(zip(tables.texts, tables.texts[1:], strict=False))
    assert cells["RMSE"] == f"{(2 / 3) ** 0.5:.3f}" and cells["Within 1"] == "100.0%" and cells["Pairs"] == "3"


def test_groups_stand_below_all_pairs():
    found = evaluate(np.arange(6.0), np.arange(6.0), groups=["old", "new"] * 3)
    tables = Reader(found._repr_html_())
    assert tables.tags.count("table") == 2
    rows = [text for text in tables.texts if text in ("all pairs", "old", "new")]
    assert rows == ["all pairs", "old", "new"]


def test_a_comparison_shows_systems_and_differences():
    gold = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    other = np.array([1.0, 0.0, 2.5, 2.0, 5.0, 4.0])
    tables = Reader(compare(gold, {"mine": gold, "other": other}, reference="mine")._repr_html_())
    assert tables.texts[0] == "Systems on 6 pairs" and "Difference from mine" in tables.texts
    r = np.corrcoef(gold, other)[0, 1]
    assert f"{r:.4f}" in tables.texts and f"\u2212{1 - r:.4f}" in tables.texts
    alone = compare(gold, {"mine": gold}, reference="mine")._repr_html_()
    assert Reader(alone).tags.count("table") == 1


def test_an_estimator_is_drawn_by_scikit_learn():
    html = samewise.SimilarityEnsemble("length")._repr_html_()
    assert "sk-estimator" in html and "SimilarityEnsemble" in html and "length" in html


def test_another_value_is_refused():
    with pytest.raises(TypeError, match="value must be a result that notebooks draw, got int"):
        drawn(7)
