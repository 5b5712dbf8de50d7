"""The classifier: a scikit-learn estimator of labels that say yes or no."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from ...features.base.feature import Feature
from ...models.bundle import BundleError
from .estimator import SimilarityEnsemble
from .pair_inputs import as_pairs
from .scale import YES_OR_NO, yes_labels

CLASSES = "classes"
"""Key of the training statement of a bundle: the two labels."""


class SimilarityClassifier(ClassifierMixin, BaseEstimator):
    """Yes or no, such as *same* and *different*, for pairs of texts.

    X is a sequence of n pairs of texts, as for `SimilarityEnsemble`. Labels are True and False, 1 and 0, or two words
    such as ``yes`` and ``no``, ``same`` and ``different``.

    Parameters
    ----------
    ensemble
        The `SimilarityEnsemble` of which a copy is fitted, on the scale ``yes/no`` whatever its own; one of default
        settings if None. In scikit-learn's tools its settings are such as ``ensemble__features``.

    Attributes
    ----------
    classes_
        The two labels, ascending, shape (2,).
    ensemble_
        The fitted `SimilarityEnsemble`, whose scores are probabilities of yes. It also explains them.
    """

    def __init__(self, ensemble: SimilarityEnsemble | None = None) -> None:
        self.ensemble = ensemble

    def fit(
        self,
        X: Any,
        y: Sequence[Any] | np.ndarray,
        groups: Sequence[Any] | np.ndarray | None = None,
        sample_weight: Sequence[float] | np.ndarray | None = None,
    ) -> "SimilarityClassifier":
        """Fit on n pairs and their labels.

        Parameters
        ----------
        X
            n pairs.
        y
            n labels, of which some say yes and some no.
        groups, sample_weight
            As for `SimilarityEnsemble.fit`.

        Raises
        ------
        ValueError
            If labels are missing, or are not two that say yes and no; and as for `SimilarityEnsemble.fit`.
        """
        yes = yes_labels(y)
        self.classes_ = _checked_classes(np.unique(np.asarray(y)))
        ensemble = SimilarityEnsemble() if self.ensemble is None else clone(self.ensemble)
        ensemble.set_params(scale=str(YES_OR_NO))
        self.ensemble_ = ensemble.fit(X, yes.astype(np.float64), groups, sample_weight=sample_weight)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of both labels, shape (n, 2), 0..1, in the order of `classes_`."""
        check_is_fitted(self)
        probability = self.ensemble_.predict(X)
        yes = yes_labels(self.classes_)
        return np.where(yes, probability[:, None], 1.0 - probability[:, None])

    def predict(self, X: Any) -> np.ndarray:
        """Return labels of shape (n,): yes from a probability of 0.5 on."""
        check_is_fitted(self)
        no, yes = self.classes_[np.argsort(yes_labels(self.classes_))]
        return np.where(self.ensemble_.predict(X) >= 0.5, yes, no)

    def score(self, X: Any, y: Sequence[Any] | np.ndarray, sample_weight: np.ndarray | None = None) -> float:
        """Return the accuracy of the labels of n pairs, 0..1, as every scikit-learn classifier does."""
        return float(super().score(as_pairs(X), y, sample_weight))

    def save(self, folder: str | Path, **facts: Any) -> None:
        """Write the fitted model as a bundle, which `load` reads too; see `Predictor.save` for the facts."""
        check_is_fitted(self)
        training = {**(facts.pop("training", None) or {}), CLASSES: self.classes_.tolist()}
        self.ensemble_.save(folder, training=training, **facts)

    @classmethod
    def load(
        cls, folder: str | Path, features: Sequence[Feature] = (), **places: str | Path | None
    ) -> "SimilarityClassifier":
        """Return the classifier of a saved bundle, ready to predict; parameters are those of `Predictor.load`.

        The labels of a bundle that was saved without a classifier are 0 and 1.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the model cannot be used here, or does not give probabilities of yes.
        """
        ensemble = SimilarityEnsemble.load(folder, features, **places)
        if ensemble.predictor_.scale != YES_OR_NO:
            raise BundleError(
                f"the scale of a classifier must be yes/no, got {ensemble.predictor_.scale}; load a SimilarityEnsemble"
            )
        classifier = cls(ensemble)
        stored = ensemble.predictor_.manifest.get("training", {}).get(CLASSES, [0, 1])
        try:
            classifier.classes_ = _checked_classes(np.array(stored))
        except (ValueError, TypeError) as error:
            raise BundleError(f"the stored labels cannot be read ({error}); save the model again") from None
        classifier.ensemble_ = ensemble
        return classifier

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_class = False
        return tags


def _checked_classes(classes: np.ndarray) -> np.ndarray:
    if classes.shape != (2,) or yes_labels(classes).sum() != 1:
        raise ValueError(
            f"labels must be two, one that says yes and one that says no, got {classes.tolist()!r:.60}; correct them"
        )
    return classes
