"""Numbers, capitalised words and stock tickers (Saric et al., 2012; Al-Natsheh et al., 2017)."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import ratio
from ..base.caches import cached_by_word
from ..base.feature import PairBatch, feature
from ..base.token_sequences import Field, vocabulary

_NUMBER = re.compile(r"[,./-]*[0-9][0-9,./-]*")
_DECIMAL = re.compile(r"-?[0-9]*\.?[0-9]+")
_YEAR = re.compile(r"(1[0-9]|20)[0-9]{2}")
_TICKER = re.compile(r"\.[A-Z]+")
_TEENS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_TEENS.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), 2)
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# Longer digit strings are names rather than amounts; a bound keeps every sum finite.
_LARGEST = 1e15


class _Number(NamedTuple):
    text: str
    value: float | None
    decimals: int


def _is_number(token: str) -> bool:
    # A look at the last character avoids the regular expression for most words.
    return token[-1] in "0123456789,./-" and _NUMBER.fullmatch(token) is not None


@cached_by_word(1 << 12)
def _parse(token: str) -> _Number:
    plain = token.replace(",", "")
    if len(plain) > 16 or not _DECIMAL.fullmatch(plain):
        return _Number(token, None, 0)
    return _Number(token, float(plain), len(plain.partition(".")[2]))


def _same(x: _Number, y: _Number) -> bool:
    if x.text == y.text:
        return True
    if x.value is None or y.value is None or (x.value == 0) != (y.value == 0):
        return False
    if x.decimals and y.decimals and int(x.value) != int(y.value):
        return False
    digits = min(x.decimals, y.decimals)
    return round(x.value, digits) == round(y.value, digits)


def _chosen(
    pairs: PairBatch, field: Field, wanted: Callable[[str], bool], inner: bool = False
) -> list[tuple[int, list[str]]]:
    # The tokens of a kind in the sentences that have any, the first token left out if `inner`.
    listed = vocabulary(pairs, field)
    mask = np.fromiter(map(wanted, listed.items), dtype=bool, count=len(listed.items))[listed.ids.values]
    if inner:
        starts = listed.ids.offsets[:-1]
        mask[starts[listed.ids.lengths > 0]] = False
    ids = listed.ids.where(mask)
    flat, ends = ids.values.tolist(), ids.offsets.tolist()
    rows = np.flatnonzero(ids.lengths).tolist()
    return [(row, [listed.items[i] for i in flat[ends[row] : ends[row + 1]]]) for row in rows]


def _numbers(pairs: PairBatch) -> list[frozenset[_Number]]:
    def compute() -> list[frozenset[_Number]]:
        nothing: frozenset[_Number] = frozenset()
        values = [nothing] * len(pairs.sentences)
        for row, tokens in _chosen(pairs, "tokens", _is_number):
            values[row] = frozenset(_parse(token) for token in tokens)
        return values

    return pairs.memo("numbers", compute)


@feature("f1", "subset", "mismatch", "year_mismatch", source="Saric et al. 2012; ours", section="NUM1 NUM5")
def match(pairs: PairBatch) -> list[list[float]]:
    """F1 of matching numbers, 1 if there are none; flags: all of one side match, some do not, the years differ.

    Two numbers match if they are written in the same way, or agree when rounded to the fewer decimals; two with
    decimals only if their integers agree too, and zero only with zero. The flags need numbers, or years from 1000 to
    2099, on both sides.
    """
    numbers = _numbers(pairs)
    rows = []
    for i, j in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        a, b = numbers[i], numbers[j]
        if not a or not b:
            rows.append([float(not a and not b), 0.0, 0.0, 0.0])
            continue
        in_a = sum(any(_same(x, y) for y in b) for x in a)
        in_b = sum(any(_same(x, y) for y in a) for x in b)
        whole_a, whole_b = in_a == len(a), in_b == len(b)
        years_a, years_b = ({x.text for x in side if _YEAR.fullmatch(x.text)} for side in (a, b))
        precision, recall = in_a / len(a), in_b / len(b)
        rows.append(
            [
                2 * (precision * recall) / (precision + recall) if in_a else 0.0,
                float(whole_a or whole_b),
                float(not (whole_a and whole_b)),
                float(bool(years_a and years_b) and years_a != years_b),
            ]
        )
    return rows


def _amount(words: tuple[str, ...]) -> float:
    # The sum of the numbers of a text, spelled or in digits.
    total, run, last = 0.0, 0.0, ""
    for word in words:
        if _is_number(word):
            total, run = total + run, min(abs(_parse(word).value or 0.0), _LARGEST)
            continue
        for part in word.split("-") if "-" in word else (word,):
            if part in _UNITS:
                run += _UNITS[part]
            elif part in _SCALES:
                run = min((run or 1.0) * _SCALES[part], _LARGEST)
                if part != "hundred":
                    total, run = total + run, 0.0
            elif part != "and" or last != "hundred":
                total, run = total + run, 0.0
            last = part
    return total + run


def _spelled(word: str) -> bool:
    if "-" in word:
        return _is_number(word) or any(part in _UNITS or part in _SCALES for part in word.split("-"))
    return word in _UNITS or word in _SCALES or _is_number(word)


@feature("relative", source="Al-Natsheh et al. 2017", section="NUM4")
def difference(pairs: PairBatch) -> np.ndarray:
    """Difference of the sums of all numbers, spelled ones too, over their total; 1 if a side has no number."""
    sums, has = np.zeros(len(pairs.sentences)), np.zeros(len(pairs.sentences), dtype=bool)
    for row, _ in _chosen(pairs, "words", _spelled):
        sums[row], has[row] = _amount(pairs.sentences[row].words), True
    a, b = sums[pairs.left], sums[pairs.right]
    return np.where(has[pairs.left] & has[pairs.right], ratio(np.abs(a - b), a + b), 1.0)[:, None]


def _sets(pairs: PairBatch, wanted: Callable[[str], bool], inner: bool) -> list[frozenset[str]]:
    nothing: frozenset[str] = frozenset()
    values = [nothing] * len(pairs.sentences)
    for row, tokens in _chosen(pairs, "tokens", wanted, inner):
        values[row] = frozenset(tokens)
    return values


def _names(pairs: PairBatch) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    def compute() -> tuple[list[frozenset[str]], list[frozenset[str]]]:
        capitals = _sets(pairs, lambda token: token[0].isupper() and token[-1] != ".", True)
        return capitals, _sets(pairs, lambda token: _TICKER.fullmatch(token) is not None, False)

    return pairs.memo("capitals, tickers", compute)


@feature("capitals_f1", "tickers_f1", source="Saric et al. 2012", section="NUM2 NUM3")
def names(pairs: PairBatch) -> np.ndarray:
    """F1 of the sets of capitalised tokens but the first, and of tickers such as ``.DJI``; 1 if either is empty."""
    columns = []
    for token_sets in _names(pairs):
        sizes = np.fromiter(map(len, token_sets), dtype=np.int64, count=len(token_sets))
        a, b = sizes[pairs.left], sizes[pairs.right]
        values = np.ones(len(pairs))
        for i in np.flatnonzero((a > 0) & (b > 0)).tolist():
            common = len(token_sets[pairs.left[i]] & token_sets[pairs.right[i]])
            values[i] = 2 * common / (a[i] + b[i])
        columns.append(values)
    return np.stack(columns, axis=1)


@feature("numbers", "capitals", "tickers", high=float("inf"), source="Saric et al. 2012", section="NUM1 NUM2 NUM3")
def log_count(pairs: PairBatch) -> np.ndarray:
    """Logarithm of 1 + the number of distinct numbers, capitalised tokens and stock tickers of the two sides."""
    columns = []
    for values in (_numbers(pairs), *_names(pairs)):
        sizes = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        columns.append(np.log1p(sizes[pairs.left] + sizes[pairs.right]))
    return np.stack(columns, axis=1)
