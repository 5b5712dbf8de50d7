"""Tables of the figures of an evaluation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .console import say, show
from .experiment_options import Pairs
from .training_data import HeldOutPairs

if TYPE_CHECKING:
    import numpy as np

    from ..core.estimator import SimilarityEnsemble
    from ..core.scale import Scale
    from ..evaluation.assessment import Assessment
    from ..evaluation.binary_metrics import BinaryEvaluation
    from ..evaluation.metrics import Evaluation


def show_binary(parts: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Print the figures of each named part of the pairs, and the reliability of the probabilities of the first part.

    Each is the `as_dict` of a `BinaryEvaluation`.
    """
    probabilities = parts[0][1]["brier"] is not None
    proper = {"log_loss": "log loss", "brier": "Brier", "calibration_error": "calibration error"}
    columns = {"auc": "AUC", "average_precision": "average precision", "f1": "best F1", "threshold": "threshold"}
    columns |= proper if probabilities else {}
    rows = [
        (name, f"{facts['n']:,}", f"{facts['yes']:,}", *(_number(facts[key]) for key in columns))
        for name, facts in parts
    ]
    header = ("pairs", "n", "yes", *columns.values())
    show(rows, header, numbers=range(1, len(header)))
    if probabilities:
        print()
        bands = [
            (band["band"], f"{band['n']:,}", _number(band["mean_probability"], 3), _number(band["share_yes"], 3))
            for band in parts[0][1]["bands"]
        ]
        show(bands, ("probability", "n", "mean probability", "share of yes"), numbers=range(1, 4))


_LONGEST = 200
"""Most characters of a text in a list of errors."""


def show_assessment(assessment: "Assessment") -> None:
    """Print the figures of all pairs and of each group, then the further measures."""
    show_figures([(name, part) for name, part, _ in _parts(assessment)])
    _show_means(assessment)
    show_scales(assessment.scored.scale, assessment.scored.labels)
    if "binary" in assessment.more:
        print()
        show_binary([(name, more["binary"]) for name, _, more in _parts(assessment)])
    if "confidence_pearson" in assessment.more:
        print()
        rows = [(name, _number(more["confidence_pearson"])) for name, _, more in _parts(assessment)]
        show(rows, ("pairs", "Pearson by confidence"), numbers=(1,))
    if "ranking" in assessment.more:
        print()
        _show_ranking(assessment)
    if "calibration" in assessment.more:
        print()
        _show_calibration(assessment)
    if "bands" in assessment.more:
        print()
        bands = assessment.more["bands"]
        lines = [
            (row["band"], f"{row['n']:,}", _share(row["coverage"]), _number(row["mean_width"], 2)) for row in bands
        ]
        show(lines, ("scores", "n", "coverage", "mean width"), numbers=range(1, 4))
    if "worst" in assessment.more:
        print()
        _show_worst(assessment.more["worst"])


def show_scales(scale: "Scale", labels: "Scale") -> None:
    """Print that figures are on 0..5, if the scores of the model or the labels are on another scale."""
    from ..core.scale import POINTS

    if scale != POINTS or labels != POINTS:
        show([(f"figures on {POINTS}", f"mapped from scores on {scale} and labels on {labels}")])


def _parts(assessment: "Assessment") -> "Iterator[tuple[str, Evaluation, dict[str, Any]]]":
    yield "all", assessment.evaluation, assessment.more
    for name, grouping in assessment.groupings.items():
        for label, group in grouping.groups.items():
            yield (label if len(assessment.groupings) == 1 else f"{name}: {label}"), group, grouping.more[label]


def show_figures(parts: "Sequence[tuple[str, Evaluation]]") -> None:
    """Print the figures of each named part of the pairs."""
    rows = []
    for name, part in parts:
        interval = f"{part.pearson_low:.4f} to {part.pearson_high:.4f}"
        figures = (f"{part.pearson:.4f}", interval, f"{part.spearman:.4f}", f"{part.rmse:.3f}", f"{part.within_1:.1%}")
        rows.append((name, f"{part.n:,}", *figures, _share(part.coverage)))
    header = ("pairs", "n", "Pearson", "95 % interval", "Spearman", "RMSE", "within 1", "coverage")
    show(rows, header, numbers=range(1, 8))


def _show_means(assessment: "Assessment") -> None:
    rows = []
    for name, grouping in assessment.groupings.items():
        of = "" if len(assessment.groupings) == 1 else f", {name}"
        if grouping.aggregates:
            names = {
                "all": "ALL",
                "all_normalised": "ALLnrm",
                "mean": "Mean, weighted by size",
                "plain_mean": "plain mean",
            }
            rows += [(f"{text}{of}", _number(grouping.aggregates[key])) for key, text in names.items()]
        elif grouping.weighted_mean is not None:
            rows.append((f"weighted mean of the groups' Pearson{of}", f"{grouping.weighted_mean:.4f}"))
        if grouping.left_out:
            rows.append((f"groups of one pair, left out{of}", f"{len(grouping.left_out):,}"))
    if "primary" in assessment.more:
        averages = assessment.more["primary"]
        rows += [(key, _number(averages[key])) for key in ("primary6", "primary7")]
        if averages["missing"]:
            rows.append(("tracks that are missing", ", ".join(averages["missing"])))
    if rows:
        show(rows)


