"""Letters as the encoders of other languages read them, and texts cut into words, numbers and marks."""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tokenizers.pre_tokenizers import BertPreTokenizer

_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ`´"), " ")
_MARKS = {ord(old): new for old, new in zip("؟،؛٪٫٬۔", "?,;%.,.", strict=True)} | {ord("¿"): " ", ord("¡"): " "}

_ARABIC_SIGNS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")
_ARABIC_LETTERS = {ord(old): new for old, new in zip("أإآٱىیکة", "ااااييكه", strict=True)}
_DOTTED = {ord("İ"): "i"}  # which lower() would make two characters
_TURKISH_LONG = {ord(old): new for old, new in zip("âîû", "aiu", strict=True)}


def normalise_text(text: str, language: str) -> str:
    """Return a text in lower case with one spelling of each letter.

    Compatibility forms become plain letters and decimal digits of all scripts 0 to 9; question marks, commas and the
    like become those of English, and apostrophes blanks. What else is done depends on the language:

    ========  ==============================================================================================
    ``ar``    no tatweel, no vowel signs; alef with hamza, madda or wasla is alef, alef maksura is yeh, and teh
              marbuta is heh (Larkey et al., 2002)
    ``tr``    I becomes dotless ı and İ dotted i; â, î and û lose their circumflex, which is rarely written
    other     nothing, so that Spanish keeps its accents
    ========  ==============================================================================================

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
    if language == "tr":
        text = text.replace("I", "ı").lower().translate(_TURKISH_LONG)
    else:
        text = text.lower()
    if language == "ar":
        text = _ARABIC_SIGNS.sub("", text).translate(_ARABIC_LETTERS)
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
    return text.translate(_APOSTROPHES)


class Token(NamedTuple):
    """A word, a number or a mark as `normalise_text` spells it, and from where to before where it stands in a text."""

    text: str
    span: tuple[int, int]


def split_text(text: str, language: str) -> list[Token]:
    """Return the words, numbers and marks of a text in order; what is normalised to nothing is left out.

    They are cut as BERT cuts them (Devlin et al., 2019): at blanks, and before and after every mark.

    Examples
    --------
    >>> [token.text for token in split_text("¿Cuesta 3,50 o más?", "es")]
    ['cuesta', '3', ',', '50', 'o', 'más', '?']
    """
    # The library refuses a lone surrogate.
    readable = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    cut = _cutter().pre_tokenize_str(readable)
    found = (Token(normalise_text(token, language).strip(), span) for token, span in cut)
    return [token for token in found if token.text]


@cache
def _cutter() -> "BertPreTokenizer":
    from tokenizers.pre_tokenizers import BertPreTokenizer

    return BertPreTokenizer()
