import builtins
import math
import random
import string

import numpy as np
import pytest
import wordfreq
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.lexicon import word_frequencies as module
from samewise.features.lexicon.dictionaries import pack_words
from samewise.features.lexicon.word_frequencies import CLITICS, Frequencies
from samewise.features.pipeline.registry import RESOURCES
from samewise.models.npz import unpack_arrays


def table(centibels):
    words, text = pack_words(centibels)
    return Frequencies({"words": text, "centibels": np.array([centibels[w] for w in words], dtype=np.int16)})


@pytest.fixture(scope="module")
def english():
    return Frequencies.fit([])


def test_by_hand():
    # 10**(-200 / 100), 10**(-300 / 100), and numbers of two digits, of four and with a point.
    small = table({"the": 200, "dog": 300, "00": 300, "0000": 400, "0.00": 500, "™": 600})
    words = ["the", "dog", "the-dog", "the/cat", "cat", ",", "``", "", "™", "35", "35-dog"]
    both = 1 / (100 + 1000)
    three = 1e-3 * 0.124 / 10
    number = 1 / (1 / three + 1000)
    found = small.probability(words)
    np.testing.assert_allclose(found, [0.01, 0.001, both, 1e-7, 1e-7, 1, 1, 1, 1e-6, three, number], rtol=1e-12)
    year = 1e-4 * (10 ** (-1.9185 - 0.0083 * 19) + 0.1 * 0.175 / 1000)
    np.testing.assert_allclose(small.probability(["2000", "1.23"]), [year, 1e-7], rtol=1e-12)
    np.testing.assert_allclose(small.information(["the", ",", "cat"]), [math.log(100), 0, 7 * math.log(10)])
    np.testing.assert_allclose(small.sif(["the", ",", "dog"]), [1 / 11, 1e-3 / 1.001, 0.5])
    assert small.sif(["dog"], a=1.0)[0] == pytest.approx(1 / 1.001)
    assert not np.signbit(small.information([","])).any()


def test_words_numbers_and_compounds_are_as_common_as_in_wordfreq(english):
    choose = random.Random(0)
    listed = [w for w in wordfreq.get_frequency_dict("en", "large") if w.strip(string.ascii_lowercase) in ("", "'")]
    words = choose.sample(sorted(set(listed) - set(CLITICS)), 3_000)
    numbers = [str(choose.randrange(10 ** choose.randint(1, 6))) for _ in range(300)]
    numbers += [f"{choose.uniform(0, 100):.{choose.randint(1, 3)}f}" for _ in range(100)]
    numbers += [f"{choose.randrange(10**7):,}" for _ in range(100)] + [str(year) for year in range(1400, 2100, 7)]
    compounds = [f"{a}-{b}" for a, b in zip(words[:500], words[500:1_000], strict=True)]
    others = ["u.s.", "mr.", "10:30", "covid-19", "don’t", "and/or", "xyzzyqq", "3rd", "it's"]
    sample = words + numbers + compounds + others
    expected = [wordfreq.word_frequency(word, "en", minimum=1e-7) for word in sample]
    # wordfreq rounds to three digits.
    np.testing.assert_allclose(english.probability(sample), expected, rtol=6e-3)


def test_clitics_are_as_common_as_the_words_that_end_in_them(english):
    listed = wordfreq.get_frequency_dict("en", "large")
    expected = [sum(share for word, share in listed.items() if word.endswith(c) and word != c) for c in CLITICS]
    np.testing.assert_allclose(english.probability(CLITICS), expected, rtol=0.012)
    not_, very = english.probability(["n't", "very"])
    assert not_ > very


@given(words=st.lists(st.text(max_size=12) | st.from_regex(r"[\d.,:/-]{1,12}", fullmatch=True), max_size=8))
def test_defined_for_any_text(english, words):
    words = [word.lower() for word in words]
    found = english.probability(words)
    assert ((found >= 0.999e-7) & (found <= 1)).all()
    assert (english.information(words) >= 0).all()
    np.testing.assert_array_equal(found[::-1], english.probability(words[::-1]))


def test_long_numbers_and_words_are_rare(english):
    assert english.probability(["9" * 5_000, "x" * 5_000, "-".join(["dog"] * 5_000)]) == pytest.approx([1e-7] * 3)


def test_is_a_resource_and_small(english):
    assert RESOURCES["frequencies"] is Frequencies
    packed = english.to_bytes()
    assert len(packed) < 450_000
    again = Frequencies(unpack_arrays(packed))
    assert again.digest == english.digest == Frequencies.fit([]).digest
    assert again.probability(["dog"]) == english.probability(["dog"])


def test_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "wordfreq":
            raise ModuleNotFoundError("No module named 'wordfreq'", name="wordfreq")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"needs wordfreq; pip install 'samewise\[fit\]'"):
        module._table.__wrapped__()
