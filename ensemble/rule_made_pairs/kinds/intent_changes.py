"""Intent: the reverse of an action that is requested, wanted or ordered."""

from ..change import Change
from ..phrase_substitution import Substitutions
from ..word_tables import lines_of

_TABLE = Substitutions(lines_of("intents"))

CHANGES = (Change("intent", False, _TABLE.edit),)
