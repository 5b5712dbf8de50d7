"""Both texts of a pair as one input, joined as a BERT reads them (Devlin et al., 2019), and the run of a network."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from .onnx_transformer import Network, check_shape, run
from .sentence_encoder import SentenceEncoder

MOST_PIECES = 120
"""Word pieces that are read of each text; further ones are ignored."""


def piece_ids(encoder: SentenceEncoder, texts: Sequence[str]) -> list[list[int]]:
    """Return the first `MOST_PIECES` word pieces of each text, without special ones."""
    return [token.ids[1:-1][:MOST_PIECES] for token in encoder.tokens(texts)]


def joined(
    special: Sequence[int], first: Sequence[int], second: Sequence[int], between: int = 1
) -> tuple[list[int], list[int]]:
    """Return the pieces of two texts as one input, and for each piece the number of its text, 0 or 1."""
    begin, end = special
    ids = [begin, *first, *[end] * between, *second, end]
    return ids, [0] * (len(first) + 2) + [1] * (len(ids) - len(first) - 2)


def canonical_order(lengths: np.ndarray, texts: Sequence[str], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the texts of each pair in the order in which they are read, shape (n, 2): shorter first, ties by text."""
    rank = np.empty(len(texts), dtype=np.int64)
    rank[sorted(range(len(texts)), key=lambda row: (lengths[row], texts[row]))] = np.arange(len(texts))
    turned = rank[left] > rank[right]
    return np.stack([np.where(turned, right, left), np.where(turned, left, right)], axis=1)


def pair_outputs(
    network: Network,
    encoder: SentenceEncoder,
    texts: Sequence[str],
    left: np.ndarray,
    right: np.ndarray,
    *,
    reads: Callable[[np.ndarray], dict[str, np.ndarray]] | None = None,
    between: int = 1,
    both_orders: bool = False,
) -> np.ndarray:
    """Return what a network gives for each pair, shape (n,), float64; equal pairs are read once.

    Parameters
    ----------
    network
        Reads ``token_type_ids`` and what `reads` returns, and gives one number a row.
    encoder
        The encoder whose word pieces it reads.
    texts
        Distinct texts.
    left, right
        Indices of the texts of n pairs. The output does not depend on which is which.
    reads
        Returns inputs of the network for word pieces, shape (rows, length), int64; by default ``word_embeddings``, the
        vectors of the pieces.
    between
        As for `joined`.
    both_orders
        Whether to read each pair in both orders and take the mean.
    """
    pieces, special = piece_ids(encoder, texts), encoder.special
    reads = reads or partial(_vectors, encoder)
    order = canonical_order(np.fromiter(map(len, pieces), np.int64, len(pieces)), texts, left, right)
    pairs, inverse = np.unique(order, axis=0, return_inverse=True)

    def outputs(pairs: np.ndarray) -> np.ndarray:
        read = [joined(special, pieces[first], pieces[second], between) for first, second in pairs.tolist()]

        def inputs(rows: np.ndarray) -> dict[str, np.ndarray]:
            ids, segments = (np.asarray([read[row][part] for row in rows], dtype=np.int64) for part in (0, 1))
            return {**reads(ids), "token_type_ids": segments}

        found = np.empty(len(read))
        for rows, output in run(network, np.asarray([len(ids) for ids, _ in read], dtype=np.int64), inputs):
            found[rows] = check_shape(network, output, len(rows))
        return found

    found = outputs(pairs)
    if both_orders:
        found = 0.5 * (found + outputs(pairs[:, ::-1]))
    return found[inverse.ravel()]


def _vectors(encoder: SentenceEncoder, ids: np.ndarray) -> dict[str, np.ndarray]:
    assert encoder.words is not None, "the network reads vectors of word pieces"
    return {"word_embeddings": encoder.words.rows(ids)}
