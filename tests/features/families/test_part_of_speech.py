import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.families import part_of_speech

from ..sentences import sentence

ALL = [value for value in vars(part_of_speech).values() if hasattr(value, "full_name")]
TOKENS = st.lists(
    st.tuples(st.sampled_from("the dog Ada barks old .".split()), st.sampled_from("DT NN NNP VBZ JJ RB .".split())),
    max_size=7,
)
BATCHES = st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=4)

OLD = sentence("The old dogs bark loudly", "the old dog bark loudly", tags="DT JJ NNS VBP RB")
BIG = sentence("The big dogs and cats bark", "the big dog and cat bark", tags="DT JJ NNS CC NNS VBP")


def row(value, a, b):
    return dict(zip(value.names, value([(a, b)])[0].tolist(), strict=True))


def built(tokens):
    return sentence(" ".join(word for word, _ in tokens), tags=" ".join(tag for _, tag in tokens))


def test_golden_lemmas():
    found = row(part_of_speech.lemmas, OLD, BIG)
    expected = {"noun": (1 / 2, 2 / 3), "verb": (1, 1), "adjective": (0, 0), "adverb": (0, 0)}  # {dog} and {dog, cat}
    for name, values in expected.items():
        for stops in ("kept", "removed"):
            assert (found[f"{stops}_{name}_jaccard"], found[f"{stops}_{name}_dice"]) == pytest.approx(values)
    assert (found["kept_other_jaccard"], found["kept_other_dice"]) == pytest.approx((1 / 2, 2 / 3))  # {the}, {the, and}
    assert (found["removed_other_jaccard"], found["removed_other_dice"]) == (0, 0)


def test_a_lemma_counts_under_the_class_of_its_tag():
    found = row(part_of_speech.lemmas, sentence("bark", tags="NN"), sentence("barks", "bark", tags="VBZ"))
    assert not any(found.values())


def test_golden_counts():
    # 5 tokens and 6, adjectives 1 and 1, adverbs 1 and 0, nouns 1 and 2, verbs 1 and 1.
    expected = {"all": 1 / 11, "adjective": 0, "adverb": 1, "noun": 1 / 3, "verb": 0}
    assert row(part_of_speech.count_difference, OLD, BIG) == pytest.approx(expected)
    expected = {"all": 5 / 6, "adjective": 1, "adverb": 1, "noun": 1 / 2, "verb": 1}
    assert row(part_of_speech.count_ratio, OLD, BIG) == pytest.approx(expected)


def test_count_ratio_at_its_edges():
    # The shorter sentence has more nouns; the longer has none; both are equally long.
    two, one, none = (
        sentence(text, tags=tags) for text, tags in (("a b", "NN NN"), ("c d e", "NN VB RB"), ("f g h", ". . ."))
    )
    assert row(part_of_speech.count_ratio, two, one) == pytest.approx(
        {"all": 2 / 3, "adjective": 1, "adverb": 0, "noun": 2, "verb": 0}
    )
    assert row(part_of_speech.count_ratio, none, two)["noun"] == 2
    assert row(part_of_speech.count_ratio, one, none) == {"all": 1, "adjective": 1, "adverb": 0, "noun": 0, "verb": 0}


def test_golden_tag_ngrams():
    found = row(part_of_speech.tag_ngrams, sentence("a b c", tags="DT NN VBZ"), sentence("a b c", tags="DT NN NN"))
    expected = {1: (2 / 3, 2 / 3, 1), 2: (1 / 3, 1 / 2, 1 / 2), 3: (0, 0, 0), 4: (0, 0, 0)}
    for n, values in expected.items():
        assert [found[f"{kind}_n{n}"] for kind in ("jaccard", "min", "max")] == pytest.approx(values)


def test_golden_proper_nouns():
    # ada byron babbage against babbage; the other sentence has "byron", though not as a name.
    a = sentence("Ada Byron met Babbage", tags="NNP NNP VBD NNP")
    b = sentence("Babbage saw byron", tags="NNP VBD NN")
    expected = {"f1": 1 / 2, "unmatched_min": 0, "unmatched_max": 1 / 3}
    assert row(part_of_speech.proper_nouns, a, b) == pytest.approx(expected)
    assert row(part_of_speech.unmatched_proper_nouns, a, b) == {"min": 0, "max": 1}


def test_proper_nouns_of_one_side_or_of_none():
    plain, name = sentence("dogs bark", tags="NNS VBP"), sentence("Ada", tags="NNP")
    assert row(part_of_speech.proper_nouns, plain, plain) == {"f1": 1, "unmatched_min": 0, "unmatched_max": 0}
    assert row(part_of_speech.proper_nouns, plain, name) == {"f1": 0, "unmatched_min": 0, "unmatched_max": 1}


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
