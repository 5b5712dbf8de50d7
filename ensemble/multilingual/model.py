"""Contract of a model, whether it reads English or several languages."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np

from ...features.sentence_cache import SentenceCache
from ..core.explanation import Explanation
from ..core.prediction import Prediction
from ..core.predictor import Predictor
from ..core.scale import Scale
from ..core.uncertainty import Uncertainty
from ..differences.difference import Difference


class Model(Protocol):
    """A fitted model: a `Predictor`, or a `MultilingualModel` that holds several."""

    @property
    def signature(self) -> str:
        """One line that names the model; quote it with figures."""
        ...

    @property
    def source(self) -> Any:
        """`ModelSource` that loads the same model; None for a model that was fitted or changed in memory."""
        ...

    @property
    def parts(self) -> Mapping[str, Predictor | None]:
        """The ensembles that the model consists of, by the fields of `ModelSource` that name their places."""
        ...

    @property
    def settings(self) -> Mapping[str, str | None]:
        """The other fields of `ModelSource`, as far as they belong to the model.

        Raises
        ------
        ValueError
            If the model holds an object that cannot be named.
        """
        ...

    @property
    def interval(self) -> Uncertainty:
        """Uncertainty of a score: its prediction interval, and the probability of other scores."""
        ...

    @property
    def scale(self) -> Scale:
        """Scale of the scores."""
        ...

    @property
    def readable_languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of the languages that the model reads."""
        ...

    @property
    def contribution_names(self) -> tuple[str, ...]:
        """Names of the contributions that `explain` returns, the same for all pairs."""
        ...

    @property
    def sentence_cache(self) -> SentenceCache:
        """Analyses and encodings of sentences that were scored before."""
        ...

    def with_sentence_cache(self, cache: SentenceCache) -> Self:
        """Return the same model with another cache of sentences."""
        ...

    def predict_pairs(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> Prediction:
        """Return scores, intervals and flags of n pairs, whose languages may be known."""
        ...

    def probability(self, prediction: Prediction, at_least: float) -> np.ndarray:
        """Return the probability, shape (n,), that people give each pair a score of `at_least` or more.

        The probability does not rise with `at_least`, a score on the scale of the model.
        """
        ...

    def predict_members(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> dict[str, np.ndarray]:
        """Return the scores of each member, shape (n,); the last entry is what `predict_pairs` returns."""
        ...

    def explain(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> list[Explanation]:
        """Return an explanation of each score."""
        ...

    def differences(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> list[list[Difference]]:
        """Return the words in which the texts of each pair, or their translations into English, differ in meaning."""
        ...

    def aligned_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, int]]]]:
        """Return the tokens of both texts of each pair, and the places of aligned tokens."""
        ...

    def probe(self) -> list[float]:
        """Return the scores of fixed pairs, which show whether two machines compute the same."""
        ...
