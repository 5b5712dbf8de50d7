import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.families import part_of_speech

from ..golden import check
from ..sentences import sentence

ALL = [value for value in vars(part_of_speech).values() if hasattr(value, "full_name")]
TOKENS = st.lists(
    st.tuples(st.sampled_from("the dog Ada barks old .".split()), st.sampled_from("DT NN NNP VBZ JJ RB .".split())),
    max_size=7,
)
BATCHES = st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=4)

OLD = sentence("The old dogs bark loudly", "the old dog bark loudly", tags="DT JJ NNS VBP RB")
BIG = sentence("The big dogs and cats bark", "the big dog and cat bark", tags="DT JJ NNS CC NNS VBP")


def built(tokens):
    return sentence(" ".join(word for word, _ in tokens), tags=" ".join(tag for _, tag in tokens))


# The shorter sentence has more nouns; the longer has none; both are equally long.
TWO, ONE, NONE = (
    sentence(text, tags=tags) for text, tags in (("a b", "NN NN"), ("c d e", "NN VB RB"), ("f g h", ". . ."))
)
# ada byron babbage against babbage; the other sentence has "byron", though not as a name.
ADA = sentence("Ada Byron met Babbage", tags="NNP NNP VBD NNP")
BABBAGE = sentence("Babbage saw byron", tags="NNP VBD NN")
PLAIN, NAME = sentence("dogs bark", tags="NNS VBP"), sentence("Ada", tags="NNP")


def shares(stops, **classes):
    return {f"{stops}_{name}_{kind}": value for name, both in classes.items()
            for kind, value in zip(("jaccard", "dice"), both, strict=True)}  # fmt: skip


# fmt: off
GOLDEN = [
    # {dog} and {dog, cat}; {the} and {the, and}, of which nothing is left without stop words.
    (part_of_speech.lemmas, OLD, BIG, {
        **shares("kept", noun=(1 / 2, 2 / 3), verb=(1, 1), adjective=(0, 0), adverb=(0, 0), other=(1 / 2, 2 / 3)),
        **shares("removed", noun=(1 / 2, 2 / 3), verb=(1, 1), adjective=(0, 0), adverb=(0, 0), other=(0, 0))}),
    # A lemma counts under the class of its tag.
    (part_of_speech.lemmas, sentence("bark", tags="NN"), sentence("barks", "bark", tags="VBZ"), [0] * 20),
    # 5 tokens and 6, adjectives 1 and 1, adverbs 1 and 0, nouns 1 and 2, verbs 1 and 1.
    (part_of_speech.count_difference, OLD, BIG, {"all": 1 / 11, "adjective": 0, "adverb": 1, "noun": 1 / 3, "verb": 0}),
    (part_of_speech.count_ratio, OLD, BIG, {"all": 5 / 6, "adjective": 1, "adverb": 1, "noun": 1 / 2, "verb": 1}),
    (part_of_speech.count_ratio, TWO, ONE, {"all": 2 / 3, "adjective": 1, "adverb": 0, "noun": 2, "verb": 0}),
    (part_of_speech.count_ratio, NONE, TWO, {"noun": 2}),
    (part_of_speech.count_ratio, ONE, NONE, {"all": 1, "adjective": 1, "adverb": 0, "noun": 0, "verb": 0}),
    (part_of_speech.tag_ngrams, sentence("a b c", tags="DT NN VBZ"), sentence("a b c", tags="DT NN NN"), {
        "jaccard_n1": 2 / 3, "min_n1": 2 / 3, "max_n1": 1, "jaccard_n2": 1 / 3, "min_n2": 1 / 2, "max_n2": 1 / 2,
        **{f"{kind}_n{n}": 0 for kind in ("jaccard", "min", "max") for n in (3, 4)}}),
    (part_of_speech.proper_nouns, ADA, BABBAGE, {"f1": 1 / 2, "unmatched_min": 0, "unmatched_max": 1 / 3}),
    (part_of_speech.unmatched_proper_nouns, ADA, BABBAGE, {"min": 0, "max": 1}),
    (part_of_speech.proper_nouns, PLAIN, PLAIN, {"f1": 1, "unmatched_min": 0, "unmatched_max": 0}),
    (part_of_speech.proper_nouns, PLAIN, NAME, {"f1": 0, "unmatched_min": 0, "unmatched_max": 1}),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


@settings(max_examples=30)
@given(BATCHES)
def test_each_row_is_symmetric_and_stands_alone(pairs):
    pairs = [(built(a), built(b)) for a, b in pairs]
    for value in ALL:
        together = value(pairs)
        np.testing.assert_array_equal(together, value([(b, a) for a, b in pairs]))
        np.testing.assert_array_equal(together, np.concatenate([value([pair]) for pair in pairs]))


@settings(max_examples=30)
@given(TOKENS)
def test_a_sentence_equals_itself(tokens):
    pair = [(built(tokens), built(tokens))]
    assert not part_of_speech.count_difference(pair).any()
    assert (part_of_speech.count_ratio(pair) == 1).all()
    assert set(part_of_speech.lemmas(pair).ravel().tolist()) <= {0, 1}
    assert part_of_speech.proper_nouns(pair).tolist() == [[1, 0, 0]]
