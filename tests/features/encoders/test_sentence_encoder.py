"""Networks, the shipped sentence encoder, and encoders of others in folders made here."""

import json
import pickle
import shutil
import sys
from types import ModuleType

import numpy as np
import pytest
from samewise.features.encoders.encoder_folders import LONGEST, EncoderError, load_encoder
from samewise.features.encoders.network_checks import checked
from samewise.features.encoders.onnx_transformer import Network, WordPieces, by_length, read_tokenizer, run
from samewise.features.encoders.sentence_encoder import (
    HERE,
    MOST_PIECES,
    SentenceEncoder,
    read_shipped,
    shipped_encoder,
    whole,
)
from samewise.features.pipeline.user_supplied import UserEncoder

from ...conftest import HOSTILE, PAIRS
from ..made_up_encoders import LookUp, made_up_encoder, tokenizer_json

TEXTS = [text for pair in PAIRS + HOSTILE for text in pair]


def cosine(encoder, a, b):
    u, v = encoder.vectors([a, b])
    return float(u @ v)


def test_the_shipped_encoder_tells_alike_from_unlike():
    encoder = shipped_encoder()
    assert encoder.dimension == 384
    alike = cosine(encoder, "A chef is slicing tomatoes.", "The cook cuts up some tomatoes.")
    unlike = cosine(encoder, "A chef is slicing tomatoes.", "A girl rides her horse on the beach.")
    assert alike > 0.7
    assert unlike < 0.2


