from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import content_mask
from samewise.features.lexicon.sense_similarity import word_similarity
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.word_similarity import word_grids as grids
from samewise.features.word_similarity.lexical_similarity import (
    RELATEDNESS,
    Related,
    WordNetMeasure,
    best,
    one_to_one,
    similarities,
)
from samewise.features.word_similarity.word_grids import content_grid, terms

from ..sentences import sentence

WORDS = {
    "dog": "NN", "dogs": "NNS", "poodle": "NN", "animal": "NN", "car": "NN", "automobile": "NN", "hot": "JJ",
    "cold": "JJ", "teach": "VB", "teacher": "NN", "3": "CD", "three": "CD", "two": "CD", "the": "DT", "xyzzy": "NN",
}  # fmt: skip
texts = st.lists(st.sampled_from(sorted(WORDS)), max_size=6)
MEASURES = [RELATEDNESS, WordNetMeasure("path"), WordNetMeasure("lin", (0, 1), "words")]


def batch(*pairs):
    sides = [
        sentence(" ".join(words), " ".join(words).replace("dogs", "dog"), " ".join(WORDS[word] for word in words))
        for pair in pairs
        for words in pair
    ]
    places = np.arange(len(sides))
    return PairBatch(sides, places[::2], places[1::2])


def alike(measure, a, b):
    """Compare two of ``word/lemma/TAG``."""
    (x, lemma_x, tag_x), (y, lemma_y, tag_y) = a.split("/"), b.split("/")
    sides = [sentence(x, lemmas=lemma_x, tags=tag_x), sentence(y, lemmas=lemma_y, tags=tag_y)]
    made = PairBatch(sides, np.asarray([0]), np.asarray([1]))
    x, y = terms(made).of_token[:1], terms(made).of_token[1:]
    assert measure(made, x, y) == measure(made, y, x)
    return float(measure(made, x, y)[0])


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ("Cars/car/NNS", "car/car/NN", 1),
        ("connected/connect/VBN", "connections/connection/NNS", 1),  # one stem
        ("U.S./u.s./NNP", "US/us/NNP", 1),  # without the dots
        ("automobile/automobile/NN", "car/car/NN", 1),  # one synset
        ("hot/hot/JJ", "cold/cold/JJ", 0),  # antonyms, and nothing else
        ("rapid/rapid/JJ", "swift/swift/JJ", 0.9),  # in the paraphrase table
        ("buy/buy/VB", "acquire/acquire/VB", 0.9),  # the same, and not the 1/2 of a hypernym
        ("teach/teach/VB", "teacher/teacher/NN", 0.8),  # derived
        ("poodle/poodle/NN", "dog/dog/NN", 1 / 2),  # a hypernym one step up
        ("dog/dog/NN", "animal/animal/NN", 1 / 3),  # and two
        ("guitar/guitar/NN", "piano/piano/NN", 0),  # side by side
        ("poodle/poodle/VB", "dog/dog/NN", 0),  # no such verb
        ("two/two/CD", "three/three/CD", 0),
        ("12/12/CD", "12/12/CD", 1),
        ("Привет/привет/FW", "你好/你好/FW", 0),
    ],
)
def test_relatedness_by_hand(a, b, value):
    assert alike(RELATEDNESS, a, b) == pytest.approx(value, rel=1e-12)


def test_what_no_relation_decides_is_left_to_another_measure():
    vectors = Related(lambda pairs, x, y: np.full(len(x), 0.7))
    assert alike(vectors, "guitar/guitar/NN", "piano/piano/NN") == 0.7
    assert alike(vectors, "hot/hot/JJ", "cold/cold/JJ") == 0
    assert alike(vectors, "rapid/rapid/JJ", "swift/swift/JJ") == 0.9
    assert alike(vectors, "car/car/NN", "car/car/NN") == 1


@pytest.mark.parametrize("name", ["path", "wup", "li", "lin"])
def test_measures_are_those_of_wordnet(name):
    wn = wordnet()
    x, y = wn.word_ids(["guitar", "dog"], [0, 0]), wn.word_ids(["piano", "animal"], [0, 0])
    guitar, dog = word_similarity(wn, name, x, y)
    assert alike(WordNetMeasure(name), "guitar/guitar/NN", "piano/piano/NN") == guitar
    assert alike(WordNetMeasure(name), "dogs/dog/NNS", "animals/animal/NNS") == dog
    assert alike(WordNetMeasure(name, classes=(1,)), "guitar/guitar/NN", "piano/piano/NN") == 0
    assert alike(WordNetMeasure(name), "dog/dog/NN", "dog/dog/VB") == 1  # equal lemmas


def test_measures_keep_to_one():
    wn = wordnet()
    x, y = wn.word_ids(["guitar"], [0]), wn.word_ids(["piano"], [0])
    most = wn.information_content("words").max()
    expected = word_similarity(wn, "res", x, y, "words")[0] / most
    assert 0 < expected < 1
    assert alike(WordNetMeasure("res", information="words"), "guitar/guitar/NN", "piano/piano/NN") == expected
    assert word_similarity(wn, "jcn", *(wn.word_ids([w], [0]) for w in ("car", "automobile")))[0] > 1
    assert alike(WordNetMeasure("jcn"), "car/car/NN", "automobile/automobile/NN") == 1


