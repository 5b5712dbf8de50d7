"""Modality: duty, permission, ability, certainty and intention, one for another."""

from ..change import Change
from ..phrase_substitution import Substitutions
from ..word_tables import lines_of

_TABLE = Substitutions(lines_of("modalities"))

CHANGES = (Change("modality", False, _TABLE.edit),)
