"""Thresholds with a guarantee: the share of errors beyond them stays within a bound, with a stated confidence.

Each threshold of a fixed grid is a hypothesis, tested by the exact binomial test (Clopper and Pearson, 1934). They are
tested in a fixed sequence from the strictest on, as Learn then Test does (Angelopoulos et al., 2025), but from several
starts that share the chance of error, because the strictest thresholds have too few pairs to pass. A start hands its
unused share on to the next one (the fallback procedure; Wiens and Dmitrienko, 2005).

The starts follow from how many pairs each threshold has, never from labels. For labelled pairs that are drawn like
those to be decided, the chance that any accepted threshold breaks the bound is then at most 1 - confidence, provided
that a higher score never means more errors. Without that it holds for pairs with the same scores as the labelled ones.
"""

import math

import numpy as np

MOST_STARTS = 4
"""Most starts of a sequence."""


def upper_bounds(wrong: np.ndarray, count: np.ndarray, confidence: float) -> np.ndarray:
    """Return the upper ends of one-sided intervals of shares (Clopper and Pearson, 1934).

    Parameters
    ----------
    wrong, count
        Shape (n,): errors, and the pairs among which they are.
    confidence
        Chance, 0..1, that such an end is at least the true share.

    Returns
    -------
    numpy.ndarray
        Shape (n,), 0..1; 1 where there is no pair.
    """
    from scipy.stats import beta

    right = np.maximum(count - wrong, 1)  # any number where all are wrong: the end is 1 then
    return np.where(wrong < count, beta.ppf(confidence, wrong + 1, right), 1.0)


def pairs_needed(bound: float, confidence: float) -> int:
    """Return the fewest pairs, without an error among them, that show a share of errors of at most `bound`, 0..1."""
    return math.ceil(math.log(1.0 - confidence) / math.log1p(-bound))


def safe_thresholds(wrong: np.ndarray, count: np.ndarray, bound: float, confidence: float) -> np.ndarray:
    """Return whether the share of errors of each threshold is shown to be within a bound.

    With the given confidence, all thresholds that are accepted keep the bound: any of them may be chosen.

    Parameters
    ----------
    wrong, count
        Shape (n,), from the strictest threshold to the loosest: errors, and the pairs among which they are. Neither
        falls along the sequence.
    bound
        Largest share of errors, between 0 and 1.
    confidence
        Between 0 and 1.

    Returns
    -------
    numpy.ndarray
        Shape (n,), bool.
    """
    from scipy.special import bdtr

    chances = bdtr(wrong, count, bound)  # of so few errors, or fewer, if their share were just the bound
    starts = _starts(count, bound, confidence)
    accepted, wealth = np.zeros(len(count), bool), 0.0
    for place in range(len(count)):
        wealth += (1.0 - confidence) / len(starts) * starts.count(place) if starts else 0.0
        accepted[place] = count[place] > 0 and chances[place] <= wealth
        wealth = wealth if accepted[place] else 0.0
    return accepted


def _starts(count: np.ndarray, bound: float, confidence: float) -> list[int]:
    # The first could pass without an error, the last has a third of all pairs; each has at least twice those before.
    total = int(count[-1]) if len(count) else 0
    for number in range(MOST_STARTS, 0, -1):
        fewest = pairs_needed(bound, 1.0 - (1.0 - confidence) / number)
        if number == 1 or fewest << (number - 1) <= total / 3:
            sizes = np.geomspace(fewest, max(total / 3, fewest), number) if number > 1 else [fewest]
            return [place for place in np.searchsorted(count, sizes).tolist() if place < len(count)]
    raise AssertionError("unreachable")
