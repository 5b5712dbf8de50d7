"""The named sets of published systems: how many columns, and that they hold the blocks that the systems are made of."""

import pytest
from samewise.features.base.feature import highest_level
from samewise.features.pipeline.catalogue import all_features, resolve

SIZES = [("mitre_strings", 352, "lexical"), ("itnlp", 81, "parsed"), ("sts_uhh", 66, "parsed"), ("uwb", 56, "parsed")]


@pytest.mark.parametrize(("name", "size", "level"), [*SIZES, ("l2f", 81, "parsed")])
def test_sizes_and_levels(name, size, level):
    features, columns = resolve(name)
    assert len(columns) == len(set(columns)) == size
    assert highest_level(features) == level


@pytest.mark.parametrize(
    ("name", "definitions"),
    [
        ("mitre_strings", "SEQ6"),
        ("itnlp", "KB1 KB2 KB6 EMB1 EMB3 KB3 ALN1 ALN2 ALN3 ALN4 ALN5 NG1 NG2 NG3 NG4 NG5 SEQ1"),
        ("sts_uhh", "SYN1 SYN3 ALN1 ALN2 ALN5 NG1 NG2 NG6 KB3 BOW3"),
        ("uwb", "NG2 NG5 NG9 SYN2 SYN4 ALN2 ALN3 EMB3 D2V1"),
        ("l2f", "BOW3 NG6 NG7 SEQ1 SEQ4 NUM1 POS6 MT1 MT8 KB2 SYN2"),
    ],
)
def test_a_set_has_what_the_system_is_made_of(name, definitions):
    found = {section for value in resolve(name)[0] for section in value.section.split()}
    assert set(definitions.split()) <= found


def test_every_definition_of_the_systems_has_a_column():
    found = {section for value in all_features() for section in value.section.split()}
    assert {"SEQ6", "ALN10", "ALN11", "CLP1", "CLP2", "CLP3", "IR1", "EMB5", "KB8", "KB9", "KB10"} <= found