@pytest.mark.slow
def test_a_text_is_encoded_the_same_in_every_batch():
    encoder = shipped_encoder()
    together = encoder.encode(TEXTS)
    np.testing.assert_allclose(np.linalg.norm(together.vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(encoder.vectors(TEXTS), together.vectors)
    many = encoder.encode(TEXTS[:1] * 64 + TEXTS[1:8])
    for i, text in enumerate(TEXTS):
        alone, part = encoder.encode([text]), slice(*together.offsets[i : i + 2])
        np.testing.assert_array_equal(alone.vectors[0], together.vectors[i])
        for name in ("codes", "scales", "pieces", "spans"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(together, name)[part])
    np.testing.assert_array_equal(many.vectors[:64], together.vectors[:1].repeat(64, axis=0))
    np.testing.assert_array_equal(many.vectors[64:], together.vectors[1:8])
    np.testing.assert_array_equal(many.codes[: many.offsets[1]], together.codes[: together.offsets[1]])


def test_pieces_say_where_they_stand_and_long_texts_are_cut():
    text = "Café owners   un-happily paid."
    found = shipped_encoder().encode([text, "word " * 500, ""])
    parts = [text[start:stop] for start, stop in found.spans[: found.offsets[1]]]
    assert "".join(parts) == text.replace(" ", "")
    assert parts[0] == "Café"
    assert np.diff(found.offsets).tolist() == [len(parts), MOST_PIECES - 2, 0]


def test_no_text_has_no_vector():
    found = shipped_encoder().encode([])
    assert found.vectors.shape == found.codes.shape == (0, 384)
    assert found.offsets.tolist() == [0]


def test_vectors_are_pooled_states():
    encoder = made_up_encoder(dimension=4)
    table, text = encoder._network.table, "the cats"
    ids = [token.ids for token in encoder.tokens([text])][0]
    assert (ids[0], ids[-1]) == encoder.special
    states = []
    for k, own in enumerate(ids):
        near = [ids[j] for j in (k - 1, k + 1) if 0 <= j < len(ids)]
        states.append(table[own] + 0.25 * sum(table[j] for j in near))
    found = encoder.encode([text])
    mean = np.mean(states, axis=0)
    np.testing.assert_allclose(found.vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    # Without the special pieces, to within half a step of the whole numbers.
    assert np.all(np.abs(found.states - states[1:-1]) <= found.scales[:, None] * 0.5001)
    assert np.abs(found.codes).max(axis=1).tolist() == [127] * 3
    assert [text[start:stop] for start, stop in found.spans] == ["the", "cat", "s"]
    first = made_up_encoder(dimension=4, pooling="cls").vectors([text])[0]
    np.testing.assert_allclose(first, states[0] / np.linalg.norm(states[0]), atol=1e-6)


def test_a_prompt_is_read_but_has_no_pieces():
    plain, prompted = made_up_encoder().encode(["the cat ran"]), made_up_encoder(prompt="do: ").encode(["the cat ran"])
    np.testing.assert_array_equal(prompted.spans, plain.spans)
    np.testing.assert_array_equal(prompted.pieces, plain.pieces)
    np.testing.assert_array_equal(prompted.vectors, made_up_encoder().vectors(["do: the cat ran"]))


def test_products_of_codes_are_exact_in_float32_at_any_dimension():
    for dimension in (3, 1_040, 1_041, 5_000):
        codes, scales = whole(np.ones((1, dimension), dtype=np.float32))
        assert int((codes.astype(np.int64) ** 2).sum()) < 2**24
        np.testing.assert_allclose(codes * scales[:, None], 1, rtol=1e-6)
    codes, scales = whole(np.zeros((2, 3), dtype=np.float32))
    assert not codes.any() and not scales.any()


def test_rows_are_grouped_by_length_within_bounds():
    lengths = np.asarray([3, 5, 3, 0, 5, 3])
    assert [rows.tolist() for rows in by_length(lengths, 7)] == [[3], [0, 2], [5], [1], [4]]
    assert list(by_length(lengths[:0])) == []


def test_each_row_is_run_once_and_none_alone():
    words = WordPieces(np.asarray([[1, 2], [3, -4]], dtype=np.int8), np.asarray([1.0, 0.5], dtype=np.float32))
    ids, kinds = [[0, 1], [1], [1, 1], [0, 0]], [[0, 1], [0], [0, 0], [1, 1]]
    seen, sizes = {}, []

    def inputs(rows):
        numbers, types = (np.asarray([each[row] for row in rows]) for each in (ids, kinds))
        return {"word_embeddings": words.rows(numbers), "token_type_ids": types}

    def network(word_embeddings, token_type_ids):
        sizes.append(word_embeddings.shape[:2])
        return word_embeddings.sum(axis=(1, 2)) + token_type_ids.sum(axis=1)

    for rows, output in run(network, np.asarray([2, 1, 2, 2]), inputs, most=4):
        assert len(rows) == len(output)
        seen.update(zip(rows.tolist(), output.tolist(), strict=True))
    assert seen == {0: 3.5, 1: -0.5, 2: -1.0, 3: 8.0}
    # Two rows of two tokens at a time; what would be a row alone is run twice.
    assert sizes == [(2, 1), (2, 2), (2, 2)]
    assert list(run(network, np.zeros(0, dtype=np.int64), inputs)) == []


def test_what_is_no_table_network_or_tokenizer_is_refused():
    with pytest.raises(ValueError, match="a table of word pieces must have a scale for each row of int8 codes, got"):
        WordPieces(np.zeros((2, 3), dtype=np.int8), np.zeros(3, dtype=np.float32))
    with pytest.raises(ValueError, match="the thing must be an ONNX file, got other bytes"):
        Network(b"nothing", "the thing", None)(x=np.zeros(1))
    with pytest.raises(ValueError, match="tokenizer.json cannot be read"):
        read_tokenizer(b"{}", 5)
    with pytest.raises(ValueError, match="pooling must be mean or cls, got 'max'"):
        made_up_encoder(pooling="max")
    with pytest.raises(ValueError, match="must read only inputs that samewise gives, got 'word_embeddings'"):
        shipped_encoder()._network(ids=np.zeros((1, 2)))
    with pytest.raises(ValueError, match="cannot read its input"):
        shipped_encoder()._network(word_embeddings=np.zeros((1, 2, 3), dtype=np.float32))
    with pytest.raises(ValueError, match="must read only inputs that samewise gives, got 'lower_states'"):
        shipped_encoder()._later(word_embeddings=np.zeros((1, 2, 384), dtype=np.float32))


def test_a_network_goes_to_other_processes():
    shipped_encoder().vectors(["opened"])
    sent = pickle.loads(pickle.dumps(shipped_encoder()))
    np.testing.assert_array_equal(sent.vectors(TEXTS[:3]), shipped_encoder().vectors(TEXTS[:3]))


@pytest.mark.parametrize(
    "name", ["lower.onnx", "upper.onnx", "codes.npy", "scales.npy", "tokenizer.json", "manifest.json"]
)
def test_a_damaged_encoder_is_refused(tmp_path, name):
    folder = tmp_path / "encoder"
    shutil.copytree(HERE, folder)
    assert read_shipped(folder).digest == shipped_encoder().digest
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(
        ValueError, match=f"{name}' is (not the file|missing or not the manifest).*install samewise again"
    ):
        read_shipped(folder)
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"{name}' is missing.*install samewise again"):
        read_shipped(folder)


@pytest.fixture
def folder(tmp_path):
    """The folder of an encoder with a table for a network."""
    return made_folder(tmp_path)


def made_folder(tmp_path, by_batch=False):
    onnx = pytest.importorskip("onnx", reason="plug-in networks are written with onnx, of the extra test")
    made = made_up_encoder(3)
    ids, states = (
        onnx.helper.make_tensor_value_info(name, kind, shape)
        for name, kind, shape in (
            ("input_ids", onnx.TensorProto.INT64, ["b", "l"]),
            ("last_hidden_state", onnx.TensorProto.FLOAT, ["b", "l", 12]),
        )
    )
    mask = onnx.helper.make_tensor_value_info("attention_mask", onnx.TensorProto.INT64, ["b", "l"])
    nodes = [
        onnx.helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        onnx.helper.make_node("Cast", ["attention_mask"], ["ones"], to=1),
        onnx.helper.make_node("Unsqueeze", ["ones", "axis"], ["column"]),
        onnx.helper.make_node("Mul", ["rows", "column"], ["states" if by_batch else "last_hidden_state"]),
    ]
    if by_batch:
        nodes += [
            onnx.helper.make_node("DynamicQuantizeLinear", ["states"], ["codes", "step", "zero"]),
            onnx.helper.make_node("DequantizeLinear", ["codes", "step", "zero"], ["last_hidden_state"]),
        ]
    constants = [
        onnx.numpy_helper.from_array(made._network.table, "table"),
        onnx.numpy_helper.from_array(np.asarray([2]), "axis"),
    ]
    graph = onnx.helper.make_graph(nodes, "made", [ids, mask], [states], constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=9)
    path = tmp_path / "mine"
    (path / "onnx").mkdir(parents=True)
    (path / "1_Pooling").mkdir()
    (path / "onnx" / "model.onnx").write_bytes(model.SerializeToString())
    (path / "tokenizer.json").write_bytes(tokenizer_json())
    write(path / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False})
    kinds = [f"sentence_transformers.models.{kind}" for kind in ("Transformer", "Pooling", "Normalize")]
    write(path / "modules.json", [{"idx": k, "type": kind} for k, kind in enumerate(kinds)])
    write(path / "sentence_bert_config.json", {"max_seq_length": 9})
    return path


def write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")


class Rows(LookUp):
    def __call__(self, input_ids, **others):
        return self.table[input_ids]


def expected(most=9, pooling="mean", prompt=""):
    tokenizer = read_tokenizer(tokenizer_json(), most)
    return SentenceEncoder(Rows(made_up_encoder(3)._network.table), tokenizer, pooling=pooling, prompt=prompt)


@pytest.mark.slow
def test_a_folder_plugs_in(folder):
    found = load_encoder(str(folder))
    assert found.dimension == 12
    np.testing.assert_array_equal(found.vectors(TEXTS), expected().vectors(TEXTS))
    first = found.digest
    write(folder / "sentence_bert_config.json", {"max_seq_length": None})
    write(folder / "1_Pooling" / "config.json", {"pooling_mode": "cls"})
    write(
        folder / "config_sentence_transformers.json",
        {"prompts": {"query": "do: "}, "default_prompt_name": "query"},
    )
    found = load_encoder(folder)
    assert found.digest != first
    np.testing.assert_array_equal(found.vectors(TEXTS), expected(LONGEST, "cls", "do: ").vectors(TEXTS))
    shutil.move(folder / "onnx" / "model.onnx", folder / "model.onnx")
    for name in ("modules.json", "sentence_bert_config.json", "config_sentence_transformers.json"):
        (folder / name).unlink()
    shutil.rmtree(folder / "1_Pooling")
    np.testing.assert_array_equal(load_encoder(folder).vectors(TEXTS), expected(LONGEST).vectors(TEXTS))


def test_a_scale_of_the_batch_is_that_of_a_text(tmp_path):
    found = load_encoder(made_folder(tmp_path, by_batch=True))
    texts = ["the cat", "a dog", "i run", "is not", "can do"]
    together = found.vectors(texts)
    for row, text in zip(together, texts, strict=True):
        np.testing.assert_array_equal(row, found.vectors([text])[0])
    found._most = 1_000
    assert (found.vectors(texts) != together).any()


def test_a_plugged_in_encoder_is_a_resource_that_stays_where_it_is(folder):
    given = UserEncoder.read(folder)
    assert given.digest == load_encoder(folder).digest
    assert given.to_bytes() == UserEncoder(made_up_encoder(3)).to_bytes()  # nothing of it is stored
    sent = pickle.dumps(given)
    assert len(sent) < 1_000
    assert pickle.loads(sent).digest == given.digest
    write(folder / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})
    with pytest.raises(ValueError, match=r"the sentence encoder .* must have the digest .*; name the place of the one"):
        pickle.loads(sent)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "modules.json",
            [{"type": "sentence_transformers.models.Dense"}],
            "must be among Transformer, Pooling, Normalize, got 'Dense'",
        ),
        (
            "1_Pooling/config.json",
            {"pooling_mode_max_tokens": True},
            "must be mean or cls, got pooling_mode_max_tokens",
        ),
        ("1_Pooling/config.json", {"pooling_mode": ["mean", "cls"]}, "must be mean or cls, got mean and cls"),
        ("1_Pooling/config.json", [], "must be a JSON file of sentence-transformers"),
        ("config_sentence_transformers.json", {"default_prompt_name": "q"}, "must hold its default prompt 'q'"),
        ("tokenizer.json", {}, "cannot be used: tokenizer.json cannot be read"),
        ("onnx/model.onnx", {}, "cannot be used: .*must be an ONNX file, got other bytes"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(folder, name, content, message):
    write(folder / name, content)
    with pytest.raises(EncoderError, match=message):
        load_encoder(folder)


def test_missing_files_of_a_folder_are_named(folder, tmp_path):
    (folder / "onnx" / "model.onnx").unlink()
    with pytest.raises(
        EncoderError, match=r"must hold onnx/model.onnx or model.onnx; export one with .*backend='onnx'"
    ):
        load_encoder(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(EncoderError, match="must hold tokenizer.json; save the encoder with a fast tokenizer"):
        load_encoder(folder)
    with pytest.raises(EncoderError, match=r"must be a folder, got the file .*; name the folder around it"):
        load_encoder(folder / "modules.json")
    with pytest.raises(
        EncoderError,
        match="must be a folder, got .*, which does not exist; name the folder of a sentence encoder, or one on",
    ):
        load_encoder(tmp_path / "nowhere")


def test_a_name_on_the_hub_is_fetched(folder, monkeypatch):
    hub = ModuleType("huggingface_hub")
    asked = []

    def snapshot_download(name, allow_patterns):
        asked.append(name)
        if name == "some/lost":
            raise OSError("no route\nto host")
        return str(folder)

    hub.snapshot_download = snapshot_download
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    given = UserEncoder.read("some/encoder")
    assert asked == ["some/encoder"]
    assert given.path == folder.resolve()
    assert load_encoder(folder).digest == given.digest  # and a folder is not asked for
    assert asked == ["some/encoder"]
    with pytest.raises(
        EncoderError,
        match=r"must be a folder, got 'some/lost', which does not exist, and the hub .* \(no route to host\)",
    ):
        load_encoder("some/lost")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(EncoderError, match="pip install huggingface_hub"):
        load_encoder("some/encoder")


def test_the_shipped_encoder_and_a_folder_open_no_network(folder, monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    read_shipped(HERE).vectors(["a text"])
    load_encoder(folder).vectors(["a text"])


def test_a_network_of_ours_is_not_kept_twice():
    """The checked bytes are the file's own; a copy would take its size again as long as the network is open."""
    encoder = shipped_encoder()
    for network in (encoder._network, encoder._later):
        assert checked(network.data, network.declared) is network.data
