import csv
import json
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.commands.cli import app
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.research.pyramid import evaluate_pyramids, find_subject, make_tests, published_figures, read_pyramids
from samewise.research.pyramid.pyramid_figures import (
    RESAMPLES,
    binary_figure,
    ranking_figures,
    ranks,
    successes,
    tuning_split,
)
from samewise.research.pyramid.pyramid_tests import BinaryTest, RankingTest, distinct_pairs
from samewise.research.pyramid.pyramid_units import words_of
from samewise.research.pyramid.subjects import Subject
from scipy.stats import rankdata
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import f1_score, label_ranking_average_precision_score, precision_recall_curve
from sklearn.metrics.pairwise import cosine_similarity
from typer.testing import CliRunner

import samewise

from ...conftest import ROOT
from .pyramids import pyramid_of, pyramid_xml

EXAMPLES = sorted((ROOT / "docs" / "examples" / "pyramid").glob("*.pyr"))


def steps_of(*pyramids, across=False):
    return {step.name: (step.positives, step.negatives, step.questions) for step in make_tests(pyramids, across).steps}


def pairs_of(tests, positive):
    chosen = tests.binary.pairs[tests.binary.positive == positive]
    return {tuple(tests.texts[k] for k in pair) for pair in chosen.tolist()}


def test_words_by_hand():
    assert words_of("The U.S. team, which didn't win 3-2!") == (
        ("the", "u.s.", "team", "which", "did", "n't", "win", "3-2"),
        frozenset({"u.s.", "team", "win", "3-2"}),
        False,
    )
    assert words_of("... ?") == ((), frozenset(), False)


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("He left", True), ("the dog wagged its tail", True), ("they're late", True), ("Give it up", True),
        ("the army itself", True), ("US exports rose", False), ("an IT firm", False), ("the coal mine", False),
        ("this is what everybody who came saw", False), ("them", True),
    ],
)  # fmt: skip
def test_pronouns(text, pronoun):
    assert words_of(text).pronoun is pronoun


FACTS = [
    ("the old town hall was sold", "the old town hall was sold cheaply", "a buyer got the old town hall"),
    ("the old town hall was painted", "the old town hall was painted red", "red paint was put on it"),
    ("the old town hall was searched", "the old town hall was searched by police", "search over"),
    ("the bridge fell", "the bridge fell", "a bridge has fallen", "the bridge, it fell"),
]


def test_filters_counted_by_hand():
    # 12 texts, 3 a fact, for the label of the bridge is a snippet too: 66 pairs, 12 of them positive, and 3 of two
    # texts that are labels alone: 51 negative. Questions: 1, 1, 1 and 3 pairs of snippets.
    # "search over" goes with 2 positives, 9 negatives (the texts of other facts) and a question.
    # "red paint was put on it" and "the bridge, it fell" go with 2 positives each, 8 + 8 - 1 negatives (their own pair
    # is one), and 1 + 2 questions.
    # Of the 9 texts left, 3, 2 and 2 hold "the old town hall": 3*2 + 3*2 + 2*2 pairs less 3 of labels alone share it.
    assert steps_of(pyramid_of(*FACTS)) == {
        "all": (12, 51, 6),
        "3 words": (10, 42, 5),
        "no pronoun": (6, 27, 2),
        "a content word differs": (6, 27, 2),
        "over 3 words shared": (None, 13, None),
        "3 distractors": (None, None, 2),
    }


def test_pairs_by_hand():
    tests = make_tests([pyramid_of(*FACTS)])
    assert pairs_of(tests, True) == {
        ("a bridge has fallen", "the bridge fell"),
        ("a buyer got the old town hall", "the old town hall was sold"),
        ("a buyer got the old town hall", "the old town hall was sold cheaply"),
        ("the old town hall was painted", "the old town hall was painted red"),
        ("the old town hall was searched", "the old town hall was searched by police"),
        ("the old town hall was sold", "the old town hall was sold cheaply"),
    }
    negative = pairs_of(tests, False)
    assert ("the old town hall was painted red", "the old town hall was sold cheaply") in negative
    assert ("the old town hall was painted", "the old town hall was sold") not in negative  # two labels
    assert len(negative) == 13


