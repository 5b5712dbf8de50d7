"""Hook by which the layer of reports draws values as HTML in notebooks."""

from collections.abc import Callable

_drawings: list[Callable[[object], str]] = []


def draw_with(drawing: Callable[[object], str]) -> None:
    """Set the function that returns the HTML of a value; the package itself calls this once, when it is imported."""
    _drawings[:] = [drawing]


def html_in_notebooks(value: object) -> str:
    """Return the HTML of a value, for its ``_repr_html_``."""
    [drawing] = _drawings
    return drawing(value)
