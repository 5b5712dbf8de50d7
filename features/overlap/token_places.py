"""Places of the tokens of both sides of a batch of pairs, for measures that read several annotations of a token."""

import numpy as np

from ..arrays.ragged import Ragged, stack
from ..sentences import PairBatch
from ..token_sequences import Sides, emptied, stop_mask, vocabulary


def places(pairs: PairBatch, stops: str | None = None) -> Sides:
    """Return both sides of every pair as indices into the tokens of all distinct sentences of the batch.

    Parameters
    ----------
    pairs
        The batch.
    stops
        Omit the words of this stop list unless that empties a side, as `item_ids` does.
    """

    def compute() -> Sides:
        offsets = vocabulary(pairs, "words").ids.offsets
        tokens = Ragged(np.arange(offsets[-1]), offsets)
        if stops is None:
            return Sides(tokens.take(pairs.left), tokens.take(pairs.right))
        both = stack(tokens, tokens.where(~stop_mask(pairs, stops)))
        shift = np.where(emptied(pairs, stops), 0, len(pairs.sentences))
        return Sides(both.take(pairs.left + shift), both.take(pairs.right + shift))

    return pairs.memo(("places", stops), compute)


def ranking(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the hashes and the rank of each.

    Ranks depend on the batch, but the order of any two hashes does not: sums in that order are equal in every batch.
    """
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return order, rank
