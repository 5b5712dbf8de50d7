"""Coverage of a word alignment, worked by hand."""

import math

import pytest
from samewise.features.families import alignment, lexical_alignment
from samewise.features.lexicon.word_frequencies import Frequencies
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
FREQUENCIES = Frequencies.fit([])
SMOOTH = {word: math.log(101 / (count + 1)) + 1 for word, count in SEEN.items()}
LOUDLY = SMOOTH["loudly"]


def weighed(weights, *, sides=False):
    """Return the share of weights that is linked: all but those of loudly and a, of both sides or of either."""
    linked = weights["dog"] + weights["bark"] + weights["."]
    if sides:
        return sorted(linked / (linked + weights[rest]) for rest in ("loudly", "a"))
    return 2 * linked / (2 * linked + weights["loudly"] + weights["a"])


INFORMATION, SIF = (
    dict(zip(SEEN, weigh(list(SEEN)), strict=True)) for weigh in (FREQUENCIES.information, FREQUENCIES.sif)
)
HEADS = {"heads": "0 1 2 3", "relations": "root dep dep dep"}

# fmt: off
GOLDEN = [
    # All and content words.
    (alignment.share, DOGS, DOG, [6 / 8, 4 / 5]),
    (alignment.idf_coverage, DOGS, DOG, [6 / 8, weighed(SMOOTH)]),
    (alignment.frequency_coverage, DOGS, DOG, [weighed(INFORMATION), weighed(SIF), *weighed(SIF, sides=True)]),
    (alignment.class_coverage, DOGS, DOG, [1, 1, 0, 0, 0]),
    (alignment.side_coverage, DOGS, DOG, [3 / 5, 1, 2 * 0.6 / 1.6]),
    (alignment.unaligned, DOGS, DOG, [2 / 8, 0, 0, 0, 1, 1 / 3]),
    (alignment.penalised, DOGS, DOG, [0.75 * part for part in (0.75, 0.8, 0.75, 0.75)]),
    (alignment.unaligned_mass, DOGS, DOG, [0, LOUDLY, 0, LOUDLY, 0, 0, LOUDLY]),
    (alignment.order, DOGS, DOG, [0, 0, 2 / 3]),
    # Links 0-2, 1-3 (a run), 2-1 and 3-0: walked either way, two of the three steps go back.
    (alignment.order, sentence("red cat saw dog", tags="JJ NN VBD NN", **HEADS),
     sentence("dog saw red cat", tags="NN VBD JJ NN", **HEADS), [2 / 3, 2 / 4, 2 / 4]),
    # Without a parse.
    (lexical_alignment.share, DOGS, DOG, [6 / 8, 4 / 5]),
    (lexical_alignment.idf_coverage, DOGS, DOG, [6 / 8, 3 / 5, 1, 0.75]),
    (lexical_alignment.class_coverage, DOGS, DOG, [1, 1, 0, 0, 0]),
    (lexical_alignment.unaligned_mass, DOGS, DOG, [0, LOUDLY]),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    given = {"lemma_idf": IDF, "frequencies": FREQUENCIES}
    check(value, a, b, expected, **{need: given[need] for need in value.needs})


def test_links_of_the_pair():
    assert [tuple(link) for link in alignment.align(DOGS, DOG)] == [(0, 1, 5, 1.0), (1, 2, 5, 1.0), (3, 3, 1, 1.0)]


def test_a_parse_is_not_looked_at_where_none_is_asked_for():
    bare = [one._replace(heads=(), relations=()) for one in (DOGS, DOG)]
    feature = lexical_alignment.idf_coverage
    assert row(feature, DOGS, DOG, lemma_idf=IDF) == row(feature, *bare, lemma_idf=IDF)
