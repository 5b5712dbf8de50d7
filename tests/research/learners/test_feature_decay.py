"""Feature-decay selection: worked by hand, against a program that looks at every pair each time, and at the edges."""

from collections import Counter

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.research.learners.feature_decay import feature_decay_weights

from ...conftest import PAIRS

TARGET = [("red cat", "blue dog")]
TRAIN = [("red cat", "red fish"), ("blue dog", "old dog"), ("red cat", "old fish"), ("old fish", "new fish")]


def test_by_hand():
    """16 words: red 3 times, cat 2, blue 1, dog 2; each pair has 4 words."""
    red, cat, blue, dog = np.log(16 / 3), np.log(16 / 2), np.log(16 / 1), np.log(16 / 2)
    second = (blue + 2 * dog) / 4
    first = (2 * red + cat) / 4
    assert second > first > (red + cat) / 4
    third = (red * 0.5**2 + cat * 0.5) / 4
    worth = np.array([first, second, third, 0])
    weights = feature_decay_weights(analyse(TRAIN), analyse(TARGET), ngrams=(1,), share=1)
    np.testing.assert_allclose(weights, worth / worth[:3].mean(), rtol=1e-12)
    half = feature_decay_weights(analyse(TRAIN), analyse(TARGET), ngrams=(1,), share=0.5)
    np.testing.assert_allclose(half, [first * 2 / (first + second), second * 2 / (first + second), 0, 0], rtol=1e-12)


def _grams(text, orders):
    return [tuple(text[k : k + n]) for n in orders for k in range(len(text) - n + 1)]


def _slow(train, target, orders, decay, most):
    """The formulas of the program of Biçici and Yuret, with every pair scored anew before each choice."""
    known = {gram for pair in target for text in pair for gram in _grams(text.lower().split(), orders)}
    rows = [[gram for text in pair for gram in _grams(text.lower().split(), orders) if gram in known] for pair in train]
    lengths = [sum(len(text.split()) for text in pair) for pair in train]
    often = Counter(gram for row in rows for gram in row)
    had: Counter = Counter()
    worth = np.zeros(len(train))
    left = {i for i, row in enumerate(rows) if row}
    for _ in range(min(most, len(left))):
        score = {
            i: sum(len(g) * np.log(sum(lengths) / often[g]) * decay ** had[g] for g in rows[i]) / lengths[i]
            for i in sorted(left)
        }
        best = max(score, key=lambda i: (round(score[i], 12), -i))
        worth[best] = score[best]
        had.update(rows[best])
        left.remove(best)
    return worth / worth[worth > 0].mean()


@pytest.mark.parametrize(("orders", "decay", "share"), [((1, 2), 0.5, 0.5), ((1, 2, 3), 0.8, 1.0), ((2,), 1.0, 0.3)])
def test_as_if_every_pair_were_scored_each_time(orders, decay, share):
    random = np.random.default_rng(3)
    words = np.array("a the cat dog bird sees likes big small red old house".split())
    texts = [" ".join(random.choice(words, random.integers(2, 9))) for _ in range(120)]
    train, target = (
        list(zip(texts[:80:2], texts[1:80:2], strict=True)),
        list(zip(texts[80::2], texts[81::2], strict=True)),
    )
    target = [(a.replace("old", "new"), b) for a, b in target[:4]]
    ours = feature_decay_weights(analyse(train), analyse(target), ngrams=orders, decay=decay, share=share)
    np.testing.assert_allclose(ours, _slow(train, target, orders, decay, round(share * 40)), rtol=1e-9)


def test_sides_and_order_do_not_matter():
    weights = feature_decay_weights(analyse(PAIRS), analyse(PAIRS[:5]), share=1)
    turned = feature_decay_weights(
        analyse([(b, a) for a, b in PAIRS]), analyse([(b, a) for a, b in PAIRS[4::-1]]), share=1
    )
    np.testing.assert_array_equal(weights, turned)


def test_weights_are_of_mean_one_and_no_more_than_the_share():
    weights = feature_decay_weights(analyse(PAIRS), analyse(PAIRS[:5]), share=0.4)
    assert (weights > 0).sum() == 6 and (weights >= 0).all()
    assert weights[weights > 0].mean() == pytest.approx(1)


def test_empty_texts():
    weights = feature_decay_weights(analyse([("", ""), ("a cat", "")]), analyse([("", "a cat")]), share=1)
    np.testing.assert_array_equal(weights, [0, 1])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ngrams": ()}, r"ngrams must be lengths of 1 or more, got \(\);"),
        ({"ngrams": (0, 1)}, r"ngrams must be lengths of 1 or more, got \(0, 1\);"),
        ({"decay": 0.0}, "decay must be above 0 and at most 1, got 0.0;"),
        ({"share": 1.5}, "share must be above 0 and at most 1, got 1.5;"),
    ],
)
def test_arguments_out_of_range(given, message):
    with pytest.raises(ValueError, match=message):
        feature_decay_weights(analyse(TRAIN), analyse(TARGET), **given)


@pytest.mark.parametrize(("train", "target"), [(TRAIN, [("other", "words")]), ([], TARGET), (TRAIN, [])])
def test_nothing_in_common(train, target):
    with pytest.raises(ValueError, match="no n-gram of the target pairs occurs in the training pairs"):
        feature_decay_weights(analyse(train), analyse(target))
