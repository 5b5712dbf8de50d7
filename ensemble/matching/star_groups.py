"""Groups in which every member is the same as the one that represents it: star clustering (Aslam et al., 2004).

Connected components would join A and C because both are the same as B, and so on along a chain. Here a text joins a
group only by its own link with the group's representative, and no two representatives are linked.
"""

import numpy as np
from scipy.sparse import csr_array


def star_groups(count: int, first: np.ndarray, second: np.ndarray, scores: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return the representative of each text.

    The text of the lowest rank represents itself, then the next one that no representative is linked with, and so on.
    Every other text joins the representative with which it has the highest score, of several the one of lowest rank.

    Parameters
    ----------
    count
        Number n of texts.
    first, second
        Shape (m,), int64: places of linked texts, each link once.
    scores
        Shape (m,): score of each link.
    rank
        Shape (n,), int64: all different; low ranks become representatives first.

    Returns
    -------
    np.ndarray
        Shape (n,), int64; a representative has its own place.
    """
    links = csr_array((np.ones(2 * len(first), bool), (np.r_[first, second], np.r_[second, first])), (count, count))
    is_representative = np.zeros(count, dtype=bool)
    linked = np.zeros(count, dtype=bool)
    for text in np.argsort(rank, kind="stable").tolist():
        if not linked[text]:
            is_representative[text] = True
            linked[links.indices[links.indptr[text] : links.indptr[text + 1]]] = True
    one, other = np.r_[first, second], np.r_[second, first]
    joining = is_representative[one] & ~is_representative[other]
    one, other, score = one[joining], other[joining], np.r_[scores, scores][joining]
    order = np.lexsort((rank[one], -score, other))
    members, places = np.unique(other[order], return_index=True)
    representatives = np.arange(count)
    representatives[members] = one[order][places]
    return representatives
