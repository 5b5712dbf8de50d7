"""The six pair networks as members of the ensemble.

ECNU's four (Tian et al., 2017, after Wieting et al., 2016), the convolutional network of HCTI (Shao, 2017, as released
later) and ESIM (Chen et al., 2017). PyTorch is needed to fit one; a bundle keeps ONNX and, where they were trained,
the vectors of words under hashes. A score depends on its pair alone: the padding of a sentence follows from its own
pair.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...features.base.caches import fields_of
from ...features.base.sentences import PairBatch, Sentence
from ...features.base.token_sequences import vocabulary
from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import Network, by_length, check_shape
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import need_equal_weights, pairs_of, settings_of
from ...models.npz import pack_arrays, unpack_arrays
from .grade_distributions import GRADES, expected_score
from .word_vector_inputs import ARRAYS, LARGEST_WEIGHT, Words, WordTable

_ECNU: dict[str, Any] = {
    "vectors": "distilled",
    "scale": 6.0,
    "idf": False,
    "least_count": 0,
    "most_words": 64,
    "units": 300,
    "hidden": 50,
    "dropout": 0.0,
    "loss": "kl",
    "epochs": 5,
    "batch_size": 50,
    "learning_rate": 0.001,
    "l2": 1e-6,
    "l2_words": 1e-5,
}

HYPERPARAMETERS: dict[str, dict[str, Any]] = {
    "dl_word": {**_ECNU, "scale": 3.0, "least_count": 3},
    "dl_proj": _ECNU,
    "dl_dan": {**_ECNU, "learning_rate": 0.0003},
    "dl_lstm": {**_ECNU, "scale": 3.0, "learning_rate": 0.003, "l2": 1e-4},
    "cnn": {**_ECNU, "scale": 1.0, "hidden": 300, "epochs": 3, "batch_size": 100, "l2": 0.0, "most_words": 60},
    "esim": {
        **_ECNU,
        "scale": 4.0,
        "units": 100,
        "hidden": 80,
        "epochs": 4,
        "batch_size": 32,
        "learning_rate": 0.0006,
        "l2": 0.0,
    },
}
"""Settings of each network by its name.

``vectors`` (``distilled`` or ``relational``), ``scale`` and ``idf``: from which vectors it begins, what they are
multiplied by, and whether also by the rarity of the word in the training text. ``least_count``: the vectors of words
that stand in the training text so often are trained too; 0 for none. ``most_words``: further ones are not read.
``units``: size of an encoding, or of ESIM's states in one direction; ``hidden``: size of the layer after both
encodings. ``loss``: ``kl``, the divergence of the six grades, or ``pearson``, the negative correlation in a batch.
``l2``, ``l2_words``: twice the factors of the squared weights, and of the squared way of word vectors from their start.

Published are, for ECNU's four, ``scale`` 1, ``idf``, ``least_count`` 1 and a rate of 0.001 (Tian et al., 2017); for
the convolution 1,800 filters and as many hidden units, ``pearson`` and 128 steps of 3,000 pairs (Shao, 2017, as
released later); for ESIM 300 units and a rate of 0.0004 (Chen et al., 2017, on other data). Ours do better on STS
Benchmark train, where they were chosen: Pearson on the first of five folds that are grouped by sentence is

=======  =========  =====
member   published  ours
=======  =========  =====
dl_word  0.827      0.858
dl_proj  0.843      0.861
dl_dan   0.805      0.838
=======  =========  =====

