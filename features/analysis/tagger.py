"""Penn Treebank tags by a small network over a window of words (Collobert et al., 2011).

A word is the sum of learned vectors of its features: form, affixes, shape, and the parts of speech that WordNet lists
for it and for the word without an ending. A hidden layer reads two words on either side, a second one the first layer
of one word on either side, and the tag with the highest score of both counts.

The contribution of a word to the first layer at each place of the window is cached, so that a token costs five look-ups
and two small matrix products. All numbers are whole and exact in the matrix products (below 2**24 in float32, 2**53 in
float64): a tag does not depend on the batch, and ties go to the tag that comes first. spaCy's tagger on its four
convolutions costs many times as much and is right less often (see the card in ``data/tagger``).
"""

import hashlib
import re
import string
import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.mapped_arrays import map_arrays
from ..base.token_sequences import text_hash
from ..lexicon.wordnet import CLASSES, WordNet, wordnet

HERE = Path(__file__).parents[1] / "data" / "tagger"
"""Folder of the shipped tagger."""

PAD = "\n"
"""Token before and after a sentence; no other token holds a line break."""

WINDOW = 2
"""Number of words on either side that the first layer reads."""

CONTEXT = 1
"""Number of words on either side whose first layer the second layer reads."""

STEP = 16
"""One code of the first layer in units of the look-up table."""

HIGHEST = 255
"""Greatest code of a hidden unit."""

MOST_WORDS = 20_000
"""Number of distinct words in the cache (1.3 kB each), besides those of one call."""

_LONGEST = 40  # characters of a word that its shape is read from
_BLOCK_WORDS, _BLOCK_TOKENS = 512, 2_048  # a block fits in the cache of a core
_RULES = ("s/", "es/", "ies/y", "ed/", "ed/e", "ing/", "ing/e", "er/", "est/", "ly/")
_ENDINGS: dict[str, list[tuple[int, str, str]]] = {}  # by the last letter: number of the rule, ending, replacement
for _k, _rule in enumerate(_RULES, 1):
    _ending, _, _added = _rule.partition("/")
    _ENDINGS.setdefault(_ending[-1], []).append((_k, _ending, _added))


def word_features(words: Sequence[str], net: WordNet) -> list[list[str]]:
    """Return the names of the features of each word as written."""
    features = []
    stems: list[str] = []
    places: list[tuple[int, int]] = []
    for i, word in enumerate(words):
        if word == PAD:
            features.append(["pad"])
            continue
        lower = word.lower()
        features.append(_form(word, lower))
        stems.append(lower)
        places.append((i, 0))
        for k, ending, added in _ENDINGS.get(lower[-1:], ()):
            if lower.endswith(ending) and len(lower) > len(ending) + 2:
                stems.append(lower[: -len(ending)] + added)
                places.append((i, k))
    hashes = np.fromiter(map(text_hash, stems), dtype=np.uint64, count=len(stems))
    kinds = np.zeros(len(stems), dtype=np.int64)
    for kind in range(len(CLASSES)):
        kinds |= (net.hashed_word_ids(hashes, np.full(len(hashes), kind)) >= 0).astype(np.int64) << kind
    for (i, k), listed in zip(places, kinds.tolist(), strict=True):
        features[i].append(f"n{k}={listed}")
    return features


def _form(word: str, lower: str) -> list[str]:
    features = ["word", f"w={lower}", f"x={_shape(word)}"]
    features += [f"s={lower[-k:]}" for k in range(1, min(6, len(lower)))]
    features += [f"p={lower[:k]}" for k in range(1, min(5, len(lower)))]
    if not word.isalpha():
        if "-" in word[1:-1]:
            features += ["hyphen", f"h={lower.rpartition('-')[2][-4:]}"]
        if any(map(str.isdigit, word[:_LONGEST])):
            features.append("digit")
    if word[:1].isupper():
        features.append("capital")
    return features


_ASCII = str.maketrans(string.ascii_letters + string.digits, "x" * 26 + "X" * 26 + "d" * 10)
_LETTER, _DIGIT, _RUN = re.compile(r"[^\W\d_]"), re.compile(r"\d"), re.compile(r"(.)\1{2,}")


def _shape(word: str) -> str:
    word = word[:_LONGEST]
    if word.isascii():
        return _squeezed(word.translate(_ASCII))
    return _squeezed(_DIGIT.sub("d", _LETTER.sub(lambda match: "X" if match[0].isupper() else "x", word)))


@lru_cache(maxsize=4_096)
def _squeezed(kinds: str) -> str:
    return _RUN.sub(lambda match: match[0][:2], kinds)[:10]


class Weights(NamedTuple):
    """The network in whole numbers; f features, d coordinates, w places, u and v hidden units, t tags.

    Attributes
    ----------
    features, tags
        UTF-8 text, one name a line, uint8.
    embeddings
        Vectors of the features, shape (f, d), int8.
    window, window_bias
        First layer by place, shapes (d, w * u), int32, and (u,), float64: times `scales[0]` in units of `STEP` a code.
    context, context_bias
        Second layer by place, shapes (u, c * v), int16, and (v,), int32: times `scales[1]` in codes.
    output, output_bias
        Scores from both layers, shapes (u + v, t), int16, and (t,), int32.
    scales
        Shape (2,), float64.
    """

    features: np.ndarray
    tags: np.ndarray
    embeddings: np.ndarray
    window: np.ndarray
    window_bias: np.ndarray
    context: np.ndarray
    context_bias: np.ndarray
    output: np.ndarray
    output_bias: np.ndarray
    scales: np.ndarray


