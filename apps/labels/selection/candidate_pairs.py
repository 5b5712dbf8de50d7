"""Candidate pairs of lists of sentences, equally many by each of two similarities of STS 2016 (Agirre et al., 2016).

Memory never holds all n x m similarities of two lists: blocks of rows are compared with the other list, by an inverted
index or a matrix product, and only the most similar pairs so far are kept.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ....ensemble.tables.table_reader import TableError
from ....features.analysis.analysis import normalise
from ....features.linguistics.tokenizer import tokenize

if TYPE_CHECKING:
    from ....features.lexicon.word_vectors import WordVectors

HEURISTICS = ("sim_l", "sim_v")
"""Information in common words, and cosine of summed word vectors."""

CELLS = 1 << 21
"""Number of similarities in memory at a time."""

VECTORS = "distilled"
"""Name of the shipped word vectors."""

_SCHEMA = pa.schema(
    [("sentence1", pa.string()), ("sentence2", pa.string()), ("heuristic", pa.string()), ("similarity", pa.float64())]
)

Top = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Most similar pairs first, equals by their rows: rows of both lists, and similarities."""


class Candidates(NamedTuple):
    """Candidate pairs and their requested number.

    Attributes
    ----------
    table
        Columns ``sentence1``, ``sentence2``, ``heuristic`` (one of `HEURISTICS`) and its ``similarity``.
    wanted
        Requested number of pairs; the table has fewer if fewer pairs have a similarity above 0.
    """

    table: pa.Table
    wanted: int

    def counts(self) -> dict[str, int]:
        """Return the number of pairs by each heuristic."""
        heuristics = self.table.column("heuristic").to_pylist()
        return {name: heuristics.count(name) for name in HEURISTICS}


def read_sentences(path: str | Path) -> list[str]:
    """Return the distinct sentences of a UTF-8 text file, one on each line, in order, without empty lines.

    Raises
    ------
    TableError
        If the file does not exist, is not UTF-8, or has no sentence.
    """
    if not Path(path).is_file():
        raise TableError(f"the file {path} does not exist; correct the path")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TableError(f"line {line} of {path} must be UTF-8; convert the file") from None
    sentences = list(dict.fromkeys(filter(None, map(normalise, text.split("\n")))))
    if not sentences:
        raise TableError(f"{path} must hold at least one sentence, got none; name another file")
    return sentences


def candidates(a: Sequence[str], b: Sequence[str] | None, count: int) -> Candidates:
    """Return the most similar pairs of two lists, or of one with itself: the next best by each heuristic in turn.

    Pairs of the same sentence are left out. A pair found by both heuristics counts for the first one.

    Parameters
    ----------
    a, b
        Distinct sentences; None for `b` stands for pairs within `a`.
    count
        Number of pairs.

    Raises
    ------
    ValueError
        If the count is below 1.
    """
    if count < 1:
        raise ValueError(f"the number of candidates must be at least 1, got {count}; raise it")
    other = a if b is None else b
    # Enough even if the other heuristic takes half of them. A sentence of both lists forms a pair with itself, and one
    # in either order with another such sentence.
    shared = 0 if b is None else len(set(a) & set(b))
    most = count if not shared else 2 * count + shared
    turns = []
    for name, top in zip(HEURISTICS, (top_by_overlap, top_by_vectors), strict=True):
        places = zip(*(column.tolist() for column in top(a, b, most)), strict=True)
        turns.append((name, iter([(a[i], other[j], value) for i, j, value in places if a[i] != other[j]])))
    chosen: dict[frozenset[str], tuple[str, str, str, float]] = {}
    while len(chosen) < count and turns:
        for turn in list(turns):
            name, pairs = turn
            pair = next((pair for pair in pairs if frozenset(pair[:2]) not in chosen), None)
            if pair is None:
                turns.remove(turn)
            else:
                chosen[frozenset(pair[:2])] = (pair[0], pair[1], name, pair[2])
    columns = list(zip(*list(chosen.values())[:count], strict=True)) or [()] * 4
    return Candidates(pa.table(list(map(list, columns)), schema=_SCHEMA), count)


