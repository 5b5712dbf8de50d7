"""Codes, versions, addresses, shortcuts and placeholders as they stand in sentences."""

import pytest
from samewise.features.values.codes import code_of
from samewise.features.values.reading import CODE, read_values

from .readings import sentence, values, words


def read(text):
    one = sentence(text)
    return [
        (value.content.family, value.content.text, words(one, value.places))
        for value in read_values(one)
        if value.kind == CODE
    ]


@pytest.mark.parametrize(
    ("text", "family", "code", "span"),
    [
        ("Ticket T-1049 is closed.", "code", "t1049", "T-1049"),
        ("Use an M8x40 bolt.", "code", "m8x40", "M8x40"),
        ("Check sensor-Aa first.", "code", "sensoraa", "sensor-Aa"),
        ("Go to gate B now.", "code", "gateb", "B"),
        ("Call 555-0134 today.", "phone", "5550134", "555-0134"),
        ("Ping 192.168.0.7 first.", "address", "192.168.0.7", "192.168.0.7"),
        ("Write to eva@lamp.example now.", "address", "eva@lamp.example", "eva @ lamp.example"),
        ("See https://lamp.example/faq?q=2.", "address", "lamp.example/faq?q=2", "https : //lamp.example/faq ? q=2"),
        ("Open /var/log/lamp.log first.", "address", "/var/log/lamp.log", "/var/log/lamp.log"),
        ("Press Ctrl+Shift+S now.", "shortcut", "ctrl s shift", "Ctrl+Shift+S"),
        ("Keep {name} as it is.", "placeholder", "name", "{ name }"),
        ("Keep %s as it is.", "placeholder", "%s", "% s"),
        ("Keep <id> as it is.", "placeholder", "id", "< id >"),
        ("Install version 2.10 now.", "version", "2.10", "2.10"),
        ("Install v2.1.0 now.", "version", "2.1", "v2.1.0"),
        ("Read section 4.20 first.", "version", "4.20", "4.20"),
        ("Blood type O- is rare.", "code", "o-", "O-"),
    ],
)
def test_one_code(text, family, code, span):
    assert read(text) == [(family, code, span)]


@pytest.mark.parametrize(
    "text",
    ["A 10-mile walk.", "A 3-year-old boy.", "In the mid-1990s.", "It opens at 7pm.", "A 5kg bag.", "From 2010-2012.",
     "It fell by 2.10 euros.", "Well-known songs.", "She ran 10 000 000 steps.", "On 2024-05-03.", "The 21st race."],
)  # fmt: skip
def test_no_code(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [("T-1049", "T-1094", True), ("KX400B", "KX400R", True), ("B12", "covid-19", True), ("B12", "M8x40", False)],
)
def test_codes_of_one_sort(a, b, alike):
    assert code_of(a).alike(code_of(b)) is alike
    assert code_of(b).alike(code_of(a)) is alike


def test_a_hyphen_says_nothing():
    [x], [y] = values("Take the F-16 out."), values("Take the F16 out.")
    assert x.content == y.content
