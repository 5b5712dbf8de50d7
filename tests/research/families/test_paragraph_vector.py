import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.dense_kernels import k11
from samewise.features.arrays.ragged import Ragged
from samewise.features.base.token_sequences import text_hash
from samewise.research.families import paragraph_vector
from samewise.research.lexicon import paragraph_models as paragraphs
from samewise.research.lexicon.paragraph_models import (
    PRECISION,
    ParagraphModels,
    Turns,
    bag_turns,
    memory_turns,
    most_likely,
    paragraph_models,
)

TEXTS = [
    "The cook cuts up some ripe tomatoes .",
    "A man is playing a large flute on the street , and nobody listens to him",
    "dog",
    "the the the the",
    "The parliament of a small country voted against the bill that its government had proposed last week " * 3,
    "one word of many " * 60,
]


def terms(models, text, memory):
    """Signed nodes, offsets and weights of a text, word by word: an independent account of the likelihood."""
    places = {int(h): i for i, h in enumerate(models.hashes)}
    words = [places[h] for h in map(text_hash, text.lower().split()) if h in places]
    nodes, offsets, weights = [], [], []
    for i, word in enumerate(words):
        context, share = np.zeros(models.memory_words.shape[1]), 1.0
        if memory:
            near = [words[j] for j in range(max(i - 3, 0), min(i + 4, len(words))) if j != i]
            context = models.memory_words[near].astype(float).sum(axis=0) * models.scales[2]
            share = 1.0 / (len(near) + 1)
        for step in models.paths.values[models.paths.offsets[word] : models.paths.offsets[word + 1]].tolist():
            codes, scale = (models.memory_nodes, 1) if memory else (models.bag_nodes, 0)
            node = codes[step >> 1].astype(float) * models.scales[scale] * (1 - 2 * (step & 1)) * share
            nodes.append(node)
            offsets.append(node @ context if memory else 0.0)
            weights.append(models.weights[word] / 255)
    return np.asarray(nodes), np.asarray(offsets), np.asarray(weights)


def likelihood(vector, nodes, offsets, weights, precision):
    return -(weights * np.logaddexp(0, -(nodes @ vector + offsets))).sum() - precision / 2 * vector @ vector


def climbed(nodes, offsets, weights, precision):
    """Gradient descent in small steps, to the end."""
    vector = np.zeros(nodes.shape[1])
    rate = 1 / (precision + (weights[:, None] * nodes**2).sum() / 4)
    for _ in range(20_000):
        gradient = nodes.T @ (weights / (1 + np.exp(nodes @ vector + offsets))) - precision * vector
        vector += rate * gradient
        if np.abs(gradient).max() < 1e-10:
            break
    return vector


def places(models, texts):
    batch = analyse([(text, "") for text in texts])
    return paragraph_vector._known_words(batch).take(batch.left)


@pytest.mark.parametrize("memory", [True, False], ids=["memory", "bag"])
def test_as_likely_as_after_twenty_thousand_steps(memory, monkeypatch):
    models = paragraph_models()
    words = places(models, TEXTS)
    precision = PRECISION["memory" if memory else "bag"]

    def fit(words):
        if memory:
            return most_likely(memory_turns(models, words), models.memory_nodes, models.scales[1], precision)
        return most_likely(bag_turns(models, words), models.bag_nodes, models.scales[0], precision)

    found = fit(words)
    monkeypatch.setattr(paragraphs, "TOLERANCE", 1e-5)
    exact = fit(words)
    for text, vector, near in zip(TEXTS, found, exact, strict=True):
        problem = terms(models, text, memory)
        best = climbed(*problem, precision)
        reached = likelihood(vector, *problem, precision)
        assert reached >= likelihood(best, *problem, precision) - 2e-4 * max(abs(reached), 1)
        np.testing.assert_allclose(near, best, atol=1e-3 * np.abs(best).max())


def test_one_term_by_hand():
    # One node (1, 0) and a turn to the left: 1 / (1 + exp(x)) = x, whose solution is 0.401058; y stays 0.
    turns = Turns(Ragged(np.asarray([0]), np.asarray([0, 1, 1])), *np.asarray([[1.0], [0.0], [1.0], [0.0]]))
    found = most_likely(turns, np.asarray([[1, 0], [0, 0]], dtype=np.int8), 1.0, 1.0)
    np.testing.assert_allclose(found, [[0.401058, 0], [0, 0]], atol=1e-5)