class Overlap:
    """Similarity ``sim_l``: the share of information in common words; 0..1."""

    def __init__(self, *sources: Sequence[str]) -> None:
        counts = Counter(word for source in sources for text in source for word in words_of(text))
        self._place = {word: k for k, word in enumerate(counts)}
        total = sum(counts.values())
        # -log P, so that the only word of a text collection weighs nothing.
        self._weights = np.log(total) - np.log(np.fromiter(counts.values(), np.float64, len(counts)))

    def incidence(self, texts: Sequence[str]) -> Any:
        """Return the words of each of n texts as a sparse array of ones, shape (n, words), without uncounted words."""
        from scipy.sparse import csr_array

        word_places = [sorted({self._place[word] for word in words_of(text) if word in self._place}) for text in texts]
        ends = np.concatenate([[0], np.cumsum([len(row) for row in word_places], dtype=np.int64)])
        places = np.fromiter((place for row in word_places for place in row), np.int64, int(ends[-1]))
        return csr_array((np.ones(len(places)), places, ends), shape=(len(word_places), len(self._weights)))

    def of_rows(self, a: Any, b: Any) -> np.ndarray:
        """Return the similarity of n texts with each of m, both by `incidence`, shape (n, m)."""
        common = ((a * self._weights[None]) @ b.T).toarray()
        whole = (a @ self._weights)[:, None] + (b @ self._weights)[None]
        return np.where(whole > 0, 2 * common / np.where(whole > 0, whole, 1.0), 0.0)


def sim_l(a: str, b: str, sources: Sequence[str]) -> float:
    """Return ``2 sum log P(w) over common words / (the sums over either text)``, over distinct words; 0..1.

    Parameters
    ----------
    a, b
        Two texts of the sources.
    sources
        Texts whose words are counted for P.
    """
    overlap = Overlap(sources)
    return float(overlap.of_rows(overlap.incidence([a]), overlap.incidence([b]))[0, 0])


def sum_vectors(texts: Sequence[str], vectors: "WordVectors | None" = None) -> np.ndarray:
    """Return the normalised sum of the word vectors of each text, shape (n, d), float32; zeros if it has none."""
    from ....features.lexicon.word_vectors import shipped_vectors

    words_to_vectors = vectors or shipped_vectors(VECTORS)
    sums = np.zeros((len(texts), words_to_vectors.dimension))
    for row, text in enumerate(texts):
        words = words_of(text)
        if words:
            sums[row] = words_to_vectors.embed(words).values.sum(axis=0, dtype=np.float64)
    lengths = np.sqrt((sums**2).sum(axis=1, keepdims=True))
    return (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def sim_v(a: str, b: str, vectors: "WordVectors | None" = None) -> float:
    """Return the cosine of the sums of the word vectors of two texts; -1..1, 0 if a text has none."""
    first, second = sum_vectors([a, b], vectors)
    return float(first @ second)


def words_of(text: str) -> list[str]:
    """Return the Penn Treebank tokens of a text in lower case."""
    return [token.lower() for token in tokenize(text)]


def top_by_overlap(a: Sequence[str], b: Sequence[str] | None, most: int) -> Top:
    """Return the pairs with the largest `sim_l`; of one list with itself if `b` is None. See `top_pairs`."""
    overlap = Overlap(a) if b is None else Overlap(a, b)
    rows = overlap.incidence(a)
    others = rows if b is None else overlap.incidence(b)
    return top_pairs(lambda part: overlap.of_rows(rows[part], others), rows.shape[0], others.shape[0], most, b is None)


def top_by_vectors(a: Sequence[str], b: Sequence[str] | None, most: int, vectors: "WordVectors | None" = None) -> Top:
    """Return the pairs with the largest `sim_v`; of one list with itself if `b` is None. See `top_pairs`."""
    rows = sum_vectors(a, vectors)
    others = rows if b is None else sum_vectors(b, vectors)
    return top_pairs(lambda part: rows[part] @ others.T, len(rows), len(others), most, b is None)


def top_pairs(similarity: Callable[[slice], np.ndarray], n: int, m: int, most: int, itself: bool) -> Top:
    """Return the most similar pairs of n and m texts, similarities above 0 only."""
    left, right, values = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    size = max(1, CELLS // max(m, 1))
    for start in range(0, n, size):
        block = similarity(slice(start, min(start + size, n)))
        least = values[-1] if len(values) == most else 0.0
        candidates = block > max(float(least), 0.0)
        if itself:
            candidates &= np.arange(m)[None] > np.arange(start, start + len(block))[:, None]
        rows, columns = np.nonzero(candidates)
        left = np.concatenate([left, rows + start])
        right = np.concatenate([right, columns])
        values = np.concatenate([values, block[rows, columns].astype(np.float64)])
        order = np.lexsort((right, left, -values))[:most]
        left, right, values = left[order], right[order], values[order]
    return left, right, values
