"""Coverage of a word alignment that reads a parse, worked by hand."""

import pytest
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.research.families import alignment

from ...features.families.test_lexical_alignment import DOG, DOGS, IDF, LOUDLY, SEEN, SMOOTH
from ...features.golden import check
from ...features.sentences import sentence

FREQUENCIES = Frequencies.fit([])


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
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    given = {"lemma_idf": IDF, "frequencies": FREQUENCIES}
    check(value, a, b, expected, **{need: given[need] for need in value.needs})