def test_questions_by_hand():
    # To "the old town hall was sold cheaply" the cosines of the other snippets are 5/7 (painted red), 5/sqrt(7*8) (by
    # police), 1/sqrt(7*3) and 0. To "the bridge fell" three are 1/sqrt(3*7), in alphabetical order, and by police is
    # 1/sqrt(3*8).
    tests = make_tests([pyramid_of(*FACTS)])
    asked = {
        tests.texts[query]: [tests.texts[k] for k in candidates]
        for query, candidates in zip(tests.ranking.queries, tests.ranking.candidates, strict=True)
    }
    town, bridge, buyer = "the old town hall was ", "the bridge fell", "a buyer got the old town hall"
    assert asked == {
        f"{town}sold cheaply": [buyer, f"{town}painted red", f"{town}searched by police", bridge],
        bridge: ["a bridge has fallen", buyer, f"{town}painted red", f"{town}sold cheaply"],
    }


def test_a_content_word_differs_on_both_kinds():
    facts = [
        ("sale", "the wall was sold then", "that wall is now sold", "the old wall was sold then"),
        ("talk", "the wall was then sold", "noise in the street"),
    ]
    assert steps_of(pyramid_of(*facts))["no pronoun"] == (4, 6, 4)
    # One positive, one question and two negatives have only the content words "wall" and "sold".
    assert steps_of(pyramid_of(*facts))["a content word differs"] == (3, 4, 3)


@pytest.mark.parametrize(
    ("a", "b", "kept"),
    [
        ("one two three four", "four three two one five", True),
        ("one two three six", "four three two one", False),
        ("one one two three", "one one three two five", False),  # distinct words
        ("One, two; THREE four!", "one two three four five", True),
    ],
)
def test_negatives_share_over_three_words(a, b, kept):
    count = steps_of(pyramid_of(("x", a), ("y", b)))["over 3 words shared"][1]
    assert count == int(kept)


def test_a_text_of_two_facts_is_not_a_negative_of_either():
    both = "the mayor opened the new school"
    facts = [("a", both, "the mayor cut a ribbon"), ("b", both, "the new school of the mayor opened its doors at last")]
    tests = make_tests([pyramid_of(*facts)])
    assert all(both not in pair for pair in pairs_of(tests, False))
    other = pyramid_of(("c", "the mayor cut a ribbon"), ("d", both), ("e", "the mayor opened the new park"))
    # What is a positive pair in one pyramid is no negative one of another.
    tests = make_tests([pyramid_of(*facts), other])
    assert ("the mayor cut a ribbon", both) not in pairs_of(tests, False)
    assert (both, "the mayor opened the new park")[::-1] in pairs_of(tests, False)


def test_only_across_pairs_snippets_of_different_pyramids():
    one = pyramid_of(("x", "the ship left port at noon", "a ship sailed at noon"))
    two = pyramid_of(
        ("y", "the train left port at noon"), ("z", "port had no train today"), ("w", "a market opened today")
    )
    assert steps_of(one, two)["over 3 words shared"][1] == 0
    assert steps_of(one, two)["3 distractors"][2] == 0
    assert steps_of(one, two, across=True)["over 3 words shared"][1] == 1
    assert steps_of(one, two, across=True)["3 distractors"][2] == 1


WORDS = st.sampled_from("the a red blue cold river bridge fell was it".split())
TEXTS = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
UNITS = st.lists(st.lists(TEXTS, min_size=2, max_size=4), min_size=1, max_size=6)


def slow_tests(facts):
    """Both tests of a pyramid, from their definitions, pair by pair."""
    words, content = {}, {}
    for text in (text for fact in facts for text in fact):
        words[text] = text.split()
        content[text] = set(words[text]) - {"the", "a", "was"}
    fine = [text for text in words if len(words[text]) >= 3 and "it" not in words[text]]
    snippets = {text for fact in facts for text in fact[1:]}

    def cosine(a, b):
        vocabulary = sorted({*words[a], *words[b]})
        u, v = ([words[t].count(w) for w in vocabulary] for t in (a, b))
        return round(np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v)), 12)

    positive, negative = set(), set()
    for a, b in combinations(sorted(fine), 2):
        if content[a] == content[b] or not {a, b} & snippets:
            continue
        if any(a in fact and b in fact for fact in facts):
            positive.add((a, b))
        elif len({*words[a]} & {*words[b]}) > 3:
            negative.add((a, b))
    questions = []
    for fact in facts:
        for a, b in combinations([t for t in dict.fromkeys(fact[1:]) if t in fine], 2):
            others = sorted(t for t in snippets & {*fine} if t not in fact and content[t] != content[a])
            if content[a] != content[b] and len(others) >= 3:
                questions.append((a, b, *sorted(others, key=lambda t: (-cosine(a, t), t))[:3]))
    return positive, negative, questions


