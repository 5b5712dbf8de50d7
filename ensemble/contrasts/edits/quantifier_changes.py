"""Quantifiers: all, some, no, most, few; every, at least, only, almost; everybody, nobody; always, never."""

from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("quantifiers"))

CHANGES = (Change("quantifier", False, _TABLE.edit),)
