"""Text of others on a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise._messages import printable, printable_json


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("CC0-1.0, naïve café — 日本", "CC0-1.0, naïve café — 日本"),
        ("\x1b]0;title\x07\x1b[31m", r"\x1b]0;title\x07\x1b[31m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\r\tc\x00\x7f", r"a\nb\r\tc\x00\x7f"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\u202eexe.txt\u2066", r"\u202eexe.txt\u2066"),
        ("\ud800", r"\ud800"),
        ("می\u200cخواهم 👩\u200d👧", "می\u200cخواهم 👩\u200d👧"),
    ],
)
def test_what_steers_a_terminal_is_spelt_out(text, shown):
    assert printable(text) == shown


@given(st.text(st.characters(max_codepoint=0x2070)))
def test_json_has_the_same_value(text):
    line = printable_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(line) == text
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in line)
