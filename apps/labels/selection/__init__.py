"""Selection of pairs to label next, at random or by a method, and candidate pairs from lists of sentences."""

from .candidate_pairs import Candidates, candidates, read_sentences, sim_l, sim_v
from .k_center import Centres, k_center_greedy, medoid
from .pair_selection import Selection, pair_up, select_pairs
from .selection_methods import Banded, Shortfall, bands, character_similarity

__all__ = [
    "Banded",
    "Candidates",
    "Centres",
    "Selection",
    "Shortfall",
    "bands",
    "candidates",
    "character_similarity",
    "k_center_greedy",
    "medoid",
    "pair_up",
    "read_sentences",
    "select_pairs",
    "sim_l",
    "sim_v",
]
