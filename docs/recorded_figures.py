"""The data file of figures that pages quote, docs/results/figures.json."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

FIGURES = Path(__file__).parent / "results" / "figures.json"
KINDS = {
    "repeated": "run",
    "timed": "machine",
    "published": "citation",
    "kept": "reason",
}
"""Kinds of figures, and the key that each needs besides."""


class Figures(NamedTuple):
    """Recorded figures.

    Attributes
    ----------
    models
        Signature of each model.
    runs
        For each run of benchmarks/repeat_results.py what it measures, how long it takes, and its option.
    series
        For each series what it is, its kind, the command, the form in which it is printed, and the values.
    """

    models: dict[str, str]
    runs: dict[str, dict[str, Any]]
    series: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, path: Path = FIGURES) -> "Figures":
        """Read the data file; raise ValueError if a series lacks what its kind needs."""
        figures = cls(**json.loads(path.read_text(encoding="utf-8")))
        for name, series in figures.series.items():
            need = KINDS.get(series["kind"])
            if need is None or not series.get(need):
                raise ValueError(f"series {name!r} must have a kind of {list(KINDS)} and what it needs, got {series}")
        return figures

    def write(self, path: Path = FIGURES) -> None:
        """Write the data file."""
        text = json.dumps(self._asdict(), indent=1, ensure_ascii=False)
        path.write_text(_VALUES.sub(_on_few_lines, text) + "\n", encoding="utf-8")

    def with_found(self, found: Mapping[str, Mapping[str, float]], models: Mapping[str, str]) -> "Figures":
        """Return the figures with values that were found again, rounded as they are printed, and signatures."""
        series = {name: dict(one) for name, one in self.series.items()}
        for name, values in found.items():
            digits = self._digits(name)
            rounded = {key: round(value) if digits == 0 else round(value, digits) for key, value in values.items()}
            series[name]["values"] = self.values(name) | rounded
        return self._replace(series=series, models=self.models | models)

    def _digits(self, name: str) -> int:
        form = self.series[name]["form"]
        return int(re.sub(r"[^\d]", "", form) or 0) + 2 * form.endswith("%")

    def values(self, name: str) -> dict[str, float]:
        """Return the recorded values of a series."""
        values: dict[str, float] = self.series[name]["values"]
        return values

    def repeated(self, run: str) -> Iterator[tuple[str, str]]:
        """Yield the names of series and figures that a run gives."""
        for name, series in self.series.items():
            if series.get("run") == run:
                yield from ((name, key) for key in series["values"])

    def printed(self, name: str, key: str, value: float | None = None, form: str | None = None) -> str:
        """Return a figure, or another value in its place, as the pages print it, or in another form."""
        form = form or self.series[name]["form"]
        value = self.values(name)[key] if value is None else value
        if form == "times":
            form = ".0f" if value >= 20 else ".1f"
        text = f"{value:{'.0f' if form == 'd' else form}}"
        return text.replace("-", "\u2212").replace("%", " %")

    def text(self, name: str, key: str, form: str | None = None) -> str:
        """Return what stands in a page for a figure, or for a text on its series."""
        return str(self.series[name][key]) if key in ("what", "command") else self.printed(name, key, form=form)

    def tolerance(self, name: str) -> float:
        """Return how far a repeated figure may be from the recorded one: see benchmarks/repeat_results.py."""
        form = self.series[name]["form"]
        if form == "d":
            return 0.0
        digits = self._digits(name)
        # What was recorded is rounded itself, by half a unit.
        return max(10.0**-digits, 0.001) + 0.5 * 10.0**-digits


_VALUES = re.compile(r'( *"(?:values|names)": \{)\n([^{}]*)\n( *\})')


def _on_few_lines(found: re.Match[str]) -> str:
    # A line for each figure would make the file long. Spaces in names stay where they are.
    entries = [line.strip().replace(" ", "\0") for line in found[2].split("\n")]
    lines = [line.replace("\0", " ") for line in textwrap.wrap(" ".join(entries), 114, break_on_hyphens=False)]
    if len(found[1]) + len(lines[0]) < 118 and len(lines) == 1:
        return f"{found[1]}{lines[0]}}}"
    return "\n    ".join([found[1], *lines]) + f"\n{found[3]}"
