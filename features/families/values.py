"""Values that both sentences state, contradict or lack: numbers, quantities, dates, codes and signs."""

import numpy as np

from ..base.feature import PairBatch, feature
from ..values.amount_values import Amount
from ..values.moments import Moment
from ..values.reading import CODE, DATE, NUMBER, QUANTITY, SIGN, Value, values_of
from ..values.relations import Correspondence, correspondence, exchanged
from ..values.signs import EMOJI, Sign

_NOTHING = Correspondence([], [], [])


def _rows(pairs: PairBatch) -> dict[int, tuple[int, int, Correspondence]]:
    # For each pair that has a value: how many either side has, and how they correspond.
    def compute() -> dict[int, tuple[int, int, Correspondence]]:
        values = values_of(pairs)
        counts = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        rows = np.flatnonzero(counts[pairs.left] + counts[pairs.right])
        found = {}
        for row, i, j in zip(rows.tolist(), pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True):
            a, b = values[i], values[j]
            found[row] = len(a), len(b), correspondence(a, b) if a and b else _NOTHING
        return found

    return pairs.memo("corresponding values", compute)


@feature("equal_least", "equal_most", "contradicted", "alone", source="ours", section="VAL1")
def share(pairs: PairBatch) -> np.ndarray:
    """Share of the values of a text that the other has, least and most; of both texts: contradicted, without partner.

    A text without values has all of them. Where no text has a value, the first two are 1 and the others 0.
    """
    columns = np.tile([1.0, 1.0, 0.0, 0.0], (len(pairs), 1))
    for row, (a, b, found) in _rows(pairs).items():
        same, opposed = len(found.same), len(found.opposed) + len(found.unlike)
        of_a, of_b = same / a if a else 1.0, same / b if b else 1.0
        total = a + b
        columns[row] = min(of_a, of_b), max(of_a, of_b), 2 * opposed / total, (total - 2 * (same + opposed)) / total
    return columns


@feature("sign", "unit", "slot", source="ours", section="VAL2")
def conflict(pairs: PairBatch) -> np.ndarray:
    """Opposite signs or bounds, one number with other units, and equal values that have exchanged what they say.

    Each is 1 or 0. Bounds are such as "at least" and "at most", or ">" and "<".
    """
    columns = np.zeros((len(pairs), 3))
    for row, (_, _, found) in _rows(pairs).items():
        if found.opposed or found.unlike or len(found.same) > 1:
            sign = any(_opposite_signs(x, y) for x, y in found.opposed)
            unit = bool(found.unlike) or any(_other_units(x, y) for x, y in found.opposed)
            columns[row] = sign, unit, exchanged(found.same)
    return columns


def _opposite_signs(x: Value, y: Value) -> bool:
    a, b = x.content, y.content
    if isinstance(a, Amount) and isinstance(b, Amount):
        known = a.number is not None and b.number is not None
        return a.bound != b.bound if a.number == b.number else known and a.number == -(b.number or 0.0)
    return isinstance(a, Sign) and a.group != EMOJI


def _other_units(x: Value, y: Value) -> bool:
    a, b = x.content, y.content
    return isinstance(a, Amount) and isinstance(b, Amount) and a.unit != b.unit and a.number == b.number


_COLUMNS = {NUMBER: 0, QUANTITY: 1, DATE: 2, CODE: 3, SIGN: 4}


@feature(*_COLUMNS, source="ours", section="VAL3")
def strongest(pairs: PairBatch) -> np.ndarray:
    """Strongest contradiction of each kind of values, 0 without one and from 0.5 to 1 with one.

    Numbers and quantities by their difference over their sum, dates by the share of their common parts that differ.
    """
    columns = np.zeros((len(pairs), len(_COLUMNS)))
    for row, (_, _, found) in _rows(pairs).items():
        for x, y in found.opposed:
            column = _COLUMNS[x.kind]
            columns[row, column] = max(columns[row, column], 0.5 + 0.5 * _strength(x, y))
    return columns


def _strength(x: Value, y: Value) -> float:
    a, b = x.content, y.content
    if isinstance(a, Amount) and isinstance(b, Amount):
        one, other = _size(a), _size(b)
        total = abs(one) + abs(other)
        return min(abs(one - other) / total, 1.0) if total > 0 else 0.0
    if isinstance(a, Moment) and isinstance(b, Moment):
        return len(a.conflicts(b)) / len(a.parts.keys() & b.parts.keys())
    return 1.0


def _size(amount: Amount) -> float:
    # In the base unit of the quantity; a rate in times a second.
    unit = 1.0 if amount.unit is None else amount.unit.size
    number = 1.0 if amount.number is None else amount.number
    return number / unit if amount.form == "rate" else number * unit
