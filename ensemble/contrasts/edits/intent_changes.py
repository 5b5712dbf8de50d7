"""Intent: the reverse of an action that is requested, wanted or ordered."""

from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("intents"))

CHANGES = (Change("intent", False, _TABLE.edit),)
