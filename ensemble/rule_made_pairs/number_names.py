"""Names of whole numbers below a hundred, and of ordinals in digits."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {name: value for value, name in enumerate(_ONES)} | {
    name: 10 * value for value, name in enumerate(_TENS, start=2)
}


def words_of(value: int) -> str:
    """Return the name of a number from 0 to 99, and digits with commas for others.

    Examples
    --------
    >>> words_of(42), words_of(7), words_of(1200)
    ('forty-two', 'seven', '1,200')
    """
    if not 0 <= value < 100:
        return f"{value:,}"
    if value < 20:
        return _ONES[value]
    ten, one = divmod(value, 10)
    return _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")


def digits_of(word: str) -> int | None:
    """Return the number from 0 to 99 that a lower-case word names, or None.

    Examples
    --------
    >>> digits_of("forty-two"), digits_of("twelve"), digits_of("many")
    (42, 12, None)
    """
    if word in _VALUES:
        return _VALUES[word]
    ten, _, one = word.partition("-")
    if ten in _TENS and 0 < _VALUES.get(one, 0) < 10:
        return _VALUES[ten] + _VALUES[one]
    return None


def ordinal_digits(value: int) -> str:
    """Return an ordinal in digits.

    Examples
    --------
    >>> ordinal_digits(3), ordinal_digits(12), ordinal_digits(21)
    ('3rd', '12th', '21st')
    """
    ending = "th" if 10 <= value % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"
