"""Files are written here byte by byte, as the formats are published, and read back."""

import gzip
import io
import json
import pickle
import struct
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from samewise.features.base.mapped_arrays import MappedError
from samewise.features.lexicon.vector_files import STORAGES, VectorFileError, convert_vectors, read_vectors

TABLE = {
    "the": [0.5, -0.25, 0.125],
    "Boat": [1.0, 2.0, -3.0],
    "BOAT": [9.0, 9.0, 9.0],
    "red": [0.1, 0.2, 0.3],
    "Red": [7.0, 7.0, 7.0],
    "café": [-1.0, 0.0, 1.0],
}


def line(word, vector):
    return f"{word} {' '.join(map(str, vector))}\n".encode()


def text(table=TABLE, header=True, end=b""):
    first = f"{len(table)} {len(next(iter(table.values())))}\n".encode() if header else b""
    return first + b"".join(line(*row).rstrip(b"\n") + end + b"\n" for row in table.items())


def binary(table=TABLE, end=b"\n"):
    # word2vec.c: fprintf("%lld %lld\n"), then for each word fprintf("%s "), d floats, fprintf("\n").
    parts = [f"{len(table)} {len(next(iter(table.values())))}\n".encode()]
    for word, vector in table.items():
        parts.append(word.encode() + b" " + struct.pack(f"<{len(vector)}f", *vector) + end)
    return b"".join(parts)


FORMATS = {
    "word2vec binary": binary(),
    "word2vec binary of gensim": binary(end=b""),
    "word2vec text": text(),
    "GloVe": text(header=False),
    "fastText": text(end=b" "),
    "Windows": text(end=b"\r"),
    "tabs": text(header=False).replace(b" ", b"\t"),
    "no last line feed": text().rstrip(b"\n"),
    "a blank last line": text() + b"\n",
}