def small():
    # Two words and one node, whose vector is (2, 0) in memory and (0, 3) in the bag; words (4, 0) and (0, 4).
    paths = Ragged(np.asarray([0, 1], dtype=np.uint16), np.asarray([0, 1, 2]))
    codes = [np.asarray(rows, dtype=np.int8) for rows in ([[4, 0], [0, 4]], [[2, 0], [0, 0]], [[0, 3], [0, 0]])]
    hashes = np.asarray([1, 2], dtype=np.uint64)
    return ParagraphModels(hashes, np.asarray([255, 51], dtype=np.uint8), paths, *codes, np.ones(3))


def test_terms_by_hand():
    words = Ragged(np.asarray([0, 1, 1, 0, 1]), np.asarray([0, 4, 4, 5]))
    memory = memory_turns(small(), words)
    assert memory.nodes.offsets.tolist() == [0, 4, 4, 5]
    np.testing.assert_allclose(memory.left, [1, 0, 0, 1, 0])
    np.testing.assert_allclose(memory.right, [0, 0.2, 0.2, 0, 0.2])
    np.testing.assert_allclose(memory.share, [1 / 4, 1 / 4, 1 / 4, 1 / 4, 1])
    # The contexts have one, two, two and one of the word (4, 0), of which the node sees a quarter.
    np.testing.assert_allclose(memory.offset, [2, 4, 4, 2, 0])
    bag = bag_turns(small(), words)
    assert bag.nodes.offsets.tolist() == [0, 1, 1, 2]
    np.testing.assert_allclose(bag.left, [2, 0])
    np.testing.assert_allclose(bag.right, [0.4, 0.2])


def test_context_ends_with_the_window():
    words = Ragged(np.asarray([0, 1, 1, 1, 1]), np.asarray([0, 5]))
    turns = memory_turns(small(), words)
    # Three words on one side at most: the first sees no farther than the fourth, and the last does not see the first.
    np.testing.assert_allclose(turns.share, [1 / 4, 1 / 5, 1 / 5, 1 / 5, 1 / 4])
    np.testing.assert_allclose(turns.offset, [0, 8 / 5, 8 / 5, 8 / 5, 0])


def test_vectors_are_the_same_bits_in_every_batch(monkeypatch):
    models = paragraph_models()
    words = places(models, TEXTS + [text + " and a dog" for text in TEXTS] * 20)
    whole = [most_likely(memory_turns(models, words), models.memory_nodes, models.scales[1], 0.5)]
    whole.append(most_likely(bag_turns(models, words), models.bag_nodes, models.scales[0], 100.0))
    monkeypatch.setattr(paragraphs, "_TERMS_AT_A_TIME", 300)
    for i in range(len(TEXTS) + 6):
        one = words.take(np.asarray([i]))
        alone = [most_likely(memory_turns(models, one), models.memory_nodes, models.scales[1], 0.5)]
        alone.append(most_likely(bag_turns(models, one), models.bag_nodes, models.scales[0], 100.0))
        for some, every in zip(alone, whole, strict=True):
            np.testing.assert_array_equal(some[0], every[i])


def test_features_compare_the_vectors():
    models = paragraph_models()
    pairs = [(TEXTS[0], TEXTS[1]), (TEXTS[2], "xyzzyq"), (TEXTS[2], "dog")]
    batch = analyse(pairs)
    bag = most_likely(
        bag_turns(models, places(models, TEXTS[:2])), models.bag_nodes, models.scales[0], PRECISION["bag"]
    )
    u, v = bag
    expected = [
        u @ v / np.sqrt((u @ u) * (v @ v)),
        1 - np.abs(u - v).sum() / np.abs(u + v).sum(),
        np.corrcoef(u, v)[0, 1],
    ]
    np.testing.assert_allclose(
        paragraph_vector.bag_of_words(batch), [np.maximum(expected, -1), [0, 0, 0], [1, 1, 1]], atol=1e-5
    )
    turns = memory_turns(models, places(models, TEXTS[:2]))
    u, v = most_likely(turns, models.memory_nodes, models.scales[1], PRECISION["memory"])
    found = paragraph_vector.distributed_memory(batch)
    np.testing.assert_allclose(found[0], k11(u[None], v[None])[0], rtol=1e-4, atol=1e-5)
    assert found[1, 0] == 1 and found[1, 4] == 0  # no vector
    assert found[2, 4] == 1


def test_alike_texts_are_nearer():
    found = paragraph_vector.bag_of_words(
        analyse(
            [
                ("A man is playing a guitar.", "A man plays the guitar."),
                ("A man is playing a guitar.", "The stock fell."),
            ]
        )
    )
    assert (found[0] > found[1] + 0.1).all()
