import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import vocabulary
from samewise.features.statistics.counts import LemmaIdf
from samewise.features.word_similarity import word_grids as grids
from samewise.features.word_similarity.lexical_similarity import RELATEDNESS
from samewise.features.word_similarity.word_grids import content_grid, terms
from samewise.research.families import lexical_relations
from samewise.research.families.lexical_relations import (
    ANTONYM,
    COORDINATE,
    HYPERNYM,
    NONE,
    NUMBERS,
    relations,
    unlinked,
)

from ...features.sentences import sentence

FLAT = LemmaIdf.fit([])  # every lemma weighs 1


def batch(*sides):
    """Make pairs of (tokens, tags); every token hangs from the last."""
    made = [sentence(text, tags=tags, heads=[len(text.split()) - 1] * len(text.split())) for text, tags in sides]
    places = np.arange(len(made))
    return PairBatch(made, places[::2], places[1::2])


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("hot/JJ", "cold/JJ", ANTONYM),
        ("man/NN", "woman/NN", ANTONYM),  # and under one hypernym
        ("dog/NN", "poodle/NN", HYPERNYM),
        ("animal/NN", "dog/NN", HYPERNYM),
        ("guitar/NN", "piano/NN", COORDINATE),
        ("red/JJ", "blue/JJ", COORDINATE),  # as nouns
        ("zebra/NN", "horse/NN", COORDINATE),
        ("car/NN", "automobile/NN", NONE),  # synonyms
        ("rapid/JJ", "swift/JJ", NONE),  # paraphrases
        ("guitar/NN", "idea/NN", NONE),
        ("dog/NN", "feline/NN", NONE),  # three steps apart, a path similarity of 1/4
        ("dog/NN", "cat/NN", NONE),  # four steps, 1/5
        ("sleep/VB", "teach/VB", NONE),  # no common hypernym
        ("red/NN", "blue/JJ", NONE),  # of two classes
        ("two/CD", "three/CD", NUMBERS),
        ("two/CD", "dog/NN", NONE),
        ("2/CD", "2/CD", NONE),
        ("xyzzy/NN", "plugh/NN", NONE),
    ],
)
def test_relations_by_hand(a, b, kind):
    (x, tag_x), (y, tag_y) = a.split("/"), b.split("/")
    pairs = batch((x, tag_x), (y, tag_y))
    x, y = terms(pairs).of_token[:1], terms(pairs).of_token[1:]
    for one, other in ((x, y), (y, x)):
        assert relations(pairs, one, other, RELATEDNESS(pairs, one, other)).tolist() == [kind]


PLAY = (("a man plays guitar", "DT NN VBZ NN"), ("a woman plays piano", "DT NN VBZ NN"))
NUMBER = (("two dogs", "CD NNS"), ("three dogs", "CD NNS"))
SAME = (("hot poodle", "JJ NN"), ("hot poodle", "JJ NN"))


@pytest.mark.parametrize("limit", [1, grids.CELLS_AT_A_TIME])
def test_counts_and_mass_by_hand(monkeypatch, limit):
    monkeypatch.setattr(grids, "CELLS_AT_A_TIME", limit)
    pairs = batch(*PLAY, *NUMBER, *SAME)
    # antonyms, hypernyms, coordinates, numbers; plays, dogs and the third pair are linked
    counts = lexical_relations.pairs_of_words(pairs)
    assert counts.tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    mass = lexical_relations.mass(pairs, lemma_idf=FLAT)
    np.testing.assert_allclose(mass, [[1 / 3, 0, 1 / 3, 0], [0, 0, 0, 1 / 2], [0, 0, 0, 0]], rtol=1e-6)


def test_linked_words_do_not_count():
    # cold is linked to cold, so hot faces nothing.
    pairs = batch(("hot cold", "JJ JJ"), ("cold", "JJ"))
    assert not lexical_relations.pairs_of_words(pairs).any()


def test_repeats_weigh_what_is_left_of_them():
    # Of two pianos one is linked.
    pairs = batch(("piano piano", "NN NN"), ("piano guitar", "NN NN"))
    assert lexical_relations.pairs_of_words(pairs)[0].tolist() == [0, 0, 1, 0]
    np.testing.assert_allclose(lexical_relations.mass(pairs, lemma_idf=FLAT)[0, 2], 2 / 4, rtol=1e-6)


def test_paraphrase_share():
    # swift is linked to rapid, so the second rapid is left over, with a paraphrase in the other sentence; car has none.
    pairs = batch(("rapid rapid car", "JJ JJ NN"), ("swift", "JJ"), ("dog", "NN"), ("dog", "NN"))
    np.testing.assert_allclose(lexical_relations.paraphrase(pairs)[:, 0], [1 / 2, 0], rtol=1e-6)


def test_unlinked_counts_what_the_aligner_leaves_over():
    # "dog" is linked once, so one of the two is left, and "cat" finds nothing.
    sides = [sentence("dog cat dog", tags="NN NN NN", heads="0 0 0"), sentence("dog bird", tags="NN NN", heads="0 0")]
    made = PairBatch(sides, np.asarray([0]), np.asarray([1]))
    grid = content_grid(made)
    free_a, free_b = unlinked(made, grid)
    words = vocabulary(made, "words").items
    names = [words[word] for word in terms(made).words]
    assert dict(zip([names[t] for t in grid.a.values], free_a, strict=True)) == {"dog": 1, "cat": 1}
    assert dict(zip([names[t] for t in grid.b.values], free_b, strict=True)) == {"dog": 0, "bird": 1}
