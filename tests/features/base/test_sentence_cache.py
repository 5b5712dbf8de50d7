import sqlite3
import threading

import joblib
import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.base.caches import FILE, Packing, SentenceCache
from samewise.features.encoders.contextual_words import encodings
from samewise.features.encoders.sentence_encoder import shipped_encoder

WORDS = Packing("words", lambda value: " ".join(value).encode(), lambda _, data: data.decode().split(), len)
TEXTS = ["A dog barks.", "", "Zwei “Hunde” — bellen 🐕", "word", "w " * 1500, "Mary sang on 3 May 1998 in Rome ."]


def split(calls):
    def compute(texts):
        calls.append(list(texts))
        return [text.split() for text in texts]

    return compute


def test_computed_once_and_in_order():
    cache, calls = SentenceCache(), []
    assert cache.recall(WORDS, ["a b", "c"], split(calls)) == [["a", "b"], ["c"]]
    assert cache.recall(WORDS, ["c", "d", "a b"], split(calls)) == [["c"], ["d"], ["a", "b"]]
    assert calls == [["a b", "c"], ["d"]]
    assert (cache.asked, cache.known) == (5, 2)


def test_kinds_are_apart():
    cache, calls = SentenceCache(), []
    cache.recall(WORDS, ["a"], split(calls))
    cache.recall(WORDS._replace(kind="other words"), ["a"], split(calls))
    assert len(calls) == 2


def test_the_least_recently_used_are_forgotten():
    cache, calls = SentenceCache(budget=4), []
    sized = WORDS._replace(size=lambda value: 2)
    cache.recall(sized, ["a", "b"], split(calls))
    cache.recall(sized, ["a"], split(calls))
    cache.recall(sized, ["c"], split(calls))  # b goes
    cache.recall(sized, ["a", "c"], split(calls))
    cache.recall(sized, ["b"], split(calls))
    assert calls == [["a", "b"], ["c"], ["b"]]


def test_a_batch_larger_than_the_budget():
    cache, calls = SentenceCache(budget=1), []
    texts = [f"word{i}" for i in range(2_000)]
    assert cache.recall(WORDS, texts, split(calls)) == [[text] for text in texts]


def test_kept_for_other_processes(tmp_path):
    calls = []
    SentenceCache(tmp_path).recall(WORDS, ["a b", "c"], split(calls))
    later = SentenceCache(tmp_path)
    assert later.recall(WORDS, ["c", "x", "a b"], split(calls)) == [["c"], ["x"], ["a", "b"]]
    assert calls == [["a b", "c"], ["x"]]
    assert (later.asked, later.known) == (3, 2)


def test_a_damaged_value_is_computed_again(tmp_path):
    calls = []
    SentenceCache(tmp_path).recall(WORDS, ["a b"], split(calls))
    with sqlite3.connect(tmp_path / FILE) as base:
        [(value,)] = base.execute("SELECT value FROM kept").fetchall()
        base.execute("UPDATE kept SET value = ?", (value[:-1] + b"x",))
    base.close()
    assert SentenceCache(tmp_path).recall(WORDS, ["a b"], split(calls)) == [["a", "b"]]
    assert len(calls) == 2
    assert SentenceCache(tmp_path).recall(WORDS, ["a b"], split(calls)) == [["a", "b"]]
    assert len(calls) == 2  # and it is right again


def test_a_file_that_is_not_a_cache_is_refused(tmp_path):
    (tmp_path / FILE).write_bytes(b"something else, which is longer than a header of SQLite" * 20)
    with pytest.raises(ValueError, match=r"must be an SQLite file, got .*; remove it or choose another folder"):
        SentenceCache(tmp_path)


def test_a_cache_that_cannot_be_written_to_still_helps(tmp_path):
    calls = []
    cache = SentenceCache(tmp_path)
    cache.recall(WORDS, ["a"], split(calls))
    cache._file._base.execute("PRAGMA query_only = ON")
    with pytest.warns(RuntimeWarning, match="is full or read-only .*; it keeps no new values"):
        assert cache.recall(WORDS, ["a", "b"], split(calls)) == [["a"], ["b"]]
    assert cache.recall(WORDS, ["d"], split(calls)) == [["d"]]  # without another warning
    assert SentenceCache(tmp_path).recall(WORDS, ["a"], split(calls)) == [["a"]]
    assert calls == [["a"], ["b"], ["d"]]


def test_threads(tmp_path):
    cache = SentenceCache(tmp_path, budget=200)
    wrong = []

    def work(seed):
        chance = np.random.default_rng(seed)
        for _ in range(50):
            texts = [f"a{i} b" for i in dict.fromkeys(chance.integers(0, 60, 20).tolist())]
            if cache.recall(WORDS, texts, split([])) != [text.split() for text in texts]:
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache._size == sum(size for _, size in cache._kept.values()) <= 200


def test_copies_begin_empty(tmp_path):
    cache = SentenceCache(tmp_path, budget=99)
    cache.recall(WORDS, ["a"], split([]))
    path = tmp_path / "dump"
    joblib.dump(cache, path)
    copy = joblib.load(path)
    assert (copy.budget, copy.asked) == (99, 0)
    assert copy.recall(WORDS, ["a"], split([])) == [["a"]]
    assert copy.known == 1  # from the file


@pytest.mark.parametrize("level", ["tokens", "lexical", "parsed"])
def test_sentences_are_the_same_remembered_or_not(tmp_path, level):
    pairs = [(text, TEXTS[0]) for text in TEXTS]
    plain = analyse(pairs, level)
    for cache in (SentenceCache(tmp_path), SentenceCache(tmp_path)):
        for _ in range(2):
            found = analyse(pairs, level, sentence_cache=cache)
            assert found.sentences == plain.sentences
            assert [type(value) for s in found.sentences for value in s] == [
                type(value) for s in plain.sentences for value in s
            ]
    assert cache.known == cache.asked


def test_levels_are_apart():
    cache = SentenceCache()
    analyse([("A dog.", "A cat.")], "tokens", sentence_cache=cache)
    assert analyse([("A dog.", "A cat.")], "lexical", sentence_cache=cache).sentences[0].lemmas == ("a", "dog", ".")


def test_encodings_are_the_same_remembered_or_not(tmp_path):
    pairs = [(text, TEXTS[-1]) for text in TEXTS]
    expected = shipped_encoder().encode([sentence.text for sentence in analyse(pairs).sentences])
    for cache in (SentenceCache(tmp_path), SentenceCache(tmp_path)):
        for _ in range(2):
            found = encodings(analyse(pairs, sentence_cache=cache), shipped_encoder())
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)
                assert one.dtype == other.dtype


def test_part_of_a_batch_remembers_too():
    cache = SentenceCache()
    batch = analyse([("A dog.", "A cat."), ("A cow.", "A cat.")], sentence_cache=cache)
    encodings(batch, shipped_encoder())
    known = cache.known
    encodings(batch[1:], shipped_encoder())
    assert cache.known == known + 2


def test_long_texts_are_not_kept_as_keys():
    cache = SentenceCache()
    long = ["w" * 1_000_000, "w" * 1_000_001]
    assert cache.recall(WORDS, long, split([])) == [[text] for text in long]
    assert cache.recall(WORDS, long, split([])) == [[text] for text in long]
    assert cache.known == 2
    assert all(len(text) < 100 for _, text in cache._kept)
