from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import vocabulary
from samewise.features.word_similarity import word_grids as grids
from samewise.features.word_similarity.word_grids import NUMBER, content_grid, make_grid, terms, terms_of

from ..sentences import sentence

texts = st.lists(st.sampled_from("dog dogs Dog cat the a of 3 runs .".split()), max_size=7).map(" ".join)
pairs_of_texts = st.lists(st.tuples(texts, texts), max_size=4)


def batch(*pairs):
    sides = [
        side if not isinstance(side, str) else sentence(side, tags="NN " * len(side.split())) for side in sum(pairs, ())
    ]
    places = np.arange(len(sides))
    return PairBatch(sides, places[::2], places[1::2])


def named(pairs):
    every, words = terms(pairs), vocabulary(pairs, "words").items
    return [words[word] for word in every.words]


def test_terms_tell_words_lemmas_and_classes_apart():
    tags = sentence("Saw saw saw 3 x", lemmas="see see saw 3 x", tags="VBD VBD NN CD FW")
    every = terms(batch((tags, tags)))
    assert len(every.words) == 4
    assert every.of_token[0] == every.of_token[1] != every.of_token[2]
    assert every.classes[every.of_token[:5]].tolist() == [1, 1, 0, NUMBER, 4]


def test_terms_come_in_the_same_order_in_every_batch():
    few, many = batch(("dog cat", "runs 3")), batch(("a of", "3 the"), ("cat .", "runs dog"))
    order = [name for name in named(many) if name in ("dog", "cat", "runs", "3")]
    assert named(few) == order


@given(pairs=pairs_of_texts)
def test_cells_are_the_pairs_of_distinct_words_of_a_group(pairs):
    made = batch(*pairs)
    group = np.asarray([{"dog": 0, "cat": 0, "dogs": 1, "runs": 1}.get(w, -1) for s in made.sentences for w in s.words])
    grid = make_grid(made, "test", group.astype(np.int64), 2)
    names = named(made)
    found = Counter()
    for cells in grid:
        for row, i, j, which in zip(cells.row, cells.i, cells.j, cells.which, strict=True):
            x, y = names[grid.a.values[i]], names[grid.b.values[j]]
            assert sorted([x, y]) == sorted(names[int(side)] for side in terms_of(cells.codes[which]))
            found[row, x, y, grid.count_a[i], grid.count_b[j]] += 1
    expected = Counter()
    for k, (a, b) in enumerate(made):
        for g, members in enumerate((("dog", "cat"), ("dogs", "runs"))):
            a_, b_ = (Counter(w for w in side.words if w in members) for side in (a, b))
            expected.update((k * 2 + g, x, y, a_[x], b_[y]) for x in a_ for y in b_)
    assert found == expected


@given(pairs=pairs_of_texts)
def test_places_lead_from_tokens_to_entries(pairs):
    made = batch(*pairs)
    grid = make_grid(made, "test", np.arange(len(vocabulary(made, "words").ids.values)) % 3 - 1, 2)
    names = named(made)
    tokens = [w for a, _ in made for w in a.words]
    assert [names[grid.a.values[p]] for p in grid.place_a if p >= 0] == [
        w for w, p in zip(tokens, grid.place_a, strict=True) if p >= 0
    ]
    np.testing.assert_array_equal(
        np.bincount(grid.place_b[grid.place_b >= 0], minlength=len(grid.count_b)), grid.count_b
    )
    assert grid.sizes[1].sum() == (grid.place_b >= 0).sum()


@pytest.mark.parametrize("limit", [1, 5, 1_000])
def test_rows_are_never_cut(monkeypatch, limit):
    monkeypatch.setattr(grids, "CELLS_AT_A_TIME", limit)
    made = batch(("dog cat", "runs dogs"), ("the", "of"), ("dog", "cat runs"), ("cat", ""))
    chunks = list(content_grid(made))
    assert np.concatenate([cells.row for cells in chunks]).tolist() == [0, 0, 0, 0, 2, 2]
    rows = [set(cells.row.tolist()) for cells in chunks]
    assert not any(one & other for k, one in enumerate(rows) for other in rows[:k])
    assert len(chunks) == {1: 4, 5: 2, 1_000: 1}[limit]