class Tagger:
    """Tags of tokens, the same bits in any batch and in any thread."""

    def __init__(self, weights: Weights, net: WordNet, digest: str = "") -> None:
        self.digest = hashlib.sha256(f"{digest} {net.digest}".encode()).hexdigest()[:16]
        self._net = net
        names = weights.features.tobytes().decode("utf-8", "surrogatepass").split("\n")
        self._features = {name: row for row, name in enumerate(names)}
        self.tags: list[str] = weights.tags.tobytes().decode().split("\n")
        self._names = np.array(self.tags, dtype=object)
        self._embeddings = weights.embeddings
        self._window, self._window_bias = weights.window.astype(np.float64), weights.window_bias
        self._context, self._context_bias = weights.context.astype(np.float32), weights.context_bias.astype(np.float32)
        self._output, self._output_bias = weights.output.astype(np.float32), weights.output_bias.astype(np.float32)
        self._scales = weights.scales[0], np.float32(weights.scales[1])
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._rows: dict[str, int] = {}
        self._table = np.empty((2 * WINDOW + 1, 0, len(self._window_bias)), dtype=np.int16)
        self._learn([PAD])

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[str]:
        """Return the tag of every token of every sentence, one after the other."""
        tokens = list(chain.from_iterable(sentences))
        if not tokens:
            return []
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        ends = np.cumsum(lengths)
        cuts = [0, *(np.flatnonzero(np.diff(ends // _BLOCK_TOKENS)) + 1).tolist(), len(lengths)]
        best = np.empty(len(tokens), dtype=np.int64)
        with self._lock:
            ids = self._ids(tokens)
            for first, last in pairwise(cuts):
                block = slice(ends[first] - lengths[first], ends[last - 1])
                gaps = WINDOW * np.repeat(np.arange(last - first), lengths[first:last])
                places = np.arange(len(gaps)) + gaps
                padded = np.zeros(len(gaps) + WINDOW * (last - first + 1), dtype=np.int64)
                padded[places + WINDOW] = ids[block]
                best[block] = self._best(padded, places)
        names: list[str] = self._names[best].tolist()
        return names

    def _ids(self, tokens: Sequence[str]) -> np.ndarray:
        if len(self._rows) > MOST_WORDS:
            self._forget()
        new = [token for token in dict.fromkeys(tokens) if token not in self._rows]
        if new:
            self._learn(new)
        return np.fromiter(map(self._rows.__getitem__, tokens), dtype=np.int64, count=len(tokens))

    def _learn(self, words: Sequence[str]) -> None:
        parts = [self._project(words[start : start + _BLOCK_WORDS]) for start in range(0, len(words), _BLOCK_WORDS)]
        cached, needed = len(self._rows), len(self._rows) + len(words)
        if needed > self._table.shape[1]:
            grown = np.empty(
                (len(self._table), max(needed, 2 * cached, 4 * _BLOCK_WORDS), self._table.shape[2]), dtype=np.int16
            )
            grown[:, :cached] = self._table[:, :cached]
            self._table = grown
        self._table[:, cached:needed] = np.concatenate(parts, axis=1)
        self._rows.update(zip(words, range(cached, needed), strict=True))

    def _project(self, words: Sequence[str]) -> np.ndarray:
        # Contribution of each word to the first layer at each place, in units of STEP a code.
        rows = [
            [row for name in names if (row := self._features.get(name)) is not None]
            for names in word_features(words, self._net)
        ]
        ends = np.cumsum([len(row) for row in rows])
        listed = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=ends[-1])
        # Every word has a listed feature.
        starts = np.append(0, ends[:-1])
        vectors = np.add.reduceat(self._embeddings[listed].astype(np.float32), starts, axis=0)
        sums = vectors.astype(np.float64) @ self._window
        sums[:, WINDOW * len(self._window_bias) : (WINDOW + 1) * len(self._window_bias)] += self._window_bias
        sums *= self._scales[0]
        limit = (32_767 - STEP) // (2 * WINDOW + 1)
        np.clip(np.rint(sums, out=sums), -limit, limit, out=sums)
        return sums.reshape(len(rows), 2 * WINDOW + 1, -1).astype(np.int16).transpose(1, 0, 2)

    def _best(self, padded: np.ndarray, places: np.ndarray) -> np.ndarray:
        count = len(padded) - 2 * WINDOW
        sums = self._table[0].take(padded[:count], axis=0)
        for k in range(1, 2 * WINDOW + 1):
            sums += self._table[k].take(padded[k : k + count], axis=0)
        sums += STEP // 2
        sums //= STEP
        first = np.zeros((count + 2 * CONTEXT, sums.shape[1]), dtype=np.float32)
        np.clip(sums, 0, HIGHEST, out=first[CONTEXT : CONTEXT + count], casting="unsafe")
        first[CONTEXT : CONTEXT + count][padded[WINDOW : WINDOW + count] == 0] = 0
        products = first @ self._context
        width = len(self._context_bias)
        second = np.broadcast_to(self._context_bias, (count, width)).copy()
        for k in range(2 * CONTEXT + 1):
            second += products[k : k + count, k * width : (k + 1) * width]
        second *= self._scales[1]
        np.clip(np.rint(second, out=second), 0, HIGHEST, out=second)
        both = np.concatenate([first[CONTEXT : CONTEXT + count], second], axis=1)[places]
        best: np.ndarray = (both @ self._output + self._output_bias).argmax(axis=1)
        return best


@cache
def shipped_tagger() -> Tagger:
    """Return the tagger that ships with the package, its files checked against their manifest, once a process."""
    mapped = map_arrays(HERE, "install samewise again, or make the folder with scripts/train_tagger.py")
    return Tagger(Weights(**mapped.arrays), wordnet(), mapped.digest)
