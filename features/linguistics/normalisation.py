"""Texts of any language with one spelling of each letter, cut into words, numbers and marks."""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from .known_languages import LANGUAGES

if TYPE_CHECKING:
    from tokenizers.pre_tokenizers import BertPreTokenizer

_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ`´"), " ")
_MARKS = {ord(old): new for old, new in zip("؟،؛٪٫٬۔", "?,;%.,.", strict=True)} | {ord("¿"): " ", ord("¡"): " "}

_DOTTED = {ord("İ"): "i"}  # which lower() would make two characters


def normalise_text(text: str, language: str) -> str:
    """Return a text in lower case with one spelling of each letter.

    Compatibility forms become plain letters, decimal digits of all scripts 0 to 9, marks such as Arabic question marks
    those of English, and apostrophes blanks. The rest depends on the language (`Language.spell`): Arabic loses vowel
    signs, Turkish I becomes ı, and Spanish keeps its accents.

    Parameters
    ----------
    text
        Any text.
    language
        An ISO 639-1 code, such as ``ar``.

    Examples
    --------
    >>> normalise_text("IŞIK, Kâğıt ve İpek'ten", "tr")
    'ışık, kağıt ve ipek ten'
    """
    text = unicodedata.normalize("NFKC", text).translate(_MARKS).translate(_DOTTED)
    text = LANGUAGES[language].spell(text) if language in LANGUAGES else text.lower()
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
    return text.translate(_APOSTROPHES)


class Token(NamedTuple):
    """A word, a number or a mark as `normalise_text` spells it, and its start and end in a text."""

    text: str
    span: tuple[int, int]


def split_text(text: str, language: str) -> list[Token]:
    """Return the words, numbers and marks of a text in order, without those that normalisation leaves empty.

    The text is cut as by BERT (Devlin et al., 2019): at blanks, and before and after every mark.

    Examples
    --------
    >>> [token.text for token in split_text("¿Cuesta 3,50 o más?", "es")]
    ['cuesta', '3', ',', '50', 'o', 'más', '?']
    """
    # The library refuses lone surrogates.
    readable = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    cut = _cutter().pre_tokenize_str(readable)
    tokens = (Token(normalise_text(token, language).strip(), span) for token, span in cut)
    return [token for token in tokens if token.text]


@cache
def _cutter() -> "BertPreTokenizer":
    from tokenizers.pre_tokenizers import BertPreTokenizer

    return BertPreTokenizer()
