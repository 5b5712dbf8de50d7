"""Layers that are read back from an exported network compute what they computed before."""

import sys

import numpy as np
import pytest
from samewise.features.encoders.network_checks import Declared, Value
from samewise.features.encoders.onnx_transformer import Network

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

PIECES, WIDTH = 30, 32


@pytest.fixture
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)
    import exported_layers

    yield exported_layers
    for name in set(sys.modules) - before:
        if name == "exported_layers":
            sys.modules.pop(name)


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=PIECES, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
        max_position_embeddings=256, type_vocab_size=2, pad_token_id=None,
    )  # fmt: skip
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    with torch.no_grad():
        for name, value in model.named_parameters():  # uneven, so that no part can be taken for another
            value.add_(torch.randn_like(value) * (0.3 if name.endswith("bias") else 0.1))
    return model


def exported(model):
    from samewise.models.transformers.transformer_export import first_layers_onnx, reaches

    chance = torch.Generator().manual_seed(5)
    texts = [torch.randint(PIECES, (1, 9), generator=chance) for _ in range(60)]
    reach = reaches(model, model.encoder.layer, ({"input_ids": ids} for ids in texts))
    return first_layers_onnx(model, 2, reach)


def test_they_give_the_states_of_the_network_and_of_what_it_was_made_from(scripts, bert):
    network, table = exported(bert), bert.embeddings.word_embeddings.weight.detach().numpy()
    again = scripts.floating_point(network, table).eval()
    ids = torch.tensor([[4, 17, 2, 29, 11, 8, 0]])
    run = Network(network, "the network", Declared({"word_embeddings": Value("float32", 3, WIDTH)}, "states"))
    with torch.inference_mode():
        made, before = (model(input_ids=ids).last_hidden_state.numpy() for model in (again, bert))
    whole = run(word_embeddings=table[ids.numpy()])
    assert before.std() > 0.3
    for other in (before, whole):
        cosines = (made * other).sum(axis=-1) / np.linalg.norm(made, axis=-1) / np.linalg.norm(other, axis=-1)
        assert cosines.min() > 0.995


def test_the_table_is_kept_and_not_trained(scripts, bert):
    table = np.linspace(-1, 1, PIECES * WIDTH, dtype=np.float32).reshape(PIECES, WIDTH)
    weight = scripts.floating_point(exported(bert), table).embeddings.word_embeddings.weight
    assert not weight.requires_grad
    assert np.array_equal(weight.numpy(), table)


def test_a_network_without_layers_is_refused(scripts):
    import onnx

    empty = onnx.helper.make_model(onnx.helper.make_graph([], "empty", [], [])).SerializeToString()
    with pytest.raises(ValueError, match="must have four products and two normalisations a layer, got 0 and 0; give"):
        scripts.floating_point(empty, np.zeros((2, 4), np.float32))


def test_a_reader_of_pairs_scores_as_its_network_did(scripts, bert):
    from samewise.models.transformers.cross_encoder_training import PairReader
    from samewise.models.transformers.transformer_export import first_layers_onnx, reaches

    chance = torch.Generator().manual_seed(6)
    before = PairReader(bert).eval()
    with torch.no_grad():
        for value in (before.line, *before.head.parameters()):
            value.copy_(torch.randn(value.shape, generator=chance))
    ids = torch.randint(PIECES, (60, 9), generator=chance)
    segments = torch.tensor([[0] * 5 + [1] * 4])
    inputs = ({"input_ids": row[None], "token_type_ids": segments} for row in ids)
    reach = reaches(bert, bert.encoder.layer, inputs)
    network = first_layers_onnx(bert, 2, reach, segments=True, head=before.on_graph)
    again = scripts.pair_reader(network, bert.embeddings.word_embeddings.weight.detach().numpy()).eval()
    both = segments.expand_as(ids)
    with torch.inference_mode():
        made, given = (model(ids, torch.ones_like(ids), both).numpy() for model in (again, before))
    assert np.corrcoef(made, given)[0, 1] > 0.999
    assert np.allclose(made, given, atol=0.1 * given.std())


def test_a_network_without_a_head_is_no_reader(scripts, bert):
    table = bert.embeddings.word_embeddings.weight.detach().numpy()
    with pytest.raises(ValueError, match=r"must end in the head of a cross-encoder, got \[\]; give one of a bundle"):
        scripts.pair_reader(exported(bert), table)


def test_a_larger_reader_of_pairs_scores_as_its_network_did(scripts, bert, monkeypatch):
    from samewise.models.transformers import cross_encoder_training
    from samewise.models.transformers.layers import LaterLayers

    chance = torch.Generator().manual_seed(7)
    before = cross_encoder_training.LaterPairReader(LaterLayers(bert, 1)).eval()
    with torch.no_grad():
        for value in (before.line, *before.head.parameters()):
            value.copy_(torch.randn(value.shape, generator=chance))
    states = torch.randn((60, 9, WIDTH), generator=chance)
    segments = torch.tensor([[0] * 5 + [1] * 4]).expand(60, 9)
    inputs = [{"states": row[None], "mask": torch.ones(1, 9), "segments": segments[:1]} for row in states]
    reach = cross_encoder_training.reaches(before, before.layers.layers, inputs)
    network = cross_encoder_training.later_layers_onnx(
        list(before.layers.layers), bert.config, reach, segments=True, head=before.on_graph
    )
    unfitted = cross_encoder_training.LaterPairReader(LaterLayers(transformers.BertModel(bert.config), 1))
    monkeypatch.setattr(scripts, "read_large_start", lambda start, encoder: unfitted)
    monkeypatch.setattr(scripts, "base_encoder", lambda: None)
    again = scripts.larger_pair_reader(network, "the published weights").eval()
    with torch.inference_mode():
        made, given = (model(states, torch.ones(60, 9), segments).numpy() for model in (again, before))
    assert np.corrcoef(made, given)[0, 1] > 0.999
