"""Numbers of a manifest, which must be numbers of a size with which sums and products stay finite."""

from typing import Any

LARGEST = 1e6
"""Greatest absolute value; what is fitted on scores of 0..5 stays below 1,000."""


def stored_numbers(values: Any) -> tuple[float, ...]:
    """Return a list of JSON numbers as floats.

    Raises
    ------
    ValueError
        If the value is not a list, or holds anything but numbers up to `LARGEST`.
    """
    if not isinstance(values, list | tuple):
        raise ValueError(f"numbers must be a list, got {values!r:.40}")
    return tuple(stored_number(value) for value in values)


def stored_number(value: Any) -> float:
    """Return one JSON number as a float.

    Raises
    ------
    ValueError
        If the value is not a number up to `LARGEST`.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST:
        raise ValueError(f"a stored value must be a number up to {LARGEST:.0e}, got {value!r:.40}")
    return float(value)
