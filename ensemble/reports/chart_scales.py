"""Ticks and ranges of the axes of charts."""

import math
from collections.abc import Iterable


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round values (1, 2 or 5 times a power of ten) evenly spaced within ``low..high``, about so many."""
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= rough * 0.99)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def tick_texts(places: list[float]) -> list[str]:
    """Return the ticks as texts, all with as many decimals as the step between them needs."""
    step = places[1] - places[0] if len(places) > 1 else 1.0
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [f"{abs(place):.{digits}f}" if place >= -step / 2 else f"\u2212{-place:.{digits}f}" for place in places]


def span(values: Iterable[float], low: float, high: float) -> tuple[float, float]:
    """Return ``low..high``, widened to hold every finite value."""
    finite = [value for value in values if math.isfinite(value)]
    return min([low, *finite]), max([high, *finite])
