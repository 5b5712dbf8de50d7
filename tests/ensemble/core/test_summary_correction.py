"""Summaries of pairs, the points by them, and models that were adapted with them."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from samewise.ensemble.core.adapted_model import adapt
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import POINTS, YES_OR_NO
from samewise.ensemble.core.summary_correction import COLUMNS, SummaryCorrection, summary_of
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.linear_correction import LinearCorrection
from samewise.models.member import make_member
from samewise.models.npz import pack_arrays

from samewise import load

from ...conftest import HOSTILE, PAIRS

ALIKE = (1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)
"""All columns of texts that say the same, but the share of the words."""


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("A red lamp.", "A RED lamp.", (*ALIKE, 1)),
        # Both have he, bought and the full stop of seven words.
        ("He bought a car.", "He bought an automobile.", (*ALIKE, 3 / 7)),
        # One group of words is added; of lamp, broken and kitchen the first text says two.
        ("The lamp is broken.", "The lamp in the kitchen is broken.", (1, 0, 0, 0, 0, 0, 0, 0, -1, 2 / 3, 1, 5 / 7)),
        # The one value of each text is contradicted, as is a name: pay, Ann and euros are said, of five words.
        (
            "Pay 300 euros to Ann Hill.",
            "Pay 450 euros to Ann Wood.",
            (0, -1, 0, 0, -1, -1, 0, 0, 0, 0.6, 0.6, 5 / 9),
        ),
        ("Call in 5 minutes.", "Call in 5 hours.", (0, -1, 0, -1, -1, 0, 0, 0, 0, 2 / 3, 2 / 3, 4 / 6)),
        ("Every door is shut.", "Some doors are shut.", (1, 0, 0, 0, 0, 0, -1, 0, 0, 1 / 2, 1 / 2, 2 / 8)),
        ("The room is hot.", "The room is cold.", (1, 0, 0, 0, 0, 0, 0, -1, 0, 1 / 2, 1 / 2, 4 / 6)),
    ],
)
def test_summaries_by_hand(a, b, expected):
    found = summary_of(analyse([(a, b), (b, a)], "lexical"))
    assert found.columns == COLUMNS
    assert found.values[0] == pytest.approx(expected, abs=1e-6)
    assert found.values[1].tolist() == found.values[0].tolist()


def test_summaries_are_finite_and_depend_on_the_pair_alone():
    short = [pair for pair in HOSTILE if len(pair[0]) < 100]
    batch = analyse([*short, *PAIRS], "lexical")
    whole = summary_of(batch).values
    assert np.isfinite(whole).all()
    for row in range(len(batch)):
        assert summary_of(batch[row : row + 1]).values[0].tolist() == whole[row].tolist()


def arrays(**changes):
    count = len(COLUMNS)
    plain = {"centre": np.zeros(count), "width": np.ones(count), "weights": np.zeros(count), "constant": np.zeros(1)}
    return pack_arrays({**plain, **changes})


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"weights": np.zeros(3)}, "does not fit the 12 columns"),
        ({"width": np.zeros(12)}, "must be finite and up to 100"),
        ({"weights": np.full(12, 101.0)}, "must be finite and up to 100"),
    ],
)
def test_a_bad_file_is_refused(changes, text):
    with pytest.raises(ValueError, match=text):
        SummaryCorrection().from_bytes(arrays(**changes), ("ngram.one.a",), {})


def test_points_are_those_of_the_weights_and_far_values_count_as_three_deviations():
    weights = np.zeros(12)
    weights[[4, 11]] = 0.5, 2.0
    found = SummaryCorrection().from_bytes(arrays(weights=weights), (), {})
    batch = analyse([("Pay 300 euros to Ann Hill.", "Pay 450 euros to Ann Wood.")], "lexical")
    matrix = FeatureMatrix(np.empty((1, 0), np.float32), (), batch)
    assert found.predict(matrix) == pytest.approx(-0.5 + 2.0 * 5 / 9, abs=1e-6)
    assert found.contributions(matrix)[1]["summary"] == pytest.approx(found.predict(matrix), abs=1e-12)
    far = FeatureMatrix(np.full((1, 12), -9.0, np.float32), COLUMNS)
    assert found.predict(far) == pytest.approx(-3 * 2.5)


def test_it_is_no_member_to_train():
    with pytest.raises(ValueError, match="member 'summary' is unknown"):
        make_member("summary")


THINGS = ("lamp", "bench", "gate", "pump", "sign", "tap", "fence", "door")


def orders(count=40):
    """Return pairs of one order or two orders, which differ in a number alone, and whether they are the same."""
    rows = []
    for row in range(count):
        same, thing = row % 2, THINGS[row % len(THINGS)]
        first = f"Order {1000 + row} of a {thing} for Mrs {chr(65 + row % 26)}ane has not come."
        second = f"Where is the {thing} of order {1000 + row + (0 if same else 7)}?"
        rows.append((first, second, same))
    return [row[:2] for row in rows], np.asarray([row[2] for row in rows], dtype=np.float64)


@pytest.fixture(scope="module")
def adapted_to_orders():
    pairs, same = orders()
    return adapt(load("surface"), pairs, same, YES_OR_NO)


def test_a_model_learns_that_other_numbers_are_other_orders(adapted_to_orders):
    model, result = adapted_to_orders
    assert result.chosen == "summary"
    assert [member.name for member in model.members][-1] == "summary"
    others = [
        ("Order 555 of a chair is late.", "Where is the chair of order 555?"),
        ("Order 555 of a chair is late.", "Where is the chair of order 565?"),
    ]
    one, other = model.predict(others)
    assert one > 0.6
    assert one > other + 0.3
    assert model.predict([("One text.", "One text."), ("One text.", "")]).tolist() == [1.0, 0.0]


def test_scores_do_not_depend_on_side_batch_or_copy(adapted_to_orders, tmp_path):
    model, _ = adapted_to_orders
    pairs = [*PAIRS, *orders(10)[0]]
    scores = model.predict(pairs)
    assert model.predict([(b, a) for a, b in pairs]).tolist() == scores.tolist()
    assert [model.predict([pair])[0] for pair in pairs[:5]] == scores[:5].tolist()
    model.save(tmp_path / "m")
    restored = Predictor.load(tmp_path / "m")
    assert restored.predict(pairs).tobytes() == scores.tobytes()
    assert restored.members[-1].to_bytes() == model.members[-1].to_bytes()
    assert pickle.loads(pickle.dumps(restored)).predict(pairs).tobytes() == scores.tobytes()
    # What the summary reads is recorded, though the profile itself reads none of it.
    assert set(restored.manifest["foundations"]) == {"paraphrases", "pipeline", "wordnet"}


@pytest.mark.slow
def test_explanations_add_up(adapted_to_orders):
    model, _ = adapted_to_orders
    pairs = [*PAIRS[:2], *orders(2)[0]]
    for explained, score in zip(model.explain(pairs), model.predict(pairs), strict=True):
        assert explained.score == score
        assert explained.base + sum(explained.contributions.values()) == pytest.approx(score, abs=1e-9)
        assert "summary" in explained.contributions


def test_a_glossary_changes_what_is_summarised(adapted_to_orders):
    model = adapted_to_orders[0].with_glossary([["chair", "seat"]])
    one, other = model.predict(
        [
            ("Order 555 of a chair is late.", "Where is the seat of order 555?"),
            ("Order 555 of a chair is late.", "Where is the chair of order 555?"),
        ]
    )
    assert one == other


def test_an_adapted_model_keeps_its_summary(adapted_to_orders):
    pairs, same = orders(30)
    model, result = adapt(adapted_to_orders[0], pairs, same, YES_OR_NO)
    assert [change.name for change in result.tried] == ["nothing", "probability"]
    assert [member.name for member in model.members].count("summary") == 1


def test_an_adapted_model_keeps_its_points_by_columns():
    pairs, same = orders(30)
    surface = load("surface")
    count = len(surface.columns)
    correction = LinearCorrection(
        columns=surface.columns, centre=np.zeros(count), width=np.ones(count), weights=np.zeros(count)
    )
    rule = Combination("stack", (0.3, 0.3, 0.3, 1.0))
    model = replace(surface, members=(*surface.members, correction), combination=rule)
    after, result = adapt(model, pairs, 1.0 + 3.0 * same, POINTS)
    assert {"members", "summary"} <= {change.name for change in result.tried}
    assert "columns" not in {change.name for change in result.tried}
    assert [member.name for member in after.members].count("correction") == 1


def test_scores_are_adapted_by_a_summary_too():
    pairs, same = orders(60)
    model, result = adapt(load("surface"), pairs, 1.0 + 3.0 * same, POINTS)
    error = {change.name: change.error for change in result.tried}
    assert error["summary"] < 0.9 * error["members"]
    assert result.chosen in ("summary", "columns")
    assert model.predict([("One text.", "One text.")]).tolist() == [5.0]
