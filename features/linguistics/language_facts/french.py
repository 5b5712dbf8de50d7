"""Facts about French."""

from ..language import Language

LANGUAGE = Language(
    code="fr",
    code3="fra",
    name="French",
    stemmer="french",
    probe="Un homme joue de la guitare dans la rue.",
)
