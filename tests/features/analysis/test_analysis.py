import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer
from samewise.features.analysis import analysis
from samewise.features.analysis.analysis import analyse, normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  two \t words\n", "two words"),
        ("cafe\u0301", "caf\u00e9"),
        ("non\u00a0breaking\u2003space", "non breaking space"),
        ("\ud800x", "\ufffdx"),
        ("\x00", "\x00"),
        ("ﬁne", "fine"),
    ],
)
def test_normalise(text, expected):
    assert normalise(text) == expected


@given(st.text())
def test_normalise_is_idempotent_and_blind_to_form_and_outer_space(text):
    once = normalise(text)
    assert normalise(once) == once
    assert normalise(f" {unicodedata.normalize('NFD', text)}\n") == once
    assert text.isascii() is False or once == " ".join(text.split())


def test_each_distinct_text_is_analysed_once(monkeypatch):
    seen = []
    monkeypatch.setattr(analysis, "tokenize", lambda text: seen.append(text) or text.split())
    batch = analyse([("a b", "c"), ("c", " a  b "), ("a b", "a b")])
    assert seen == ["a b", "c"]
    assert [(pair.a.text, pair.b.text) for pair in batch] == [("a b", "c"), ("c", "a b"), ("a b", "a b")]


def test_sentence_is_immutable_and_parallel():
    sentence = analyse([("Dogs were running.", "x")])[0].a
    assert sentence.tokens == ("Dogs", "were", "running", ".")
    assert sentence.words == ("dogs", "were", "running", ".")
    assert sentence.stems == ("dog", "were", "run", ".")
    with pytest.raises(AttributeError):
        sentence.text = "other"


def test_stems_are_snowballs():
    reference = SnowballStemmer("english")
    words = "generously happiness relational hopping organised mice children skies news dying".split()
    sentence = analyse([(" ".join(words), "")])[0].a
    assert list(sentence.stems) == [reference.stem(word) for word in words]


def test_long_text_is_cut_at_a_blank_and_says_so():
    sentence = analyse([("word " * 1_000, "")])[0].a
    assert sentence.truncated
    assert len(sentence.text) <= analysis.MAX_CHARACTERS
    assert set(sentence.tokens) == {"word"}
    assert not analyse([("w" * analysis.MAX_CHARACTERS, "")])[0].a.truncated


def test_take_keeps_only_the_sentences_used():
    batch = analyse([("a", "b"), ("c", "d"), ("a", "d")])
    part = batch[1:]
    assert [s.text for s in part.sentences] == ["a", "c", "d"]
    assert [(p.a.text, p.b.text) for p in part] == [("c", "d"), ("a", "d")]


def test_words_have_no_accents_and_tokens_keep_them():
    sentence = analyse([("Der Ärger in München: résumés, Łódź, \u0308x, мой", "x")], level="lexical")[0].a
    assert sentence.tokens[1:4] == ("Ärger", "in", "München")
    assert sentence.words[1:4] == ("arger", "in", "munchen")
    assert sentence.words[5:] == ("resumes", ",", "lodz", ",", "\u0308x", ",", "мой")
    assert sentence.stems[5] == sentence.lemmas[5][:5] == "resum"
