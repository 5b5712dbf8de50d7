"""Cache for functions of words: words of ordinary length only, so that no text can make it large."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

R = TypeVar("R")

LONGEST = 30
"""Most characters of a word whose value is kept; longer ones are rare."""


def cached_by_word(most: int) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that keeps the values of a function for the last `most` words, its first argument.

    `functools.lru_cache` alone bounds the number of words and not their length: 16,384 words of 2,000 characters, each
    with the vectors of its pieces, would take gigabytes.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def value(word: str, *more: Any) -> R:
            return (kept if len(word) <= LONGEST else function)(word, *more)

        return value

    return decorate
