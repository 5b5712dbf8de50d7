import numpy as np
import pytest
from samewise.features.analysis import analyse
from samewise.features.families import tree_kernel
from samewise.features.sentences import PairBatch

from ..sentences import sentence

DOGS = sentence("Dogs bark", "dog bark", "NNS VBP", "1 1", "nsubj root")
CATS = sentence("Cats bark", "cat bark", "NNS VBP", "1 1", "nsubj root")
FAMILY = (
    tree_kernel.constituency,
    tree_kernel.constituency_tags,
    tree_kernel.partial_tree,
    tree_kernel.dependency,
    tree_kernel.dependency_relations,
)


def batch(a, b):
    return PairBatch([a, b], np.asarray([0]), np.asarray([1]))


def test_words_and_tags_at_the_leaves():
    # (S (NP (NNS dogs)) (VP (VBP bark))): seven nodes; "bark", (VBP bark) and (VP (VBP bark)) are shared.
    found = tree_kernel.constituency(batch(DOGS, CATS))[0, 0]
    shared = 0.95 + 0.95**2 + 0.95**3
    assert found == pytest.approx(shared / (2 * shared + 0.95**7), rel=1e-6)
    assert tree_kernel.constituency_tags(batch(DOGS, CATS)).tolist() == [[1] * 5]
    words, tags = tree_kernel.partial_tree(batch(DOGS, CATS))[0]
    assert 0 < words < tags == 1


def test_lemmas_and_relations_of_dependency_trees():
    # bark(dog) and bark(cat): no complete subtree and no production is shared, the label of the root is.
    leaf = 0.4 * 0.4**2
    own = leaf + 0.4 * (0.4**2 + 0.4**2 * leaf)
    assert tree_kernel.dependency(batch(DOGS, CATS))[0] == pytest.approx([0, 0, leaf / own], rel=1e-6)
    assert tree_kernel.dependency_relations(batch(DOGS, CATS)).tolist() == [[1, 1, 1]]


def test_trees_of_the_users_parser_are_used():
    flat = DOGS._replace(text="Dogs  bark", constituents="(S (NNS Dogs) (VBP bark))")
    assert tree_kernel.constituency(batch(DOGS, flat))[0, 0] < 1
    same = flat._replace(text="Dogs bark!")
    assert tree_kernel.constituency(batch(flat, same)).tolist() == [[1] * 5]
    broken = DOGS._replace(text="Dogs bark!", constituents="(S (NNS Dogs) (VBP bark)")
    assert tree_kernel.constituency(batch(DOGS, broken)).tolist() == [[1] * 5]


def test_identical_sentences_and_empty_ones():
    pairs = analyse([("The old cook left.", "The old cook left."), ("", ""), ("", "A word.")], level="parsed")
    for value in FAMILY:
        assert value(pairs).tolist() == [[1] * len(value.names), [0] * len(value.names), [0] * len(value.names)]


def test_one_word_changed_keeps_more_than_another_structure():
    pairs = analyse(
        [
            ("A young girl is feeding the ducks.", "A young boy is feeding the ducks."),
            ("A young girl is feeding the ducks.", "Ducks, said the keeper, were fed by young girls yesterday."),
        ],
        level="parsed",
    )
    for value in FAMILY:
        near, far = value(pairs)
        assert (near > far).all()
