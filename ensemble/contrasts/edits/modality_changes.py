"""Modality: duty, permission, ability, certainty and intention, one for another."""

from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("modalities"))

CHANGES = (Change("modality", False, _TABLE.edit),)
