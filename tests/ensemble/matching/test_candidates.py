"""Candidates: every close pair once, whatever the order of rows and sides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.candidates import find_candidates
from samewise.ensemble.matching.search import row_similarities
from samewise.ensemble.matching.text_index import CandidateSettings
from samewise.ensemble.matching.texts import TextCollection, codes_by_view

QUESTIONS = [
    "How do I clean the coffee machine?",
    "What is the best way to clean a coffee machine?",
    "Where does the bus to the harbour leave?",
    "From where does the harbour bus leave?",
    "Is the museum open on Mondays?",
    "Can I visit the museum on a Monday?",
    "My order 88231 has not arrived.",
    "Order 88231 is still missing.",
    "The heating makes a strange noise.",
    "How much is a ticket to the zoo?",
]


def pairs(found, texts):
    return {(texts.texts[i], texts.texts[j]) for i, j in zip(found.first, found.second, strict=True)}


def test_paraphrases_are_candidates_and_strangers_are_not():
    texts = TextCollection.of(QUESTIONS)
    found = pairs(find_candidates(texts, CandidateSettings(least=0.5)), texts)
    for place in (0, 2, 4, 6):
        assert tuple(sorted(QUESTIONS[place : place + 2])) in found
    assert not any(QUESTIONS[8] in pair for pair in found)
    assert all(one < other for one, other in found)


def test_the_order_of_rows_changes_nothing():
    texts, turned = TextCollection.of(QUESTIONS), TextCollection.of(QUESTIONS[::-1] + QUESTIONS[:2])
    settings = CandidateSettings(least=0.3)
    assert pairs(find_candidates(texts, settings), texts) == pairs(find_candidates(turned, settings), turned)


@pytest.mark.parametrize("exact", [True, False])
def test_sides_can_be_exchanged(exact):
    a, b = QUESTIONS[:6], QUESTIONS[3:]
    settings = CandidateSettings(least=0.2, most=2, exact=exact)
    one, other = TextCollection.of(a, b), TextCollection.of(b, a)
    found = pairs(find_candidates(one, settings), one)
    assert found == pairs(find_candidates(other, settings), other)
    assert (QUESTIONS[4], QUESTIONS[4]) in found  # a text of both sides


def test_graphs_find_nearly_what_products_find():
    rng = np.random.default_rng(0)
    things = "lamp door roof pump clock shelf stove chair fence pipe".split()
    verbs = "repair clean move paint sell store hide lift find break".split()
    places = "garden attic cellar garage kitchen office barn hall yard bath".split()
    texts = TextCollection.of([
        f"How do I {rng.choice(verbs)} the {rng.choice(things)} in the {rng.choice(places)} number {row}?"
        for row in range(600)
    ])  # fmt: skip
    exact, graphs = (find_candidates(texts, CandidateSettings(least=0.5, exact=each)) for each in (True, False))
    assert exact.recall == {}
    assert set(graphs.recall) == {"words"}
    assert graphs.recall["words"] > 0.9
    assert len(pairs(exact, texts) & pairs(graphs, texts)) > 0.85 * len(exact.first)


def test_least_and_most_are_kept():
    texts = TextCollection.of(QUESTIONS)
    everything, close = (find_candidates(texts, CandidateSettings(("words",), 9, least)) for least in (-1.0, 0.6))
    assert len(everything.first) == 45
    assert 0 < len(close.first) < 10
    assert len(find_candidates(texts, CandidateSettings(("words",), 1, -1.0)).first) < 10


def test_no_rows():
    texts = TextCollection.of([])
    assert len(find_candidates(texts, CandidateSettings()).first) == 0


def test_settings_out_of_range():
    with pytest.raises(ValueError, match="the number of candidates must be at least 1, got 0"):
        CandidateSettings(most=0)


def test_texts_are_equal_but_for_white_space_and_unicode_form():
    texts = TextCollection.of(["  a  cafe\u0301 ", "a caf\u00e9", "b"])
    assert texts.texts == ["a caf\u00e9", "b"]
    assert texts.rows[0].tolist() == [0, 0, 1]


@given(st.permutations(range(len(QUESTIONS))), st.integers(0, 10))
def test_no_order_and_no_copy_of_a_row_changes_the_pairs(order, copies):
    settings = CandidateSettings(least=0.4, most=2)
    turned = TextCollection.of([QUESTIONS[place] for place in (*order, *order[:copies])])
    texts = TextCollection.of(QUESTIONS)
    assert pairs(find_candidates(turned, settings), turned) == pairs(find_candidates(texts, settings), texts)


def test_one_way_finds_some_of_what_both_ways_find():
    texts = TextCollection.of(QUESTIONS[:4], QUESTIONS[4:])
    settings = CandidateSettings(("words",), 1, -1.0)
    one, both = (pairs(find_candidates(texts, settings, both=each), texts) for each in (False, True))
    assert one < both
    for question in QUESTIONS[:4]:
        assert any(question in pair for pair in one)
    for question in QUESTIONS:
        assert any(question in pair for pair in both)


@pytest.mark.parametrize("views", [("words",), ("rare_words",), ("characters", "rare_words")])
def test_equal_texts_of_both_sides_are_candidates_whatever_the_view(views):
    a, b = ["...", "Is it far?", "zzqx 77"], ["zzqx 77", "..."]
    texts = TextCollection.of(a, b)
    found = pairs(find_candidates(texts, CandidateSettings(views, least=0.6), both=False), texts)
    assert {("...", "..."), ("zzqx 77", "zzqx 77")} <= found


@pytest.mark.parametrize("sides", [([], QUESTIONS), (QUESTIONS, []), ([], [])])
@pytest.mark.parametrize("exact", [True, False])
def test_a_side_without_rows(sides, exact):
    found = find_candidates(TextCollection.of(*sides), CandidateSettings(exact=exact))
    assert (len(found.first), found.recall) == (0, {})


def test_pairs_are_close_in_the_view_that_follows_scores_best():
    texts = TextCollection.of([*QUESTIONS, "Is the doctor ill?", "Is that physician sick?"])
    codes = codes_by_view(texts.texts, ("characters", "words"), None)
    found = find_candidates(texts, CandidateSettings(("characters", "rare_words", "words"), least=0.45))
    words, characters = (
        row_similarities(codes[name][found.first], codes[name][found.second]) for name in ("words", "characters")
    )
    assert len(found.first) > 0
    assert (words >= 0.45).all()
    assert characters.min() < 0.45


@pytest.mark.parametrize("exact", [True, False])
def test_the_sentence_encoder_finds_more_where_many_texts_are_close(exact):
    tools = "hammer saw drill spade rake axe plane chisel file wrench clamp level".split()
    texts = TextCollection.of([f"Where can I buy a {tool}?" for tool in tools])
    words, sentences = (
        find_candidates(texts, CandidateSettings((view,), 1, least, exact))
        for view, least in (("words", 0.0), ("sentences", 0.2))
    )
    # One closest text each by words, up to nine of the eleven others by sentences, for one more is searched than asked.
    assert len(words.first) <= 2 * len(tools)
    assert 2 * len(tools) < len(sentences.first) <= 9 * len(tools)


def test_texts_beyond_those_asked_for_are_nearer_than_others():
    texts = TextCollection.of(QUESTIONS)
    codes = codes_by_view(texts.texts, ("sentences",), None)["sentences"]
    closeness = row_similarities(codes[:, None].repeat(10, 1).reshape(100, -1), np.tile(codes, (10, 1))).reshape(10, 10)
    found = find_candidates(texts, CandidateSettings(("sentences",), 1, least=0.1))
    ranks = np.argsort(np.argsort(-closeness, axis=1, kind="stable"), axis=1)
    for one, other in zip(found.first, found.second, strict=True):
        near = min(ranks[one, other], ranks[other, one]) < 2
        assert closeness[one, other] >= (0.1 if near else 0.15) - 1e-6
