import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import text_hash, vocabulary
from samewise.features.lexicon.word_vectors import WordVectors
from samewise.features.word_similarity import word_cosines as module
from samewise.features.word_similarity.word_cosines import best_cosines, cosine, cosines, segment_max, word_grid

from ..sentences import sentence

WORDS = {"cat": (3, 0), "dog": (2, 2), "car": (0, 5), "anti": (-3, 0)}


def vectors(words=WORDS):
    """Make word vectors of small whole numbers."""
    listed = sorted((text_hash(word), codes) for word, codes in words.items())
    return WordVectors(
        np.asarray([key for key, _ in listed], dtype=np.uint64),
        np.asarray([codes for _, codes in listed], dtype=np.int8),
        np.ones(len(listed)),
        "test",
    )


def batch(*pairs):
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    left, right = ([texts.index(pair[side]) for pair in pairs] for side in (0, 1))
    return PairBatch([sentence(text) for text in texts], np.asarray(left, dtype=int), np.asarray(right, dtype=int))


def table(pairs, made):
    """Return the cosines of every pair as a dictionary from two words, and that of the cells in turned order."""
    grid, items = word_grid(pairs), vocabulary(pairs, "words").items
    tables = [{} for _ in range(len(pairs))]
    for part in cosines(pairs, made):
        i, j = part.cells.i, part.cells.j
        row = grid.a.words.rows[i]
        assert (row == grid.b.words.rows[j]).all()
        turned = np.lexsort((i, j, row))
        np.testing.assert_array_equal(part.cells.turned, turned)
        for r, x, y, value in zip(row, grid.a.words.values[i], grid.b.words.values[j], part.values, strict=True):
            tables[r][items[x], items[y]] = float(value)
    return tables


PAIRS = batch(
    ("the cat sees a Dog", "car , cat"), ("dog", "anti dog dog unknown"), ("unknown", "unknown other"), ("...", "cat")
)


def test_cosines_by_hand():
    first, second, third, last = table(PAIRS, vectors())
    half = np.sqrt(0.5)
    assert first["cat", "cat"] == 1
    assert first["dog", "cat"] == pytest.approx(half)
    assert first["dog", "car"] == pytest.approx(half)
    assert first["cat", "car"] == first["the", "cat"] == 0
    assert len(first) == 10
    assert second == {("dog", "anti"): pytest.approx(-half), ("dog", "dog"): 1, ("dog", "unknown"): 0}
    assert third == {("unknown", "unknown"): 1, ("unknown", "other"): 0}
    assert last == {}


def test_words_of_a_side():
    grid = word_grid(PAIRS)
    items = vocabulary(PAIRS, "words").items
    second = slice(*grid.b.words.offsets[1:3])
    words = [items[k] for k in grid.b.words.values[second]]
    assert dict(zip(words, grid.b.times[second], strict=True)) == {"dog": 2, "anti": 1, "unknown": 1}
    first = slice(*grid.a.words.offsets[:2])
    content = dict(zip((items[k] for k in grid.a.words.values[first]), grid.a.content[first], strict=True))
    assert content == {"the": False, "a": False, "cat": True, "sees": True, "dog": True}
    assert [items[k] for k in grid.a.words.values[grid.a.words.offsets[3] :]] == []


def test_a_sentence_of_stop_words_has_content():
    assert word_grid(batch(("the of", "cat the"))).a.content.tolist() == [True, True]


def test_best_cosines_are_those_of_the_tables():
    made = vectors()
    grid, items = word_grid(PAIRS), vocabulary(PAIRS, "words").items
    for side, (own, best) in enumerate(zip(grid.sides, best_cosines(PAIRS, made), strict=True)):
        for row, tab in enumerate(table(PAIRS, made)):
            for k in range(own.words.offsets[row], own.words.offsets[row + 1]):
                word = items[own.words.values[k]]
                found = [value for cell, value in tab.items() if cell[side] == word]
                assert best[k] == pytest.approx(max([0.0, *found]))


def test_small_parts_are_the_same(monkeypatch):
    made = vectors()
    whole, best = table(PAIRS, made), best_cosines(PAIRS, made)
    monkeypatch.setattr(module, "CELLS_AT_A_TIME", 3)
    cut = PairBatch(PAIRS.sentences, PAIRS.left, PAIRS.right)
    assert table(cut, made) == whole
    assert len(word_grid(cut).parts) > 1
    for one, other in zip(best_cosines(cut, made), best, strict=True):
        np.testing.assert_array_equal(one, other)


def test_cosine_of_items():
    items = vocabulary(PAIRS, "words").items
    pairs = [("cat", "dog"), ("cat", "anti"), ("unknown", "unknown"), ("unknown", "cat")]
    x, y = (np.asarray([items.index(pair[side]) for pair in pairs]) for side in (0, 1))
    np.testing.assert_allclose(cosine(PAIRS, vectors(), "words", x, y), [np.sqrt(0.5), -1, 1, 0])


def test_segment_max():
    found = segment_max(np.asarray([0.5, 2, -1, -3]), np.asarray([0, 2, 0, 1, 1, 0]))
    assert found.tolist() == [0, 2, 0, 0, 0, 0]
    assert segment_max(np.empty(0), np.zeros(2, dtype=int)).tolist() == [0, 0]