def token_matrix(pairs, row, measure):
    """Compare all content words of a pair one by one."""
    every, mask = terms(pairs), content_mask(pairs)
    starts = np.cumsum([0, *(len(s.tokens) for s in pairs.sentences)])
    a, b = ([t for t in range(starts[s], starts[s + 1]) if mask[t]] for s in (pairs.left[row], pairs.right[row]))
    values = [[float(measure(pairs, every.of_token[[i]], every.of_token[[j]])[0]) for j in b] for i in a]
    return [t - starts[pairs.left[row]] for t in a], [t - starts[pairs.right[row]] for t in b], np.asarray(values)


@pytest.mark.parametrize("limit", [1, grids.CELLS_AT_A_TIME])
@pytest.mark.parametrize("measure", MEASURES)
def test_best_is_the_greatest_of_a_row(monkeypatch, limit, measure):
    monkeypatch.setattr(grids, "CELLS_AT_A_TIME", limit)
    pairs = batch(
        (["dog", "hot", "the"], ["animal", "cold", "teach"]),
        (["car", "poodle"], ["automobile", "dog", "three"]),
        (["teacher"], []),
        (["dog", "dog", "cold"], ["teach", "animal"]),
    )
    grid = content_grid(pairs)
    best_a, best_b = best(pairs, grid, measure)
    for row in range(len(pairs)):
        _, _, values = token_matrix(pairs, row, measure)
        for top, side, axis in ((best_a, grid.a, 1), (best_b, grid.b, 0)):
            found = top[side.offsets[row] : side.offsets[row + 1]]
            expected = values.max(axis=axis, initial=0).tolist() if values.ndim == 2 else [0.0] * len(found)
            assert set(found.tolist()) == set(expected)


def test_a_word_pair_is_compared_once_a_batch(monkeypatch):
    monkeypatch.setattr(grids, "CELLS_AT_A_TIME", 1)
    asked = []

    def measure(pairs, x, y):
        asked.extend(zip(x.tolist(), y.tolist(), strict=True))
        return np.minimum(x, y) / 10.0

    pairs = batch((["dog"], ["car"]), (["car"], ["dog"]), (["dog", "car"], ["car", "teach"]), (["teach"], ["car"]))
    grid = content_grid(pairs)
    rounds = [np.concatenate([values for _, values in similarities(pairs, grid, measure)]) for _ in range(2)]
    assert len(asked) == len(set(asked)) == 4
    every = [(grid.a.values[c.i], grid.b.values[c.j]) for c in grid]
    expected = np.concatenate([np.minimum(x, y) / 10.0 for x, y in every])
    for found in rounds:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=3), threshold=st.sampled_from([0.3, 0.5, 0.85]))
def test_links_are_greedy(pairs, threshold):
    made = batch(*pairs)
    found = one_to_one(made, content_grid(made), RELATEDNESS, threshold)
    for row in range(len(made)):
        a, b, values = token_matrix(made, row, RELATEDNESS)
        mine = found.row == row
        at = {}
        for i, j, value in zip(found.i[mine].tolist(), found.j[mine].tolist(), found.value[mine].tolist(), strict=True):
            assert values[a.index(i), b.index(j)] == value >= threshold
            assert ("a", i) not in at and ("b", j) not in at
            at["a", i] = at["b", j] = value
        # What is not linked was passed over for something at least as good.
        for (k, i), (m, j) in product(enumerate(a), enumerate(b)):
            if values[k, m] >= threshold:
                assert max(at.get(("a", i), 0), at.get(("b", j), 0)) >= values[k, m]


def test_links_by_hand():
    # "dog" goes with "dog" and leaves "poodle" the other one; repeats are linked in the order of the words.
    pairs = batch((["poodle", "dog", "car", "car"], ["car", "dogs", "dog", "car", "car"]))
    found = one_to_one(pairs, content_grid(pairs), RELATEDNESS, 0.5)
    links = {
        (i, j): value for i, j, value in zip(found.i.tolist(), found.j.tolist(), found.value.tolist(), strict=True)
    }
    assert links == {(1, 2): 1, (0, 1): 0.5, (2, 0): 1, (3, 3): 1}


def test_greedy_links_reach_nearly_the_optimum():
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(0)
    names = [name for name in sorted(WORDS) if name != "the"]
    pairs = batch(*(tuple(rng.choice(names, size=6).tolist() for _ in range(2)) for _ in range(60)))
    found = one_to_one(pairs, content_grid(pairs), RELATEDNESS, 0.5)
    total = np.bincount(found.row, weights=found.value, minlength=len(pairs))
    optimum = []
    for row in range(len(pairs)):
        _, _, values = token_matrix(pairs, row, RELATEDNESS)
        kept = np.where(values >= 0.5, values, 0.0)
        optimum.append(kept[linear_sum_assignment(kept, maximize=True)].sum())
    assert (total <= np.asarray(optimum) + 1e-9).all()
    assert np.mean(np.isclose(total, optimum)) > 0.8
