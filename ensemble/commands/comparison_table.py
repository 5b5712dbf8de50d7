"""Table of a comparison of systems."""

from typing import TYPE_CHECKING

from .console import print_json, show

if TYPE_CHECKING:
    from ..evaluation.system_comparison import Comparison, Row


def show_comparison(result: "Comparison", as_json: bool = False, matrix: bool = False) -> None:
    """Print a comparison, one line a system, or as one line of JSON; with `matrix` also each pair of systems."""
    if as_json:
        print_json(result.as_dict())
        return
    agreement = ("system", "Pearson", "95 % interval", "Spearman", "RMSE")
    header = (*agreement, "difference", "95 % interval", "Williams p (Holm)")
    show([_cells(row) for row in result.rows], header, numbers=range(1, 8))
    show([("pairs", f"{result.n:,}"), ("difference", f"to {result.reference}, with its paired bootstrap interval")])
    if matrix:
        _show_matrix(result)


def _show_matrix(result: "Comparison") -> None:
    names = [row.system for row in result.rows]
    cells = {(name, name): "-" for name in names}
    for test in result.williams:
        cells[test.first, test.second] = _p(test.p_holm)
        cells[test.second, test.first] = f"{-test.difference:+.4f}"
    rows = [(f"{k} {name}", *(cells[name, other] for other in names)) for k, name in enumerate(names, 1)]
    show(rows, ("system", *(str(k) for k in range(1, len(names) + 1))), numbers=range(1, len(names) + 1))
    show(
        [
            ("above the diagonal", "Williams p, Holm over all pairs"),
            ("below it", "Pearson of the row less the column's"),
        ]
    )


def _cells(row: "Row") -> tuple[str, ...]:
    evaluation, difference = row.evaluation, row.difference
    interval = f"{evaluation.pearson_low:.4f} to {evaluation.pearson_high:.4f}"
    cells = (row.system, f"{evaluation.pearson:.4f}", interval, f"{evaluation.spearman:.4f}", f"{evaluation.rmse:.3f}")
    if difference is None:
        return (*cells, "", "", "")
    ends = f"{difference.low:+.4f} to {difference.high:+.4f}"
    return (*cells, f"{difference.value:+.4f}", ends, _p(difference.p_holm))


def _p(value: float) -> str:
    # NaN where the systems differ only by a linear map, or there are too few pairs.
    return "" if value != value else "< 0.0001" if value < 0.0001 else f"{value:.4f}"
