"""The first layers of the larger encoder: a tiny one with random weights, and the real one where it is installed."""

import json
import pickle
import shutil
from string import ascii_lowercase

import numpy as np
import pytest
from samewise.features.encoders import large_encoder as module
from samewise.features.encoders.large_encoder import (
    FIRST_LAYERS,
    LAYER_FILES,
    base_encoder,
    best_folder,
    read_base_encoder,
)
from samewise.features.encoders.sentence_encoder import MOST_PIECES
from samewise.features.pipeline.registry import SHIPPED_TABLES, record_of_tables
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from ...conftest import HOSTILE, PAIRS, ROOT

TEXTS = [text for pair in PAIRS for text in pair]
ENDS = ("<s>", "</s>")
PIECES = ("<s>", "<pad>", "</s>", "[UNK]", *",.", *ascii_lowercase, *map("##{}".format, ascii_lowercase))
"""As in MPNet, the second piece fills texts up and is never read."""

needs_best = pytest.mark.skipif(
    not (best_folder() / "encoder" / "manifest.json").is_file(), reason="samewise-best is not installed"
)


def tiny_weights(folder, seed=0):
    """Save an MPNet of ten layers with random weights and its tokenizer as published ones are, and return it."""
    torch = pytest.importorskip("torch", reason="weights are made with torch, of the extra train")
    transformers = pytest.importorskip("transformers", reason="MPNet is that of transformers, of the extra train")
    settings = transformers.MPNetConfig(
        vocab_size=len(PIECES), hidden_size=24, num_hidden_layers=FIRST_LAYERS + 2, num_attention_heads=4,
        intermediate_size=48, max_position_embeddings=300, initializer_range=0.12,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = transformers.MPNetModel(settings, add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    tokenizer = Tokenizer(models.WordPiece({piece: k for k, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    start, end = ((piece, PIECES.index(piece)) for piece in ENDS)
    tokenizer.post_processor = processors.RobertaProcessing(end, start)
    tokenizer.save(str(folder / "tokenizer.json"))
    return model


def made_by_script(start, target):
    """Write the files of the encoder as ``scripts/make_base_encoder.py`` does, read with the sentences of the tests."""
    pytest.importorskip("onnx", reason="networks are written with onnx, of the extra train")
    if not (ROOT / "scripts").is_dir():
        pytest.skip("the scripts are in the repository only")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        from make_encoder import encoder_files, write_encoder

        write_encoder(target, encoder_files(start, TEXTS, LAYER_FILES))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The folder of the weights, and the model."""
    folder = tmp_path_factory.mktemp("start")
    return folder, tiny_weights(folder)


@pytest.fixture(scope="module")
def folder(start, tmp_path_factory):
    """A folder in place of the distribution."""
    path = tmp_path_factory.mktemp("best")
    made_by_script(start[0], path / "encoder")
    return path


@pytest.fixture(scope="module")
def tiny(folder):
    return read_base_encoder(folder / "encoder")


@pytest.fixture
def place(monkeypatch):
    """Return a function that has the encoder read from another place."""
    base_encoder.cache_clear()
    yield lambda path: monkeypatch.setattr(module, "best_folder", lambda: path)
    base_encoder.cache_clear()


def test_states_are_near_those_in_floating_point(start, tiny):
    import torch

    found = tiny.lower_states(TEXTS)
    assert found.values.shape == (found.offsets[-1], 24) and found.values.dtype == np.float32
    for row, text in enumerate(TEXTS):
        ids = tiny.tokens([text])[0].ids
        with torch.inference_mode():
            states = start[1](input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
        expected, after_all = states[FIRST_LAYERS][0].numpy(), states[-1][0].numpy()
        states = found.of(np.asarray([row]))[0]
        near = (states * expected).sum(axis=1) / np.linalg.norm(states, axis=1) / np.linalg.norm(expected, axis=1)
        assert near.mean() > 0.99
        # After eight layers, not after all.
        assert np.linalg.norm(states - expected) < 0.3 * np.linalg.norm(states - after_all)


def test_a_text_has_the_same_bits_in_every_batch(tiny):
    texts = [text for pair in PAIRS + HOSTILE for text in pair]
    together = tiny.lower_states(texts)
    assert np.isfinite(together.values).all()
    for row, text in enumerate(texts):
        alone = tiny.lower_states([text])
        np.testing.assert_array_equal(alone.values, together.of(np.asarray([row]))[0])


def test_special_pieces_count_and_long_texts_are_cut(tiny):
    found = tiny.lower_states(["", "a", "word " * 500])
    assert found.lengths.tolist() == [2, 3, MOST_PIECES]
    assert [tiny.tokens([text])[0].tokens[0] for text in ("", "a")] == ["<s>", "<s>"]
    assert tiny.lower_states([]).values.shape == (0, 24)


def test_no_network_is_opened_for_its_facts(folder):
    encoder = read_base_encoder(folder / "encoder")
    assert encoder.dimension == 24 and len(encoder.digest) == 16
    assert not any("session" in vars(network) for network in (encoder._network, *encoder._others))


def test_it_goes_to_other_processes(tiny):
    tiny.lower_states(["opened"])
    sent = pickle.loads(pickle.dumps(tiny))
    np.testing.assert_array_equal(sent.lower_states(TEXTS[:3]).values, tiny.lower_states(TEXTS[:3]).values)
    assert sent.digest == tiny.digest


@pytest.mark.parametrize("name", [*LAYER_FILES, "codes.npy", "scales.npy", "tokenizer.json", "manifest.json"])
def test_a_damaged_one_is_refused(folder, tmp_path, name):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "encoder" / name
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match=f"{name}' is (not the file|missing or not the m).*samewise-best again"):
        read_base_encoder(tmp_path / "encoder")
    path.unlink()
    with pytest.raises(ValueError, match=f"{name}' is missing.*install samewise-best again"):
        read_base_encoder(tmp_path / "encoder")


def test_it_is_read_once(folder, place):
    place(folder)
    assert base_encoder() is base_encoder()
    assert record_of_tables(["base_encoder"], None) == {"base_encoder": base_encoder().digest}


def test_without_the_distribution(tmp_path, place):
    place(tmp_path)
    with pytest.raises(
        ValueError, match="samewise-best must be installed, got none; make it with `make base-encoder`$"
    ):
        base_encoder()
    with pytest.raises(ValueError, match="make base-encoder"):
        SHIPPED_TABLES["base_encoder"].digest()
    assert list(record_of_tables(["encoder"], None)) == ["encoder"]  # what others need is there


def test_where_it_is_looked_for(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert best_folder().parts[-3:] == ("features", "data", "best")


def test_files_written_again_keep_the_digest(folder, tmp_path, start):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "encoder" / "manifest.json"
    facts = json.loads(path.read_text())
    assert "digest" not in facts
    made_by_script(start[0], tmp_path / "encoder")
    assert json.loads(path.read_text()) == facts  # the same bytes of every file
    path.write_text(json.dumps({**facts, "digest": "0123456789abcdef"}))
    made_by_script(start[0], tmp_path / "encoder")
    assert read_base_encoder(tmp_path / "encoder").digest == "0123456789abcdef"


@needs_best
class TestInstalled:
    def test_it_encodes(self):
        encoder = base_encoder()
        found = encoder.lower_states(["A chef is slicing tomatoes.", ""])
        assert found.values.shape == (10, 768) and encoder.dimension == 768
        assert np.isfinite(found.values).all()
        ids = encoder.tokens(["A dog."])[0].ids
        assert ids == [0, 1041, 3903, 1016, 2]  # those of BERT and four, between <s> and </s>

    def test_it_opens_no_network(self, monkeypatch):
        def refuse(*_):
            raise AssertionError("a connection was opened")

        monkeypatch.setattr("socket.socket.connect", refuse)
        base_encoder.cache_clear()
        base_encoder().lower_states(["a text"])

    def test_it_is_small_and_inert(self):
        every = [path for path in best_folder().rglob("*") if path.is_file()]
        files = [path for path in every if path.suffix not in {".py", ".pyc", ".md"}]
        assert {path.suffix for path in files} <= {".json", ".npy", ".npz", ".onnx", ".gz"}
        sizes = [path.stat().st_size for path in files]
        assert max(sizes) < 50_000_000 and sum(sizes) < 120_000_000
