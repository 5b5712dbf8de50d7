"""Values that say the same, values that contradict each other, and how the values of two sentences correspond."""

from collections.abc import Sequence
from typing import NamedTuple

from .amount_values import Amount
from .codes import Code
from .moments import Moment
from .reading import Value
from .signs import EMOJI, Sign
from .units import measure_alike

_OPPOSED = frozenset({"><", "<>"})


def equal(x: Value, y: Value) -> bool:
    """Return whether two values say the same.

    Amounts are compared by conversion: exactly in one unit, to `units.ROUNDED` between units. Dates are the same if
    they share a part and no part differs. Codes are the same to the last character, but for hyphens and capitals.
    """
    a, b = x.content, y.content
    if isinstance(a, Amount) and isinstance(b, Amount):
        return a.equals(b) and a.bound + b.bound not in _OPPOSED
    if isinstance(a, Moment) and isinstance(b, Moment):
        return a.equals(b)
    if isinstance(a, Code) and isinstance(b, Code):
        return a.equals(b)
    return isinstance(a, Sign) and isinstance(b, Sign) and a.equals(b)


def contradict(x: Value, y: Value) -> bool:
    """Return whether two values cannot both be true of one thing: they can be compared, and differ.

    Amounts can be compared if they have one form and units of one quantity, codes if they may name things of one sort,
    emoji if one is good and the other bad, other signs if they belong to one group.
    """
    a, b = x.content, y.content
    if isinstance(a, Amount) and isinstance(b, Amount):
        return a.form == b.form and measure_alike(a.unit, b.unit) and not equal(x, y)
    if isinstance(a, Moment) and isinstance(b, Moment):
        return bool(a.conflicts(b))
    if isinstance(a, Code) and isinstance(b, Code):
        return a.alike(b) and a.text != b.text
    if isinstance(a, Sign) and isinstance(b, Sign):
        return a.group == b.group and not a.equals(b) and (a.group != EMOJI or a.polarity * b.polarity < 0)
    return False


class Correspondence(NamedTuple):
    """Values of two sentences that correspond; each value is in one list at most.

    Attributes
    ----------
    same
        Equal values.
    opposed
        Values without an equal one that contradict each other.
    unlike
        Amounts of one number in units of different quantities, which neither list has.
    """

    same: list[tuple[Value, Value]]
    opposed: list[tuple[Value, Value]]
    unlike: list[tuple[Value, Value]]


_MOST = 40
"""Values of a sentence that are compared; the cost of long texts stays bounded."""


def correspondence(a: Sequence[Value], b: Sequence[Value]) -> Correspondence:
    """Return how the values of two sentences correspond; that of (b, a) has the same pairs, turned round.

    Equal values are paired first, then values that contradict each other, then amounts of one number in other units:
    in each step those of one slot, and after these in order.
    """
    a, b = a[:_MOST], b[:_MOST]
    free_a, free_b = set(range(len(a))), set(range(len(b)))
    found = []
    for fits in (equal, contradict, _unlike):
        pairs: list[tuple[Value, Value]] = []
        table = [(a[i].slot != b[j].slot, abs(i - j), i + j, i, j) for i in free_a for j in free_b if fits(a[i], b[j])]
        # What is left of a tie: the earlier of the two texts' values, in whatever order the texts come.
        for *_, i, j in sorted(table, key=lambda row: (*row[:3], min(row[3:]))):
            if i in free_a and j in free_b:
                free_a.remove(i)
                free_b.remove(j)
                pairs.append((a[i], b[j]))
        found.append(pairs)
    return Correspondence(*found)


def _unlike(x: Value, y: Value) -> bool:
    a, b = x.content, y.content
    if not (isinstance(a, Amount) and isinstance(b, Amount)) or a.unit is None or b.unit is None:
        return False
    return a.form == b.form and a.number == b.number and a.unit.quantity != b.unit.quantity


def exchanged(pairs: Sequence[tuple[Value, Value]]) -> bool:
    """Return whether two equal values have exchanged their slots: "2 m wide, 3 m high" and "3 m wide, 2 m high"."""
    for k, (x, y) in enumerate(pairs):
        for v, w in pairs[k + 1 :]:
            turned = (x.slot, v.slot) == (w.slot, y.slot) and x.slot != v.slot
            if turned and x.kind == v.kind and not equal(x, v):
                return True
    return False