@settings(max_examples=60)
@given(UNITS)
def test_tests_are_those_of_the_definitions(facts):
    tests = make_tests([pyramid_of(*facts)])
    positive, negative, questions = slow_tests(sorted(facts, key=lambda fact: (fact[0], fact[1:])))
    assert pairs_of(tests, True) == positive
    assert pairs_of(tests, False) == negative
    asked = [
        tuple(tests.texts[k] for k in (query, *row))
        for query, row in zip(tests.ranking.queries, tests.ranking.candidates, strict=True)
    ]
    assert sorted(asked) == sorted(questions)
    last = tests.steps[-2].negatives, tests.steps[-3].positives, tests.steps[-1].questions
    assert last == (len(negative), len(positive), len(questions))


@settings(max_examples=25)
@given(st.lists(UNITS, min_size=2, max_size=4), st.booleans(), st.randoms())
def test_the_order_of_the_pyramids_does_not_matter(groups, across, random):
    pyramids = [pyramid_of(*facts) for facts in groups]
    shuffled = random.sample(pyramids, len(pyramids))
    one, two = make_tests(pyramids, across), make_tests(shuffled, across)
    assert (one.texts, one.steps) == (two.texts, two.steps)
    for test in ("binary", "ranking"):
        for key, value in vars(getattr(one, test)).items():
            np.testing.assert_array_equal(value, getattr(getattr(two, test), key))