def _show_ranking(assessment: "Assessment") -> None:
    rows = []
    for name, part, more in _parts(assessment):
        facts = more["ranking"]
        tops = [
            _number(top[key]) for key in ("ndcg", "ncg") for top in facts["top"] if key == "ndcg" or top["share"] < 1
        ]
        rows.append(
            (name, f"{part.n:,}", _number(facts["kendall"]), *tops, *(_number(row["f1"]) for row in facts["f1"]))
        )
    tops = assessment.more["ranking"]["top"]
    places = [f"nDCG@{top['share']:.0%}" for top in tops] + [
        f"nCG@{top['share']:.0%}" for top in tops if top["share"] < 1
    ]
    thresholds = [f"F1 gold>={row['gold']:g}" for row in assessment.more["ranking"]["f1"]]
    header = ("pairs", "n", "Kendall", *places, *thresholds)
    show(rows, header, numbers=range(1, len(header)))
    rows_of_f1 = assessment.more["ranking"]["f1"]
    chosen = [f"{row['threshold']:.2f}" + ("" if row["tuned"] else " (not tuned)") for row in rows_of_f1]
    show([("scores called alike from", ", ".join(chosen))])


def _show_calibration(assessment: "Assessment") -> None:
    lines: list[tuple[str, ...]] = []
    for name, part, more in _parts(assessment):
        facts = more["calibration"]
        line = (f"{facts['bias']:+.3f}", _number(facts["slope"], 3), _number(facts["intercept"], 3))
        lines.append((name, f"{part.n:,}", *line, _number(facts["error"], 3)))
    show(lines, ("pairs", "n", "bias", "slope", "intercept", "calibration error"), numbers=range(1, 6))
    means: list[tuple[str, ...]] = []
    for band in assessment.more["calibration"]["bands"]:
        means.append((band["band"], f"{band['n']:,}", _number(band["mean_score"], 2), _number(band["mean_gold"], 2)))
    show(means, ("scores", "n", "mean score", "mean gold"), numbers=range(1, 4))
    if "interval" in assessment.more:
        _show_intervals(assessment)


def _show_intervals(assessment: "Assessment") -> None:
    rows: list[tuple[str, ...]] = []
    for name, _, more in _parts(assessment):
        interval = more["interval"]
        coverage = (_share(interval["coverage"]), f"{interval['coverage_low']:.1%} to {interval['coverage_high']:.1%}")
        outside = (_share(interval["below"]), _share(interval["above"]))
        rows.append((name, *coverage, *outside, _number(interval["mean_width"], 2), _number(interval["score"], 2)))
    level = f"coverage of {assessment.more['interval']['level']:.0%}"
    header = ("pairs", level, "95 % interval", "gold below", "gold above", "mean width", "interval score")
    show(rows, header, numbers=range(1, 7))


def _show_worst(worst: list[dict[str, Any]]) -> None:
    rows: list[tuple[str, ...]] = []
    for row in worst:
        figures = (str(row["row"]), f"{row['gold']:.2f}", f"{row['score']:.2f}", f"{row['error']:+.2f}")
        rows.append((*figures, ", ".join(row["flags"]), _shortened(row["a"])))
        rows.append(("", "", "", "", "", _shortened(row["b"])))
    show(rows, ("row", "gold", "score", "error", "flags", "texts"), numbers=range(4))


def _shortened(text: str) -> str:
    # Characters that would move the cursor of a terminal, or break the line, become spaces.
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def _number(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


@dataclass(frozen=True)
class HeldOutFigures:
    """Figures of all pairs, and of those without pairs or sentences of the training set, by name."""

    overall: "Evaluation | BinaryEvaluation"
    groups: "dict[str, Evaluation | BinaryEvaluation]" = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, groups nested."""
        return {**self.overall.as_dict(), "groups": {name: part.as_dict() for name, part in self.groups.items()}}


def measure(model: "SimilarityEnsemble", held_out: HeldOutPairs, training: Pairs, seed: int) -> HeldOutFigures:
    """Measure a model on all pairs, on those that are not training pairs, and on those without a training sentence."""
    import numpy as np

    from ..evaluation.leaks import Leaks

    prediction = model.predict_pairs(held_out.pairs)
    columns = prediction.score, prediction.low, prediction.high

    def figures(rows: "np.ndarray") -> "Evaluation | BinaryEvaluation":
        gold = held_out.gold[rows]
        if prediction.scale.binary:
            from ..evaluation.binary_metrics import evaluate_binary

            return evaluate_binary(gold > 0.0, prediction.score[rows], probabilities=True)
        from ..evaluation.metrics import evaluate

        score, low, high = (prediction.scale.points(column[rows]) for column in columns)
        return evaluate(gold, score, low, high, seed=seed)

    leaks = Leaks.of(held_out.pairs, training)
    parts = (("no pair of TRAIN", ~leaks.pairs), ("no sentence of TRAIN", ~leaks.sentences))
    groups = {label: figures(new) for label, new in parts if 1 < new.sum() < len(new)}
    return HeldOutFigures(figures(np.ones(len(held_out.gold), bool)), groups)


def show_held_out(
    results: Mapping[str, HeldOutFigures], files: Mapping[str, str], training: str, scale: "Scale"
) -> None:
    """Print the figures of each held-out set; `files` and `training` are the names of the tables."""
    from ..evaluation.binary_metrics import BinaryEvaluation
    from ..evaluation.metrics import Evaluation

    for name, result in results.items():
        show([(name, files[name])])
        parts = [("all", result.overall), *result.groups.items()]
        if of_scores := [(label, part) for label, part in parts if isinstance(part, Evaluation)]:
            show_figures(of_scores)
            show_scales(scale, scale)
        if of_probabilities := [(label, part) for label, part in parts if isinstance(part, BinaryEvaluation)]:
            show_binary([(label, part.as_dict()) for label, part in of_probabilities])
        if result.groups:
            say(
                f"samewise: {files[name]} holds pairs or sentences of {training}, which flatter a model; the lines "
                "below the first leave them out"
            )
