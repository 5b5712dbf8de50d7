"""Facts about Portuguese."""

from ..language import Language

LANGUAGE = Language(
    code="pt",
    code3="por",
    name="Portuguese",
    stemmer="portuguese",
    probe="Um homem toca violão na rua.",
)
