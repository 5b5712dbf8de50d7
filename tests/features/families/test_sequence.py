from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler
from samewise.features.analysis import analyse
from samewise.features.families import sequence
from samewise.features.linguistics.stopwords import stop_words

WORDS = st.lists(st.sampled_from("red green blue boat house the of 7 .".split()), max_size=8)


def row(value, a, b):
    return dict(zip(value.names, value(analyse([(a, b)]))[0].tolist(), strict=True))


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


def test_runs_of_stems_by_hand():
    # Stems without stop words: "old sailor paint red boat" (5) and "old sailor sold red boat quick" (6).
    a, b = "The old sailor painted a red boat", "The old sailor sold the red boats quickly"
    values = row(sequence.stems, a, b)
    # Prefix and longest substring "old sailor" 2 of 5; no common suffix; subsequence "old sailor red boat" 4 of 5.
    assert values == pytest.approx({"prefix": 0.4, "suffix": 0, "substring": 0.4, "subsequence": 0.8})
    # One substitution and one insertion: 2 / 5 and 1 - 2 / 6.
    assert row(sequence.stem_distance, a, b) == pytest.approx({"distance": 0.4})
    assert row(sequence.stem_similarity, a, b) == pytest.approx({"similarity": 2 / 3})


def test_stop_words_stay_where_nothing_else_would_be_left():
    assert row(sequence.stems, "of the", "the of the")["suffix"] == 1


def test_characters_by_hand():
    # The textbook pair: Jaro 0.9444, Jaro-Winkler 0.9611 with three letters of common prefix.
    values = row(sequence.characters, "MARTHA", "marhta")
    # Longest common subsequence "marta" or "marha", 5 of 6; two substitutions.
    expected = [5 / 6, 5 / 6, 5 / 6, 1 - 2 / 6, 17 / 18, 17 / 18 + 3 * 0.1 / 18]
    assert list(values.values()) == pytest.approx(expected)
    # Subsequence "ab" of lengths 4 and 2.
    assert list(row(sequence.characters, "a--b", "ab").values())[:3] == pytest.approx([0.5, 1, 4 / 6])


def test_tiling_by_hand():
    # Lower case: "wxyz" (4) and "abc" (3) are tiles, 7 characters of 8 and of 9; the longest run has 4.
    values = row(sequence.tiling, "ABCwxyz!", "wxyz--aBc")
    assert list(values.values()) == pytest.approx([7 / 9, 7 / 8, 4 / 9, 4 / 8])
    # "ab" is a common run too short for a tile.
    assert list(row(sequence.tiling, "abx", "yab").values()) == pytest.approx([0, 0, 2 / 3, 2 / 3])


def test_monge_elkan_by_hand():
    # From "martha" the best is "marhta", 0.9611; "stone" is only in the second sentence, and of no letter of "martha"
    # but "t": matched 1 of 5 and 6 in the window of 2, so (1/6 + 1/5 + 1) / 3.
    alike, unlike = 17 / 18 + 3 * 0.1 / 18, JaroWinkler.similarity("martha", "stone")
    values = row(sequence.monge_elkan, "martha", "marhta stone")
    assert list(values.values()) == pytest.approx([(alike + unlike) / 2, alike])
    assert list(row(sequence.monge_elkan, "", "stone").values()) == [0, 0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (sequence.stems, [0, 0, 0, 0]),
        (sequence.stem_distance, [0]),
        (sequence.stem_similarity, [1]),
        (sequence.characters, [0, 0, 0, 1, 1, 1]),
        (sequence.tiling, [0, 0, 0, 0]),
        (sequence.monge_elkan, [1, 1]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_two_empty_texts(value, expected):
    assert list(row(value, "", "").values()) == expected


def test_the_distance_to_an_empty_text_is_the_length():
    assert row(sequence.stem_distance, "", "red boat") == {"distance": 2}
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


def test_monge_elkan_in_parts_is_that_of_the_whole(monkeypatch):
    batch = analyse([("red boat", "boats sail"), ("", "sun"), ("old stone house", "stones"), ("fish", "moon")])
    whole = sequence.monge_elkan(batch)
    monkeypatch.setattr(sequence, "_CELLS_AT_A_TIME", 2)
    np.testing.assert_array_equal(sequence.monge_elkan(batch), whole)


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
