"""Facts about Italian."""

from ..language import Language

LANGUAGE = Language(
    code="it",
    code3="ita",
    name="Italian",
    stemmer="italian",
    probe="Un uomo suona la chitarra per strada.",
)