The lengths of these vectors are weights already, and idf would weigh words twice. DL-lstm reaches 0.779, ESIM 0.861,
the convolution 0.846; with ``pearson`` 0.836, and so with 1,800 filters 0.822, eight times as slowly. Training
word vectors helps DL-word (0.851 without) and hardly the others.
"""

_PAIRS_AT_A_TIME = 4_096  # their encodings are in memory at once
_FILLED_UP = 8  # ESIM reads sentences padded to a multiple of this number of words
_PAIRS_OF_ESIM = 64
_EMPTY = Sentence("", (), (), ())


@dataclass(frozen=True, eq=False)
class PairNetwork:
    """A pair network, with a table of words and ONNX networks once it is fitted.

    Attributes
    ----------
    name
        One of `HYPERPARAMETERS`.
    params
        Settings as JSON values, by the names there.
    random_state
        Seed. The same seed and data give the same file, byte for byte, on one installation and one kind of processor.
    n_jobs
        Not used: it is always fitted on one core, because more would add in another order.
    words
        How it reads words, or None.
    files
        The ONNX networks ``scorer`` and, but for ``dl_word`` and ``esim``, ``encoder``, as `export.export` made them.
    grades
        Shape (6,): the score that each grade stands for, or None.
    """

    suffix: ClassVar[str] = ".npz"
    reads_columns: ClassVar[bool] = False
    averaged: ClassVar[bool] = False
    corrects: ClassVar[bool] = False
    level: ClassVar[str] = "tokens"
    libraries: ClassVar[tuple[str, ...]] = ("torch", "onnx")

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    words: WordTable | None = field(default=None, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    grades: np.ndarray | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> "PairNetwork":
        """Return this network, unfitted, with some settings replaced."""
        return PairNetwork(self.name, settings_of(self.name, self.params, params), random_state, n_jobs)

    @cached_property
    def networks(self) -> dict[str, Network]:
        """The `files` as networks with the inputs of this member."""
        table, _ = self._fitted()
        declared = declared_inputs(self.name, table.codes.shape[1])
        return {use: Network(data, f"the {use} of {self.name}", declared[use]) for use, data in self.files.items()}

    @property
    def tables(self) -> tuple[str, ...]:
        """The shipped word vectors that it reads."""
        return (self.params["vectors"],)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "PairNetwork":
        """Return the network fitted on scores, which it counts all the same."""
        need_equal_weights(self.name, sample_weight)
        pairs, settings = pairs_of(matrix), self.params
        y = np.asarray(y, dtype=np.float64)
        if not len(pairs) or y.shape != (len(pairs),) or not ((y >= 0) & (y <= 5)).all():
            raise ValueError(f"scores must be {len(pairs) or 'one or more'} numbers on 0..5, one a pair; got {y!r:.60}")
        try:
            from .network_export import export
            from .pair_network_training import train
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"fitting the member {self.name!r} needs {error.name}; pip install 'samewise[train]'", name=error.name
            ) from None
        table = WordTable.fit(pairs, settings["vectors"], settings["scale"], settings["idf"])
        words = table.read(pairs, settings["most_words"])
        hashes = vocabulary(pairs, "words").hashes
        counts = np.bincount(words.ids.values - 1, minlength=len(hashes))
        often = np.flatnonzero(counts >= settings["least_count"]) if settings["least_count"] else np.empty(0, np.int64)
        seed = int(np.random.SeedSequence(self.random_state).generate_state(1)[0])
        network, vectors, grades = train(self.name, words, 1 + often, pairs.left, pairs.right, y, settings, seed)
        files = export(network, vectors.shape[1])
        return replace(self, words=table.train(hashes[often], vectors[1 + often]), files=files, grades=grades)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        pairs, (table, grades) = pairs_of(matrix), self._fitted()
        size = _PAIRS_AT_A_TIME
        parts = [pairs[start : start + size] for start in range(0, len(pairs), size)] if len(pairs) > size else [pairs]
        return np.concatenate([self._scores(part, table, grades) for part in parts])

    def _scores(self, pairs: PairBatch, table: WordTable, grades: np.ndarray) -> np.ndarray:
        words, scorer = table.read(pairs, self.params["most_words"]), self.networks["scorer"]
        scores = np.empty(len(pairs))
        if "left_lengths" in scorer.inputs:
            for rows, inputs in _filled_up(pairs, words):
                distributions = check_shape(scorer, scorer(**inputs), len(rows), GRADES)
                scores[rows] = expected_score(distributions, grades)
        elif len(pairs):
            width = int(scorer.session.get_inputs()[0].shape[-1])
            encodings = _encoded(words, self.networks.get("encoder"), width)
            distributions = scorer(left=encodings[pairs.left], right=encodings[pairs.right])
            scores[:] = expected_score(check_shape(scorer, distributions, len(pairs), GRADES), grades)
        return scores

    def contributions(self, matrix: FeatureMatrix) -> None:
        """Return None: a network reads the pairs, so its score is not split."""

    def to_bytes(self) -> bytes:
        """Return it as a file, which `from_bytes` reads; the same bytes for the same network."""
        table, grades = self._fitted()
        files = {use: np.frombuffer(data, dtype=np.uint8) for use, data in self.files.items()}
        return pack_arrays({**table.to_arrays(), **files, "grades": grades})

    def from_bytes(
        self, data: bytes, columns: Sequence[str] = (), params: Mapping[str, Any] | None = None
    ) -> "PairNetwork":
        """Return the fitted network that `to_bytes` wrote; it reads no columns."""
        unfitted = self.with_settings(params)
        try:
            arrays = unpack_arrays(data, names=(*ARRAYS, "scorer", "encoder", "grades"))
            table = WordTable.from_arrays(unfitted.params["vectors"], arrays)
            files = {use: array.tobytes() for use, array in arrays.items() if use in ("scorer", "encoder")}
            if set(files) != set(declared_inputs(self.name, 0)) or "grades" not in arrays:
                raise ValueError(f"it has no grades, or not the networks of {self.name}")
            grades = arrays["grades"]
            if grades.shape != (GRADES,) or not (np.abs(grades) <= LARGEST_WEIGHT).all():
                raise ValueError(f"its grades must be {GRADES} numbers up to {LARGEST_WEIGHT:.0e}, got {grades!r:.80}")
            read = replace(unfitted, words=table, files=files, grades=grades)
            read._check()
        except ValueError as error:
            raise ValueError(f"the file of member {self.name!r} cannot be used: {error}") from error
        return read

    def _check(self) -> None:
        # Opens the networks, and checks that they fit together.
        nothing = np.zeros(1, dtype=np.int64)
        for network in self.networks.values():
            network.session  # noqa: B018
        score = self.predict(FeatureMatrix(np.empty((1, 0), np.float32), (), PairBatch([_EMPTY], nothing, nothing)))
        if not np.isfinite(score).all():
            raise ValueError(f"it scores two empty texts {score[0]}")

    def _fitted(self) -> tuple[WordTable, np.ndarray]:
        if self.words is None or self.grades is None:
            raise ValueError(f"the network {self.name!r} is not fitted; call `fit` first")
        return self.words, self.grades


def declared_inputs(name: str, dimension: int) -> dict[str, Declared]:
    """Return the inputs of the networks of a member by their use; word vectors have so many coordinates."""
    if name == "esim":
        sides = {side: Value("float32", 3, dimension) for side in ("left", "right")}
        return {"scorer": Declared({**sides, **{f"{side}_lengths": Value("int32", 1) for side in sides}}, "grades")}
    encoding = dimension if name == "dl_word" else None
    scorer = Declared({side: Value("float32", 2, encoding) for side in ("left", "right")}, "grades")
    if name == "dl_word":
        return {"scorer": scorer}
    read = {"words": 3} if name in ("dl_lstm", "cnn") else {"mean": 2}
    return {
        "scorer": scorer,
        "encoder": Declared({key: Value("float32", rank, dimension) for key, rank in read.items()}, "encoding"),
    }


def _encoded(words: Words, encoder: Network | None, width: int) -> np.ndarray:
    """Return the encoding of each distinct sentence, shape (m, width)."""
    lengths = words.lengths
    of_words = encoder is not None and encoder.inputs == ("words",)
    groups, parts = [], []
    for rows in by_length(lengths):
        length = int(lengths[rows[0]])
        vectors = words.vectors[words.padded(rows, length)]
        if encoder is not None and of_words:
            parts.append(check_shape(encoder, encoder(words=vectors), len(rows), width))
        else:
            parts.append(vectors.sum(axis=1) / np.float32(length))
        groups.append(rows)
    stacked = np.concatenate(parts)
    if encoder is not None and not of_words:
        stacked = check_shape(encoder, encoder(mean=stacked), len(stacked), width)
    encodings = np.empty_like(stacked)
    encodings[np.concatenate(groups)] = stacked
    return encodings


def _filled_up(pairs: PairBatch, words: Words) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray]]]:
    """Yield groups of pairs and the inputs of ESIM for them."""
    lengths = words.lengths
    # The order of the words' texts: two sentences of the same words are the same input, whichever comes first.
    texts = [sentence.words for sentence in pairs.sentences]
    rank = {text: k for k, text in enumerate(sorted(set(texts)))}
    ranks = np.fromiter((rank[text] for text in texts), dtype=np.int64, count=len(texts))
    turned = ranks[pairs.left] > ranks[pairs.right]
    sides = {
        "left": np.where(turned, pairs.right, pairs.left),
        "right": np.where(turned, pairs.left, pairs.right),
    }
    widths = {key: -(-lengths[side] // _FILLED_UP) * _FILLED_UP for key, side in sides.items()}
    order = np.lexsort(tuple(widths.values()))
    new = np.any([np.diff(width[order]) != 0 for width in widths.values()], axis=0)
    for group in np.split(order, np.flatnonzero(new) + 1):
        for start in range(0, len(group), _PAIRS_OF_ESIM):
            rows = group[start : start + _PAIRS_OF_ESIM]
            if not len(rows):
                continue
            inputs = {}
            for key, side in sides.items():
                inputs[key] = words.vectors[words.padded(side[rows], int(widths[key][rows[0]]))]
                inputs[f"{key}_lengths"] = lengths[side[rows]].astype(np.int32)
            yield rows, inputs


SCORERS = {name: PairNetwork(name, settings) for name, settings in HYPERPARAMETERS.items()}
"""The six networks, unfitted, by name."""
