"""Transformer from pairs of sentences to columns, for pipelines of scikit-learn."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ...features.base.feature import Feature
from ...features.base.sentences import PairBatch
from ...features.pipeline.extraction import Extraction
from .pair_inputs import as_pairs


class PairFeatures(TransformerMixin, BaseEstimator):
    """Transformer from pairs of texts to their columns, for pipelines of scikit-learn.

    X is as for `SimilarityEnsemble`. Statistics, such as frequencies of words, come from the training pairs only.

    Parameters
    ----------
    features, cache, pipeline, vectors, encoder, wordnet
        As for `SimilarityEnsemble`.

    Attributes
    ----------
    extraction_
        The features with the resources that were fitted.
    """

    def __init__(
        self,
        features: str | Sequence[str | Feature] = "full",
        *,
        cache: str | Path | None = None,
        pipeline: str | None = None,
        vectors: str | Path | None = None,
        encoder: str | Path | None = None,
        wordnet: str | Path | None = None,
    ) -> None:
        self.features = features
        self.cache = cache
        self.pipeline = pipeline
        self.vectors = vectors
        self.encoder = encoder
        self.wordnet = wordnet

    def fit(self, X: Any, y: Any = None) -> "PairFeatures":
        """Fit the resources on n pairs; `y` is not read.

        Raises
        ------
        ValueError
            If X holds no pairs of texts, or a setting is unknown.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit on n pairs and return their columns, as `fit` and `transform`; the pairs are analysed once."""
        batch = self._fit(X)
        return self.extraction_.matrix(batch).values

    def transform(self, X: Any) -> np.ndarray:
        """Return the columns of n pairs, shape (n, k), float32."""
        check_is_fitted(self)
        return self.extraction_.matrix(self.extraction_.analyse(as_pairs(X))).values

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the k columns; `input_features` is not read."""
        check_is_fitted(self)
        return np.asarray(self.extraction_.columns, dtype=object)

    def _fit(self, X: Any) -> PairBatch:
        pairs = as_pairs(X)
        if not pairs:
            raise ValueError("there are no pairs to fit on; give at least one")
        self.extraction_, batch = Extraction.fit(pairs, **self.get_params(deep=False))
        return batch

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
