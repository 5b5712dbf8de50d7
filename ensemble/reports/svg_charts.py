"""Charts as SVG.

Libraries exist, but their pages are larger and need what the policy of the page forbids. For 10,000 points, plotly 7.1
makes a page of 5.1 MB that draws with JavaScript, and matplotlib 3.11, which is no dependency, one of 1.1 MB with
colours in style attributes; here they are a few paths of 0.4 MB.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from markupsafe import Markup


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
    return [f"{abs(place):,.{digits}f}" if place >= -step / 2 else f"\u2212{-place:,.{digits}f}" for place in places]


_CHARACTER = 8.5
"""Width of a character of a tick, in units of a drawing, in the largest font (that of a phone)."""


def apart(ticks: Sequence[tuple[float, str]], unit: float, character: float = _CHARACTER) -> list[tuple[float, str]]:
    """Return the ticks without those whose texts would touch that of a later one.

    Parameters
    ----------
    ticks
        Ascending places with their texts.
    unit, character
        Length of a step of 1 between places, and width of a character of the texts.
    """
    kept: list[tuple[float, str]] = []
    for place, text in reversed(ticks):
        if not kept or (kept[-1][0] - place) * unit >= character * ((len(text) + len(kept[-1][1])) / 2 + 0.6):
            kept.append((place, text))
    return kept[::-1]


def span(values: Iterable[float], low: float, high: float) -> tuple[float, float]:
    """Return ``low..high``, widened to hold every finite value."""
    finite = [value for value in values if math.isfinite(value)]
    return min([low, *finite]), max([high, *finite])


SERIES = 7
"""Number of groups with a colour and a shape of their own (report.css); the others share a grey ring."""

_WIDTH, _HEIGHT = 400, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 10, 10, 46


@dataclass(frozen=True)
class Frame:
    """Axes of a chart: their ranges and labels."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_label: str
    y_label: str

    @cached_property
    def _left(self) -> float:
        # Room for the label of the axis and for the longest text of a tick.
        return max(_LEFT, 22 + _CHARACTER * max(map(len, tick_texts(ticks(*self.y)))))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point in the drawing."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return (
            round(self._left + across * (_WIDTH - self._left - _RIGHT), 1),
            round(_HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM), 1),
        )

    def draw(self, parts: Sequence[Markup], label: str, x_ticks: Sequence[tuple[float, str]] | None = None) -> Markup:
        """Return the chart as SVG: axes, grid, and the parts on it; `label` is read by screen readers."""
        columns = apart(
            labelled(ticks(*self.x)) if x_ticks is None else x_ticks,
            (_WIDTH - self._left - _RIGHT) / (self.x[1] - self.x[0]),
        )
        bottom, top = self.y
        axes = [_line(self.at(x, bottom), self.at(x, top), "grid") for x, _ in columns]
        axes += [
            Markup('<text class="tick" text-anchor="middle" x="{}" y="{}">{}</text>').format(
                self.at(x, bottom)[0], _HEIGHT - _BOTTOM + 17, text
            )
            for x, text in columns
        ]
        for y, text in labelled(ticks(*self.y)):
            _, place = self.at(self.x[0], y)
            axes.append(_line(self.at(self.x[0], y), self.at(self.x[1], y), "grid"))
            axes.append(
                Markup('<text class="tick" text-anchor="end" x="{}" y="{}">{}</text>').format(
                    self._left - 7, place + 4, text
                )
            )
        middle = (self._left + _WIDTH - _RIGHT) / 2, (_TOP + _HEIGHT - _BOTTOM) / 2
        axes.append(
            Markup('<text class="axis" text-anchor="middle" x="{}" y="{}">{}</text>').format(
                middle[0], _HEIGHT - 8, self.x_label
            )
        )
        axes.append(
            Markup('<text class="axis" text-anchor="middle" transform="translate(13 {}) rotate(-90)">{}</text>').format(
                middle[1], self.y_label
            )
        )
        return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
            _WIDTH, _HEIGHT, label, Markup("\n").join([*axes, *parts])
        )


def labelled(places: list[float]) -> list[tuple[float, str]]:
    """Return ticks with their texts."""
    return list(zip(places, tick_texts(places), strict=True))


def _line(start: tuple[float, float], end: tuple[float, float], kind: str) -> Markup:
    return Markup('<path class="{}" d="M{} {}L{} {}"/>').format(kind, *start, *end)


def identity(frame: Frame) -> Markup:
    """Return the line on which both axes agree."""
    low, high = max(frame.x[0], frame.y[0]), min(frame.x[1], frame.y[1])
    ends = frame.at(low, low), frame.at(high, high)
    return _line(*ends, "under") + _line(*ends, "identity")


def shape(series: int, radius: float) -> str:
    """Return the outline of a series' mark, to follow a move to its middle in path data."""
    r, w = f"{radius:g}", f"{2 * radius:g}"
    outlines = (
        f"m-{r} 0a{r} {r} 0 1 0 {w} 0a{r} {r} 0 1 0-{w} 0z",  # disc
        f"m0-{1.3 * radius:g}l{1.3 * radius:g} {2.3 * radius:g}h-{2.6 * radius:g}z",  # triangle
        f"m-{r}-{r}h{w}v{w}h-{w}z",  # square
        f"m-{r}-{r}l{w} {w}m-{w} 0l{w}-{w}",  # cross, a stroke
        f"m0-{1.4 * radius:g}l{1.4 * radius:g} {1.4 * radius:g}l-{1.4 * radius:g} {1.4 * radius:g}"
        f"l-{1.4 * radius:g}-{1.4 * radius:g}z",  # diamond
        f"m-{1.3 * radius:g} 0h{2.6 * radius:g}m-{1.3 * radius:g}-{1.3 * radius:g}v{2.6 * radius:g}",  # plus, a stroke
        f"m0 {1.3 * radius:g}l{1.3 * radius:g}-{2.3 * radius:g}h-{2.6 * radius:g}z",  # triangle that points down
        f"m-{r} 0a{r} {r} 0 1 0 {w} 0a{r} {r} 0 1 0-{w} 0z",  # ring
    )
    return outlines[min(series, SERIES)]


