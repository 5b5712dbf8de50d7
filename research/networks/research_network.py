"""Neural networks of published systems, fitted and used in one process; `pair_network` has those that are members.

Fitting and predicting need PyTorch and import it only then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from ...features.base.sentences import LEVELS, PairBatch
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import need_equal_weights, pairs_of

RESEARCH_NETWORKS: Mapping[str, str] = {
    "lstm": "Barrow and Peskov 2017",
    "ma_lstm": "Mueller and Thyagarajan 2016",
    "bilstm_max": "Conneau et al. 2017",
    "bigru": "Rychalska et al. 2016",
    "attention": "Zhuang and Chang 2017; Arroyo-Fernandez and Meza Ruiz 2017",
    "word_attention": "Spiewak et al. 2017",
    "tree_lstm": "Tai et al. 2015",
    "recursive_autoencoder": "Socher et al. 2011; Rychalska et al. 2016",
    "alignment_rnn": "Henderson et al. 2017",
    "trigram": "Huang et al. 2013",
    "trigram_convolution": "Shen et al. 2014",
}
"""Publication of each network, by name."""

_HOMES = {
    "recurrent": ("lstm", "ma_lstm", "bilstm_max", "bigru", "attention", "word_attention"),
    "tree_lstm": ("tree_lstm",),
    "recursive": ("recursive_autoencoder",),
    "alignment_network": ("alignment_rnn",),
    "letter_trigrams": ("trigram", "trigram_convolution"),
}
HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
"""Module of each network, by name."""

_LEVELS = {
    "word_attention": "lexical",
    "tree_lstm": "parsed",
    "recursive_autoencoder": "parsed",
    "alignment_rnn": "parsed",
}

_GRADIENT: dict[str, Any] = {"epochs": 3, "batch_size": 50, "learning_rate": 0.003, "l2": 1e-6}
_WORDS: dict[str, Any] = {"vectors": "distilled", "scale": 3.0, "most_words": 64}
_SIAMESE: dict[str, Any] = {**_WORDS, "units": 100, "hidden": 50, "dropout": 0.0, **_GRADIENT}
_TRIGRAM: dict[str, Any] = {
    "buckets": 30_000,
    "units": 300,
    "outputs": 128,
    "sharpness": 5.0,
    "least_score": 4.0,
    "most_words": 64,
    **_GRADIENT,
    "learning_rate": 0.001,
}

HYPERPARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "lstm": {**_SIAMESE, "most_words": 25, "dropout": 0.3, "epochs": 6},
    "ma_lstm": {
        **_WORDS,
        "scale": 1.0,
        "units": 50,
        "forget_bias": 1.5,
        **_GRADIENT,
        "epochs": 6,
        "learning_rate": 0.01,
    },
    "bilstm_max": {**_SIAMESE, "units": 256, "learning_rate": 0.001},
    "bigru": _SIAMESE,
    "attention": {**_SIAMESE, "cell": "gru", "attention_units": 50},
    "word_attention": {
        **{key: value for key, value in _SIAMESE.items() if key != "units"},
        "tag_units": 20,
        "attention_units": 50,
        "epochs": 5,
    },
    "tree_lstm": {**_SIAMESE, "units": 150, "learning_rate": 0.002},
    "recursive_autoencoder": {
        **_WORDS,
        **_GRADIENT,
        "pool": 15,
        "award": False,
        "C": 1.0,
        "epochs": 2,
        "learning_rate": 0.001,
    },
    "alignment_rnn": {**_SIAMESE, "unaligned": False, "epochs": 2, "learning_rate": 0.001},
    "trigram": {**_TRIGRAM, "epochs": 12},
    "trigram_convolution": {**_TRIGRAM, "window": 3, "epochs": 4},
}
"""Default settings of each network, by name.

``vectors`` (``distilled`` or ``relational``) are the shipped word vectors, multiplied by ``scale`` and not trained.
``most_words`` is the number of words read from a sentence. ``units`` is the size of a state in each direction,
``hidden`` that of the layer before the six grades, ``attention_units`` that of the layer that weights words, and
``tag_units`` that of the vector of a part of speech. ``cell`` is ``gru`` or ``lstm``; ``forget_bias`` is the initial
bias of the forget gate. ``pool`` is the number of rows and columns of the grid of the auto-encoder, ``award`` lets
WordNet correct its cosines of words, and ``C`` belongs to the support vector machine. ``unaligned`` adds the words
without a link. ``buckets`` is the number of hash buckets of letter trigrams, ``outputs`` the size of an encoding,
``window`` the number of words in a filter, ``sharpness`` the factor of cosines in training, and ``least_score`` the
least score of a paraphrase. ``l2`` is twice the factor of the squared weights.

