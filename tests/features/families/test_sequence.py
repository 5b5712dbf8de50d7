from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler
from samewise.features.base.word_tables import stop_words
from samewise.features.families import sequence

from ..golden import check, row

WORDS = st.lists(st.sampled_from("red green blue boat house the of 7 .".split()), max_size=8)


def edit_distance(a, b):
    table = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        corner, table[0] = table[0], i
        for j, y in enumerate(b, start=1):
            corner, table[j] = table[j], min(table[j] + 1, table[j - 1] + 1, corner + (x != y))
    return table[-1]


def subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


# Stems without stop words: "old sailor paint red boat" (5) and "old sailor sold red boat quick" (6).
PAINTED, SOLD = "The old sailor painted a red boat", "The old sailor sold the red boats quickly"
MARTHA = 17 / 18 + 3 * 0.1 / 18

# fmt: off
GOLDEN = [
    # Prefix and longest substring "old sailor" 2 of 5; no common suffix; subsequence "old sailor red boat" 4 of 5.
    (sequence.stems, PAINTED, SOLD, {"prefix": 0.4, "suffix": 0, "substring": 0.4, "subsequence": 0.8}),
    # One substitution and one insertion: 2 / 5 and 1 - 2 / 6.
    (sequence.stem_distance, PAINTED, SOLD, {"distance": 0.4}),
    (sequence.stem_similarity, PAINTED, SOLD, {"similarity": 2 / 3}),
    # Stop words stay where nothing else would be left; the distance to an empty text is the length.
    (sequence.stems, "of the", "the of the", {"suffix": 1}),
    (sequence.stem_distance, "", "red boat", {"distance": 2}),
    # The textbook pair: Jaro 0.9444, Jaro-Winkler 0.9611 with three letters of common prefix. Longest common
    # subsequence "marta" or "marha", 5 of 6; two substitutions.
    (sequence.characters, "MARTHA", "marhta", [5 / 6, 5 / 6, 5 / 6, 1 - 2 / 6, 17 / 18, MARTHA]),
    # Subsequence "ab" of lengths 4 and 2.
    (sequence.characters, "a--b", "ab", dict(zip(sequence.characters.names[:3], (0.5, 1, 4 / 6), strict=True))),
    # Lower case: "wxyz" (4) and "abc" (3) are tiles, 7 characters of 8 and of 9; the longest run has 4.
    (sequence.tiling, "ABCwxyz!", "wxyz--aBc", [7 / 9, 7 / 8, 4 / 9, 4 / 8]),
    # "ab" is a common run too short for a tile.
    (sequence.tiling, "abx", "yab", [0, 0, 2 / 3, 2 / 3]),
    # From "martha" the best is "marhta"; "stone" is only in the second sentence, and of no letter of "martha" but "t":
    # matched 1 of 5 and 6 in the window of 2, so (1/6 + 1/5 + 1) / 3.
    (sequence.monge_elkan, "martha", "marhta stone",
     [(MARTHA + JaroWinkler.similarity("martha", "stone")) / 2, MARTHA]),
    (sequence.monge_elkan, "", "stone", [0, 0]),
    (sequence.stems, "", "", [0, 0, 0, 0]),
    (sequence.stem_distance, "", "", [0]),
    (sequence.stem_similarity, "", "", [1]),
    (sequence.characters, "", "", [0, 0, 0, 1, 1, 1]),
    (sequence.tiling, "", "", [0, 0, 0, 0]),
    (sequence.monge_elkan, "", "", [1, 1]),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


def test_a_distance_has_no_limit():
    assert sequence.stem_distance.high == inf


@given(WORDS, WORDS)
def test_edits_and_subsequences_are_those_of_the_plain_tables(a, b):
    a, b = " ".join(a), " ".join(b)
    longer, shorter = max(len(a), len(b), 1), max(min(len(a), len(b)), 1)
    values = row(sequence.characters, a, b)
    common = subsequence(a, b)
    assert values["levenshtein"] == pytest.approx(1 - edit_distance(a, b) / longer)
    assert values["subsequence_min"] == pytest.approx(common / longer)
    assert values["subsequence_max"] == pytest.approx(common / shorter)


@given(WORDS, WORDS)
def test_monge_elkan_is_that_of_the_plain_loops(a, b):
    stops = stop_words("ecnu")
    kept = [[word for word in side if word not in stops] for side in (a, b)]
    x, y = kept if all(kept) else (a, b)

    def one_way(own, other):
        if not own or not other:
            return float(not own and not other)
        return np.mean([max(JaroWinkler.similarity(*sorted([v, w])) for w in other) for v in own])

    ways = sorted([one_way(x, y), one_way(y, x)])
    assert list(row(sequence.monge_elkan, " ".join(a), " ".join(b)).values()) == pytest.approx(ways)
