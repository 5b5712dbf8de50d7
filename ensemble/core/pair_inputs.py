"""Pairs in the usual forms: lists of 2-tuples, arrays, data frames with two text columns."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, TypeAlias

import numpy as np

from ...features.analysis.analysis import LONG_TOKENS
from ...features.base.sentences import Pair, PairBatch, Sentence
from ...features.linguistics.known_languages import UNMEASURED
from ...features.linguistics.languages import UNKNOWN
from ...features.linguistics.normalisation import without_accents
from .damaged_text import has_markup, has_mojibake
from .english_text import non_english, unknown_words, word_counts

IDENTICAL = "identical"
"""Flag of two texts that are equal."""


def flags_of_english(batch: PairBatch) -> list[tuple[str, ...]]:
    """Return the flags of each pair of a model of English, in alphabetical order."""
    counts = word_counts(batch)
    foreign = non_english(batch, counts)
    unknown = unknown_words(counts) & ~foreign
    of_sentence = [
        _flags_of_text(sentence) | ({"non_english"} if other else set()) | ({"unknown_words"} if strange else set())
        for sentence, other, strange in zip(batch.sentences, foreign.tolist(), unknown.tolist(), strict=True)
    ]
    return [
        # Most pairs have none.
        tuple(sorted(of_sentence[i] | of_sentence[j] | alike)) if alike or of_sentence[i] or of_sentence[j] else ()
        for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True)
        for alike in [{IDENTICAL} if i == j else _accents_alone(batch.sentences[i], batch.sentences[j])]
    ]


def flags_across_languages(batch: PairBatch) -> list[tuple[str, ...]]:
    """Return the flags of each pair of a model of several languages, in alphabetical order."""
    of_sentence = list(map(_flags_of_text, batch.sentences))
    flags = []
    for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
        a, b = batch.sentences[i], batch.sentences[j]
        names = of_sentence[i] | of_sentence[j]
        names |= {IDENTICAL} if i == j or a.text == b.text else _accents_alone(a, b)
        flags.append(tuple(sorted(names | language_flags(a.language, b.language))))
    return flags


def language_flags(one: str, two: str) -> set[str]:
    """Return the flags that follow from the languages of both texts of a pair."""
    flags = {"cross_lingual"} if one != two else set()
    flags |= {"unknown_language"} if UNKNOWN in (one, two) else set()
    return flags | {"unmeasured_language"} if UNMEASURED.intersection((one, two)) else flags


def _accents_alone(a: Sentence, b: Sentence) -> set[str]:
    if a.text.isascii() and b.text.isascii():
        return set()
    one, two = a.text.lower(), b.text.lower()
    return {"accents"} if one != two and without_accents(one) == without_accents(two) else set()


def _flags_of_text(sentence: Sentence) -> set[str]:
    flags = set() if sentence.tokens else {"empty"}
    flags |= {"markup"} if has_markup(sentence.text) else set()
    flags |= {"mojibake"} if has_mojibake(sentence.text) else set()
    if sentence.truncated:
        return flags | {"long", "truncated"}
    return flags | {"long"} if len(sentence.tokens) > LONG_TOKENS else flags


Pairs: TypeAlias = Sequence[tuple[str, str]]
"""Texts of n pairs, or the languages of their texts."""

TEXT_COLUMNS = ("sentence1", "sentence2")

_REMEDY = "give a list such as [(a, b)], an array of shape (n, 2), or a data frame with two columns of texts"


def as_pairs(X: Any) -> list[tuple[str, str]]:
    """Return X as a list of n pairs of texts.

    Parameters
    ----------
    X
        n items of two texts each: an iterable of tuples, lists or `Pair`, an array of shape (n, 2), or a data frame of
        pandas, polars or Arrow that has the columns ``sentence1`` and ``sentence2`` or just two columns.

    Raises
    ------
    TypeError
        If X is something else, or has no order.
    ValueError
        If an item is not a pair, or an entry is not text.
    """
    pairs = []
    for i, row in enumerate(_rows(X)):
        if isinstance(row, Pair):
            row = row[:2]
        if type(row) is not tuple and not _is_sequence(row) or len(row) != 2:
            raise ValueError(f"item {i} of X must be a pair of two texts, got {_shown(row)}; correct or remove it")
        a, b = row
        if not (isinstance(a, str) and isinstance(b, str)):
            bad = b if isinstance(a, str) else a
            raise ValueError(
                f"item {i} of X must hold two texts, got {_shown(bad)}; replace or remove what is not text"
            )
        pairs.append((str(a), str(b)))
    return pairs


def _rows(X: Any) -> Iterable[Any]:
    if isinstance(X, np.ndarray):
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(f"X must be an array of shape (n, 2), got shape {X.shape}; give one row a pair")
        rows: list[Any] = X.tolist()
        return rows
    if isinstance(X, str | bytes | bytearray | memoryview):
        raise ValueError(f"X must be a sequence of pairs, got {_shown(X)}; {_REMEDY}")
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        raise TypeError("X must be a data frame with rows, got a LazyFrame of polars; collect() it first")
    if hasattr(X, "columns") and not isinstance(X, type):
        return _rows_of_frame(X)
    if isinstance(X, Mapping | Set) or not isinstance(X, Iterable):
        raise TypeError(f"X must be a sequence of pairs, got {_shown(X)}; {_REMEDY}")
    return X


def _rows_of_frame(X: Any) -> Iterable[tuple[Any, Any]]:
    try:
        # The columns of an Arrow table are arrays, and its names are apart.
        names = list(X.column_names if hasattr(X, "column_names") else X.columns)
    except TypeError:
        raise TypeError(f"X must be a sequence of pairs, got {_shown(X)}; {_REMEDY}") from None
    if set(TEXT_COLUMNS) <= set(names):
        for name in TEXT_COLUMNS:
            if names.count(name) > 1:
                raise ValueError(f"X must have one column {name!r}, got {names.count(name)}; rename one of them")
        places = [names.index(name) for name in TEXT_COLUMNS]
    elif len(names) == 2:
        places = [0, 1]
    else:
        raise ValueError(
            f"X must have two columns, or two named sentence1 and sentence2, got {str(names):.200}; select or rename "
            "two of them"
        )
    a, b = (_column(X, place) for place in places)
    return zip(a, b, strict=True)


def _column(X: Any, place: int) -> list[Any]:
    # By place, for a name may be there twice.
    if hasattr(X, "iloc"):
        column = X.iloc[:, place].tolist()
    elif hasattr(X, "to_series"):
        column = X.to_series(place).to_list()
    elif hasattr(X, "column_names"):
        try:
            column = X.column(place).to_pylist()
        except UnicodeDecodeError:
            raise ValueError(
                f"the column {X.column_names[place]!r} must be UTF-8, got other bytes; correct it"
            ) from None
    else:
        column = X[X.columns[place]].to_list()
    values: list[Any] = column
    return values


def _is_sequence(row: Any) -> bool:
    if isinstance(row, np.ndarray):
        return row.ndim == 1
    return isinstance(row, Sequence) and not isinstance(row, str | bytes | bytearray | memoryview)


def _shown(value: Any) -> str:
    return f"{' '.join(repr(value).split())[:60]} of type {type(value).__name__}" if value is not None else "None"
