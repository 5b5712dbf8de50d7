"""Abbreviations and contractions: the short form for the long one, and back."""

from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_ABBREVIATIONS = Substitutions(lines_of("abbreviations"))

_CONTRACTIONS = Substitutions(lines_of("contractions"))

CHANGES = (
    Change("abbreviation", True, _ABBREVIATIONS.edit),
    Change("contraction", True, _CONTRACTIONS.edit),
)
