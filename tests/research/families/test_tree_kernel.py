import pytest
from samewise.features.analysis.analysis import analyse
from samewise.research.families import tree_kernel

from ...features.golden import check, row
from ...features.sentences import sentence

DOGS = sentence("Dogs bark", "dog bark", "NNS VBP", "1 1", "nsubj root")
CATS = sentence("Cats bark", "cat bark", "NNS VBP", "1 1", "nsubj root")

# (S (NP (NNS dogs)) (VP (VBP bark))): seven nodes; "bark", (VBP bark) and (VP (VBP bark)) are shared.
SHARED = 0.95 + 0.95**2 + 0.95**3
FLAT = DOGS._replace(text="Dogs  bark", constituents="(S (NNS Dogs) (VBP bark))")

GOLDEN = [
    (tree_kernel.constituency, DOGS, CATS, {tree_kernel.constituency.names[0]: SHARED / (2 * SHARED + 0.95**7)}),
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


def test_trees_make_a_difference():
    assert row(tree_kernel.constituency, DOGS, FLAT)[tree_kernel.constituency.names[0]] < 1


def test_identical_sentences_and_empty_ones():
    pairs = analyse([("The old cook left.", "The old cook left."), ("", ""), ("", "A word.")], level="parsed")
    assert tree_kernel.constituency(pairs).tolist() == [[1] * 5, [0] * 5, [0] * 5]


def test_one_word_changed_keeps_more_than_another_structure():
    pairs = analyse(
        [
            ("A young girl is feeding the ducks.", "A young boy is feeding the ducks."),
            ("A young girl is feeding the ducks.", "Ducks, said the keeper, were fed by young girls yesterday."),
        ],
        level="parsed",
    )
    near, far = tree_kernel.constituency(pairs)
    assert (near > far).all()
