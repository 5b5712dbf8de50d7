"""Quantifiers: all, some, no, most, few; every, at least, only, almost; everybody, nobody; always, never."""

from ..change import Change
from ..phrase_substitution import Substitutions
from ..word_tables import lines_of

_TABLE = Substitutions(lines_of("quantifiers"))

CHANGES = (Change("quantifier", False, _TABLE.edit),)
