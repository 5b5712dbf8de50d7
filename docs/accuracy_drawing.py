"""The drawing of the accuracy of each profile."""

import numpy as np
from recorded_figures import Figures

PROFILES = ("surface", "fast", "full", "best")
"""Profiles whose figures the pages compare, the fastest first."""

_DRAWN = (
    (0, "dev", True, "STS Benchmark dev (twins)"),
    (1, "test", True, "STS Benchmark test (twins)"),
    (2, "sick", False, "SICK"),
    (4, "left-out", False, "mean of 15 sources left out"),
)
"""Series of the drawing: their mark, their name, whether the figures are of twins, and the label."""

_STYLE = """
svg { --ground: #ffffff; --ink: #1f2328; --quiet: #59636e; --line: #d9dee3;
  --c0: #0072b2; --c1: #c2500a; --c2: #00795a; --c4: #9c3f84; font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --ground: #14181e; --ink: #e6e9ed; --quiet: #a5aeb8; --line: #38414b;
  --c0: #5db5ea; --c1: #f0924f; --c2: #3fc79f; --c4: #dd8fc8; } }
.ground { fill: var(--ground); } .tick { fill: var(--quiet); } .axis { fill: var(--ink); }
.grid { stroke: var(--line); fill: none; } .whisker { stroke: currentColor; stroke-width: 1.5; }
.marks { fill: currentColor; } .series0 { color: var(--c0); } .series1 { color: var(--c1); }
.series2 { color: var(--c2); } .series4 { color: var(--c4); }
"""

_WIDTH = 590


def drawing(figures: Figures) -> str:
    """Return the accuracy of each profile, with its intervals, as an SVG that stands alone."""
    from markupsafe import Markup
    from samewise.ensemble.reports.svg_charts import Frame, scatter

    frame = Frame((-0.5, 3.5), (0.64, 0.96), "profile", "Pearson correlation")
    parts = []
    for place, (mark, series, twin, label) in enumerate(_DRAWN):
        keys = [f"{name}-stsb" if twin else name for name in PROFILES]
        x = [k + (place - 1.5) * 0.17 for k in range(len(keys))]
        y = [figures.values(series)[key] for key in keys]
        if f"{series}-low" in figures.series:
            for k, key in enumerate(keys):
                low, high = (frame.at(x[k], figures.values(f"{series}-{end}")[key]) for end in ("low", "high"))
                parts.append(Markup('<path class="whisker series{}" d="M{} {}L{} {}"/>').format(mark, *low, *high))
        legend = 0.92 - 0.03 * place
        parts += scatter(frame, np.asarray([*x, 3.65]), np.asarray([*y, legend]), np.full(len(x) + 1, mark))
        across, down = frame.at(3.65, legend)
        parts.append(Markup('<text class="tick" x="{}" y="{}">{}</text>').format(across + 9, down + 4, label))
    label = "Pearson correlation of each profile on four sets, with 95 % intervals"
    drawn = str(frame.draw(parts, label, [(float(k), name) for k, name in enumerate(PROFILES)]))
    # The chart of a report stands in a page that has its colours; a file of its own brings them.
    ours = f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="360" viewBox="0 0 {_WIDTH} 360"'
    opening, rest = drawn.replace('<svg class="chart" viewBox="0 0 400 360"', ours, 1).split(">", 1)
    return f'{opening}>\n<style>{_STYLE}</style>\n<rect class="ground" width="{_WIDTH}" height="360"/>\n{rest}\n'
