"""The pair networks as members: seeded, symmetric, the same in every batch, inert files."""

import pickle
import sys

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import MEMBERS, load_member, make_member
from samewise.models.npz import pack_arrays, unpack_arrays
from samewise.research.networks import pair_network
from samewise.research.networks.pair_network import HYPERPARAMETERS

from tests.conftest import HOSTILE, PAIRS, analysed

NAMES = list(HYPERPARAMETERS)
SMALL = {"units": 8, "hidden": 6, "epochs": 2, "batch_size": 7, "least_count": 2, "dropout": 0.1}


def matrix_of(pairs):
    return FeatureMatrix(np.empty((len(pairs), 0), dtype=np.float32), (), analysed(pairs, "tokens"))


@pytest.fixture(scope="module")
def matrix():
    return matrix_of(PAIRS + HOSTILE + [(a, c) for (a, _), (_, c) in zip(PAIRS, PAIRS[3:], strict=False)])


@pytest.fixture(scope="module")
def y(matrix):
    return np.linspace(0, 5, len(matrix)).round(1)


@pytest.fixture(scope="module", params=NAMES)
def fitted(request, matrix, y):
    pytest.importorskip("torch", reason="PyTorch fits the networks")
    pytest.importorskip("onnx", reason="onnx writes the networks")
    return make_member(request.param, SMALL).fit(matrix, y)


def test_it_is_finite_and_not_constant(fitted, matrix):
    scores = fitted.predict(matrix)
    assert scores.shape == (len(matrix),) and scores.dtype == np.float64 and np.isfinite(scores).all()
    assert len(np.unique(scores)) > len(matrix) / 2
    assert not fitted.reads_columns and fitted.suffix == ".npz" and fitted.tables == ("distilled",)


def test_the_same_seed_gives_the_same_file(fitted, matrix, y):
    import torch

    torch.rand(1)
    state, cores = torch.get_rng_state(), torch.get_num_threads()
    assert make_member(fitted.name, SMALL).fit(matrix, y).to_bytes() == fitted.to_bytes()
    assert torch.equal(torch.get_rng_state(), state) and torch.get_num_threads() == cores
    assert make_member(fitted.name, SMALL, random_state=1).fit(matrix, y).to_bytes() != fitted.to_bytes()


def test_the_columns_of_the_matrix_are_not_read(fitted, matrix, y):
    other = FeatureMatrix(np.ones((len(matrix), 2), dtype=np.float32), ("a.b.c", "a.b.d"), matrix.pairs)
    np.testing.assert_array_equal(fitted.predict(other), fitted.predict(matrix))


def test_it_predicts_the_same_bits_after_reading(fitted, matrix):
    again = load_member(fitted.name, fitted.to_bytes(), (), fitted.params)
    expected = fitted.predict(matrix)
    np.testing.assert_array_equal(again.predict(matrix), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again)).predict(matrix), expected)
    assert again.to_bytes() == fitted.to_bytes()


def test_it_is_symmetric_to_the_last_bit(fitted, matrix):
    pairs = matrix.pairs
    turned = FeatureMatrix(matrix.values, (), PairBatch(pairs.sentences, pairs.right, pairs.left))
    np.testing.assert_array_equal(fitted.predict(turned), fitted.predict(matrix))


def test_a_pair_has_the_same_bits_in_every_batch(fitted, matrix, monkeypatch):
    expected, rng = fitted.predict(matrix), np.random.default_rng(0)
    for size in [*[1] * len(matrix), 2, 3, 5, 8, 13, 21]:
        rows = rng.permutation(len(matrix))[:size]
        np.testing.assert_array_equal(fitted.predict(matrix.take(rows)), expected[rows])
    monkeypatch.setattr(pair_network, "_PAIRS_AT_A_TIME", 7)
    monkeypatch.setattr(pair_network, "_PAIRS_OF_ESIM", 2)
    np.testing.assert_array_equal(fitted.predict(matrix), expected)


def test_an_empty_batch_has_no_scores(fitted, matrix):
    assert fitted.predict(matrix.take(np.empty(0, dtype=np.int64))).shape == (0,)


def test_words_beyond_the_limit_are_not_read(fitted):
    most = fitted.params["most_words"]
    start = "so " * most
    scores = fitted.predict(matrix_of([(start + "dog", "a cat"), (start + "or not", "a cat")]))
    assert scores[0] == scores[1]


