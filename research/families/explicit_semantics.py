"""Explicit semantic analysis: sentences as vectors of concepts (Gabrilovich and Markovitch, 2007).

The concepts of the authors are the articles of Wikipedia. UKP (Bär et al., 2012) also took the glosses of WordNet,
which are the concepts here. The vector of a word holds its weight by BM25, a form of tf-idf, in the glosses where that
is greatest; the vector of a sentence is the sum of those of its words. Stop words have no vector.
"""

import numpy as np

from ...features.arrays.ragged import Ragged
from ...features.base.feature import PairBatch, feature
from ..lexicon.glosses import common_documents, cosine, documents_found, gloss_index


@feature("plain", "idf", "overlap", needs=("glosses",), source="Gabrilovich and Markovitch 2007", section="KB8")
def concepts(pairs: PairBatch) -> np.ndarray:
    """Cosine of the concept vectors, words weighted by one or by idf; shared mass of the latter as distributions."""
    documents = documents_found(pairs, gloss_index())
    common = common_documents(documents.documents, pairs.left, pairs.right)
    plain, by_idf = documents.plain.astype(np.float64), documents.by_idf.astype(np.float64)
    share = by_idf / Ragged(by_idf, documents.documents.offsets).sums()[documents.documents.rows]
    overlap = np.bincount(common.row, weights=np.minimum(share[common.a], share[common.b]), minlength=len(pairs))
    columns = [cosine(documents.documents, values, common, pairs.left, pairs.right) for values in (plain, by_idf)]
    return np.minimum(np.stack([*columns, overlap], axis=1), 1.0)
