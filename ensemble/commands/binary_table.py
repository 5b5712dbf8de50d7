"""Tables of the figures for yes/no labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from .console import show


def show_binary(parts: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Print the figures of each named part of the pairs, and the reliability of the probabilities of the first part.

    Each is the `as_dict` of a `BinaryEvaluation`.
    """
    probabilities = parts[0][1]["brier"] is not None
    proper = {"log_loss": "log loss", "brier": "Brier", "calibration_error": "calibration error"}
    columns = {"auc": "AUC", "average_precision": "average precision", "f1": "best F1", "threshold": "threshold"}
    columns |= proper if probabilities else {}
    rows = [
        (name, f"{facts['n']:,}", f"{facts['yes']:,}", *(_cell(facts[key]) for key in columns)) for name, facts in parts
    ]
    header = ("pairs", "n", "yes", *columns.values())
    show(rows, header, numbers=range(1, len(header)))
    if probabilities:
        print()
        _show_reliability(parts[0][1]["bands"])


def _show_reliability(bands: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (band["band"], f"{band['n']:,}", _cell(band["mean_probability"], 3), _cell(band["share_yes"], 3))
        for band in bands
    ]
    show(rows, ("probability", "n", "mean probability", "share of yes"), numbers=range(1, 4))


def _cell(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"
