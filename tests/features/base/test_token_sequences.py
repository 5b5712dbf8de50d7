import numpy as np
from samewise.features.analysis.analysis import analyse
from samewise.features.base import token_sequences as views

DOG = "3984c7c1d25e9c9f"  # BLAKE2b of "dog", 8 bytes
PAIRS = [("The dogs bark", "A dog barked at the dogs"), ("the of", "A dog"), ("", "")]


def as_words(batch, field, side):
    items = views.vocabulary(batch, field).items
    return [[items[i] for i in row] for row in np.split(side.values, side.offsets[1:-1])]


def test_ids_spell_the_sentences():
    batch = analyse(PAIRS)
    for field in ("tokens", "words", "stems"):
        a, b = views.item_ids(batch, field)
        assert as_words(batch, field, a) == [list(getattr(pair.a, field)) for pair in batch]
        assert as_words(batch, field, b) == [list(getattr(pair.b, field)) for pair in batch]


def test_stop_words_stay_where_a_side_has_no_other():
    batch = analyse(PAIRS)
    a, b = views.item_ids(batch, "words", "ecnu")
    assert as_words(batch, "words", a) == [["dogs", "bark"], ["the", "of"], []]
    assert as_words(batch, "words", b) == [["dog", "barked", "dogs"], ["a", "dog"], []]
    assert views.emptied(batch, "ecnu").tolist() == [False, True, True]


def test_hashes_depend_on_the_text_alone():
    one, two = analyse(PAIRS), analyse([("dogs bark", "the")])
    for batch in (one, two):
        words = views.vocabulary(batch, "words")
        assert [views.text_hash(item) for item in words.items] == words.hashes.tolist()
    # Stable between releases: stored n-gram counts are keyed by it.
    assert views.text_hash("dog") == int.from_bytes(bytes.fromhex(DOG), "little")


def test_encoded_strings_are_equal_where_the_items_are():
    a, b = views.encoded(analyse([("a dog a cat", "dog a")]), "words")
    assert a[0][0] == a[0][2] == b[0][1]
    assert a[0][1] == b[0][0]
    assert len(a[0]) == 4


def test_characters_are_code_points():
    found = views.characters(["aé", "", "你"])
    assert found.values.tolist() == [97, 233, 0x4F60]
    assert found.offsets.tolist() == [0, 2, 2, 3]


def test_views_are_computed_once():
    batch = analyse(PAIRS)
    assert views.item_hashes(batch, "stems", "ecnu") is views.item_hashes(batch, "stems", "ecnu")
