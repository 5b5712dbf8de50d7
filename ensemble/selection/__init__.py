"""Which pairs to have labelled next: by coverage, disagreement or bands; and candidates from lists of sentences."""

from .bands import Banded, Shortfall, bands, character_similarity
from .candidates import Candidates, candidates, read_sentences
from .heuristics import sim_l, sim_v
from .k_center import Centres, k_center_greedy, medoid
from .robust import RobustCentres, robust_k_center
from .selecting import Selection, pair_up, select_pairs

__all__ = [
    "Banded",
    "Candidates",
    "Centres",
    "RobustCentres",
    "Selection",
    "Shortfall",
    "bands",
    "candidates",
    "character_similarity",
    "k_center_greedy",
    "medoid",
    "pair_up",
    "read_sentences",
    "robust_k_center",
    "select_pairs",
    "sim_l",
    "sim_v",
]
