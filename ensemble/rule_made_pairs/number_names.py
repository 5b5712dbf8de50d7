"""Names of whole numbers below a hundred, and of ordinals in digits, as the library inflect has them."""

from functools import cache
from typing import TYPE_CHECKING

from ...features.extras import from_extra

if TYPE_CHECKING:  # imported late: it takes a second, and only pairs made by rule need it
    from inflect import engine


@cache
def english() -> "engine":
    """Return the rules of the library inflect."""
    with from_extra("fit", "making pairs by rule"):
        import inflect

    return inflect.engine()


@cache
def _values() -> dict[str, int]:
    return {words_of(value): value for value in range(100)}


def words_of(value: int) -> str:
    """Return the name of a number from 0 to 99, and digits with commas for others.

    Examples
    --------
    >>> words_of(42), words_of(7), words_of(1200)
    ('forty-two', 'seven', '1,200')
    """
    return str(english().number_to_words(str(value))) if 0 <= value < 100 else f"{value:,}"


def digits_of(word: str) -> int | None:
    """Return the number from 0 to 99 that a lower-case word names, or None.

    Examples
    --------
    >>> digits_of("forty-two"), digits_of("twelve"), digits_of("many")
    (42, 12, None)
    """
    return _values().get(word)


def ordinal_digits(value: int) -> str:
    """Return an ordinal in digits.

    Examples
    --------
    >>> ordinal_digits(3), ordinal_digits(12), ordinal_digits(21)
    ('3rd', '12th', '21st')
    """
    return str(english().ordinal(str(value)))
