import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.lexicon import dictionaries as wordlist
from samewise.features.lexicon.dictionaries import WordList, pack_words

lines = st.text(st.characters(exclude_characters="\n"), min_size=1, max_size=3)


def test_by_hand():
    words, text = pack_words(["dog", "über", "cat", "dog"])
    assert words == ["cat", "dog", "über"]
    assert text.tobytes() == "cat\ndog\nüber".encode()
    listed = WordList(text)
    assert len(listed) == 3
    assert [listed[i] for i in range(3)] == words
    assert listed.find_all(["über", "cat", "dogs", "do", "", "\n", "cat\ndog", "zebra", "ant"]).tolist() == [
        *(2, 0, -1, -1, -1, -1, -1, -1, -1)
    ]


@given(words=st.lists(lines, max_size=300), others=st.lists(st.text(max_size=3), max_size=20))
def test_equals_a_dict(words, others):
    ordered, text = pack_words(words)
    listed, index = WordList(text), {word: i for i, word in enumerate(ordered)}
    assert len(listed) == len(index)
    assert [listed[i] for i in range(len(ordered))] == ordered
    np.testing.assert_array_equal(listed.find_all(words + others), [index.get(word, -1) for word in words + others])
    assert [listed.find(word) for word in words + others] == [index.get(word, -1) for word in words + others]


def test_equal_hashes_are_told_apart(monkeypatch):
    monkeypatch.setattr(wordlist, "_hashes", lambda lines: np.zeros(len(lines.lengths), dtype=np.uint64))
    _, text = pack_words(["dog"])
    assert WordList(text).find_all(["dog", "cat", "dogs", "do"]).tolist() == [0, -1, -1, -1]


@pytest.mark.parametrize("word", ["", "two\nlines"])
def test_what_is_no_line_is_refused(word):
    with pytest.raises(ValueError, match="cannot be a line of a word list; omit it"):
        pack_words(["good", word])
