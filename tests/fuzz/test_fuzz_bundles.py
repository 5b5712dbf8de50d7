"""Bundles whose hashes are right and whose content is not: a model in order, or one sentence."""

import contextlib
import io
import json
import random
import re
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from samewise.ensemble.commands.info_command import describe
from samewise.ensemble.core.predictor import Predictor

from .damaged_bundles import COLUMNS, TEXTS, damaged, sound, write
from .fuzzing import fuzzed

AT_ONCE = 2
SECRET = "secret.bin"
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


_opened: list[str] = []


def _note_opened(event, arguments):
    if event == "open" and str(arguments[0]).endswith(SECRET):
        _opened.append(str(arguments[0]))


@pytest.fixture(scope="module")
def place():
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        (Path(folder) / SECRET).write_bytes(b"secret")
        sys.addaudithook(_note_opened)  # stays as long as the process
        yield Path(folder)


def use(folder, cache, as_json=False):
    """Load, score with explanations and describe a bundle; return what was printed, or the sentence of the refusal."""
    printed = io.StringIO()
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            model = Predictor.load(folder).with_sentence_cache(cache)
            explained = model.explain(TEXTS)
            score, low, high = np.asarray([[each.score, each.low, each.high] for each in explained]).T
            assert np.isfinite([score, low, high]).all() and (low <= score).all() and (score <= high).all()
            assert 0 <= min(low) and max(high) <= 5
            for each in explained:
                points = [each.base, *each.contributions.values()]
                assert abs(sum(points) - each.score) < 1e-6 * max(1.0, *map(abs, points))
            describe(model, as_json)
        except ValueError as error:
            assert len(str(error)) < 2_000, error
            return [str(error), *(str(warning.message) for warning in warned)]
    lines = printed.getvalue().split("\n")
    return [*lines, *(str(warning.message) for warning in warned)]


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_sound_bundle_is_in_order(kind, place):
    folder = place / f"sound-{kind}"
    folder.mkdir()
    manifest, files, _, cache = sound(kind)
    write(folder, json.dumps(manifest), files, random.Random(12))
    assert use(folder, cache)[0].startswith("signature ")
    shutil.rmtree(folder)


def try_some(seed, kind, place, count=AT_ONCE):
    rng, cache = random.Random(seed), sound(kind)[-1]
    folder = place / "damaged"
    folder.mkdir(exist_ok=True)
    for number in range(count):
        text, files = damaged(rng, kind)
        write(folder, text, files, rng)
        try:
            for line in use(folder, cache, rng.random() < 0.5):
                assert not CONTROLS.search(line), repr(line)
            assert not _opened and sorted(path.name for path in place.iterdir()) == ["damaged", SECRET]
        except BaseException as error:
            error.add_note(f"bundle {number} of seed {seed}, kind {kind!r}")
            raise


SEEDS = st.integers(0, 2**40)


@fuzzed(inputs_per_call=AT_ONCE, seed=SEEDS)
def test_damaged_bundles_of_tokens(seed, place):
    try_some(seed, "tokens", place)


@fuzzed(inputs_per_call=AT_ONCE, seed=SEEDS)
def test_damaged_bundles_of_lemmas(seed, place):
    try_some(seed, "lexical", place)


@fuzzed(inputs_per_call=AT_ONCE, seed=SEEDS)
def test_damaged_bundles_of_an_encoder(seed, place):
    try_some(seed, "encoder", place)


@fuzzed(inputs_per_call=AT_ONCE, seed=SEEDS)
def test_damaged_bundles_of_several_languages(seed, place):
    try_some(seed, "languages", place)
