"""Files and folders of word vectors that somebody damaged: vectors in order, or one sentence."""

import gzip
import hashlib
import json
import random
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from samewise.features.base.token_sequences import text_hash
from samewise.features.lexicon.vector_files import read_vectors
from samewise.features.lexicon.word_vectors import quantised

from .damaged_bundles import CONTROL, HEADERS, ODD, damage_array, damage_manifest, with_header
from .fuzzing import fuzzed

AT_ONCE = 4
PUT = (b"", b"\n", b" ", b"\x00", b"\xff", b"nan", b"inf", b"1e999", b"-1e39", b"9" * 400, b"1_0", CONTROL.encode())
WORDS = ("the", "dog", "cat", "##s", "New York", "é", "10", "well-known")
VALUES = np.random.default_rng(3).normal(size=(len(WORDS), 4)).round(3)


@pytest.fixture(scope="module")
def place():
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def text_file(rng):
    """Return the bytes of a text or binary file of vectors, damaged."""
    header = rng.random() < 0.5
    if rng.random() < 0.5:
        lines = [f"{word} {' '.join(map(str, row))}".encode() for word, row in zip(WORDS, VALUES.tolist(), strict=True)]
        data = b"\n".join([*([b"8 4"] if header else []), *lines, b""])
    else:
        rows = VALUES.astype("<f4")
        data = b"8 4\n" + b"".join(w.encode() + b" " + r.tobytes() + b"\n" for w, r in zip(WORDS, rows, strict=True))
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        place = rng.randrange(len(data) + 1)
        put = rng.choice(PUT)
        data = data[:place] + put + data[place + rng.choice((0, 1, 3, 20)) :]
    if rng.random() < 0.1:
        data = (
            rng.choice((b"99999999999999999 4\n", b"1 9999999\n", b"0 0\n", b"8 0\n", b"\x1f\x8b", b"PK\x03\x04"))
            + data
        )
    if rng.random() < 0.2:
        data = gzip.compress(data, 1)
        if rng.random() < 0.5:
            data = data[: rng.randrange(len(data))]
    return data


def converted_folder(rng, folder):
    """Write a folder as `convert_vectors` makes it, damaged, with valid hashes."""
    order = sorted(range(len(WORDS)), key=lambda k: text_hash(WORDS[k].lower()))
    codes, scales = quantised(VALUES[order])
    arrays = {
        "hashes": np.asarray([text_hash(WORDS[k].lower()) for k in order], dtype=np.uint64),
        **(
            {"codes": codes.astype(np.int8), "scales": scales.astype(np.float32)}
            if rng.random() < 0.6
            else {"values": VALUES[order].astype(np.float16)}
        ),
    }
    for _ in range(rng.choice((0, 1, 1, 2))):
        name = rng.choice(sorted(arrays))
        arrays[name] = damage_array(rng, arrays[name])
    files = {}
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        np.save(path, array)
        if rng.random() < 0.1:
            data = path.read_bytes()
            path.write_bytes(
                rng.choice((data[: rng.randrange(len(data))], with_header(rng.choice(HEADERS), data[128:])))
            )
        files[path.name] = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    manifest = {"words": 8, "dimension": 4, "storage": "int8", "pieces": rng.random() < 0.5, "files": files}
    if rng.random() < 0.3:
        manifest = damage_manifest(rng, manifest)
    elif rng.random() < 0.1:
        manifest["pieces"] = rng.choice(ODD)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8", errors="replace")


def use(path):
    try:
        vectors = read_vectors(path)
    except ValueError as error:
        message = str(error)
        assert message.isprintable() and len(message) < 1_000, message
        return
    found = vectors.embed([*WORDS, "dogs", "Dog", "dog/cat", "unknown", ""])
    assert np.isfinite(found.values).all() and np.isfinite(found.norms).all()
    assert vectors.digest


@fuzzed(inputs_per_call=AT_ONCE, seed=st.integers(0, 2**40))
def test_damaged_files_of_vectors(seed, place):
    rng = random.Random(seed)
    for number in range(AT_ONCE):
        data = text_file(rng)
        (place / "file.vec").write_bytes(data)
        try:
            use(place / "file.vec")
        except BaseException as error:
            error.add_note(f"file {number} of seed {seed}: {data[:300]!r}")
            raise


@fuzzed(inputs_per_call=AT_ONCE, seed=st.integers(0, 2**40))
def test_damaged_folders_of_vectors(seed, place):
    rng = random.Random(seed)
    for number in range(AT_ONCE):
        with tempfile.TemporaryDirectory(dir=place) as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            converted_folder(rng, Path(folder))
            try:
                use(Path(folder))
            except BaseException as error:
                error.add_note(f"folder {number} of seed {seed}")
                raise