The papers give these settings: for ``ma_lstm`` 50 units, dropout 0.5 and Adadelta over 441 epochs, most of them on
other data (Mueller and Thyagarajan, 2016); for ``bilstm_max`` 2,048 units in each direction, learnt from entailment
labels (Conneau et al., 2017), where ours learns from scores alone; for ``tree_lstm`` 150 units, 50 hidden units,
AdaGrad with a rate of 0.05 and batches of 25 (Tai et al., 2015); for ``recursive_autoencoder`` a grid of 15 over
constituents, where ours uses dependencies (Socher et al., 2011); for ``trigram`` layers of 300, 300 and 128 on 30,000
trigrams, and for its convolution a window of 3, both learnt from clicks (Huang et al., 2013; Shen et al., 2014). The
sizes of the other networks are not published; for ``lstm`` the greatest length was tuned (Barrow and Peskov, 2017). All
other settings are ours. Epochs, rates, scales and ``sharpness`` were chosen by the figures below: the Pearson
correlation on the first of five folds of STS Benchmark train, grouped by sentence, and the seconds on one core to fit
the 4,599 other pairs, without the analysis of the sentences.

=====================  =======  =======
network                Pearson  seconds
=====================  =======  =======
lstm                   0.749    13
ma_lstm                0.759    7
bilstm_max             0.857    34
bigru                  0.815    9
attention              0.837    9
word_attention         0.830    2
tree_lstm              0.837    7
recursive_autoencoder  0.761    24
alignment_rnn          0.782    9
trigram                0.761    18
trigram_convolution    0.582    14
=====================  =======  =======

The LSTM reaches 0.780 with a dropout of 0.1 instead of 0.3, the auto-encoder 0.766 with ``award``, ``alignment_rnn``
0.841 with ``unaligned``, which its description does not mention, and ``trigram_convolution`` 0.695 with a window of 1.
"""

_PAIRS_AT_A_TIME = 4_096

Fitted = Callable[[PairBatch], np.ndarray]
"""Function from n pairs to their scores, shape (n,), float64."""


@dataclass(frozen=True, eq=False)
class ResearchNetwork:
    """A published network, unfitted or fitted.

    Attributes
    ----------
    name
        One of `RESEARCH_NETWORKS`.
    params
        Settings, by the names in `HYPERPARAMETERS`.
    random_state
        Seed; the same seed, pairs, scores and libraries give the same network.
    fitted
        Function that scores pairs, or None before fitting.
    """

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    fitted: Fitted | None = None

    @property
    def level(self) -> str:
        """Least analysis level of its pairs: ``tokens``, ``lexical`` or ``parsed``."""
        return _LEVELS.get(self.name, "tokens")

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "ResearchNetwork":
        """Return the network fitted on scores, which it counts all the same."""
        need_equal_weights(self.name, sample_weight)
        pairs = self._read(matrix)
        y = np.asarray(y, dtype=np.float64)
        if not len(pairs) or y.shape != (len(pairs),) or not ((y >= 0) & (y <= 5)).all():
            rule = f"{len(pairs) or 'one or more'} numbers between 0 and 5"
            raise ValueError(f"scores must be {rule}, got {y!r:.60}; give one a pair")
        try:
            home = import_module(f".{HOME_OF[self.name]}", __package__)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"fitting the network {self.name!r} needs {error.name}; pip install 'samewise[train]'", name=error.name
            ) from None
        seed = int(np.random.SeedSequence(self.random_state).generate_state(1)[0])
        return replace(self, fitted=home.fit(self.name, pairs, y, self.params, seed))

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        pairs = self._read(matrix)
        if self.fitted is None:
            raise ValueError(f"the network {self.name!r} is not fitted; call `fit` first")
        size = _PAIRS_AT_A_TIME
        parts = [pairs[start : start + size] for start in range(0, len(pairs), size)] if len(pairs) > size else [pairs]
        return np.concatenate([self.fitted(part) for part in parts if len(part)] or [np.empty(0)])

    def _read(self, matrix: FeatureMatrix) -> PairBatch:
        pairs = pairs_of(matrix)
        level = min((sentence.level for sentence in pairs.sentences), key=LEVELS.index, default="parsed")
        if LEVELS.index(level) < LEVELS.index(self.level):
            raise ValueError(
                f"pairs for {self.name} must have the analysis level {self.level!r}, got {level!r}; "
                f"call analyse(pairs, level={self.level!r})"
            )
        return pairs


def make_network(name: str, params: Mapping[str, Any] | None = None, random_state: int | None = 0) -> ResearchNetwork:
    """Return an unfitted network; `params` replace settings of `HYPERPARAMETERS`.

    Raises
    ------
    ValueError
        If the name or a setting is unknown.
    """
    if name not in RESEARCH_NETWORKS:
        raise ValueError(f"network must be one of {', '.join(RESEARCH_NETWORKS)}, got {name!r}; choose one")
    defaults = HYPERPARAMETERS[name]
    unknown = [key for key in params or {} if key not in defaults]
    if unknown:
        choices = ", ".join(defaults)
        raise ValueError(f"setting of {name} must be one of {choices}, got {unknown[0]!r}; correct or remove it")
    return ResearchNetwork(name, {**defaults, **(params or {})}, random_state)