@pytest.fixture
def write(tmp_path):
    def write(data, name="vectors.any"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_vectors(name, packed, write):
    data = FORMATS[name]
    found = read_vectors(write(gzip.compress(data) if packed else data))
    assert (len(found), found.dimension) == (4, 3)
    embedded = found.embed(["the", "boat", "red", "café", "moon"])
    expected = [TABLE["the"], TABLE["Boat"], TABLE["red"], TABLE["café"], [0, 0, 0]]
    np.testing.assert_allclose(embedded.values, expected, atol=3 / 254 + 1e-6)
    assert found.digest == read_vectors(write(text(), "again")).digest


def test_a_lower_case_spelling_wins_and_else_the_first(write):
    found = read_vectors(write(text()))
    np.testing.assert_allclose(found.embed(["BOAT", "Red"]).values, [TABLE["Boat"], TABLE["red"]], atol=0.02)


def test_words_may_hold_blanks_and_any_character(write):
    table = {". . .": [1.0, 2.0], "at name@domain.com": [3.0, 4.0], "\x85": [5.0, 6.0], "a\u2028b": [7.0, 8.0]}
    for header in (True, False):
        found = read_vectors(write(text(table, header=header)))
        np.testing.assert_allclose(found.embed(list(table)).values, list(table.values()), atol=0.05)


def test_bytes_that_are_no_text_do_not_stop_the_reading(write):
    found = read_vectors(write(b"2 2\nred 1 2\n\xff\xfe 3 4\n"))
    assert len(found) == 2


@pytest.mark.parametrize("storage", STORAGES)
def test_a_converted_folder_is_mapped_and_equal(storage, write, tmp_path):
    rng = np.random.default_rng(0)
    table = {f"w{k}": rng.normal(size=5).tolist() for k in range(9_000)}  # more than are read at a time
    made = convert_vectors(write(text(table)), tmp_path / "made", storage=storage)
    found = read_vectors(tmp_path / "made")
    assert (made.words, made.dimension) == (len(found), found.dimension) == (9_000, 5)
    assert made.size == sum(file.stat().st_size for file in (tmp_path / "made").iterdir())
    values, expected = found.embed(list(table)).values, np.asarray(list(table.values()))
    assert (np.abs(values - expected).max(axis=1) <= np.abs(expected).max(axis=1) / 220).all()
    other = read_vectors(tmp_path / "vectors.any")
    assert (found.digest == other.digest) == (storage == "int8")
    if storage == "int8":
        np.testing.assert_array_equal(found.embed(list(table)).codes, other.embed(list(table)).codes)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["made", "vectors.any"]


def test_the_same_vectors_give_the_same_folder(write, tmp_path):
    convert_vectors(write(text(), "one.vec"), tmp_path / "one")
    convert_vectors(write(gzip.compress(binary()), "two.bin"), tmp_path / "two")
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


@pytest.mark.parametrize("data", [text(), binary(), text(header=False)])
def test_only_the_first_words(data, write, tmp_path):
    # What comes after is not read, be it damaged.
    made = convert_vectors(write(data[:-5]), tmp_path / "made", most=2)
    found = read_vectors(tmp_path / "made")
    assert made.words == len(found) == 2
    assert found.embed(["the", "boat", "red"]).known.tolist() == [True, True, False]


BAD = {
    "empty": (b"", "must begin with a word, got an empty line"),
    "no words": (b"0 3\n", "must hold words, got none"),
    "prose": (
        b"This is no vector\nat all\n",
        "line 1 of 'vectors.any' must hold a word and its numbers, got b'This is",
    ),
    "too few": (b"red 1 2 3\nboat 1 2\n", "line 2 of 'vectors.any' must hold 3 numbers as line 1 does, got 2"),
    "too many": (b"red 1 2 3\nboat 1 2 3 4\n", "line 2 of 'vectors.any' must hold 3 numbers as line 1 does, got 4"),
    "other than the header": (
        b"2 3\nred 1 2\nboat 1 2\n",
        "line 2 of .* must hold 3 numbers as the header does, got 2",
    ),
    "no number": (b"red 1 2\nboat 1 x2\n", "line 2 of 'vectors.any' must hold numbers after the word, got 'x2'"),
    "a blank line": (b"red 1 2\n\nboat 1 2\n", "line 2 of 'vectors.any' must hold 2 numbers as line 1 does, got 0"),
    "nan": (b"red 1 2\nboat nan 2\n", "numbers must be between -10,000 and 10,000, got nan in line 2 of 'vectors.any'"),
    "infinite": (
        b"2 2\nred 1 2\nboat inf 2\n",
        "10,000, got (nan|inf|-inf) in line 3 of 'vectors.any'",
    ),
    "too large": (
        b"red 1 2\nboat 1e39 2\n",
        "10,000, got (nan|inf|-inf) in line 2 of 'vectors.any'",
    ),
    "beyond": (b"red 1 2\nboat -10001 2\n", "got -10001 in line 2 .* or scale all vectors down"),
    "twice": (b"red 1 2\nboat 1 2\nred 3 4\n", "lines 1 and 3 of 'vectors.any' list the same word"),
    "twice, header": (b"3 1\nred 1\nboat 1\nred 3\n", "lines 2 and 4 of 'vectors.any' list the same word"),
    "fewer than said": (text().replace(b"6 3", b"8 3"), "must hold 8 words, as its first line says, got 6"),
    "more than said": (text().replace(b"6 3", b"5 3"), "must hold 5 words, as its first line says, got more"),
    "cut": (binary()[:-8], "must hold 6 words, as its first line says, got 5 complete ones"),
    "binary, fewer": (
        binary().replace(b"6 3", b"9 3"),
        "must hold 9 words, as its first line says, got 6 complete ones",
    ),
    "binary, more": (binary().replace(b"6 3", b"5 3"), "must hold 5 words, as its first line says, got more"),
    "binary, nan": (
        binary({"red": [1.0, 2.0, 0.5], "boat": [1.0, float("nan"), 0.5]}),
        "10,000, got (nan|inf|-inf) in word 2 of 'vectors.any'",
    ),
    "binary, twice": (binary() + binary({"the": [1.0, 1.5, 2.0]})[4:], "words 1 and 7 of .* list the same word"),
    "too long vectors": (b"1 5000\nred 1\n", "vectors must have 1 to 1040 coordinates .*, got 5000 in 'vectors.any'"),
    "no coordinates": (b"3 0\nred\n", "vectors must have 1 to 1040 coordinates .*, got 0"),
    "a long line": (b"red 1 2\n" + b"x" * 300_000, "line 2 of 'vectors.any' must be shorter than 262,144 bytes"),
    "cut gzip": (gzip.compress(text())[:-9], "'vectors.any' cannot be unpacked"),
    "broken gzip": (gzip.compress(text())[:12] + b"x" * 40, "'vectors.any' cannot be unpacked"),
    "zip": (b"PK\x03\x04....", "is a zip archive; unpack it"),
    "fastText model": (struct.pack("<i", 793712314) + b"\x0c", "is a model of fastText; name the .vec file"),
    "pickle": (pickle.dumps({"a": 1}), "is a pickle, which could run code"),
}
BAD["binary, twice"] = (BAD["binary, twice"][0].replace(b"6 3", b"7 3"), BAD["binary, twice"][1])


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_sentence(name, write, tmp_path):
    data, message = BAD[name]
    with pytest.raises(VectorFileError, match=message) as caught:
        convert_vectors(write(data), tmp_path / "made")
    assert "\n" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["vectors.any"]  # nothing half made is left


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    data=st.sampled_from([text(), binary(), text(header=False), gzip.compress(binary())]),
    changes=st.lists(st.tuples(st.integers(0, 200), st.binary(max_size=3)), max_size=3),
    cut=st.integers(0, 30),
)
def test_any_damage_is_either_harmless_or_refused(data, changes, cut, tmp_path_factory):
    for place, new in changes:
        data = data[:place] + new + data[place + 1 :]
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data[: len(data) - cut])
    try:
        found = read_vectors(path)
    except VectorFileError as error:
        assert "\n" not in str(error)
    else:
        assert np.isfinite(found.embed(["the", "boat", "red"]).values).all()


