"""Coverage of a word alignment without a parse, worked by hand."""

import math

import pytest
from samewise.features.alignment.aligner import align
from samewise.features.families import lexical_alignment
from samewise.features.statistics.counts import LemmaIdf

from ..golden import check, row
from ..sentences import sentence

DOGS = sentence(
    "Dogs bark loudly .", lemmas="dog bark loudly .", tags="NNS VBP RB .", heads="1 1 1 1",
    relations="nsubj root advmod punct",
)  # fmt: skip
DOG = sentence(
    "A dog barked .", lemmas="a dog bark .", tags="DT NN VBD .", heads="1 2 2 2", relations="det nsubj root punct"
)


# Of 100 sentences, so that log10(N / count) is 2 for dog and loudly, 1 for bark and 0 for the rest.
SEEN = {"dog": 1, "loudly": 1, "bark": 10, "a": 100, ".": 100}
IDF = LemmaIdf.fit(
    [sentence("x " * 5, lemmas=" ".join(w if k < n else "x" for w, n in SEEN.items())) for k in range(100)]
)
SMOOTH = {word: math.log(101 / (count + 1)) + 1 for word, count in SEEN.items()}
LOUDLY = SMOOTH["loudly"]

# fmt: off
GOLDEN = [
    # All and content words.
    (lexical_alignment.share, DOGS, DOG, [6 / 8, 4 / 5]),
    (lexical_alignment.idf_coverage, DOGS, DOG, [6 / 8, 3 / 5, 1, 0.75]),
    (lexical_alignment.class_coverage, DOGS, DOG, [1, 1, 0, 0, 0]),
    (lexical_alignment.unaligned_mass, DOGS, DOG, [0, LOUDLY]),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected, **({"lemma_idf": IDF} if value.needs else {}))


def test_links_of_the_pair():
    assert [tuple(link) for link in align(DOGS, DOG)] == [(0, 1, 5, 1.0), (1, 2, 5, 1.0), (3, 3, 1, 1.0)]


def test_a_parse_is_not_looked_at_where_none_is_asked_for():
    bare = [one._replace(heads=(), relations=()) for one in (DOGS, DOG)]
    feature = lexical_alignment.idf_coverage
    assert row(feature, DOGS, DOG, lemma_idf=IDF) == row(feature, *bare, lemma_idf=IDF)
