"""Texts with one spelling of each letter: one Unicode form, the form of equal texts, and words of any language."""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from .combining_marks import bound_marks
from .known_languages import LANGUAGES

if TYPE_CHECKING:
    from tokenizers.pre_tokenizers import BertPreTokenizer

_SURROGATE = re.compile("[\ud800-\udfff]")
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def replace_surrogates(text: str) -> str:
    """Return a text with surrogate pairs joined into characters, and U+FFFD for each lone surrogate."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    joined = _HALVES.sub(lambda halves: halves[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _SURROGATE.sub("\ufffd", joined)


# All of category Cf, but those that are seen (Arabic and other signs before numbers, hieroglyphs); and four fillers.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001]"
)
_EMOJI = "[\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]"
_JOINER = re.compile(f"({_EMOJI}\ufe0f?)?\u200d(?!{_EMOJI})|(?<!{_EMOJI})(?<!{_EMOJI}\ufe0f)\u200d")
_TAGS = re.compile("(\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)|[\U000e0020-\U000e007f]")

# NFKC makes 102 of 10², 11/2 of 1½ and 101 of 10①: such digits are kept apart first.
_RAISED = re.compile(r"(?<=[\d)\]])(?=[⁰¹²³⁴-⁹⁺⁻ⁿ])|(?<=\w)(?=[⁺⁻][⁰¹²³⁴-⁹])")
_LOWERED = re.compile(r"(?<=\d)(?=[₀-₉₊₋])")
_APART = "¼-¾⅐-⅞↉①-⑳⒈-⒛⓪㉑-㉟㊱-㊿㋀-㋋㍘-㍰㏠-㏾🄀-🄊"
_DIGITS_MEET = re.compile(f"(?<=[\\d{_APART}])(?=[{_APART}⅟])|(?<=[{_APART}])(?=\\d)")

_ONE_FORM = {
    **dict.fromkeys("‘’‚‛ʼʻ′", "'"),
    **dict.fromkeys("“”„‟", '"'),
    **dict.fromkeys("‐‒–−", "-"),
    **dict.fromkeys("—―⸺⸻", " - "),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("™℠", ""),
}
# What NFKC makes of the acute accent that some keyboards have for an apostrophe.
_ACUTE_ALONE = re.compile(r"(?:^|\s+)\u0301")


class _Forms(dict[int, str]):
    # The compatibility form of each character in one form of each mark, found when it first occurs.
    def __missing__(self, code: int) -> str:
        letter = chr(code)
        form = _ONE_FORM.get(letter)
        if form is None:
            plain = normalize("NFKD", letter)
            form = "".join(_ONE_FORM.get(part, part) for part in plain) if plain != normalize("NFD", letter) else letter
        self[code] = form
        return form


_FORMS = _Forms({code: chr(code) for code in range(128)})


def one_form(text: str) -> str:
    """Return a text in one of the forms that Unicode has for it; an ASCII text is returned as it is.

    Compatibility forms become plain ones (NFKC), but digits that are raised, lowered or in a fraction keep their value.
    Characters that nobody sees (category Cf) are left out, except those inside emoji. Typographic quotes become
    straight ones, hyphens and dashes become hyphens, and combining marks after one character are kept up to
    `combining_marks.MOST_MARKS`.

    Examples
    --------
    >>> one_form("３ ﬁles of 10² m², 1½ hours"), one_form("it’s co\u00adoperative")
    ('3 files of 10^2 m2, 1 1/2 hours', "it's cooperative")
    """
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", replace_surrogates(text))
    text = _TAGS.sub(lambda found: found[1] or "", text)
    text = _JOINER.sub(lambda found: found[1] or "", text)
    text = _DIGITS_MEET.sub(" ", _LOWERED.sub("_", _RAISED.sub("^", text)))
    text = normalize("NFC", bound_marks(text.translate(_FORMS)))
    return _ACUTE_ALONE.sub("'", text)


# Marks of Latin and Greek letters: elsewhere, as in Cyrillic and Devanagari, a mark makes another letter.
_ACCENTS = re.compile("(?<=[A-Za-zÀ-ɏͰ-ϿḀ-ỿ])[\u0300-\u036f]+|[\ufe00-\ufe0f]")
_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE"}
    | {"œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H"}
)


def without_accents(text: str) -> str:
    """Return a text whose Latin and Greek letters have no accents, and without variation selectors.

    Examples
    --------
    >>> without_accents("München Łódź résumé smørrebrød")
    'Munchen Lodz resume smorrebrod'
    """
    if text.isascii():
        return text
    return normalize("NFC", _ACCENTS.sub("", normalize("NFD", text)).translate(_LETTERS))


def compared_form(text: str) -> str:
    """Return what two texts that differ in case and form alone have in common; empty if nothing of a text is seen.

    It is `one_form` without capitals and repeated white space. Letters keep their accents, which tell words apart.

    Examples
    --------
    >>> compared_form("  Reset my PASS\u00adWORD ")
    'reset my password'
    """
    # The blank of Braille is no white space.
    return " ".join(normalize("NFC", one_form(text).replace("\u2800", " ").casefold()).split())


_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ`´"), " ")
_MARKS = {ord(old): new for old, new in zip("؟،؛٪٫٬۔", "?,;%.,.", strict=True)} | {ord("¿"): " ", ord("¡"): " "}

_DOTTED = {ord("İ"): "i"}  # which lower() would make two characters


def ascii_digits(text: str) -> str:
    """Return a text with the digits of all scripts as ASCII digits.

    Examples
    --------
    >>> ascii_digits("٣٤ km")
    '34 km'
    """
    return text if text.isascii() else "".join(str(unicodedata.decimal(letter, letter)) for letter in text)


def normalise_text(text: str, language: str) -> str:
    """Return a text in lower case with one spelling of each letter."""
    text = unicodedata.normalize("NFKC", text).translate(_MARKS).translate(_DOTTED)
    text = LANGUAGES[language].spell(text) if language in LANGUAGES else text.lower()
    return ascii_digits(text).translate(_APOSTROPHES)


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
