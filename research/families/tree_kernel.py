"""Tree kernels on phrase trees (Collins and Duffy, 2002; Tian et al., 2017).

Every kernel is normalised, ``K(a, b) / sqrt(K(a, a) K(b, b))``; it is 0 if a sentence has no tree. The phrase trees are
those of the parser where a sentence has one, otherwise derived from the dependencies (`linguistics.phrase_trees`).
"""

import numpy as np

from ...features.base.feature import PairBatch, feature
from ..parse.node_arrays import Forest
from ..parse.phrase_trees import constituency_trees
from ..parse.tree_kernel_sums import Comparison


@feature(
    "subtree", "subset_tree", "shared_routes", "near_labels", "near_subtrees", level="parsed",
    source="Tian et al. 2017", section="SYN5",
)  # fmt: skip
def constituency(pairs: PairBatch) -> np.ndarray:
    """Subtree and subset tree kernels of the phrase trees, and three that count places; words at the leaves.

    The last three discount nodes by their distance (`Comparison.routes`): identical subtrees over all shared steps of
    their routes; equal labels with a bonus for identical subtrees; identical subtrees alone.
    """
    comparison = Comparison(Forest(constituency_trees(pairs.sentences)), pairs.left, pairs.right)
    return np.stack([comparison.subtree, comparison.subset_tree, *comparison.routes], axis=1)
