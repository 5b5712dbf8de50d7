"""Facts about Turkish, and the spelling of its letters."""

from ..language import Language

_LONG_VOWELS = {ord(old): new for old, new in zip("âîû", "aiu", strict=True)}


def _spell(text: str) -> str:
    # I is the capital of dotless ı; the circumflex is rarely written.
    return text.replace("I", "ı").lower().translate(_LONG_VOWELS)


LANGUAGE = Language(
    code="tr",
    code3="tur",
    name="Turkish",
    measured=True,
    stemmer="turkish",
    spell=_spell,
    probe="Bir adam sokakta gitar çalıyor.",
)
