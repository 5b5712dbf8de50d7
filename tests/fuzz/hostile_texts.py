"""Made-up texts of every kind that a table or a request may hold, from a seed."""

import re
import unicodedata
from collections.abc import Callable
from random import Random

WORDS = (
    "the a an of to in on and or not no never cannot gonna isn't they're men man women dog dogs cat runs ran running "
    "plays guitar violin slices two three thirty-five hundred million 3 3.0 1,000.50 2019 $ % first market shares rose "
    "fell Berlin Mr. Hall U.S. .DJI quickly red large said that which who her his is are was were at by with for from"
).split()
QUOTES = [
    "\"'`‘’“”«»",
    "''",
    "``",
    "--",
    "...",
    "n't",
    "'s",
    "'ll",
    "d'ye",
    "'tis",
    "cannot",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
]
SPACES = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u2028\u2029\u202f\u205f\u3000"
INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069\ufe0f\u034f"
    + "\x00\x07\x1b\x7f"
)
MARKS = (
    "\u0300\u0301\u0308\u0323\u0327\u0344\u0345\u05b0\u064b\u0651\u093c\u0f71\u0f73\u0f75\u0f81\u302e\u3099\U0001d165"
)
EMOJI = ["👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "1\ufe0f\u20e3", "😀"]
FOREIGN = [
    "Привет",
    "как",
    "你好世界",
    "こんにちは",
    "ﾊﾟｶﾞ",
    "한국어",
    "각",
    "مرحبا",
    "بالعالم",
    "שלום",
    "नमस्ते",
    "İstanbul",
    "ﬁne",
    "straße",
    "ﷺ",
    "Ⅷ",
]
DIGITS = "0123456789٣४๓０１²½⅓Ⅳ௧"
LINKS = [
    "http://a.example/b?c=d&e=f#g",
    "x@y.example",
    "www.a.example",
    "C:\\x\\y",
    "../../etc",
    "<b>x</b>",
    "{{7*7}}",
    "%s%n",
]
FORMS = ("NFC", "NFD")


def hostile_text(r: Random) -> str:
    """Return a text of one kind, or of several together."""
    draw = r.random()
    if draw < 0.35:
        return sentence(r)
    if draw < 0.6:
        return mutated(sentence(r), r)
    if draw < 0.9:
        return r.choice(KINDS)(r)
    if draw < 0.9001:
        return r.choice(KINDS)(r) * 10_000
    text = r.choice(["", " ", r.choice(SPACES)]).join(r.choice(KINDS)(r) for _ in range(r.randrange(2, 5)))
    return text if draw < 0.995 else _long(r)


def hostile_pair(r: Random) -> tuple[str, str]:
    """Return two texts, often one made of the other."""
    a = hostile_text(r)
    draw = r.random()
    return a, hostile_text(r) if draw < 0.5 else mutated(a, r) if draw < 0.95 else respelt(a, r)


_MANY_MARKS = re.compile(r"[^\w\s\x00-\x7f]{2000}")


def respelt(text: str, r: Random) -> str:
    """Return a text that must score as the given one: in another Unicode form, with other white space."""
    # The library takes minutes for as many marks in a row as a long text may have.
    if not _MANY_MARKS.search(text):
        text = unicodedata.normalize(r.choice(FORMS), text)
    spaced = "".join(r.choice(SPACES) * r.randrange(1, 3) if c == " " else c for c in text)
    return r.choice(SPACES) * r.randrange(3) + spaced + r.choice(SPACES) * r.randrange(3)


def sentence(r: Random) -> str:
    """Return words of English in any order."""
    text = " ".join(r.choices(WORDS, k=r.randrange(1, 14)))
    return text[:1].upper() + text[1:] + r.choice([".", "", "!", "?", " ."])


def mutated(text: str, r: Random) -> str:
    """Return a text with one to four places changed."""
    for _ in range(r.randrange(1, 5)):
        i = r.randrange(len(text) + 1)
        j = min(len(text), i + r.randrange(1, 6))
        draw = r.random()
        if draw < 0.4:
            text = text[:i] + r.choice(KINDS)(r)[:20] + text[i:]
        elif draw < 0.6:
            text = text[:i] + text[j:]
        elif draw < 0.75:
            text = text[:i] + text[i:j] * 2 + text[j:]
        elif draw < 0.85:
            text = text[:i] + text[i:j].swapcase() + text[j:]
        else:
            words = text.split(" ")
            r.shuffle(words)
            text = " ".join(words)
    return text


def _some(items: str | list[str], most: int = 12) -> Callable[[Random], str]:
    return lambda r: "".join(r.choices(items, k=r.randrange(most)))


def _any_character(r: Random) -> str:
    plane = r.choice([0x80, 0x800, 0x3000, 0x10000, 0x20000, 0x110000])
    return "".join(chr(r.randrange(plane)) for _ in range(r.randrange(15)))


def _surrogates(r: Random) -> str:
    return "".join(
        chr(r.randrange(0xD800, 0xE000)) if r.random() < 0.5 else r.choice("a 😀\u0301") for _ in range(r.randrange(9))
    )


def _marked(r: Random) -> str:
    return "".join(
        r.choice("ae éᾂ각. ") + "".join(r.choices(MARKS, k=r.choice([0, 1, 2, 12, 29, 30, 31, 60])))
        for _ in range(r.randrange(4))
    )


def _number(r: Random) -> str:
    digits = "".join(r.choices(DIGITS if r.random() < 0.3 else "0123456789", k=r.choice([1, 2, 4, 16, 17, 309, 400])))
    return (
        r.choice(["", "-", "$", ".", "1,", "1/", "1e", "0x", "+"])
        + digits
        + r.choice(["", ".", ",000", ".5", "/0", "%", "th", "e999", "-"])
    )


def _number_words(r: Random) -> str:
    return r.choice([" ", "-", " and "]).join(
        r.choices("zero one nineteen twenty ninety hundred thousand trillion and".split(), k=r.randrange(30))
    )


def _words(items: list[str], most: int = 9) -> Callable[[Random], str]:
    return lambda r: r.choice([" ", " ", "", "\u200b"]).join(r.choices(items, k=r.randrange(most)))


def _nested(r: Random) -> str:
    depth = r.choice([1, 3, 30])
    left, right = r.choice(["()", "[]", "{}", "<>", "''", '""', "`'", "“”", "‘’"])
    return left * depth + sentence(r) + right * r.choice([0, depth, depth + 1])


def _repeated(r: Random) -> str:
    item = r.choice(
        [
            "a",
            "a ",
            ". ",
            ",",
            "-",
            "n't ",
            "'",
            '"',
            "\u200d",
            "\u0301",
            "é",
            "😀",
            "\u1100\u1161",
            "1",
            "1,",
            "(",
            "the ",
            "not ",
        ]
    )
    return item * r.choice([2, 20, 99, 100, 101, 200])


def _long(r: Random) -> str:
    text = r.choice(KINDS)(r) or "x"
    return (text + r.choice(["", " "])) * (r.choice([1_999, 2_000, 2_001, 5_000]) // (len(text) + 1) + 1)


KINDS: list[Callable[[Random], str]] = [
    *(_some(SPACES), _some(INVISIBLE), _some(EMOJI), _some(QUOTES), _some(MARKS, 40), _any_character, _surrogates),
    *(_marked, _number, _number_words, _words(FOREIGN), _words(LINKS, 4), _words([*QUOTES, *WORDS], 20), _nested),
    *(_repeated, sentence, lambda r: ""),
]
"""Makers of one kind of text."""
