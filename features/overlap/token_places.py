"""The tokens of both sides of a batch of pairs as places, for what several annotations of a token are read together."""

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
        Leave out the words of this stop list, unless that empties a side, as `views.item_ids` does.
    """

    def compute() -> Sides:
        offsets = vocabulary(pairs, "words").ids.offsets
        every = Ragged(np.arange(offsets[-1]), offsets)
        if stops is None:
            return Sides(every.take(pairs.left), every.take(pairs.right))
        both = stack(every, every.where(~stop_mask(pairs, stops)))
        shift = np.where(emptied(pairs, stops), 0, len(pairs.sentences))
        return Sides(both.take(pairs.left + shift), both.take(pairs.right + shift))

    return pairs.memo(("places", stops), compute)


def ranking(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the hashes and the rank of each.

    Ranks follow the batch, but the order of any two hashes does not, so sums in that order are alike in every batch.
    """
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return order, rank
