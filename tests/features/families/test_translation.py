from collections import Counter
from itertools import combinations
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import _count_chunks
from nltk.translate.nist_score import sentence_nist
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.lib_ter import translation_edit_rate
from samewise.features.analysis.analysis import analyse
from samewise.features.families import translation
from samewise.features.pipeline.registry import Resources
from samewise.features.statistics.counts import NgramCounts

from ..golden import check, row

# Words that are their own stems; up to 24, because from 25 on sacrebleu looks only at a beam of the edit table.
ITEMS = st.sampled_from("boat red hill sun fish moon".split())
WORDS = st.lists(ITEMS, min_size=1, max_size=24)
NO_COUNTS = NgramCounts({"tokens": np.asarray(0), "hashes": np.empty(0, np.uint64), "counts": np.empty(0, np.int32)})


def rows(value, a, b, **resources):
    return list(row(value, " ".join(a), " ".join(b), **resources).values())


# "sun fish" moved to the front: tiles of 3 and 2, all 5 words matched.
MOVED = "red boat hill sun fish", "sun fish red boat hill"
AB_ABC = 2 * 7 / 12 / (19 / 12)
P = (4 / 7 + 3 / 6 + 2 / 5 + 1 / 4) / 4
# Counted text: "red boat", "red hill", "red boat sun": 7 tokens, red 3, boat 2, "red boat" 2; all else counts as 1.
COUNTS = Resources.fit(["ngram_counts"], analyse([("red boat", "red hill"), ("red boat sun", "")]).sentences)
UNIGRAMS, BIGRAM = log2(7 / 3) + log2(7 / 2), log2(3 / 2)

