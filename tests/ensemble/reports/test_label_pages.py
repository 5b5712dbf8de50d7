"""Pages of labels that say yes or no: an evaluation, and the decision that was learned from them."""

import re

import numpy as np
import pytest
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.model_decision import LabelledScores, with_thresholds
from samewise.ensemble.core.scale import POINTS, YES_OR_NO
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.loading import load
from samewise.ensemble.reports import evaluation_report, threshold_report
from samewise.ensemble.reports.label_charts import WORST

from .test_reports import ACTIVE, HOSTILE, Reader


def labels_and_scores(n=400, seed=0):
    random = np.random.default_rng(seed)
    yes = random.random(n) < 0.4
    return yes, np.clip(np.round(np.where(yes, 4.0, 1.5) + random.normal(0, 0.9, n), 2), 0, 5)


def evaluated(text="plain"):
    yes, score = labels_and_scores()
    pairs = [(f"{text} {k}", f"{text} of {k}") for k in range(len(yes))]
    return evaluation_report(5.0 * yes, score, pairs=pairs, signature=text, title=text, labels=YES_OR_NO)


def decided(text="plain", rule=None, apart=("number",)):
    yes, score = labels_and_scores()
    differences = [[Difference("number", "3", "4", (0,), (0,))] if k % 9 == 0 else [] for k in range(len(yes))]
    labelled = LabelledScores(score, yes * 1.0, YES_OR_NO, text, differences=differences)
    rule = rule or Rule("max_false", 0.2, 0.2)
    _, decision, _ = with_thresholds(load("surface"), labelled, rule, 0.5, keep_apart=apart)
    page = threshold_report(
        decision,
        score,
        yes,
        differences=differences,
        pairs=[(f"{text} {k}", f"{text} of {k}") for k in range(len(yes))],
        scale=POINTS,
        signature=text,
        title=text,
        facts=[("rule", str(rule)), ("chosen on", text)],
    )
    return page, decision


def section(page, name):
    return page[page.index(f'aria-labelledby="{name}"') :].partition("</section>")[0]


def errors_of(page):
    rows = re.findall(r'<tr><th scope="row">(\w+)</th>(.*?)</tr>', section(page, "calls"))
    return {name: [int(cell.replace(",", "")) for cell in re.findall(r">([\d,]+)<", rest)] for name, rest in rows}


def test_errors_of_four_pairs_worked_out_by_hand():
    # The highest F1 is from 1.5 on: both yes, and one no.
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]
    page = evaluation_report(
        [0.0, 5.0, 5.0, 0.0], [0.5, 4.5, 1.5, 1.5], pairs=pairs, signature="s", title="t", labels=YES_OR_NO
    )
    assert errors_of(page) == {"same": [3, 2, 1], "different": [1, 0, 1]}
    assert "<b>66.7%</b>" in page and "<b>100.0%</b>" in page and "<b>80.0%</b>" in page
    assert "Called same from 1.50" in page
    assert re.findall(r'dir="auto">(.*?)</p>', section(page, "side1")) == ["g", "h"]
    assert "There are none." in section(page, "side2")
    assert "Predicted against gold" not in page and "largest errors" not in page


def test_an_evaluation_has_both_curves_and_all_pairs_in_the_histogram():
    page = evaluated()
    for heading in ("ROC curve", "Precision and recall", "Scores by label"):
        assert heading in page
    bands = re.findall(r'<td class="value">(\d+)</td><td class="value">(\d+)</td></tr>', section(page, "histogram"))
    yes, _ = labels_and_scores()
    assert [sum(int(row[side]) for row in bands) for side in (0, 1)] == [yes.sum(), (~yes).sum()]
    assert section(page, "histogram").count('<rect class="down"') > 3


@pytest.mark.filterwarnings("ignore:all gold scores are")
def test_labels_that_are_all_the_same_have_no_curves():
    for gold in (0.0, 5.0):
        page = evaluation_report([gold] * 3, [1.0, 2.0, 3.0], signature="s", title="t", labels=YES_OR_NO)
        assert "All labels are the same, so there are no curves." in page
        assert not re.search(r"\bnan\b", page)


def test_the_worst_pairs_are_the_farthest_from_their_labels():
    page, decision = decided()
    yes, score = labels_and_scores()
    apart = np.arange(len(yes)) % 9 == 0
    same = score >= decision.same_from
    false = score[same & ~apart & ~yes]
    listed = [float(text) for text in re.findall(r"<b>(\d\.\d\d)</b> <span>", section(page, "side1"))]
    assert listed == sorted(false.tolist(), reverse=True)[:WORST]
    missed = section(page, "side2")
    low = [float(text) for text in re.findall(r"<b>(\d\.\d\d)</b> <span>", missed)]
    assert low == sorted(score[yes & (apart | ~same)].tolist())[:WORST]
    assert "kept apart by number" in missed


def test_the_page_of_a_decision_counts_what_it_decides():
    page, decision = decided()
    yes, score = labels_and_scores()
    reasons = ["number" if k % 9 == 0 else None for k in range(len(yes))]
    calls = decision.decide(score, reasons)
    expected = {}
    for name in ("same", "unsure", "different"):
        inside = calls == name
        expected[name] = [inside.sum(), (inside & yes).sum(), (inside & ~yes).sum()]
    assert errors_of(page) == expected
    table = section(page, "errors")
    for at, called, false, bound, _ in decision.curve.rows():
        if called:
            cells = f'>{called:,.0f}</td><td class="value">{false:,.0f}</td><td class="value">{false / called:.2%}'
            assert cells in table and f">{bound:.2%}</td>" in table and f">{at:.2f}</th>" in table
    assert "at a confidence of 95 %" in table and "that the rule allows" in table


def test_a_decision_by_cost_promises_nothing_of_a_threshold():
    page, _ = decided(rule=Rule("cost", 1.0), apart=())
    assert "at a confidence" not in page and "the rule allows" not in page


@pytest.mark.parametrize("page_of", [evaluated, lambda text="plain": decided(text)[0]], ids=["evaluation", "decision"])
def test_hostile_texts_stay_texts(page_of):
    plain = Reader(page_of())
    assert ACTIVE.isdisjoint(plain.tags)
    for hostile in HOSTILE[:2]:
        page = Reader(page_of(hostile))
        assert page.tags == plain.tags
        assert any(hostile in text for text in page.texts)