def test_f_by_hand():
    # 4 positive pairs of two units and 6 negative ones. One of each class tunes: seed 0 draws the pairs 2 and 9.
    positive = np.asarray([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
    similarity = np.asarray([0.9, 0.4, 0.6, 0.7, 0.65, 0.8, 0.1, 0.2, 0.5, 0.3])
    units = np.asarray([[0, 0], [0, 0], [1, 1], [1, 1], *[[0, 1]] * 6])
    tuning = tuning_split(positive, seed=0)
    assert np.flatnonzero(tuning).tolist() == [2, 9]
    # 0.6 is positive and 0.3 is negative: the threshold is 0.6. Of the others 0.9 and 0.7 are found, 0.4 is missed, and
    # 0.65 and 0.8 are false: F = 2*2 / (2*2 + 2 + 1).
    figure, threshold = binary_figure(BinaryTest(np.empty((10, 2)), positive, units), similarity, seed=0)
    assert threshold == 0.6
    assert figure.value == 4 / 7
    assert figure.low <= figure.value <= figure.high


def test_the_split_is_a_tenth_of_each_class():
    positive = np.arange(1_000) < 250
    tuning = tuning_split(positive, seed=3)
    assert (tuning & positive).sum() == 25
    assert (tuning & ~positive).sum() == 75
    np.testing.assert_array_equal(tuning, tuning_split(positive, seed=3))
    assert (tuning != tuning_split(positive, seed=4)).any()
    for few in (positive[:251], np.asarray([True, False, False])):
        with pytest.raises(
            ValueError, match="(positive|negative) pairs after the filters must be at least 2, .*, got 1;"
        ):
            tuning_split(few)


def test_f_and_threshold_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    positive = rng.random(400) < 0.2
    similarity = np.round(positive * 0.3 + rng.random(400), 2)  # with ties
    units = np.sort(rng.integers(0, 12, (400, 2)), axis=1)
    units[positive, 1] = units[positive, 0]
    figure, threshold = binary_figure(BinaryTest(np.empty((400, 2)), positive, units), similarity, seed=5)
    tuning = tuning_split(positive, seed=5)
    precision, recall, thresholds = precision_recall_curve(positive[tuning], similarity[tuning])
    f = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    assert f1_score(positive[tuning], similarity[tuning] >= threshold) == pytest.approx(f[:-1].max())
    assert threshold in thresholds
    kept = ~tuning
    assert figure.value == pytest.approx(f1_score(positive[kept], similarity[kept] >= threshold))
    # The interval, resample by resample: a pair weighs as its units say.
    draws = np.random.default_rng(5)
    counts = np.concatenate([draws.multinomial(12, np.full(12, 1 / 12), 100) for _ in range(RESAMPLES // 100)])
    called, found = similarity >= threshold, []
    for count in counts:
        weight = np.where(positive, count[units[:, 0]], count[units[:, 0]] * count[units[:, 1]]) * kept
        found.append(2 * weight[positive & called].sum() / (weight[positive].sum() + weight[called].sum()))
    np.testing.assert_allclose(figure[1:], np.quantile(found, [0.025, 0.975]))


def ranking_of(units):
    n = len(units)
    return RankingTest(np.zeros(n, dtype=np.int64), np.zeros((n, 4), dtype=np.int64), np.asarray(units))


def test_ranks_and_ties_by_hand():
    # The right answer first, then the distractors. Alone in front; in front with another: rank (1 + 2) / 2; behind two
    # and beside one: (3 + 4) / 2; beside all: (1 + 2 + 3 + 4) / 4; behind all.
    rows = np.asarray([[9, 1, 2, 3], [5, 5, 1, 2], [1, 2, 3, 1], [2, 2, 2, 2], [0, 1, 2, 3]])
    np.testing.assert_array_equal(ranks(rows), [1, 1.5, 3.5, 2.5, 4])
    np.testing.assert_array_equal(successes(rows), [1, 1 / 2, 0, 1 / 4, 0])
    success, mrr = ranking_figures(ranking_of([0, 0, 1, 2, 2]), rows)
    assert success.value == pytest.approx((1 + 1 / 2 + 1 / 4) / 5)
    assert mrr.value == pytest.approx((1 + 2 / 3 + 2 / 7 + 2 / 5 + 1 / 4) / 5)
    assert success.low <= success.value <= success.high
    # One content unit: nothing can be drawn.
    assert ranking_figures(ranking_of([7] * 5), rows)[0][1:] == (None, None)
    with pytest.raises(ValueError, match="questions after the filters must be at least 1, got 0;"):
        ranking_figures(ranking_of([]), np.empty((0, 4)))


def test_ranks_are_those_of_scipy_and_scikit_learn():
    rng = np.random.default_rng(2)
    tied = rng.integers(0, 4, (300, 4))
    np.testing.assert_array_equal(ranks(tied), rankdata(-tied, axis=1)[:, 0])
    rows = rng.random((300, 4))
    _, mrr = ranking_figures(ranking_of(rng.integers(0, 30, 300)), rows)
    truth = np.tile([1, 0, 0, 0], (300, 1))
    assert mrr.value == pytest.approx(label_ranking_average_precision_score(truth, rows))


def made_up(units, occurrences, seed=0):
    rng = np.random.default_rng(seed)
    words = [f"w{k}" for k in range(60)]
    return pyramid_of(
        *(["label", *(" ".join(rng.choice(words, 12)) for _ in range(occurrences))] for _ in range(units))
    )


def test_random_is_right_once_in_four():
    tests = make_tests([made_up(60, 9)])
    assert len(tests.ranking.queries) > 2_000
    similarity = np.random.default_rng(0).random((len(tests.ranking.queries), 4))
    success, mrr = ranking_figures(tests.ranking, similarity)
    assert success.value == pytest.approx(0.25, abs=0.035)
    assert mrr.value == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, abs=0.03)
    assert success.low < 0.25 < success.high
    assert mrr.low < 0.5208 < mrr.high
    similarity = find_subject("random", seed=4).similarity(tests.texts, tests.binary.pairs)
    # With a threshold below all: F = 2p / (1 + p), with p the share of positives.
    share = tests.binary.positive.mean()
    figure, _ = binary_figure(tests.binary, similarity)
    assert figure.value == pytest.approx(2 * share / (1 + share), abs=0.02)


@pytest.fixture(scope="module")
def scored():
    tests = make_tests(read_pyramids(EXAMPLES)[0])
    pairs = distinct_pairs(tests)
    return list(tests.texts), pairs[:: max(1, len(pairs) // 40)]


def test_one_hot_is_the_cosine_of_counts(scored):
    texts, pairs = scored
    texts = [*texts, "", "..."]
    pairs = np.concatenate([pairs, [[0, len(texts) - 1], [len(texts) - 2, len(texts) - 1]]])
    bags = CountVectorizer(analyzer=lambda text: words_of(text).words).fit_transform(texts)
    expected = cosine_similarity(bags)[pairs[:, 0], pairs[:, 1]]
    np.testing.assert_allclose(find_subject("one-hot").similarity(texts, pairs), expected, atol=1e-11)


@pytest.mark.parametrize("name", ["distilled", "relational"])
def test_vectors_are_sums_of_unit_vectors(scored, name):
    texts, pairs = scored
    texts = [*texts, "qqzzx xxqqz"]
    pairs = np.concatenate([pairs, [[0, len(texts) - 1]]])
    sums = []
    for text in texts:
        values = shipped_vectors(name).embed(words_of(text).words).values.astype(np.float64)
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        sums.append((values / np.where(lengths > 0, lengths, 1)).sum(axis=0))
    expected = cosine_similarity(sums)[pairs[:, 0], pairs[:, 1]]
    found = find_subject(f"vectors:{name}").similarity(texts, pairs)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_vectors_of_a_file(tmp_path):
    (tmp_path / "mine.txt").write_text("2 2\nred 1 0\nblue 3 4\n")
    subject = find_subject(f"vectors:{tmp_path / 'mine.txt'}")
    texts = ["red", "blue", "red blue"]
    # (1, 0), (0.6, 0.8) and their sum (1.6, 0.8).
    found = subject.similarity(texts, np.asarray([[0, 1], [0, 2], [1, 2]]))
    np.testing.assert_allclose(found, [0.6, 2 / 5**0.5, 2 / 5**0.5], atol=1e-2)
    assert subject.signature.startswith("vectors ")


def test_encoder_and_models_are_those_that_ship(scored):
    texts, pairs = scored[0], scored[1][:6]
    vectors = shipped_encoder().vectors([texts[k] for k in pairs.ravel()]).reshape(len(pairs), 2, -1)
    found = find_subject("encoder").similarity(texts, pairs)
    np.testing.assert_allclose(found, (vectors[:, 0] * vectors[:, 1]).sum(axis=1), atol=1e-5)
    model = samewise.load("surface")
    subject = find_subject("surface")
    expected = model.predict_pairs([(texts[i], texts[j]) for i, j in pairs]).score
    np.testing.assert_array_equal(subject.similarity(texts, pairs), expected)
    assert subject.signature == model.signature


def test_every_pair_is_scored_once():
    given = []

    def similarity(texts, pairs):
        given.extend((texts[i], texts[j]) for i, j in pairs.tolist())
        return np.asarray([len(a) + len(b) for a, b in given], dtype=float)

    evaluate_pyramids(EXAMPLES, [Subject("lengths", "", similarity)])
    assert len(given) == len(set(given)) == len({frozenset(pair) for pair in given})
    assert all(a < b for a, b in given)


MODULE = """
def length(pairs):
    return [-abs(len(a) - len(b)) for a, b in pairs]
def short(pairs):
    return [1.0]
def nothing(pairs):
    return None
def endless(pairs):
    return [float("nan")] * len(pairs)
number = 3
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "my_measures.py").write_text(MODULE)
    (tmp_path / "broken.pyr").write_text("<pyramid><scu")
    (tmp_path / "tiny.pyr").write_text(pyramid_xml(("rain", "the rain fell all day", "it rained")))
    (tmp_path / "single.pyr").write_text(pyramid_xml(*FACTS[:1]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["research", "pyramid", *map(str, words)])


def test_the_command_prints_figures_beside_the_published_ones(here):
    done = run(*EXAMPLES, "--subject", "one-hot", "--subject", "my_measures:length", "-o", "out.csv")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["subject", "binary", "F"]
    assert [line.split()[0] for line in lines[1:3]] == ["one-hot", "my_measures:length"]
    assert len([line for line in lines if "(published)" in line]) == 8
    assert re.search(r"word2vec GoogleNews \(published\) +0\.4234 +67\.0 +0\.7893", done.stdout)
    assert re.search(r"\npublished +8,390 +189,229 +8,755\n", done.stdout)
    rows = list(csv.DictReader((here / "out.csv").read_text().splitlines()))
    assert len(rows) == 10
    assert f"{float(rows[0]['binary_f']):.4f}" in lines[1]
    assert float(rows[-1]["success"]) == pytest.approx(0.65667)
    again = run(*EXAMPLES[::-1], "--subject", "one-hot", "--subject", "my_measures:length", "--json")
    told = json.loads(again.stdout)
    for row, subject in zip(rows, told["subjects"], strict=False):
        for key in ("binary_f", "success", "mrr"):
            assert float(row[key]) == subject[key]["value"]
            assert float(row[f"{key}_low"]) == subject[key]["low"]
    assert (told["pyramids"], told["units"], told["seed"], told["across"]) == (2, 50, 0, False)
    assert [step["questions"] for step in told["steps"]][-1] > 90
    assert told["published"][0] == {"name": "random", "binary_f": 0.04059, "success": 0.24662, "mrr": 0.52223}


def test_a_test_that_cannot_be_made_is_left_out_and_said(here):
    done = run("single.pyr", "--subject", "one-hot", "--json")
    assert done.exit_code == 1
    message = "no binary test can be made: negative pairs after the filters must be at least 2, .* got 0;"
    assert re.search(message, done.stderr)
    assert "no ranking test can be made: questions after the filters must be at least 1, got 0" in done.stderr
    four = [
        ("label", f"the {word} ship left port", f"a {word} ship sailed away") for word in ("red", "old", "big", "new")
    ]
    (here / "four.pyr").write_text(
        pyramid_xml(*[(f"{k}", *fact[1:2]) for k, fact in enumerate(four)], ("x", *four[0][1:]))
    )
    done = run("four.pyr", "--subject", "one-hot", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["subjects"][0]
    assert (told["binary_f"] is None) != (told["mrr"] is None)
    assert "no binary test can be made" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "Missing argument"),
        (("--seed", "-1", "tiny.pyr"), 2, "seed"),
        (("gone.pyr",), 1, "gone.pyr cannot be read: No such file"),
        (("broken.pyr",), 1, "broken.pyr must be well-formed XML"),
        (("tiny.pyr",), 1, "no binary test can be made"),
        (("single.pyr", "--subject", "word2vec"), 1, "subject must be one of random, one-hot, .* got 'word2vec'"),
        (("single.pyr", "--subject", "vectors:"), 1, "subject must be one of .* got 'vectors:'"),
        (("single.pyr", "--subject", "vectors:gone.txt"), 1, "gone.txt"),
        (("single.pyr", "--subject", "encoder:gone"), 1, "an encoder must be a folder, got 'gone'"),
        (("single.pyr", "--subject", "gone:function"), 1, "cannot be imported: No module named 'gone'"),
        (("single.pyr", "--subject", "my_measures:gone"), 1, "cannot be imported"),
        (("single.pyr", "--subject", "my_measures:number"), 1, "must be a function, got int"),
        ((EXAMPLES[0], "--subject", "my_measures:short"), 1, "must return [0-9]+ finite numbers"),
        ((EXAMPLES[0], "--subject", "my_measures:endless"), 1, "must return [0-9]+ finite numbers"),
        ((EXAMPLES[0], "--subject", "my_measures:nothing"), 1, "must return a list of numbers"),
        ((EXAMPLES[0], "--subject", "one-hot", "-o", "nowhere/out.csv"), 1, "No such file or directory: .*nowhere"),
        ((EXAMPLES[0], "--subject", "one-hot", "-o", "out.doc"), 1, "out.doc does not show its format"),
    ],
)  # fmt: skip
def test_wrong_use_and_bad_input(here, words, code, message):
    done = run(*words)
    assert done.exit_code == code, done.output
    assert re.search(message, done.stderr)
    if code == 1:
        assert len(done.stderr.strip().splitlines()) == 1
        assert done.stderr.startswith("samewise: ")
    assert not (here / "out.doc").exists()


def test_the_same_pyramid_twice_is_said(here):
    done = run(EXAMPLES[0], EXAMPLES[0], "--subject", "one-hot")
    assert done.exit_code == 0
    assert "which counts once" in done.stderr
    assert done.stdout == run(EXAMPLES[0], "--subject", "one-hot").stdout


def test_the_published_table():
    rows = published_figures()
    assert len(rows) == 8
    assert rows[1] == ("one-hot", 0.26324, 63.973, 0.77202)
    assert max(rows, key=lambda row: row.binary_f).embedding == "Open-IE"
    assert max(rows, key=lambda row: row.mrr).embedding == "word2vec GoogleNews"
