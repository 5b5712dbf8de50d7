"""The named sets: how many columns, which, in what order."""

import json
from itertools import groupby

import pytest
from samewise.features.base.feature import highest_level
from samewise.features.pipeline.catalogue import all_features, costs, resolve
from samewise.features.pipeline.named_sets import FEATURE_SETS
from samewise.features.pipeline.user_supplied import GIVEN

from ...conftest import ROOT

# The blocks of the 230 columns of Tian et al. (2017) in their order, by what they are defined as.
ECNU = [
    ("NG1", 3), ("NG2", 3), ("NG3", 6), ("NG5", 8), ("NG4", 6), *((f"MT{k}", 2) for k in range(1, 10)), ("SEQ1", 5),
    ("BOW2", 11), ("D2V1", 11), ("ALN1", 1), ("ALN3", 1), ("ALN4", 5), ("SYN1", 16), ("SYN2", 16), ("SYN3", 16),
    ("SYN4", 16), ("NEG", 1), ("KB1", 2), ("POS1", 20), ("POS2", 11), ("SEQ2", 5), ("SYN5", 5), ("EMB1", 22),
    ("EMB2", 22),
]  # fmt: skip


def test_ecnu_has_the_230_columns_in_their_order():
    _, columns = resolve("ecnu")
    assert len(columns) == len(set(columns)) == 230
    section = {column: value.section.split() for value in all_features() for column in value.columns}
    blocks = iter(columns)
    for name, size in ECNU:
        block = [next(blocks) for _ in range(size)]
        assert all(name in section[column] for column in block), (name, block)
    assert next(blocks, None) is None


@pytest.mark.parametrize(
    ("name", "size", "level"),
    [
        *[("surface", 106, "tokens"), ("lexical", 175, "lexical"), ("fast", 263, "lexical"), ("full", 272, "lexical")],
        *[("takelab", 21, "lexical"), ("ukp", 37, "lexical"), ("udl", 32, "parsed"), ("dt_team", 35, "lexical")],
        *[("bit", 4, "parsed"), ("ecnu", 230, "parsed"), ("parsed", 302, "parsed")],
    ],
)
def test_sizes_and_levels(name, size, level):
    features, columns = resolve(name)
    assert len(columns) == len(set(columns)) == size
    assert highest_level(features) == level


def test_takelab_in_its_order():
    families = [family for family, _ in groupby(resolve("takelab")[1], lambda column: column.partition(".")[0])]
    expected = ["number", "ngram", "lemma_ngram", "wordnet_overlap", "information", "length", "information"]
    assert families == [*expected, "embedding"]


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_a_set_needs_nothing_of_the_users_and_is_measured(name):
    for value in resolve(name)[0]:
        assert not GIVEN.keys() & set(value.needs), value.full_name
        assert value.full_name in costs(), f"run benchmarks/cost_by_feature.py --write for {value.full_name}"


@pytest.mark.parametrize("profile", ["surface", "fast", "full"])
def test_a_profile_has_the_columns_of_its_set(profile):
    manifest = json.loads((ROOT / "models" / "pretrained" / profile / "manifest.json").read_text())
    assert sorted(manifest["columns"]) == sorted(resolve(profile)[1])
