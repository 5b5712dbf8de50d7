"""Amounts: numbers with their unit, form and bound."""

from typing import NamedTuple

from .units import ROUNDED_RATES, Unit, same_size

OVER, UNDER = ">", "<"
"""Bounds: the amount is the least or the greatest."""


class Amount(NamedTuple):
    """Value of a number with its unit.

    Attributes
    ----------
    number
        The number; of a rate how often in one `unit`, or None where only the unit is given, as in "$5 a litre".
    unit
        Its unit; None for a plain count.
    form
        ``count``, ``ordinal``, ``frequency`` ("twice") or ``rate`` ("daily"); different forms are not compared.
    number_places, unit_places
        Places of the tokens that say either; a token that says both is in both.
    bound
        `OVER` ("at least 4", "from 4"), `UNDER` ("up to 4"), "\u00b1", or "".
    """

    number: float | None
    unit: Unit | None
    form: str
    number_places: tuple[int, ...]
    unit_places: tuple[int, ...]
    bound: str = ""

    def equals(self, other: "Amount") -> bool:
        """Return whether two amounts are of one form and say the same, bounds aside."""
        if self.form != other.form or "\u00b1" in self.bound + other.bound and self.bound != other.bound:
            return False
        if self.form == "rate" and self.unit is not None and other.unit is not None and self.unit != other.unit:
            # "per week" is "every seven days".
            one = (1.0 if self.number is None else self.number) / self.unit.size
            two = (1.0 if other.number is None else other.number) / other.unit.size
            return self.unit.quantity == other.unit.quantity and abs(one - two) <= ROUNDED_RATES * max(one, two)
        if self.number is None or other.number is None:
            return True
        return same_size(self.number, self.unit, other.number, other.unit)
