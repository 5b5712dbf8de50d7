import pytest
from samewise.features.analysis.chunks import chunks

from ..sentences import sentence


@pytest.mark.parametrize(
    ("text", "tags", "expected"),
    [
        ("the old dog barks loudly", "DT JJ NN VBZ RB", "NP:the old dog VP:barks AP:loudly"),
        ("Ann 's cat wants to eat", "NNP POS NN VBZ TO VB", "NP:Ann NP:'s cat VP:wants to eat"),
        ("he has not seen a running man", "PRP VBZ RB VBN DT VBG NN", "NP:he VP:has not seen NP:a running man"),
        ("gave up in New York .", "VBD RP IN NNP NNP .", "VP:gave up PP:in NP:New York O:."),
        ("it is very good", "PRP VBZ RB JJ", "NP:it VP:is AP:very good"),
        ("two very big cats and dogs", "CD RB JJ NNS CC NNS", "NP:two very big cats O:and NP:dogs"),
        ("will the poor pay ?", "MD DT JJ VB .", "O:will NP:the poor VP:pay O:?"),
        ("", "", ""),
    ],
)
def test_chunks_by_hand(text, tags, expected):
    made = sentence(text, tags=tags)
    words, start = [], 0
    for label, length in chunks(made):
        words.append(f"{label}:{' '.join(made.tokens[start : start + length])}")
        start += length
    assert " ".join(words) == expected
    assert start == len(made.tokens)
