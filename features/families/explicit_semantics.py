"""Explicit semantic analysis: sentences as vectors of concepts (Gabrilovich and Markovitch, 2007).

The authors' concepts are the articles of Wikipedia; UKP (Bar et al., 2012) took WordNet's glosses too, as these do. The
vector of a word is its weight by BM25, a form of tf-idf, in the glosses that it tells most of; that of a sentence is
the sum of its words'. Stop words have none.
"""

import numpy as np

from ..arrays.ragged import Ragged
from ..declaration import PairBatch, feature
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
