"""The list of changes that change nothing, which ``make mutate`` subtracts."""

import re
import tomllib

from ..conftest import ROOT


def test_every_entry_has_a_reason_and_a_module():
    table = tomllib.loads((ROOT / "tests" / "equivalent_mutants.toml").read_text(encoding="utf-8"))
    for entry in table["pattern"]:
        re.compile(entry["without"])
        assert entry["reason"].endswith(".")
    for entry in table["mutant"]:
        source = ROOT / f"{entry['module'].replace('.', '/')}.py"
        text = " ".join(source.read_text(encoding="utf-8").split())
        assert " ".join(entry["before"].split()) in text, f"{entry['module']} has no line {entry['before']!r} any more"
        assert entry["after"] and entry["before"] not in entry["after"]
        assert entry["reason"].endswith(".")
