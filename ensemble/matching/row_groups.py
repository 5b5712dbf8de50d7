"""Rows that are compared: those of one group alone, those of different groups alone, or row by row."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from ...features.analysis.analysis import normalise
from ..tables.text_tables import is_blank
from .candidates import Candidates, all_pairs
from .texts import TextCollection, TextRows, plainness


def cell_text(value: object) -> str | None:
    """Return the value of a cell as text without outer white space; None if it is missing or blank."""
    if value is None or value != value:  # NaN
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a table of text has 5 where one of numbers has 5.0
    text = str(value).strip()
    return None if is_blank(text) else text


def group_codes(sides: Sequence[TextRows], column: str) -> list[np.ndarray]:
    """Return for each row of tables a number that rows with the same value in a column share.

    A missing value is no other's value: such a row has a number of its own.

    Parameters
    ----------
    sides
        Tables that have the column.
    column
        Name of the column, as it was asked for.

    Returns
    -------
    list[np.ndarray]
        For each table shape (n,), int64.
    """
    known: dict[str, int] = {}
    codes: list[np.ndarray] = []
    alone = 0
    for side in sides:
        of_side = np.empty(len(side), np.int64)
        for row, value in enumerate(map(cell_text, side.values(column))):
            if value is None:
                alone -= 1
            of_side[row] = alone if value is None else known.setdefault(value, len(known))
        codes.append(of_side)
    return codes


def grouped_texts(
    sides: Sequence[TextRows], form: Callable[[str], str], within: str | None, not_within: str | None
) -> TextCollection:
    """Return the distinct texts of each group of rows; a text of several groups stands there once for each.

    Parameters
    ----------
    sides
        One table, or two.
    form
        As for `TextCollection.of`; of equal texts of a group of `within` one stands for all.
    within, not_within
        Columns of `TextCollection.within` and `TextCollection.apart`; None for none.
    """
    nothing = [np.zeros(len(side), np.int64) for side in sides]
    inside = nothing if within is None else group_codes(sides, within)
    apart = nothing if not_within is None else group_codes(sides, not_within)
    normal = [[normalise(text) for text in side.texts] for side in sides]
    keys = [list(zip(*(codes.tolist() for codes in both), strict=True)) for both in zip(inside, apart, strict=True)]
    forms = {text: form(text) for table in normal for text in table}
    shown: dict[tuple[int, str], str] = {}
    texts = {(text, w) for table, of in zip(normal, keys, strict=True) for text, (w, _) in zip(table, of, strict=True)}
    for text, w in sorted(texts, key=lambda each: plainness(each[0])):
        shown.setdefault((w, forms[text]), text)
    nodes = [
        [(shown[w, forms[text]], w, other) for text, (w, other) in zip(table, of, strict=True)]
        for table, of in zip(normal, keys, strict=True)
    ]
    distinct = sorted({node for table in nodes for node in table})
    places = {node: place for place, node in enumerate(distinct)}
    rows = [np.array([places[node] for node in table], np.int64) for table in nodes]
    columns = [np.array([node[k] for node in distinct], np.int64) for k in (1, 2)]
    return TextCollection(
        [text for text, _, _ in distinct],
        rows,
        None if within is None else columns[0],
        None if not_within is None else columns[1],
    )


def pairs_of_rows(found: Candidates) -> Candidates:
    """Return candidates whose texts are those of the rows, one each, so that rows with equal texts are pairs too.

    Of one table, rows with an equal text are pairs unless they are to be compared between groups alone.
    """
    texts, sides = found.texts, found.texts.rows
    starts = np.cumsum([0, *map(len, sides)])
    of_rows = [_rows_of_texts(rows, len(texts.texts), start) for rows, start in zip(sides, starts, strict=False)]
    pairs = [np.empty((0, 2), np.int64)]
    for one, other in zip(found.first.tolist(), found.second.tolist(), strict=True):
        ends = {(one, other), (other, one)} if len(sides) == 2 else {(one, other)}
        pairs += [all_pairs(of_rows[0][a], of_rows[-1][b]) for a, b in ends]
    if len(sides) == 1 and texts.apart is None:
        pairs += [np.array(list(combinations(rows, 2)), np.int64) for rows in of_rows[0] if len(rows) > 1]
    ordered = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    own = [texts.texts[place] for rows in sides for place in rows.tolist()]
    numbers = [np.arange(start, start + len(rows)) for rows, start in zip(sides, starts, strict=False)]
    places = np.concatenate(sides)
    within, apart = (None if codes is None else codes[places] for codes in (texts.within, texts.apart))
    return Candidates(TextCollection(own, numbers, within, apart), ordered[:, 0], ordered[:, 1], found.recall)


def _rows_of_texts(rows: np.ndarray, count: int, start: int) -> list[np.ndarray]:
    order = np.argsort(rows, kind="stable")
    return np.split(order + start, np.searchsorted(rows[order], np.arange(1, count)))
