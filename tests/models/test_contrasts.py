import random

import pytest
from samewise.models.networks.contrasts import (
    BLENDED,
    MOVED,
    NEGATED,
    SWAPPED,
    blended,
    contrasts,
    moved,
    negated,
    swapped,
)


def made(change, *texts):
    found = change(*(text.split() for text in texts))
    return None if found is None else " ".join(found)


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (swapped, "A nurse is helping the old sailor .", "The old sailor is helping a nurse ."),
        (swapped, "A nurse and the old sailor are singing .", None),
        (swapped, "Rain is falling .", None),
        (swapped, "The fox chases the fox .", None),
        (negated, "A nurse is helping the sailor .", "A nurse is not helping the sailor ."),
        (negated, "A nurse is not helping the sailor .", "A nurse is helping the sailor ."),
        (negated, "Rain falls .", None),
        (negated, "Is it", None),
        (moved, "A nurse sings on the ship .", "On the ship , a nurse sings ."),
        (moved, "A nurse and a sailor sing .", "A sailor and a nurse sing ."),
        (moved, "Rain falls .", None),
        (swapped, "", None),
        (negated, "", None),
        (moved, "", None),
    ],
)
def test_changes_by_hand(change, text, expected):
    assert made(change, text) == expected


def test_blending_by_hand():
    assert made(blended, "A cat is asleep .", "A man is reading .") == "A man with a cat is reading ."
    assert made(blended, "A cat is asleep .", "A cat is reading .") is None
    assert made(blended, "Rain falls .", "A man is reading .") is None


FIRSTS = [f"A {who} is helping the old {whom} in the kitchen .".split() for who in "abc" for whom in "defg"]
SECONDS = [f"The {who} was sold in May .".split() for who in "mnopqrstuvwx"]


def test_each_kind_has_its_score_and_its_share():
    scores = [0.5] * 6 + [4.0] * 6
    found = contrasts(FIRSTS, SECONDS, scores, 16, random.Random(0))
    by_score = {score: sum(one == score for _, _, one in found) for score in (SWAPPED, NEGATED, MOVED, 0.5 + BLENDED)}
    assert by_score == {SWAPPED: 4, NEGATED: 4, MOVED: 4, 0.5 + BLENDED: 4}
    assert found == contrasts(FIRSTS, SECONDS, scores, 16, random.Random(0))
    assert found != contrasts(FIRSTS, SECONDS, scores, 16, random.Random(1))
    assert all(a != b for a, b, _ in found)


def test_none_are_made_unless_asked_for():
    assert contrasts(FIRSTS, SECONDS, [1.0] * 12, 0, random.Random(0)) == []