def test_no_word_can_be_read_in_the_file(fitted):
    arrays = unpack_arrays(fitted.to_bytes())
    content = b"".join(array.tobytes() for array in arrays.values())
    assert not any(word in content for word in (b"tomatoes", b"parliament", b"horse"))


def test_damaged_files_are_refused(fitted):
    data, name = fitted.to_bytes(), fitted.name
    arrays = dict(unpack_arrays(data))
    wrong = {
        "half": data[: len(data) // 2],
        "nothing": b"",
        "no scorer": pack_arrays({key: value for key, value in arrays.items() if key != "scorer"}),
        "half a scorer": pack_arrays({**arrays, "scorer": arrays["scorer"][: len(arrays["scorer"]) // 2]}),
        "no grades": pack_arrays({key: value for key, value in arrays.items() if key != "grades"}),
        "grades": pack_arrays({**arrays, "grades": arrays["grades"][:5]}),
        "not finite": pack_arrays({**arrays, "grades": np.full(6, np.nan)}),
        "no words": pack_arrays({key: value for key, value in arrays.items() if key != "codes"}),
    }
    if "encoder" in arrays:
        wrong["no encoder"] = pack_arrays({key: value for key, value in arrays.items() if key != "encoder"})
    for what, content in wrong.items():
        with pytest.raises(ValueError, match=f"the file of member '{name}' cannot be used: ") as refused:
            load_member(name, content, (), fitted.params)
        assert "\n" not in str(refused.value), what
    with pytest.raises(ValueError, match="'relational' vectors"):
        load_member(name, data, (), {**fitted.params, "vectors": "relational"})


def test_it_learns(fitted):
    # That two texts of the same words are alike, and two of different words are not.
    words = "dog horse river music bread tower winter doctor engine garden".split()
    pairs = [
        (f"the {a} and the {b}", f"the {c} and the {d}")
        for a, b, c, d in zip(words, words[1:], words[2:], words[3:], strict=False)
    ]
    pairs += [(a, a + " .") for a, _ in pairs]
    scores = np.repeat([0.5, 4.5], len(pairs) // 2)
    learnt = make_member(
        fitted.name, {"epochs": 25, "batch_size": 5, "units": 16, "hidden": 16, "learning_rate": 0.003}
    ).fit(matrix_of(pairs), scores)
    found = learnt.predict(matrix_of(pairs))
    assert np.corrcoef(found, scores)[0, 1] > 0.9
    assert abs(found.mean() - scores.mean()) < 0.5


def test_without_torch_one_sentence_says_what_to_install(monkeypatch, matrix, y):
    for name in [
        name
        for name in sys.modules
        if name.startswith("samewise.research.networks.") and name.endswith(("training", "export", "architectures"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match=r"'esim' needs .*; pip install 'samewise\[train\]'"):
        make_member("esim").fit(matrix, y)


def test_settings_are_checked():
    assert set(NAMES) < set(MEMBERS)
    assert make_member("cnn", {"units": 4}).params == {**HYPERPARAMETERS["cnn"], "units": 4}
    with pytest.raises(ValueError, match="dl_word has no setting 'width'; it has vectors, "):
        make_member("dl_word", {"width": 3})
    with pytest.raises(ValueError, match="member 'dl' is unknown; the members are .*, dl_word, "):
        make_member("dl")


@pytest.mark.parametrize("scores", [[1.0], [], np.full(39, 5.1), np.full(39, np.nan)])
def test_wrong_scores_are_refused(matrix, scores):
    with pytest.raises(ValueError, match=f"scores must be {len(matrix)} numbers on 0..5"):
        make_member("dl_word").fit(matrix, np.asarray(scores)[: len(matrix)])


def test_what_cannot_be_read_is_refused(matrix):
    with pytest.raises(ValueError, match="'dl_proj' is not fitted; call `fit` first"):
        make_member("dl_proj").predict(matrix)
    with pytest.raises(ValueError, match="the matrix must hold texts for a network"):
        make_member("dl_proj").predict(FeatureMatrix(np.empty((3, 0), dtype=np.float32), ()))
    with pytest.raises(ValueError, match="scores must be one or more numbers"):
        make_member("dl_proj").fit(matrix.take(np.empty(0, dtype=np.int64)), np.empty(0))
