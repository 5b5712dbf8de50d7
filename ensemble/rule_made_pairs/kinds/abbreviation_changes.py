"""Abbreviations and contractions: the short form for the long one, and back."""

from ..change import Change
from ..phrase_substitution import Substitutions
from ..word_tables import lines_of

_ABBREVIATIONS = Substitutions(lines_of("abbreviations"))

_CONTRACTIONS = Substitutions(lines_of("contractions"))

CHANGES = (
    Change("abbreviation", True, _ABBREVIATIONS.edit),
    Change("contraction", True, _CONTRACTIONS.edit),
)