# fmt: off
GOLDEN = [
    # Shared: 2 unigrams, 1 bigram, nothing longer.
    # a as hypothesis: 2/3 * (1+1)/(2+1) * 1/(1+1) * 1/(0+1) = 2/9, brevity exp(1 - 4/3).
    # b as hypothesis: 2/4 * (1+1)/(3+1) * 1/(2+1) * 1/(1+1) = 1/24, no penalty.
    (translation.bleu, "red boat sun", "red boat hill fish", [(1 / 24) ** 0.25, (2 / 9) ** 0.25 * np.exp(-1 / 3)]),
    # (27 + 8)^(1/3) = 3.2711 of 5; METEOR 1 - 0.5 (2/5)^3 = 0.968.
    (translation.gtm, *MOVED, [35 ** (1 / 3) / 5]),
    (translation.meteor, *MOVED, [0.968, 0.968]),
    # One of 1 and one of 3 words: 10 m / (h + 9 r) is 10/28 or 10/12; a single chunk halves it.
    (translation.meteor, "red", "red boat hill", [5 / 28, 5 / 12]),
    # Levenshtein 4 (two words put in front and taken off the end), nothing misplaced; TER moves one block.
    (translation.error_rate, *MOVED, [-0.8, -0.8, 0, 0]),
    (translation.ter, *MOVED, [-0.2, -0.2]),
    # Two words more on one side: 2 edits over 1 or 3 words.
    (translation.error_rate, "red", "red boat hill", [-2, -2 / 3, -2, -2 / 3]),
    # red-boat, red-hill, boat-hill; red-sun, red-hill, sun-hill. One of 3 and 3.
    (translation.rouge_skip, "red boat hill", "red sun hill", [1 / 3, 1 / 3]),
    # Five words between red and hill: none of 15 and 1 in the window, one of 21 and 1 in all.
    (translation.rouge_skip, "red a b c d e hill", "red hill", [0, 2 / 22]),
    # One run of 2 of four words and two runs of 1: 2^1.2 and 2 against 4^1.2.
    (translation.rouge_weighted, "red boat hill sun", "red boat fish moon", [(2**1.2 / 4**1.2) ** (1 / 1.2)]),
    (translation.rouge_weighted, "red boat hill sun", "red fish hill moon", [(2 / 4**1.2) ** (1 / 1.2)]),
    # 2 of 2 and 3 characters, 1 of 1 and 2 bigrams, no trigram on one side: mean P 1, mean R 7/12.
    (translation.chrf, "AB", "a bc", [AB_ABC]),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


@given(WORDS, WORDS)
def test_bleu_is_that_of_sacrebleu(a, b):
    bleu = BLEU(smooth_method="add-k", smooth_value=1, tokenize="none")
    ways = [bleu.sentence_score(" ".join(x), [" ".join(y)]).score / 100 for x, y in ((a, b), (b, a))]
    assert rows(translation.bleu, a, b) == pytest.approx(sorted(ways), abs=1e-6)


def test_nist_by_hand():
    # Hypothesis of three words: no penalty; of two words for three: exactly one half.
    expected = sorted([(UNIGRAMS / 2 + BIGRAM) * 0.5, UNIGRAMS / 3 + BIGRAM / 2])
    check(translation.nist, "red boat fish", "red boat", expected, **COUNTS)
    check(translation.nist, "red boat", "red boat", [0, 0], ngram_counts=NO_COUNTS)


# nltk weighs by the counts of the reference alone, and divides by zero for hypotheses of fewer than five words.
@pytest.mark.slow
@given(st.lists(ITEMS, min_size=5, max_size=15), st.lists(ITEMS, min_size=5, max_size=15))
def test_nist_is_that_of_nltk(a, b):
    ways = []
    for hypothesis, reference in ((a, b), (b, a)):
        counts = Resources.fit(["ngram_counts"], [analyse([(" ".join(reference), "")]).sentences[0]])
        ways.append((sentence_nist([reference], hypothesis), rows(translation.nist, a, b, **counts)))
    for expected, found in ways:
        assert min(abs(expected - value) for value in found) < 1e-4


@given(st.permutations("boat red hill sun fish moon".split()), st.permutations("boat red hill sun sky".split()))
def test_chunks_are_those_of_nltk_where_no_word_repeats(a, b):
    matches = [(i, b.index(word)) for i, word in enumerate(a) if word in b]
    chunks, m = _count_chunks(matches), len(matches)
    ways = [10 * m / (h + 9 * r) * (1 - 0.5 * (chunks / m) ** 3) for h, r in ((6, 5), (5, 6))]
    assert rows(translation.meteor, a, b) == pytest.approx(sorted(ways))


@settings(max_examples=150)
@given(WORDS, WORDS)
def test_ter_is_that_of_sacrebleu(a, b):
    ways = [-np.divide(*translation_edit_rate(x, y)) for x, y in ((a, b), (b, a))]
    assert rows(translation.ter, a, b) == pytest.approx(sorted(ways))


@pytest.mark.slow
@settings(max_examples=60)
@given(st.permutations([f"w{i}" for i in range(20)]), st.integers(0, 20))
def test_ter_of_shuffled_words_is_that_of_sacrebleu(words, kept):
    a = [f"w{i}" for i in range(20)]
    b = [*a[:kept], *(word for word in words if word not in a[:kept])]
    ways = [-np.divide(*translation_edit_rate(x, y)) for x, y in ((a, b), (b, a))]
    assert rows(translation.ter, a, b) == pytest.approx(sorted(ways))


class Blanks:
    def tokenize(self, text):
        return text.split()


@given(WORDS, WORDS)
def test_rouge_is_that_of_google(a, b):
    scores = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=Blanks()).score(" ".join(a), " ".join(b))
    expected = [scores[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")]
    assert rows(translation.rouge, a, b) == pytest.approx(expected)


def skips(words, gap=None):
    return Counter(
        (words[i], words[j]) for i, j in combinations(range(len(words)), 2) if gap is None or j - i <= gap + 1
    )


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_skip_bigrams_are_those_of_counters(a, b):
    expected = []
    for gap in (4, None):
        one, other = skips(a, gap), skips(b, gap)
        expected.append(2 * (one & other).total() / max((one + other).total(), 1))
    assert rows(translation.rouge_skip, a, b) == pytest.approx(expected)


def weighted_by_the_paper(x, y, f):
    c, w = np.zeros((len(x) + 1, len(y) + 1)), np.zeros((len(x) + 1, len(y) + 1), dtype=int)
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                k = w[i - 1, j - 1]
                c[i, j], w[i, j] = c[i - 1, j - 1] + f(k + 1) - f(k), k + 1
            else:
                c[i, j] = max(c[i - 1, j], c[i, j - 1])
    return c[-1, -1]


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_rouge_w_is_that_of_the_paper(pairs):
    expected = []
    for a, b in pairs:
        weight = weighted_by_the_paper(a, b, lambda k: k**1.2)
        p, r = ((weight / len(side) ** 1.2) ** (1 / 1.2) for side in (a, b))
        expected.append(2 * p * r / (p + r) if weight else 0)
    found = translation.rouge_weighted(analyse([(" ".join(a), " ".join(b)) for a, b in pairs]))
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-6)


def test_chrf_of_several_pairs():
    # "ab" and "abc" beside two equal texts of 7 characters, an empty one, and "abcdefg" against its first half.
    # There 4, 3, 2 and 1 n-grams match, of 7, 6, 5 and 4: R 1, P (4/7 + 3/6 + 2/5 + 1/4) / 4.
    pairs = [("AB", "a bc"), ("abcdefg", "abc defg"), ("", "x"), ("abcdefg", "abcd"), ("", "")]
    assert translation.chrf(analyse(pairs))[:, 0].tolist() == pytest.approx([AB_ABC, 1, 0, 2 * P / (P + 1), 1])


@given(st.text("abcdE é.", max_size=40), st.text("abcdE é.", max_size=40))
def test_chrf_is_that_of_sacrebleu(a, b):
    expected = CHRF(beta=1, lowercase=True).sentence_score(a, [b]).score / 100 if (a + b).strip() else 1.0
    assert row(translation.chrf, a, b)[translation.chrf.names[0]] == pytest.approx(expected, abs=1e-6)


@given(WORDS, WORDS)
def test_overlap_is_that_of_counters(a, b):
    both, either = Counter(a) & Counter(b), Counter(a) | Counter(b)
    assert rows(translation.overlap, a, b) == pytest.approx([both.total() / either.total()])


@pytest.mark.parametrize(
    ("name", "both", "one"),
    [
        *((name, 1, 0) for name in ("bleu", "gtm", "meteor", "rouge", "rouge_skip", "rouge_weighted", "chrf")),
        *(("overlap", 1, 0), ("nist", 0, 0), ("error_rate", 0, -2), ("ter", 0, -2)),
    ],
)
def test_empty_sentences(name, both, one):
    value = getattr(translation, name)
    resources = {"ngram_counts": NO_COUNTS} if value.needs else {}
    assert set(row(value, "", "", **resources).values()) == {both}
    found = row(value, "", "red boat", **resources).values()
    # The error rates over the longer side are one edit a word.
    assert min(found) == one
    assert max(found) in (one, -1)
