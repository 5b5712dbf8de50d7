"""Similarity of the words of a batch by a WordNet that the user built, for features of the user's own."""

from dataclasses import dataclass

import numpy as np

from ..arrays.ragged import ratio
from ..lexicon.built_wordnet import UNCOUNTED, BuiltWordNet
from ..lexicon.sense_similarity import word_similarity
from ..sentences import PairBatch
from ..token_sequences import vocabulary
from .lexical_similarity import best
from .word_grids import content_grid, terms


@dataclass(frozen=True)
class BuiltWordNetMeasure:
    """A measure of `sense_similarity.word_similarity` in [0, 1]; 1 for equal lemmas.

    The counterpart of `lexical_similarity.WordNetMeasure`, which reads the shipped WordNet. Resnik similarity is
    divided by the greatest information content of a synset that is counted, and Jiang-Conrath similarity is clipped
    at 1.

    Attributes
    ----------
    wordnet
        The WordNet.
    name
        One of `synset_similarity.MEASURES`.
    classes
        Parts of speech that are compared, indices into `wordnet.CLASSES`; other words are similar to themselves only.
    information
        The kind of `BuiltWordNet.information_content` that res, lin and jcn use.
    """

    wordnet: BuiltWordNet
    name: str
    classes: tuple[int, ...] = (0, 1, 2, 3)
    information: str = "semcor"

    def __call__(self, pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the similarity of terms."""
        batch_terms, words = terms(pairs), self._words(pairs)
        values = np.zeros(len(x))
        same_class = batch_terms.classes[x] == batch_terms.classes[y]
        used = np.flatnonzero(
            same_class & np.isin(batch_terms.classes[x], self.classes) & (words[x] >= 0) & (words[y] >= 0)
        )
        similarity = word_similarity(self.wordnet, self.name, words[x[used]], words[y[used]], self.information)
        if self.name == "res":
            similarity = similarity / self._greatest_content()
        values[used] = np.clip(similarity, 0.0, 1.0)
        values[batch_terms.lemmas[x] == batch_terms.lemmas[y]] = 1.0
        return values

    def _words(self, pairs: PairBatch) -> np.ndarray:
        batch_terms, hashes = terms(pairs), vocabulary(pairs, "lemmas").hashes
        return pairs.memo(
            ("words of a built WordNet", self.wordnet.digest),
            lambda: self.wordnet.hashed_word_ids(hashes[batch_terms.lemmas], batch_terms.classes),
        )

    def _greatest_content(self) -> float:
        content = self.wordnet.information_content(self.information)
        return float(content[content < UNCOUNTED].max(initial=0.0)) or 1.0


def mean_best(pairs: PairBatch, measure: BuiltWordNetMeasure) -> np.ndarray:
    """Return the mean over both sentences of the mean best similarity of their content words (Mihalcea et al., 2006).

    Words count alike; the paper weighs them by idf.

    Parameters
    ----------
    pairs
        A batch of the level ``lexical`` or above.
    measure
        The measure of two words.

    Returns
    -------
    np.ndarray
        Shape (n,), 0 to 1.
    """
    grid = content_grid(pairs)
    best_a, best_b = best(pairs, grid, measure)
    sums = grid.sums(best_a * grid.count_a, best_b * grid.count_b)
    a, b = (ratio(*side) for side in zip(sums, grid.sizes, strict=True))
    return np.minimum((a + b) / 2, 1.0)
