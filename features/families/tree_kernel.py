"""Tree kernels on phrase trees and on dependency trees (Collins and Duffy, 2002; Moschitti, 2006; Tian et al., 2017).

Every kernel is normalised, ``K(a, b) / sqrt(K(a, a) K(b, b))``; it is 0 if a sentence has no tree. The phrase trees are
those of the parser where a sentence has one, otherwise derived from the dependencies (`linguistics.phrase_trees`).
"""

from itertools import chain

import numpy as np

from ..analysis.phrase_trees import Trees, constituency_trees
from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary
from ..tree_kernels.node_arrays import Forest
from ..tree_kernels.tree_kernel_sums import Comparison


def _phrases(pairs: PairBatch) -> Trees:
    return pairs.memo("phrase trees", lambda: constituency_trees(pairs.sentences))


def _compared(pairs: PairBatch, name: str, trees: Trees) -> Comparison:
    return pairs.memo(("tree kernels", name), lambda: Comparison(Forest(trees), pairs.left, pairs.right))


def _constituency(pairs: PairBatch) -> Comparison:
    return _compared(pairs, "words", _phrases(pairs))


def _tags(pairs: PairBatch) -> Comparison:
    return _compared(pairs, "tags", pairs.memo("tag trees", lambda: _phrases(pairs).without_words()))


def _dependencies(pairs: PairBatch, field: str) -> Comparison:
    def compute() -> Trees:
        offsets = vocabulary(pairs, "lemmas").ids.offsets
        heads = chain.from_iterable(sentence.heads for sentence in pairs.sentences)
        above = np.fromiter(heads, dtype=np.int64)
        positions = np.arange(len(above)) - np.repeat(offsets[:-1], np.diff(offsets))
        labels = list(chain.from_iterable(getattr(sentence, field) for sentence in pairs.sentences))
        return Trees(labels, np.where(above == positions, -1, above), np.ones(len(above), dtype=bool), offsets)

    return _compared(pairs, field, pairs.memo(("dependency trees", field), compute))


def _five(comparison: Comparison) -> np.ndarray:
    return np.stack([comparison.subtree, comparison.subset_tree, *comparison.routes], axis=1)


_FIVE = ("subtree", "subset_tree", "shared_routes", "near_labels", "near_subtrees")


@feature(*_FIVE, level="parsed", source="Tian et al. 2017", section="SYN5")
def constituency(pairs: PairBatch) -> np.ndarray:
    """Subtree and subset tree kernels of the phrase trees, and three that count places; words at the leaves.

    The last three discount nodes by their distance (`Comparison.routes`): identical subtrees over all shared steps of
    their routes; equal labels with a bonus for identical subtrees; identical subtrees alone.
    """
    return _five(_constituency(pairs))


@feature(*_FIVE, level="parsed", source="Tian et al. 2017", section="SYN5")
def constituency_tags(pairs: PairBatch) -> np.ndarray:
    """Kernels as in `constituency` without the words: the leaves are the tags."""
    return _five(_tags(pairs))


@feature("words", "tags", level="parsed", source="Moschitti 2006", section="SYN5")
def partial_tree(pairs: PairBatch) -> np.ndarray:
    """Partial tree kernel of the phrase trees, with the words at the leaves and without."""
    return np.stack([_constituency(pairs).partial_tree, _tags(pairs).partial_tree], axis=1)


def _three(comparison: Comparison) -> np.ndarray:
    return np.stack([comparison.subtree, comparison.subset_tree, comparison.partial_tree], axis=1)


_THREE = ("subtree", "subset_tree", "partial_tree")


@feature(*_THREE, level="parsed", source="Moschitti 2006", section="SYN5")
def dependency(pairs: PairBatch) -> np.ndarray:
    """Kernels of the dependency trees, nodes labelled with lemmas."""
    return _three(_dependencies(pairs, "lemmas"))


@feature(*_THREE, level="parsed", source="Moschitti 2006", section="SYN5")
def dependency_relations(pairs: PairBatch) -> np.ndarray:
    """Kernels of the dependency trees, nodes labelled with their relations."""
    return _three(_dependencies(pairs, "relations"))
