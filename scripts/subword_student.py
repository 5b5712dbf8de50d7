"""The vectors of words and n-grams that `make_shared_space.py` learns, and where they begin."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.encoders.shared_space_encoder import packed_codes, word_parts
from samewise.features.linguistics.normalisation import split_text
from samewise.features.token_sequences import text_hash
from scipy.sparse import csr_array, diags_array
from torch.nn.functional import embedding_bag
from word_alignment import align

RIDGE = 0.3
"""What holds the first vectors of n-grams short."""
CLIPPED = 0.75
"""Share of the greatest coordinate of a row that is told apart, for finer steps: so four bits are as good as eight."""


class Units(NamedTuple):
    """What texts are read as: numbers below `pieces` are English pieces, those from there on words of the language."""

    words: list[str]
    pieces: int
    texts: list[list[int]]


def read_units(texts: Sequence[str], language: str) -> Units:
    """Return the words and pieces of texts, as `SharedSpaceEncoder` reads them."""
    tokens = [[token for token, _ in split_text(text, language)] for text in texts]
    counts = Counter(token for row in tokens for token in row if any(map(str.isalpha, token)))
    # In a language of another script, a word in Latin letters is English.
    latin = sum(token.isascii() for token in counts) > 0.1 * len(counts)
    english = shipped_encoder()
    assert english.words is not None
    size, known, pieces = len(english.words), dict[str, int](), dict[str, list[int]]()
    for token in dict.fromkeys(token for row in tokens for token in row):
        if any(map(str.isalpha, token)) and not any(map(str.isdigit, token)) and (latin or not token.isascii()):
            pieces[token] = [size + known.setdefault(token, len(known))]
        else:
            pieces[token] = english.tokens([token])[0].ids[1:-1]
    return Units(list(known), size, [[unit for token in row for unit in pieces[token]] for row in tokens])


def choose_keys(words: Sequence[str], counts: np.ndarray, most: int, least: int, language: str) -> list[str]:
    """Return the words that occur `least` times or more, and stems and n-grams of several words, `most` in all."""
    often = sorted((-count, word) for word, count in zip(words, counts.tolist(), strict=True) if count >= least)
    listed = [word for _, word in often][: most // 2]
    parts = [word_parts(word, language) for word in words]
    for every, least_words, room in (
        ([each.stems for each in parts], 2, most // 4),
        ([each.grams for each in parts], 3, most - len(listed)),
    ):
        found = Counter(key for keys in every for key in set(keys))
        ordered = sorted((-count, key) for key, count in found.items() if count >= least_words)
        listed += [key for _, key in ordered][: min(room, most - len(listed))]
    return listed


class Student:
    """The vectors of words as sums of rows of a table: their own, and the means of those of their n-grams and stems."""

    def __init__(self, words: Sequence[str], keys: Sequence[str], language: str) -> None:
        self.keys = list(keys)
        place = {key: row for row, key in enumerate(keys)}
        values, weights, own, listed, sizes = [], [], [], [], []
        for word in words:
            first, *groups = (
                [place[part] for part in group if part in place] for group in ([word], *word_parts(word, language)[1:])
            )
            others = [(row, 1.0 / len(group)) for group in groups for row in group]
            values += first + [row for row, _ in others]
            weights += [1.0] * len(first) + [weight for _, weight in others]
            own += [len(others) > 0] * len(first) + [False] * len(others)
            listed += [True] * len(first) + [False] * len(others)
            sizes.append(len(first) + len(others))
        self.values, self.weights = torch.tensor(values), torch.tensor(weights)
        self.own, self.sizes, self.listed = torch.tensor(own), torch.tensor(sizes), torch.tensor(listed)
        self.starts = torch.cumsum(self.sizes, 0) - self.sizes

    def compose(self, table: torch.Tensor, words: torch.Tensor, unlisted: float = 0.0) -> torch.Tensor:
        """Return the vectors of words; a share of those that have n-grams are taken for unlisted."""
        sizes = self.sizes[words]
        offsets = torch.cumsum(sizes, 0) - sizes
        at = torch.arange(int(sizes.sum())) + torch.repeat_interleave(self.starts[words] - offsets, sizes)
        weights = self.weights[at]
        if unlisted:
            left_out = torch.repeat_interleave(torch.rand(len(words)) < unlisted, sizes)
            weights = weights * ~(self.own[at] & left_out)
        return embedding_bag(self.values[at], table, offsets, mode="sum", per_sample_weights=weights)


def start_of(units: Units, english: Units, pieces: np.ndarray) -> np.ndarray:
    """Return for each word the mean vector of the English words that it is aligned with."""
    links = align(units.texts, english.texts)
    size = int(links.english.max()) + 1
    both, place = np.unique(links.word * size + links.english, return_inverse=True)
    weight = np.bincount(place, links.chance)
    word, other = both // size, both % size
    found = np.zeros((units.pieces + len(units.words), pieces.shape[1]))
    best = np.zeros(len(found))
    np.maximum.at(best, word, weight)
    kept = weight >= 0.15 * best[word]
    np.add.at(found, word[kept], weight[kept, None] ** 1.5 * pieces[other[kept]])
    total = np.bincount(word[kept], weight[kept] ** 1.5, len(found))
    return (found / np.maximum(total, 1e-9)[:, None])[units.pieces :]


def fit_start(student: Student, target: np.ndarray, counts: np.ndarray, rounds: int = 25) -> torch.Tensor:
    """Return a table whose n-grams come as near to the vectors of words as they can, and own vectors add the rest."""
    sizes, own = student.sizes.numpy(), student.listed.numpy()
    places = np.repeat(np.arange(len(sizes)), sizes)
    shape = len(sizes), len(student.keys)
    every = csr_array((student.weights.numpy().astype(np.float64), (places, student.values.numpy())), shape)
    grams = csr_array((np.where(own, 0.0, student.weights.numpy()), (places, student.values.numpy())), shape)
    weighted = (diags_array((counts + 0.5) ** 0.5) @ grams).tocsr()
    table = np.zeros((len(student.keys), target.shape[1]))
    rest = weighted.T @ target
    step, before = rest.copy(), (rest * rest).sum(axis=0)
    for _ in range(rounds):  # conjugate gradients, all coordinates side by side
        along = grams.T @ (weighted @ step) + RIDGE * step
        length = before / np.maximum((step * along).sum(axis=0), 1e-12)
        table += length * step
        rest -= length * along
        after = (rest * rest).sum(axis=0)
        step = rest + after / np.maximum(before, 1e-12) * step
        before = after
    left = target - grams @ table
    np.add.at(table, student.values.numpy()[own], left[places[own]])
    print(f"start: {np.square(left).sum(1).mean():.3f} and {np.square(target - every @ table).sum(1).mean():.3f} "
          f"of {np.square(target).sum(1).mean():.3f} left", flush=True)  # fmt: skip
    return torch.from_numpy(table.astype(np.float32))


def as_arrays(keys: Sequence[str], table: np.ndarray) -> dict[str, np.ndarray]:
    """Return the arrays that `SubwordTable` reads."""
    hashes = np.asarray([text_hash(key) for key in keys], dtype=np.uint64)
    order = np.argsort(hashes)
    vectors = table[order].astype(np.float64)
    scales = np.maximum(np.abs(vectors).max(axis=1) * CLIPPED / 7, 1e-6).astype(np.float32)
    codes = np.clip(np.rint(vectors / scales[:, None]), -7, 7).astype(np.int8)
    return {"hashes": hashes[order], "codes": packed_codes(codes), "scales": scales}
