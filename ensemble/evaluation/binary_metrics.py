"""Measures of scores and probabilities against labels that say yes or no, by scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

BANDS = 10
"""Number of bands of the probability in the table of reliability."""


@dataclass(frozen=True)
class BinaryEvaluation:
    """Agreement of n scores with labels.

    Attributes
    ----------
    n, yes
        Number of pairs, and of those labelled yes.
    auc
        Area under the ROC curve, 0..1: how often a pair labelled yes scores higher than one labelled no. None where all
        labels are the same.
    average_precision
        Mean precision over the recalls, 0..1; None where no label is yes.
    f1, threshold
        Highest F1 of any threshold, and the score from which pairs are then called yes. It was chosen on these labels,
        so on others F1 is lower. None where no label is yes.
    accuracy
        Share of pairs, 0..1, that are called as they are labelled from the given score on; None without one.
    log_loss
        Mean negative log-likelihood of the labels, 0 or more; None for scores that are not probabilities.
    brier
        Mean squared distance of probability and label, 0..1 (Brier, 1950); None likewise.
    calibration_error
        Mean distance between the probability and the share of yes over `BANDS` bands, weighted by size, 0..1 (Naeini et
        al., 2015); None likewise.
    bands
        For each band of the probability its name, ``n``, ``mean_probability`` and ``share_yes``, None where it is
        empty; no bands for scores that are not probabilities.
    """

    n: int
    yes: int
    auc: float | None
    average_precision: float | None
    f1: float | None
    threshold: float | None
    accuracy: float | None = None
    log_loss: float | None = None
    brier: float | None = None
    calibration_error: float | None = None
    bands: tuple[dict[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**vars(self), "bands": [dict(band) for band in self.bands]}


def evaluate_binary(
    yes: Sequence[bool] | np.ndarray,
    score: Sequence[float] | np.ndarray,
    *,
    probabilities: bool = False,
    same_from: float | None = None,
) -> BinaryEvaluation:
    """Compare scores with labels that say yes or no.

    Parameters
    ----------
    yes
        Shape (n,): whether the label is yes; n at least 1.
    score
        Shape (n,), on any scale.
    probabilities
        Whether the scores are probabilities of yes, 0..1.
    same_from
        Score from which a pair is called yes, for the accuracy.

    Raises
    ------
    ValueError
        If the lengths differ, there is no pair, or a score is not finite or not a probability.
    """
    truth, values = np.asarray(yes, dtype=bool), np.asarray(score, dtype=np.float64)
    _check(truth, values, probabilities)
    accuracy = None if same_from is None else float(np.mean((values >= same_from) == truth))
    figures = BinaryEvaluation(len(truth), int(truth.sum()), *_ranked(truth, values), accuracy)
    if not probabilities:
        return figures
    from sklearn.metrics import brier_score_loss, log_loss

    bands = reliability(truth, values)
    error = sum(abs(band["mean_probability"] - band["share_yes"]) * band["n"] for band in bands if band["n"])
    return replace(
        figures,
        log_loss=float(log_loss(truth, values, labels=[False, True])),
        brier=float(brier_score_loss(truth, values, pos_label=True)),
        calibration_error=error / len(truth),
        bands=tuple(bands),
    )


def reliability(yes: np.ndarray, probability: np.ndarray) -> list[dict[str, Any]]:
    """Return the share of yes by band of the probability; see `BinaryEvaluation.bands`."""
    place = np.searchsorted(np.arange(1, BANDS) / BANDS, probability, side="right")
    bands = []
    for k in range(BANDS):
        inside = place == k
        n = int(inside.sum())
        means = (float(probability[inside].mean()), float(yes[inside].mean())) if n else (None, None)
        name = f"{k / BANDS:.1f}-{(k + 1) / BANDS:.1f}"
        bands.append({"band": name, "n": n, "mean_probability": means[0], "share_yes": means[1]})
    return bands


def _check(yes: np.ndarray, score: np.ndarray, probabilities: bool) -> None:
    if yes.shape != score.shape or yes.ndim != 1 or not len(yes):
        raise ValueError(
            f"labels and scores must have one shape (n,), n at least 1, got {yes.shape} and {score.shape}; give one of "
            "each a pair"
        )
    low, high = (0.0, 1.0) if probabilities else (-np.inf, np.inf)
    bad = ~(np.isfinite(score) & (score >= low) & (score <= high))
    if bad.any():
        rule = "from 0 to 1" if probabilities else "finite"
        raise ValueError(f"scores must be {rule}, got {score[bad][0]}; correct it")


def _ranked(yes: np.ndarray, score: np.ndarray) -> tuple[float | None, float | None, float | None, float | None]:
    # AUC, average precision, the highest F1 and its threshold.
    from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

    from .ranking import best_threshold

    if not yes.any():
        return None, None, None, None
    auc = None if yes.all() else float(roc_auc_score(yes, score))
    threshold = best_threshold(yes, score, 1.0)
    return auc, float(average_precision_score(yes, score)), float(f1_score(yes, score >= threshold)), threshold
