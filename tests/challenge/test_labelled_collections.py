"""The labelled collections: their format, what is held of them, and the pairs that are taught."""

import csv
import sys
from collections import Counter

import pytest
from samewise.ensemble.contrasts.squares import is_held

from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import make_scored_pairs  # noqa: E402

GROUPS = {"tickets": "intent", "products": "product", "answers": "question_id"}
COUNTS = {"tickets": (327, 65, 23, 115), "products": (348, 97, 38, 134), "answers": (324, 27, 15, 180)}


def rows_of(name):
    with (ROOT / "data" / "collections" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def taught():
    return list(make_scored_pairs.written_pairs())


@pytest.mark.parametrize("name", GROUPS)
def test_rows_are_whole_and_a_third_of_the_groups_is_held(name):
    rows, column = rows_of(name), GROUPS[name]
    assert all(None not in row.values() and all(value.strip() for value in row.values()) for row in rows)
    groups = {row[column] for row in rows}
    held = {group for group in groups if is_held(group, make_scored_pairs.ONE_IN)}
    assert (len(rows), len(groups), len(held), sum(row[column] in held for row in rows)) == COUNTS[name]


def test_nothing_held_is_taught(taught):
    texts = {text for pair in taught for text in (pair.a, pair.b)}
    for name, column in GROUPS.items():
        for row in rows_of(name):
            text = f"{row['subject']}. {row['body']}" if name == "tickets" else row.get("title") or row["answer"]
            assert (make_scored_pairs.normalise(text) in texts) != is_held(row[column], make_scored_pairs.ONE_IN)
    squares = {pair.collection.split()[1] for pair in taught if pair.source == "contrasts"}
    assert squares and not any(map(is_held, squares))


def test_two_pairs_of_a_square_are_taught_and_always_the_same(taught):
    squares = Counter(pair.collection for pair in taught if pair.source == "contrasts")
    assert set(squares.values()) == {2} and len(squares) > 8_000
    same = [pair.score == 5.0 for pair in taught if pair.source == "contrasts"]
    assert sum(same) / len(same) == pytest.approx(0.4, abs=0.02)
    assert taught[:200] == list(make_scored_pairs.written_pairs())[:200]


def test_a_text_has_the_texts_of_its_group_and_two_close_ones_of_others(taught):
    pairs = [pair for pair in taught if pair.source == "products"]
    group = {make_scored_pairs.normalise(row["title"]): row["product"] for row in rows_of("products")}
    for pair in pairs:
        assert (group[pair.a] == group[pair.b]) == (pair.score == make_scored_pairs.SAME)
    others = Counter(text for pair in pairs if pair.score == make_scored_pairs.OTHER for text in (pair.a, pair.b))
    titles = [title for title, product in group.items() if not is_held(product, make_scored_pairs.ONE_IN)]
    assert all(others[title] >= 2 for title in titles)
