"""One probability that two records are one thing, from the score of their texts, its differences and other columns.

Without labels it is the sum of weights of Fellegi and Sunter (1969): to the log odds of the text come, for each column,
the logarithm of how much more often values agree so in pairs that are the same (m) than in others (u). As Splink does,
u is counted on random pairs of rows, and m is found by expectation and maximisation (Winkler, 1988), from shares that
are usual for the kind. The text's own odds stay as the model gives them, so that the two classes cannot drift to
something else that splits the candidates, such as two brands. With labels, a logistic regression learns all weights
instead. Columns count as independent given the class, which is the usual simplification. A missing value says nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from .compared_columns import KINDS

ROUNDS = 20
"""Rounds of expectation and maximisation; on tables of a few hundred rows the weights then change by less than 1 %."""

EDGES = (0.8, 0.92, 0.999)
"""Similarities from which two values agree more: not, roughly, nearly, wholly."""

_LEVELS = len(EDGES) + 1

_RARE = 1e-4
"""Share that is added to each, so that a level that no pair has weighs nothing."""

_DIFFERENCES = (0.1, 0.0, 0.0, 0.9)
"""Usual shares of pairs that are the same with and without a difference, as `compared_columns.Kind.sure`."""

_BEFORE = 10.0
"""Pairs for which these shares count, so that a few pairs say little."""


class Evidence(NamedTuple):
    """Facts about m pairs.

    Attributes
    ----------
    text
        Shape (m,), 0..1: probability by the text alone.
    agreement
        Shape (m, k), 0..1: first whether the texts have no difference that keeps texts apart, 0 or 1, then the
        similarities of the other columns; NaN says nothing.
    """

    text: np.ndarray
    agreement: np.ndarray

    @property
    def log_odds(self) -> np.ndarray:
        """Log odds of the text, shape (m,)."""
        text = np.clip(self.text, 0.001, 0.999)
        return np.asarray(np.log(text / (1.0 - text)))


def weights_without_labels(evidence: Evidence, kinds: Sequence[str], chance: np.ndarray) -> np.ndarray:
    """Return the parts of the log odds of each pair, natural logarithms: text, differences, then each column.

    Parameters
    ----------
    evidence
        The candidates, m of them; weights are of this table alone.
    kinds
        Kind of each other column.
    chance
        Shape (r, k - 1), 0..1: similarities of random pairs of rows; NaN says nothing.

    Returns
    -------
    np.ndarray
        Shape (m, 1 + k).
    """
    levels, by_chance = _levels(evidence.agreement), _levels(chance)
    parts = np.zeros((len(levels), 1 + levels.shape[1]))
    parts[:, 0] = evidence.log_odds
    sure = np.array([_DIFFERENCES, *(KINDS[kind].sure for kind in kinds)])
    for _ in range(ROUNDS):
        same = 1.0 / (1.0 + np.exp(-parts.sum(axis=1)))
        for column, of_column in enumerate(levels.T):
            m = _shares(of_column, same, _BEFORE * sure[column])
            if column == 0:  # of random pairs, differences are not known
                u = _shares(of_column, 1.0 - same, np.full(_LEVELS, _BEFORE / _LEVELS))
            else:
                of_chance = by_chance[:, column - 1]
                u = _shares(of_chance, np.ones(len(of_chance)), np.full(_LEVELS, 1.0 / _LEVELS))
            weights = np.log((m + _RARE) / (u + _RARE))
            parts[:, 1 + column] = np.where(of_column < 0, 0.0, weights[of_column])
    return parts


def _levels(agreement: np.ndarray) -> np.ndarray:
    """Return the level of each agreement, of the same shape; -1 says nothing."""
    return np.where(np.isnan(agreement), -1, np.digitize(agreement, EDGES))


def _shares(levels: np.ndarray, weights: np.ndarray, before: np.ndarray) -> np.ndarray:
    seen = levels >= 0
    counts = before + np.bincount(levels[seen], weights[seen], _LEVELS)
    return np.asarray(counts / counts.sum())


def weights_of_labels(evidence: Evidence, labelled: Evidence, labels: np.ndarray) -> np.ndarray:
    """Return the parts of the log odds by a logistic regression on labelled pairs; as `weights_without_labels`.

    The constant of the regression is part of the text's.

    Parameters
    ----------
    evidence
        The candidates, m of them.
    labelled
        Labelled pairs, l of them.
    labels
        Shape (l,), bool: whether a pair is the same.

    Raises
    ------
    ValueError
        If all labels say the same.
    """
    if len(set(labels.tolist())) < 2:
        raise ValueError(
            f"the labels must have pairs that are the same and pairs that are not, got {len(labels)} of one kind whose "
            "texts stand in the table once; label some of the other"
        )
    fitted = LogisticRegression().fit(_inputs(labelled), labels)
    parts = _inputs(evidence) * fitted.coef_[0]
    parts[:, 0] += fitted.intercept_[0]
    return np.asarray(parts)


def _inputs(evidence: Evidence) -> np.ndarray:
    # About -1..1, and 0 for what says nothing.
    return np.column_stack([evidence.log_odds, np.nan_to_num(2.0 * evidence.agreement - 1.0, nan=0.0)])
