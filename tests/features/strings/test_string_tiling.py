import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.strings.string_tiling import longest_runs, tiles

STRINGS = st.text(alphabet="abc", max_size=24)


def plain_tiles(a, b, minimum):
    used_a, used_b, found = set(), set(), []
    while True:
        best = (0, 0, 0)
        for i in range(len(a)):
            for j in range(len(b)):
                k = 0
                while (
                    i + k < len(a)
                    and j + k < len(b)
                    and a[i + k] == b[j + k]
                    and i + k not in used_a
                    and j + k not in used_b
                ):
                    k += 1
                if k > best[0]:
                    best = (k, i, j)
        length, i, j = best
        if length < minimum:
            return found
        found.append(length)
        used_a.update(range(i, i + length))
        used_b.update(range(j, j + length))


@pytest.mark.parametrize(
    ("a", "b", "minimum", "expected"),
    [
        ("", "", 1, []),
        ("abc", "", 1, []),
        ("abc", "abc", 3, [3]),
        ("ab", "ab", 3, []),
        # "wxyz" is the longest; what remains of both is "abc", once before and once behind it.
        ("abcwxyz", "wxyzabc", 3, [4, 3]),
        # The two runs of "abc" in the first string share the one in the second: only one can be a tile.
        ("abc-abc", "abc", 3, [3]),
        ("aaaa", "aa-aa", 1, [2, 2]),
        ("кот и пёс", "пёс и кот", 3, [3, 3, 3]),
    ],
)
def test_tiles_by_hand(a, b, minimum, expected):
    assert tiles([a], [b], minimum)[0] == expected


@given(STRINGS, STRINGS, st.integers(1, 4))
def test_tiles_are_those_of_the_plain_search(a, b, minimum):
    assert tiles([a], [b], minimum)[0] == plain_tiles(a, b, minimum)


@given(STRINGS, STRINGS)
def test_longest_run_is_that_of_the_plain_search(a, b):
    runs = [n for n in range(len(a) + 1) if any(a[i : i + n] in b for i in range(len(a) - n + 1))]
    assert longest_runs([a], [b])[0] == max(runs)


@given(STRINGS, STRINGS)
def test_tiles_of_one_item_cover_the_shared_items(a, b):
    assert sum(tiles([a], [b])[0]) == sum(min(a.count(item), b.count(item)) for item in "abc")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("a" * 2000, "a" * 1999, [1999]),
        ("a" * 2000, "aaab" * 500, [3] * 500),
        # Runs of a of 0 to 61 items stand in both; those of 3 and more are tiles.
        ("".join("a" * n + "b" for n in range(62)), "".join("a" * n + "c" for n in range(62)), [*range(61, 2, -1)]),
    ],
)
def test_long_repetitive_strings(a, b, expected):
    assert tiles([a], [b], 3)[0] == expected


@pytest.mark.slow
@given(st.lists(st.tuples(STRINGS, STRINGS), max_size=6))
def test_a_batch_gives_what_its_pairs_give_alone(pairs):
    a, b = [first for first, _ in pairs], [second for _, second in pairs]
    assert tiles(a, b, 2) == [tiles([first], [second], 2)[0] for first, second in pairs]
