"""Manifests with any values at any depth: in order, or one printable sentence, and no other error."""

import json
import random
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from samewise.models.bundle import BundleError, dumps, read_bundle, signature

from .damaged_bundles import CONTROL, ODD, RAW, damage_manifest, sound
from .fuzzing import fuzzed

AT_ONCE = 25
LINE = re.compile(r"samewise:[!-{}~]*\|features:[!-{}~]*\|members:[!-{}~]*\|[!-~]*\|model:[0-9a-f]{12}")


@pytest.fixture(scope="module")
def place():
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        _, files, _, _ = sound("tokens")
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        yield Path(folder)


def read(place, data):
    (place / "manifest.json").write_bytes(data)
    try:
        bundle = read_bundle(place)
    except BundleError as error:
        message = str(error)
        assert message.isprintable() and 20 < len(message) < 1_000, message
        return None
    assert LINE.fullmatch(signature(bundle.manifest))
    dumps(bundle.manifest).encode()
    return bundle


def test_a_sound_manifest_is_read(place):
    assert read(place, json.dumps(sound("tokens")[0]).encode()) is not None


@fuzzed(inputs_per_call=AT_ONCE, seed=st.integers(0, 2**40))
def test_damaged_manifests(seed, place):
    rng, original = random.Random(seed), json.dumps(sound("tokens")[0])
    for number in range(AT_ONCE):
        data = json.dumps(damage_manifest(rng, json.loads(original))).encode("utf-8", "surrogatepass")
        try:
            read(place, data)
        except BaseException as error:
            error.add_note(f"manifest {number} of seed {seed}: {data[:500]!r}")
            raise


@fuzzed(inputs_per_call=AT_ONCE, seed=st.integers(0, 2**40))
def test_manifests_with_damaged_text(seed, place):
    rng, original = random.Random(seed), json.dumps(sound("tokens")[0])
    values = [match.span() for match in re.finditer(r'"[^"]*"|-?[0-9.]+|\[\]|\{\}|null', original)]
    for number in range(AT_ONCE):
        text = original
        for _ in range(rng.choice((1, 1, 2, 5))):
            start, stop = rng.choice(values) if rng.random() < 0.7 else (rng.randrange(len(text)),) * 2
            text = (
                text[:start]
                + rng.choice((*RAW, CONTROL, "", ",", "}", '"', "\\u001b", "\\ud800", "9" * 50))
                + text[stop:]
            )
        data = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.2:
            data = data[: rng.randrange(len(data))] + rng.choice((b"", b"\xff", b"\x00", b"\xef\xbb\xbf"))
        try:
            read(place, data)
        except BaseException as error:
            error.add_note(f"text {number} of seed {seed}: {data[:500]!r}")
            raise


@fuzzed(inputs_per_call=len(ODD), number=st.integers(0, 25))
def test_any_value_of_any_key(number, place):
    original = json.dumps(sound("tokens")[0])
    keys = sorted(sound("tokens")[0])
    key = keys[number % len(keys)]
    for value in ODD:
        read(place, json.dumps({**json.loads(original), key: value}).encode("utf-8", "surrogatepass"))
