"""Output of commands that the encoding of a console cannot hold."""

import io
import json
import sys

from samewise.ensemble.commands.console import escape_unencodable, print_json, show


def test_what_cannot_be_encoded_is_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252", newline="\n"))
    escape_unencodable()
    show([("café 😀", "1.00"), ("Tür", "2.00")])
    print_json({"text": "é"})
    print_json({"text": "é 😀"})
    sys.stdout.flush()
    *lines, plain, escaped = raw.getvalue().decode("cp1252").splitlines()
    assert lines == ["café \\U0001f600  1.00", "Tür     2.00"]
    assert (plain, json.loads(escaped)) == ('{"text": "é"}', {"text": "é 😀"})