def scatter(frame: Frame, x: np.ndarray, y: np.ndarray, series: np.ndarray) -> list[Markup]:
    """Return the marks of n points, in several paths a series, so that overlapping marks look darker."""
    radius = 3.2 if len(x) <= 500 else 2.4 if len(x) <= 3_000 else 1.8
    many = "many " if len(x) > 3_000 else ""
    drawn = []
    for number in sorted(set(series.tolist()), key=lambda number: -int((series == number).sum())):
        mask, outline = series == number, shape(number, radius)
        places = [frame.at(*point) for point in zip(x[mask].tolist(), y[mask].tolist(), strict=True)]
        layers = min(20, len(places))
        paths = [
            Markup('<path d="{}"/>').format("".join(f"M{a:g} {b:g}{outline}" for a, b in places[k::layers]))
            for k in range(layers)
        ]
        drawn.append(Markup('<g class="marks {}series{}">{}</g>').format(many, number, Markup("").join(paths)))
    return drawn


def boxes(frame: Frame, summaries: Sequence[tuple[float, Sequence[float], float]]) -> list[Markup]:
    """Return boxes with diamonds, each of a place, five quantiles and a mean."""
    drawn = [_line(frame.at(frame.x[0], 0), frame.at(frame.x[1], 0), "identity")]
    for middle, (least, lower, median, upper, most), mean in summaries:
        drawn += [_line(frame.at(middle, least), frame.at(middle, most), "whisker")]
        (left, top), (right, bottom) = frame.at(middle - 0.3, upper), frame.at(middle + 0.3, lower)
        drawn.append(
            Markup('<rect class="box" x="{}" y="{}" width="{}" height="{}"/>').format(
                left, top, round(right - left, 1), round(bottom - top, 1)
            )
        )
        drawn.append(_line(frame.at(middle - 0.3, median), frame.at(middle + 0.3, median), "median"))
        drawn.append(Markup('<path class="mean" d="M{} {}{}"/>').format(*frame.at(middle, mean), Markup(shape(4, 4))))
    return drawn


def curve(
    frame: Frame, x: Sequence[float], y: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> list[Markup]:
    """Return points joined by a line, each with its interval."""
    points = [frame.at(*point) for point in zip(x, y, strict=True)]
    drawn = [Markup('<path class="curve" d="M{}"/>').format("L".join(f"{a:g} {b:g}" for a, b in points))]
    drawn += [
        _line(frame.at(place, first), frame.at(place, last), "whisker")
        for place, first, last in zip(x, low, high, strict=True)
    ]
    drawn += [Markup('<path class="point" d="M{} {}{}"/>').format(a, b, Markup(shape(0, 4))) for a, b in points]
    return drawn


def line(frame: Frame, x: Sequence[float], y: Sequence[float], kind: str = "curve") -> Markup:
    """Return a line through points."""
    return Markup('<path class="{}" d="M{}"/>').format(kind, "L".join(_places(frame, x, y)))


def area(frame: Frame, x: Sequence[float], low: Sequence[float], high: Sequence[float]) -> Markup:
    """Return the shaded part between two lines, such as the ends of an interval."""
    return Markup('<path class="area" d="M{}z"/>').format(
        "L".join([*_places(frame, x, low), *_places(frame, x, high)[::-1]])
    )


def _places(frame: Frame, x: Sequence[float], y: Sequence[float]) -> list[str]:
    return ["{:g} {:g}".format(*frame.at(*point)) for point in zip(x, y, strict=True)]


def columns(
    frame: Frame, heights: Sequence[float], edges: Sequence[float], kind: str = "box", place: int = 0, of: int = 1
) -> list[Markup]:
    """Return a column for each height that is not 0, between two edges; the `place`-th of so many side by side."""
    drawn = []
    for height, first, last in zip(heights, edges, edges[1:], strict=False):
        if height:
            step = (last - first) / of
            start = first + place * step
            (left, top), (right, bottom) = frame.at(start, height), frame.at(start + step, 0)
            drawn.append(
                Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                    kind, left, top, round(right - left, 1), round(bottom - top, 1)
                )
            )
    return drawn


def limit(frame: Frame, at: float, name: str, row: int = 0) -> Markup:
    """Return a dashed upright line with its name, which stands in a row from the top."""
    (x, bottom), (_, top) = (frame.at(at, end) for end in frame.y)
    # The text stands on the side where there is room.
    left = at < sum(frame.x) / 2
    text = Markup('<text class="axis" text-anchor="{}" x="{}" y="{}">{}</text>').format(
        "start" if left else "end", round(x + (5 if left else -5), 1), top + 14 + 16 * row, name
    )
    return _line((x, bottom), (x, top), "under") + _line((x, bottom), (x, top), "identity") + text
