"""Duplicates of rows from made-up scores: who stands for whom, by what evidence, and what a person must see."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.duplicates import duplicates
from samewise.ensemble.matching.options import PairRule
from samewise.ensemble.matching.pair_scores import ScoredPairs
from samewise.ensemble.matching.texts import TextCollection, TextRows
from samewise.ensemble.scoring.batches import differences_array

import samewise

KEEPS = st.sampled_from(["first", "longest", "central"])


class Reader:
    """Processes that are none: finds the differences that the test made up, in whatever order the texts come."""

    def __init__(self, kinds):
        self.kinds = {frozenset(pair): kind for pair, kind in kinds.items()}

    def differences(self, batches):
        for batch in batches:
            kinds = [self.kinds.get(frozenset(row.values())) for row in batch.to_pylist()]
            yield differences_array([[Difference(kind, "x", "y", (), ())] if kind else [] for kind in kinds])


def found(rows, scored, keep="first", same_from=4.0, unsure_from=3.0, kinds=None):
    """Return the duplicates of rows, and the pair of texts at each place of the scores."""
    texts = TextCollection.of(rows)
    places = {text: place for place, text in enumerate(texts.texts)}
    pairs = sorted((*sorted((places[a], places[b])), score) for (a, b), score in scored.items())
    first, second, score = (np.array([pair[side] for pair in pairs]) for side in (0, 1, 2))
    candidates = Candidates(texts, first.astype(np.int64), second.astype(np.int64), {})
    others = 3 * [np.zeros(len(pairs))]
    scores = ScoredPairs(candidates, score.astype(float), *others, np.zeros(len(pairs), np.int32), [()], 0)
    rule = PairRule(same_from, unsure_from, ("number",) if kinds else ())
    groups = duplicates(TextRows(rows), scores, rule, keep, Reader(kinds or {}))
    return groups, [frozenset((texts.texts[a], texts.texts[b])) for a, b, _ in pairs]


def review(groups):
    facts = groups.review
    return list(zip(facts.first.tolist(), facts.second.tolist(), facts.reasons, strict=True))


def test_rows_without_scores_stand_alone_and_equal_texts_together():
    groups, _ = found(["b", "a", " b", "c", "b "], {})
    assert groups.representatives.tolist() == [0, 1, 0, 3, 0]
    assert groups.pairs.tolist() == [-1] * 5
    assert groups.kept.tolist() == [0, 1, 3]
    assert review(groups) == []


def test_members_have_the_pair_with_their_representative_as_evidence():
    groups, pairs = found(["pear", "fig", "apple", "pear", "fig"], {("pear", "apple"): 4.0, ("fig", "pear"): 3.9})
    assert groups.representatives.tolist() == [0, 1, 0, 0, 1]
    assert groups.pairs[[0, 1, 3, 4]].tolist() == [-1] * 4
    assert pairs[groups.pairs[2]] == {"pear", "apple"}


def test_a_chain_is_cut_and_left_for_review():
    groups, _ = found(["one", "two", "three"], {("one", "two"): 4.2, ("two", "three"): 4.2})
    assert groups.representatives.tolist() == [0, 0, 2]
    assert review(groups) == [(1, 2, "chain")]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("first", [0, 2, 2, 0]),  # the second is more like the third, which is not linked with the first
        ("longest", [3, 2, 2, 3]),
        ("central", [1, 1, 1, 3]),
    ],
)
def test_who_stands_for_a_group(keep, expected):
    rows = ["dd", "a", "ccccc", "bbbbbbb"]
    scored = {("dd", "a"): 4.5, ("dd", "bbbbbbb"): 4.4, ("a", "ccccc"): 4.9}
    if keep == "central":
        scored["a", "bbbbbbb"] = 3.5
    groups, _ = found(rows, scored, keep)
    assert groups.representatives.tolist() == expected


def test_of_two_central_texts_the_one_with_higher_scores_stands_for_the_group():
    scored = {("p", "q"): 4.1, ("q", "r"): 4.2, ("r", "s"): 4.8}
    assert found(["p", "q", "r", "s"], scored, "central")[0].representatives.tolist() == [0, 2, 2, 2]


def test_of_texts_of_one_length_no_order_of_rows_decides():
    for rows in (["bb", "aa"], ["aa", "bb"]):
        for keep in ("longest", "central"):
            groups, _ = found(rows, {("aa", "bb"): 5.0}, keep)
            assert [rows[row] for row in groups.representatives] == ["aa", "aa"]


def test_review_has_three_reasons_and_stands_in_the_order_of_rows():
    rows = ["room 1", "room 2", "hall", "lobby", "foyer", "room 2", "annex"]
    scored = {
        ("room 1", "room 2"): 4.8,
        ("hall", "lobby"): 4.5,
        ("lobby", "foyer"): 4.5,
        ("room 2", "annex"): 3.0,
        ("hall", "annex"): 2.99,
    }
    groups, pairs = found(rows, scored, kinds={("room 1", "room 2"): "number", ("hall", "lobby"): "added"})
    assert groups.representatives.tolist() == [0, 1, 2, 2, 4, 1, 6]
    assert review(groups) == [(0, 1, "number"), (1, 6, "unsure"), (3, 4, "chain")]
    assert [pairs[place] for place in groups.review.pairs] == [
        {"room 1", "room 2"},
        {"room 2", "annex"},
        {"lobby", "foyer"},
    ]


def test_what_is_unsure_within_a_group_needs_no_review():
    scored = {("one", "two"): 4.5, ("one", "three"): 4.5, ("two", "three"): 3.5}
    assert review(found(["one", "two", "three"], scored)[0]) == []


def test_a_kind_that_keeps_nothing_apart():
    groups, _ = found(["a", "b"], {("a", "b"): 4.5}, kinds={("a", "b"): "missing"})
    assert groups.representatives.tolist() == [0, 0]


@given(st.data())
def test_no_row_is_removed_without_evidence(data):
    rows = data.draw(st.lists(st.sampled_from(["a", "bb", "cc", "ddd", "e", "ffff"]), min_size=1, max_size=9))
    distinct = sorted(set(rows))
    every = [(one, other) for one in distinct for other in distinct if one < other]
    scores = data.draw(st.lists(st.sampled_from([2.0, 3.5, 4.0, 4.5]), min_size=len(every), max_size=len(every)))
    scored, keep = dict(zip(every, scores, strict=True)), data.draw(KEEPS)
    kinds = {pair: "number" for pair in every if data.draw(st.booleans())}
    groups, pairs = found(rows, scored, keep, kinds=kinds)
    for row, (representative, place) in enumerate(zip(groups.representatives, groups.pairs, strict=True)):
        pair = tuple(sorted((rows[row], rows[representative])))
        assert groups.representatives[representative] == representative
        assert (place < 0) == (rows[row] == rows[representative])
        if place >= 0:
            assert pairs[place] == set(pair)
            assert scored[pair] >= 4.0
            assert pair not in kinds
    shown = {(one, other): reason for one, other, reason in review(groups)}
    for (one, other), reason in shown.items():
        assert one < other
        assert reason in set(kinds.values()) or groups.representatives[one] != groups.representatives[other]
    first = {text: rows.index(text) for text in distinct}
    for pair, kind in kinds.items():
        if scored[pair] >= 4.0:
            assert shown[tuple(sorted(first[text] for text in pair))] == kind
    assert review(groups) == sorted(review(groups))


@pytest.mark.slow
@given(st.data())
def test_the_order_of_rows_decides_only_for_the_first(data):
    rows = ["a", "bb", "cc", "ddd", "e", "ffff", "a"]
    every = [(one, other) for one in rows for other in rows if one < other]
    scored = {pair: data.draw(st.sampled_from([2.0, 3.5, 4.0, 4.5])) for pair in every}
    turned, keep = data.draw(st.permutations(rows)), data.draw(st.sampled_from(["longest", "central"]))
    of_text = []
    for order in (rows, turned):
        representatives = found(order, scored, keep)[0].representatives
        of_text.append({text: order[row] for text, row in zip(order, representatives, strict=True)})
    assert of_text[0] == of_text[1]


class Counted:
    """Model that counts the pairs that it scores; texts are as alike as the words that they share."""

    signature, scale, ref, parts = "counted", POINTS, None, {}

    def __init__(self):
        self.scored = 0

    def predict_pairs(self, pairs, languages=None):
        self.scored += len(pairs)
        words = [({*a.split()}, {*b.split()}) for a, b in pairs]
        score = np.array([5.0 * len(a & b) / len(a | b) for a, b in words])
        return Prediction(score, score, score, [()] * len(pairs))

    def differences(self, pairs):
        return [[] for _ in pairs]


def test_another_threshold_scores_no_pair_again():
    texts = ["the old red van", "the old red van again", "the old van", "", "the old red van", "a tram"]
    model, settings = Counted(), {"views": ("words", "rare_words"), "per_view": 20, "prefilter": "none", "exact": True}
    found = samewise.dedupe(texts, model=model, workers=1, same_from=3.0, unsure_from=2.0, **settings)
    scored = model.scored
    assert scored > 0
    assert found.kept.tolist() == [0, 3, 5]
    strict = found.rethreshold(3.9, 3.5)
    assert strict.kept.tolist() == [0, 2, 3, 5]
    assert strict.score[[1, 4]].tolist() == [4.0, 5.0]
    assert strict.review.column("reason").to_pylist() == ["unsure"]
    again = strict.rethreshold(3.0, 2.0)
    assert again.representatives.tolist() == found.representatives.tolist()
    assert again.review.equals(found.review)
    assert model.scored == scored
    fresh = samewise.dedupe(texts, model=model, workers=1, same_from=3.9, unsure_from=3.5, **settings)
    assert fresh.representatives.tolist() == strict.representatives.tolist()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ((1.9,), "the threshold must be at least 2, from which pairs were searched, got 1.9; call dedupe with"),
        ((4.0, 1.5), "the threshold must be at least 2, from which pairs were searched, got 1.5"),
        ((5.5,), "same_from must be from 0 to 5, got 5.5"),
        ((3.0, 4.0), "unsure_from must be from 0 to 3, got 4"),
    ],
)
def test_thresholds_that_were_not_searched_are_refused(scores, message):
    settings = {"views": ("words",), "prefilter": "none"}
    found = samewise.dedupe(["a van"], model=Counted(), same_from=3.0, unsure_from=2.0, **settings)
    with pytest.raises(ValueError, match=message):
        found.rethreshold(*scores)
