"""Facts about Spanish."""

from ..language import Language

LANGUAGE = Language(
    code="es",
    code3="spa",
    name="Spanish",
    measured=True,
    stemmer="spanish",
    apertium="spa",
    probe="Un hombre toca la guitarra en la calle.",
)
