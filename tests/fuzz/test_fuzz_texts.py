"""Any two texts have a finite score that keeps the promises, with every profile."""

import os
import unicodedata
from functools import cache
from random import Random

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import ModelRef
from samewise.ensemble.scoring.data_frames import score_table
from samewise.features.analysis.analysis import cut, normalise
from samewise.features.base.caches import SentenceCache

from .fuzzing import fuzzed
from .hostile_texts import FORMS, hostile_pair, hostile_text, respelt

FLAGS = {
    *("cross_lingual", "empty", "identical", "long", "non_english", "translated", "truncated", "unknown_language"),
    *("unknown_words", "accents", "markup", "mojibake"),
    "unmeasured_language",
}
MANY = "FUZZ_SECONDS" in os.environ
SURFACE, FAST, FULL = (200, 60, 12) if MANY else (6, 2, 1)
"""Pairs of a call; few in the ordinary suite, where each call costs as much as its pairs."""

seeds = st.integers(0, 2**48)


@cache
def model(name: str):
    # Nothing is kept, so that each call computes anew.
    profile, _, languages = name.partition(" ")
    loaded = ModelRef(profile, languages=languages or None).load()
    return loaded.with_sentence_cache(SentenceCache(budget=0))


def cut_short(text: str) -> bool:
    """Return whether a text has over 2,000 characters, or 30 marks after one of them."""
    decomposed = unicodedata.normalize("NFD", normalise(text))
    marked = "".join("m" if unicodedata.combining(letter) else " " for letter in decomposed)
    return len(normalise(text)) > 2_000 or 30 * "m" in marked


def check_promises(scorer: Predictor, count: int, seed: int) -> None:
    """Score made-up pairs, then the same in other forms and order among others, and as a table."""
    r = Random(seed)
    pairs = [hostile_pair(r) for _ in range(count)]
    score, low, high, flags, *_ = scorer.predict_pairs(pairs)
    good = np.isfinite(score) & (low >= 0) & (low <= score) & (score <= high) & (high <= 5)
    assert good.all(), [(pairs[row], score[row], low[row], high[row]) for row in np.flatnonzero(~good)[:1]]
    for pair, names in zip(pairs, flags, strict=True):
        assert set(names) <= FLAGS, (pair, names)
        assert list(names) == sorted(set(names)), (pair, names)
        same = normalise(pair[0]) == normalise(pair[1])
        assert same <= ("identical" in names), (pair, names)
        assert ("truncated" in names) == any(map(cut_short, pair)), (pair, names)

    order = r.sample(range(count), count)
    twins = [(respelt(pairs[row][1], r), respelt(pairs[row][0], r)) for row in order]
    own = [
        (text, respelt(text, r)) for text in r.sample([text for pair in pairs for text in pair], max(count // 10, 1))
    ]
    again = scorer.predict_pairs([*own, *twins])
    assert (np.stack(again[:3])[:, : len(own)] == 5).all(), own
    for row, *values, names in zip(order, *(column[len(own) :] for column in again[:4]), strict=True):
        assert [*values, names] == [score[row], low[row], high[row], flags[row]], (
            pairs[row],
            values,
            score[row],
            names,
        )

    rows = pairs[: max(count // 10, 1)]
    table = score_table(pd.DataFrame(rows, columns=["sentence1", "sentence2"], dtype=object), model=scorer)
    assert table["score"].tolist() == score[: len(rows)].tolist(), rows
    assert table["flags"].map(tuple).tolist() == flags[: len(rows)], rows


@fuzzed(inputs_per_call=2 * SURFACE, seed=seeds)
def test_surface_keeps_its_promises(seed):
    check_promises(model("surface"), SURFACE, seed)


@fuzzed(inputs_per_call=2 * FAST, seed=seeds)
def test_fast_keeps_its_promises(seed):
    check_promises(model("fast"), FAST, seed)


@fuzzed(inputs_per_call=2 * FULL, seed=seeds)
def test_full_keeps_its_promises(seed):
    check_promises(model("full"), FULL, seed)


@fuzzed(inputs_per_call=2 * FULL, seed=seeds)
def test_several_languages_keep_their_promises(seed):
    check_promises(model("surface auto"), FULL, seed)


@fuzzed(inputs_per_call=1_000 if MANY else 50, seed=seeds)
def test_normalised_texts_have_one_form(seed):
    r = Random(seed)
    for _ in range(1_000 if MANY else 50):
        text = hostile_text(r)
        once = normalise(text)
        once.encode()  # without surrogates
        assert normalise(once) == once == normalise(respelt(text, r)), ascii(text)
        assert all(normalise(unicodedata.normalize(form, once)) == once for form in FORMS), ascii(text)
        assert normalise(cut(once)) == cut(once), ascii(text)
