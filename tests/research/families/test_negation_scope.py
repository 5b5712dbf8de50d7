import numpy as np
import pytest
from samewise.features.base.sentences import AnalysedPair, Sentence
from samewise.features.families.negation import TERMS
from samewise.research.families import negation_scope

LEMMAS = {"is": "be", "was": "be", "n't": "not", "sleeping": "sleep", "sleeps": "sleep", "dances": "dance", "do": "do"}


def parse(text):
    """Each token is written word:head:relation, heads counted from 1 and 0 for the root."""
    parts = [part.split(":", 2) for part in text.split()]
    tokens = tuple(word for word, _, _ in parts)
    words = tuple(token.lower() for token in tokens)
    heads = tuple(int(head) - 1 if head != "0" else i for i, (_, head, _) in enumerate(parts))
    lemmas = tuple(LEMMAS.get(word, word) for word in words)
    relations = tuple(relation for _, _, relation in parts)
    tags = ("NN",) * len(tokens)
    return Sentence(" ".join(tokens), tokens, words, words, lemmas=lemmas, tags=tags, heads=heads, relations=relations)


EMPTY = Sentence("", (), (), ())
ASLEEP = parse("The:2:det dog:4:nsubj is:4:aux sleeping:0:root")
AWAKE = parse("The:2:det dog:5:nsubj is:5:aux n't:5:advmod sleeping:0:root")
NO_DOG = parse("No:2:det dog:4:nsubj is:4:aux sleeping:0:root")
NO_LONGER = parse("The:2:det dog:5:nsubj no:4:advmod longer:5:advmod sleeps:0:root")
NOBODY = parse("Nobody:2:nsubj dances:0:root")
SOMEBODY = parse("Somebody:2:nsubj dances:0:root")
HAVE_NO = parse("They:2:nsubj have:0:root no:4:det money:2:obj")
DO_NOT_HAVE = parse("They:4:nsubj do:4:aux not:4:advmod have:0:root money:4:obj")
WITHOUT = parse("A:2:det horse:3:nsubj runs:0:root without:6:case a:6:det rider:3:obl")
WITH = parse("A:2:det horse:3:nsubj runs:0:root with:6:case a:6:det rider:3:obl")
NEITHER = parse("Neither:2:cc:preconj cats:5:nsubj nor:4:cc dogs:2:conj sleep:0:root")
NOT_ONLY = parse("It:4:nsubj not:4:advmod only:4:advmod barks:0:root")
INTERJECTION = parse("No:4:discourse ,:4:punct dogs:4:nsubj sleep:0:root")
BESIDE = parse("He:4:nsubj did:4:aux not:4:advmod dance:0:root but:6:cc sleep:4:conj")


@pytest.mark.parametrize(
    ("sentence", "heads", "scope"),
    [
        (ASLEEP, None, None),
        (AWAKE, {"sleep"}, {"the", "dog", "be", "not", "sleep"}),
        (NO_DOG, {"dog"}, {"no", "dog", "be", "sleep"}),
        (NO_LONGER, {"sleep"}, {"the", "dog", "no", "longer", "sleep"}),
        (NOBODY, {"dance"}, {"nobody", "dance"}),
        (HAVE_NO, {"money"}, {"they", "have", "no", "money"}),
        (DO_NOT_HAVE, {"have"}, {"they", "do", "not", "have", "money"}),
        (WITHOUT, {"rider"}, {"without", "a", "rider"}),
        (NEITHER, {"cats", "dogs"}, {"neither", "cats", "nor", "dogs", "sleep"}),
        (NOT_ONLY, None, None),
        (INTERJECTION, None, None),
        (BESIDE, {"dance"}, {"he", "did", "not", "dance"}),
    ],
    ids=lambda value: value.text if isinstance(value, Sentence) else "",
)
def test_what_a_cue_denies(sentence, heads, scope):
    denied = negation_scope._denied(sentence)
    if heads is None:
        assert denied is None
    else:
        assert denied.heads == heads
        assert {sentence.lemmas[token] for token in denied.scope} == scope


@pytest.mark.parametrize(
    ("a", "b", "heads", "scope"),
    [
        # differs, mismatches, agreements, alone_min, alone_max; one_side, both_sides.
        (ASLEEP, ASLEEP, [0, 0, 0, 0, 0], [0, 0]),
        (ASLEEP, AWAKE, [1, 1, 0, 0, 0], [1, 0]),
        (AWAKE, AWAKE, [0, 0, 1, 0, 0], [0, 1]),
        (ASLEEP, NO_DOG, [1, 1, 0, 0, 0], [1, 0]),
        (NO_DOG, AWAKE, [0, 0, 2, 0, 0], [0, 1]),
        (NO_LONGER, AWAKE, [0, 0, 1, 0, 0], [0, 1]),
        (NOBODY, SOMEBODY, [1, 1, 0, 0, 0], [1, 0]),
        (HAVE_NO, DO_NOT_HAVE, [0, 0, 2, 0, 0], [0, 1]),
        (WITHOUT, WITH, [1, 1, 0, 0, 0], [1 / 3, 0]),
        (WITHOUT, AWAKE, [0, 0, 0, 1, 1], [0, 0]),
        (BESIDE, ASLEEP, [0, 0, 0, 0, 1], [0, 0]),
        (NEITHER, SOMEBODY, [0, 0, 0, 0, 2], [0, 0]),
        (EMPTY, AWAKE, [0, 0, 0, 0, 1], [0, 0]),
    ],
)
def test_pairs_by_hand(a, b, heads, scope):
    for pair in (AnalysedPair(a, b), AnalysedPair(b, a)):
        np.testing.assert_allclose(negation_scope.heads([pair, AnalysedPair(AWAKE, NOBODY)])[0], heads)
        np.testing.assert_allclose(negation_scope.scope([pair, AnalysedPair(AWAKE, NOBODY)])[0], scope, rtol=1e-6)


def test_a_parse_that_runs_in_circles_ends():
    circle = parse("not:2:advmod going:3:advmod round:4:conj and:2:conj round:4:advmod")
    assert np.isfinite(negation_scope.heads([AnalysedPair(circle, ASLEEP)])).all()
    assert np.isfinite(negation_scope.scope([AnalysedPair(circle, circle)])).all()


def test_the_cues_are_those_that_are_counted_but_for_comparisons():
    assert negation_scope.CUES == TERMS - {"fewer", "less", "cannot"}
