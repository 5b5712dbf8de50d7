import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.families import tree_kernel

from ..golden import check, row
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


# (S (NP (NNS dogs)) (VP (VBP bark))): seven nodes; "bark", (VBP bark) and (VP (VBP bark)) are shared.
SHARED = 0.95 + 0.95**2 + 0.95**3
# bark(dog) and bark(cat): no complete subtree and no production is shared, the label of the root is.
LEAF = 0.4 * 0.4**2
FLAT = DOGS._replace(text="Dogs  bark", constituents="(S (NNS Dogs) (VBP bark))")

GOLDEN = [
    (tree_kernel.constituency, DOGS, CATS, {tree_kernel.constituency.names[0]: SHARED / (2 * SHARED + 0.95**7)}),
    (tree_kernel.constituency_tags, DOGS, CATS, [1] * 5),
    (tree_kernel.partial_tree, DOGS, CATS, {tree_kernel.partial_tree.names[1]: 1}),
    (tree_kernel.dependency, DOGS, CATS, [0, 0, LEAF / (LEAF + 0.4 * (0.4**2 + 0.4**2 * LEAF))]),
    (tree_kernel.dependency_relations, DOGS, CATS, [1, 1, 1]),
    # Trees of the user's parser are used, but for broken ones.
    (tree_kernel.constituency, FLAT, FLAT._replace(text="Dogs bark!"), [1] * 5),
    (
        tree_kernel.constituency,
        DOGS,
        DOGS._replace(text="Dogs bark!", constituents="(S (NNS Dogs) (VBP bark)"),
        [1] * 5,
    ),
]


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


def test_words_and_trees_make_a_difference():
    assert 0 < row(tree_kernel.partial_tree, DOGS, CATS)[tree_kernel.partial_tree.names[0]] < 1
    assert row(tree_kernel.constituency, DOGS, FLAT)[tree_kernel.constituency.names[0]] < 1


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
