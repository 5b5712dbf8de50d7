"""Marks of style, counted by hand."""

import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.families import style

from .test_soft_alignment import pair


def columns(batch):
    return [dict(zip(style.marks.names, row, strict=True)) for row in style.marks(batch).tolist()]


def spread(**ends):
    """Return the columns of (smaller, greater) by name of the mark."""
    return {
        f"{name}_{end}": value for name, both in ends.items() for end, value in zip(("min", "max"), both, strict=True)
    }


def test_marks_by_hand():
    first, second, third = columns(
        analyse(
            [
                # 27 characters, 2 of them capitals; of the 10 tokens the stop words are Did `` No '' in ?. Against 13
                # characters and the tokens no men spoke . of which two are stop words.
                ('Did 3 men say "No" in 2010?', "no men spoke."),
                # 17 characters with 1 capital, 13 with 4; one stop word of 5 tokens (.) and two of 5 ('s .).
                ("Ann saw 12 ships.", "BOB'S 7 cats."),
                ("", ""),
            ]
        )
    )
    assert first == pytest.approx(
        spread(
            period=(0, 1), question=(0, 1), quotes=(0, 1), initial_capital=(0, 1), digits=(0, 5),
            capitals=(0, 2 / 27), stop_words=(2 / 4, 6 / 10),
        )
    )  # fmt: skip
    assert second == pytest.approx(
        spread(
            period=(1, 1), question=(0, 0), quotes=(0, 0), initial_capital=(1, 1), digits=(1, 2),
            capitals=(1 / 17, 4 / 13), stop_words=(1 / 5, 2 / 5),
        )
    )  # fmt: skip
    assert not any(third.values())


def test_either_quotation_mark_is_enough():
    (found,) = columns(pair(("`` why ?", "x x x", "`` WRB ."), ("so '' Why ?", "x x x x", "RB '' WRB .")))
    assert (found["quotes_min"], found["question_min"], found["period_max"]) == (1, 1, 0)
    assert (found["initial_capital_max"], found["capitals_max"]) == (0, pytest.approx(1 / len("so '' Why ?")))


def test_a_mark_counts_at_its_place_only():
    (found,) = columns(analyse([("Is it 5 p.m. here", "who? Nobody")]))
    assert (found["period_max"], found["question_max"]) == (0, 0)
    assert (found["initial_capital_min"], found["initial_capital_max"]) == (0, 1)