def test_what_cannot_be_asked_for(write, tmp_path):
    path = write(text())
    for arguments, message in (
        ({"storage": "int4"}, "storage must be int8 or float16, got 'int4'"),
        ({"most": 0}, "most must be at least 1 word, got 0"),
    ):
        with pytest.raises(VectorFileError, match=message):
            convert_vectors(path, tmp_path / "made", **arguments)
    with pytest.raises(VectorFileError, match="the target must be a new folder, got .*; name another one"):
        convert_vectors(path, tmp_path)
    with pytest.raises(VectorFileError, match="must be a file or folder, got '.*moon', which does not exist"):
        read_vectors(tmp_path / "moon")
    with pytest.raises(VectorFileError, match="must hold tokenizer.json"):
        read_vectors(tmp_path)


def test_a_changed_folder_is_refused(write, tmp_path):
    convert_vectors(write(text()), tmp_path / "made")
    codes = tmp_path / "made" / "codes.npy"
    data = codes.read_bytes()
    codes.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(MappedError, match="not the file that its manifest describes; convert the vectors again"):
        read_vectors(tmp_path / "made")
    (tmp_path / "made" / "manifest.json").write_text('{"files": {"rf.npz": {"sha256": "0"}}}')
    with pytest.raises(VectorFileError, match="must describe word vectors, got another manifest"):
        read_vectors(tmp_path / "made")


def folder_of(path, tokenizer, **tensors):
    path.mkdir(exist_ok=True)
    save_file({name: np.ascontiguousarray(values) for name, values in tensors.items()}, path / "model.safetensors")
    (path / "tokenizer.json").write_text(json.dumps(tokenizer))
    (path / "config.json").write_text("{}")
    return path


ROWS = np.asarray([[9, 9], [1, 2], [3, 4], [5, 6], [-7, 8]], dtype=np.float32)
SPECIAL = [{"id": 0, "content": "[UNK]", "special": True}]


def vocabulary(*tokens):
    return {token: k for k, token in enumerate(("[UNK]", *tokens))}


KINDS = {
    "WordPiece": {"type": "WordPiece", "vocab": vocabulary("play", "##ing", "Boat", "é")},
    "Unigram": {"type": "Unigram", "vocab": [[t, -1.0] for t in ("[UNK]", "▁play", "ing", "▁Boat", "▁é")]},
    "BPE": {"type": "BPE", "vocab": vocabulary("▁play", "ing", "▁Boat", "▁é"), "merges": []},
    "byte-level BPE": {"type": "BPE", "vocab": vocabulary("Ġplay", "ing", "ĠBoat", "ĠÃ©"), "merges": []},
}
KINDS["WordPiece"]["continuing_subword_prefix"] = "##"


@pytest.mark.parametrize("name", KINDS)
def test_the_tokens_of_a_static_model(name, tmp_path):
    tokenizer = {"added_tokens": SPECIAL, "model": KINDS[name]}
    found = read_vectors(folder_of(tmp_path / "static", tokenizer, embeddings=ROWS))
    assert len(found) == 4  # not [UNK]
    values = found.embed(["play", "boat", "é", "playing", "ing", "[unk]"]).values
    np.testing.assert_allclose(values, [[1, 2], [5, 6], [-7, 8], [4, 6], [0, 0], [0, 0]], atol=0.05)


