"""Coverage of a word alignment, worked by hand."""

import math

import numpy as np
import pytest
from samewise.features.families import alignment, lexical_alignment
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.resources.term_frequencies import LemmaIdf
from samewise.features.sentences import PairBatch

from ..sentences import sentence

DOGS = sentence(
    "Dogs bark loudly .", lemmas="dog bark loudly .", tags="NNS VBP RB .", heads="1 1 1 1",
    relations="nsubj root advmod punct",
)  # fmt: skip
DOG = sentence(
    "A dog barked .", lemmas="a dog bark .", tags="DT NN VBD .", heads="1 2 2 2", relations="det nsubj root punct"
)


@pytest.fixture(scope="module")
def idf():
    # Of 100 sentences, so that log10(N / count) is 2 for dog and loudly, 1 for bark and 0 for the rest.
    counts = {"dog": 1, "loudly": 1, "bark": 10, "a": 100, ".": 100}
    return LemmaIdf.fit(
        [sentence("x " * 5, lemmas=" ".join(w if k < n else "x" for w, n in counts.items())) for k in range(100)]
    )


def values(feature, a=DOGS, b=DOG, **resources):
    return feature(PairBatch((a, b), np.array([0]), np.array([1])), **resources)[0].tolist()


def test_links_of_the_pair():
    assert [tuple(link) for link in alignment.align(DOGS, DOG)] == [(0, 1, 5, 1.0), (1, 2, 5, 1.0), (3, 3, 1, 1.0)]


def test_share_of_all_and_of_content_words():
    assert values(alignment.share) == pytest.approx([6 / 8, 4 / 5])


def test_idf_coverage(idf):
    smooth = {
        w: math.log(101 / (n + 1)) + 1 for w, n in {"dog": 1, "loudly": 1, "bark": 10, "a": 100, ".": 100}.items()
    }
    linked = 2 * (smooth["dog"] + smooth["bark"] + smooth["."])
    expected = [6 / 8, linked / (linked + smooth["loudly"] + smooth["a"])]
    assert values(alignment.idf_coverage, lemma_idf=idf) == pytest.approx(expected)


def test_frequency_coverage():
    frequencies = Frequencies.fit([])
    words = ("dog", "bark", ".", "loudly", "a")
    for place, weigh in enumerate((frequencies.information, frequencies.sif)):
        dog, bark, stop, loudly, a = weigh(words)
        linked = 2 * (dog + bark + stop)
        found = values(alignment.frequency_coverage, frequencies=frequencies)
        assert found[place] == pytest.approx(linked / (linked + loudly + a))
    sides = [(dog + bark + stop) / (dog + bark + stop + rest) for rest in (loudly, a)]
    assert found[2:] == pytest.approx(sorted(sides))


def test_coverage_by_word_class(idf):
    assert values(alignment.class_coverage, lemma_idf=idf) == pytest.approx([1, 1, 0, 0, 0])


def test_coverage_of_either_side(idf):
    assert values(alignment.side_coverage, lemma_idf=idf) == pytest.approx([3 / 5, 1, 2 * 0.6 / 1.6])


def test_unaligned_shares():
    assert values(alignment.unaligned) == pytest.approx([2 / 8, 0, 0, 0, 1, 1 / 3])


def test_penalised_shares(idf):
    expected = [0.75 * part for part in (0.75, 0.8, 0.75, 0.75)]
    assert values(alignment.penalised, lemma_idf=idf) == pytest.approx(expected)


def test_unaligned_mass(idf):
    loudly = math.log(101 / 2) + 1
    expected = [0, loudly, 0, loudly, 0, 0, loudly]
    assert values(alignment.unaligned_mass, lemma_idf=idf) == pytest.approx(expected)


def test_order_of_the_links():
    assert values(alignment.order) == pytest.approx([0, 0, 2 / 3])
    heads = {"heads": "0 1 2 3", "relations": "root dep dep dep"}
    left = sentence("red cat saw dog", tags="JJ NN VBD NN", **heads)
    right = sentence("dog saw red cat", tags="NN VBD JJ NN", **heads)
    # Links 0-2, 1-3 (a run), 2-1 and 3-0: walked either way, two of the three steps go back.
    assert values(alignment.order, left, right) == pytest.approx([2 / 3, 2 / 4, 2 / 4])


def test_without_a_parse(idf):
    assert values(lexical_alignment.share) == pytest.approx([6 / 8, 4 / 5])
    assert values(lexical_alignment.idf_coverage, lemma_idf=idf) == pytest.approx([6 / 8, 3 / 5, 1, 0.75])
    assert values(lexical_alignment.class_coverage, lemma_idf=idf) == pytest.approx([1, 1, 0, 0, 0])
    assert values(lexical_alignment.unaligned_mass, lemma_idf=idf) == pytest.approx([0, math.log(101 / 2) + 1])


def test_a_parse_is_not_looked_at_where_none_is_asked_for(idf):
    bare = [one._replace(heads=(), relations=()) for one in (DOGS, DOG)]
    feature = lexical_alignment.idf_coverage
    assert values(feature, lemma_idf=idf) == values(feature, *bare, lemma_idf=idf)