def test_whole_words_are_not_cut(tmp_path):
    model = {"type": "WordLevel", "vocab": vocabulary("play", "ing", "boat", "é")}
    found = read_vectors(folder_of(tmp_path / "static", {"model": model}, embeddings=ROWS))
    assert found.embed(["play", "playing"]).known.tolist() == [True, False]


def test_weights_and_mapping_of_tokens(tmp_path):
    tokenizer = {"added_tokens": [*SPECIAL, {"id": 5, "content": "sea side"}], "model": KINDS["WordPiece"]}
    table = np.asarray([[1, 0], [0, 2]], dtype=np.float16)
    mapping, weights = np.asarray([0, 0, 1, 1, 0, 1]), np.asarray([1, 1, 1, 0.5, 3, 10], dtype=np.float32)
    folder = folder_of(tmp_path / "static", tokenizer, embeddings=table, mapping=mapping, weights=weights)
    values = read_vectors(folder).embed(["play", "boat", "é", "sea side"]).values
    np.testing.assert_allclose(values, [[1, 0], [0, 1], [3, 0], [0, 20]], rtol=1e-6)


def test_the_layout_of_sentence_transformers(tmp_path):
    inner = tmp_path / "static" / "0_StaticEmbedding"
    inner.parent.mkdir()
    folder_of(inner, {"model": KINDS["WordPiece"]}, **{"embedding.weight": ROWS})
    found = read_vectors(tmp_path / "static")
    assert len(found) == 5
    assert found.digest != read_vectors(folder_of(inner, {"model": KINDS["Unigram"]}, embeddings=ROWS * 2)).digest


@pytest.mark.parametrize(
    ("tokenizer", "tensors", "message"),
    [
        (
            {"model": KINDS["WordPiece"]},
            {"weight": ROWS},
            "must hold the table 'embeddings' or 'embedding.weight', got weight",
        ),
        (
            {"model": KINDS["WordPiece"]},
            {"embeddings": ROWS[:3]},
            "must have a vector for each token, got 3 vectors and the token 4",
        ),
        ({"model": KINDS["WordPiece"]}, {"embeddings": ROWS[0]}, "must have two dimensions, got the shape"),
        ({"model": KINDS["WordPiece"]}, {"embeddings": ROWS * np.inf}, "got inf in token 1 of 'static'"),
        (
            {"model": KINDS["WordPiece"]},
            {"embeddings": ROWS, "mapping": np.full(5, 7)},
            "the mapping of model.safetensors must hold numbers of vectors from 0 to 4, got 7",
        ),
        (
            {"model": KINDS["WordPiece"]},
            {"embeddings": ROWS, "weights": ROWS},
            "weights and mapping of .* must have one dimension",
        ),
        ({"model": {"type": "BPE", "vocab": vocabulary("a</w>")}}, {"embeddings": ROWS}, "must mark words by ##"),
        ({"model": None}, {"embeddings": ROWS}, "tokenizer.json' must be a tokenizer"),
        ({"model": {"type": "WordPiece", "vocab": {}}}, {"embeddings": ROWS}, "must hold words, got none"),
    ],
)
def test_a_bad_static_model_is_refused(tokenizer, tensors, message, tmp_path):
    folder = folder_of(tmp_path / "static", tokenizer, **tensors)
    with pytest.raises(VectorFileError, match=message):
        read_vectors(folder)


def test_a_cut_table_is_refused(tmp_path):
    folder = folder_of(tmp_path / "static", {"model": KINDS["WordPiece"]}, embeddings=ROWS)
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[:-4])
    with pytest.raises(VectorFileError, match="model.safetensors cannot be read"):
        read_vectors(folder)


def test_the_library_that_reads_tensors_is_named(tmp_path, monkeypatch):
    folder = folder_of(tmp_path / "static", {"model": KINDS["WordPiece"]}, embeddings=ROWS)
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(VectorFileError, match=r"needs the library safetensors; .* 'samewise\[vectors\]'"):
        read_vectors(folder)


def test_the_tensors_of_gensim_are_read(write):
    # gensim's save_word2vec_format: header, word, blank, the bytes of the array, and no line feed.
    rows = np.asarray(list(TABLE.values()), dtype=np.float32)
    out = io.BytesIO(b"")
    out.write(f"{len(TABLE)} {rows.shape[1]}\n".encode())
    for word, row in zip(TABLE, rows, strict=True):
        out.write(word.encode() + b" " + row.tobytes())
    found = read_vectors(write(out.getvalue()))
    np.testing.assert_allclose(found.embed(["boat"]).values[0], TABLE["Boat"], atol=0.02)
