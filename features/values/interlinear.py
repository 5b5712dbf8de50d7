"""Interlinear sentences: the closed-class words of a language in English, and its other words as they are.

What needs no language is kept as written (codes, addresses, signs), numbers and dates in digits are spelt as in
English, and closed-class words become the English words that the rules of values and differences know. So one set of
rules reads all languages. Each word knows the characters that it stands for.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import NamedTuple

from ..analysis.analysis import cut, normalise
from ..base.sentences import Sentence
from ..linguistics.closed_classes import ClosedClasses, Match, closed_classes
from ..linguistics.normalisation import ascii_digits
from ..linguistics.stems import stem
from ..linguistics.tokenizer import tokenize
from .clock import MONTHS
from .interlinear_hours import BEFORE_HOUR, Span, Token, english_token, with_hours
from .numbers import SCALES


class Interlinear(NamedTuple):
    """An interlinear sentence, of the level ``lexical``, and the characters of the text that each token stands for."""

    sentence: Sentence
    spans: tuple[Span, ...]


class _Unit(NamedTuple):
    # A word, figure or mark as written and as it is looked up; `first` of a sentence.
    text: str
    word: str
    span: Span
    kind: str
    first: bool = False


_UNIT = re.compile(
    r"""
    (?P<figure>[\w.+-]+@[\w-]+\.[\w.-]+ | (?:https?://|www\.)\S+ | [^\s"“”«»()\[\]¿¡،؛]*\d[^\s"“”«»()\[\]،؛]*)
    | (?P<word>[^\W_](?:[^\W_]|[\u064b-\u065f\u0670])*) | (?P<mark>\S)
    """,
    re.VERBOSE,
)
_EDGE = ".,;:!?'’…"
_POINT_CLOCK = re.compile(r"([01]?\d|2[0-4])\.([0-5]\d)")
_DAY_MONTH = re.compile(r"(\d{1,2})([./])(\d{1,2})")
_NEGATIVE = frozenset("never nobody nothing no none neither nor".split())
_MONTH_NAMES = [name.capitalize() for name in list(MONTHS)[:12]]
_MARKS = {"؟": "?", "،": ",", "؛": ";"}
_STARTS = frozenset('.!?:"“«(¿¡-')
_ARTICLE = re.compile(r"[^\W\d_]{1,6}['’](?=\w)")
_GROUPED = re.compile(r"(?<![\d.,:/-])\d{1,3}(?:[ '’]\d{3})+(?![\d])")
_GROUPING = re.compile(r"[ '’]")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)")
_HOUR = re.compile(r"(\d{1,2})h(\d\d)?")
_DECIMAL_COMMA = re.compile(r"(?<![\d.,\w])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![\d.,]*\d)")
_PERCENT_FIRST = re.compile(r"%(\d[\d.,]*)")
_ORDINAL = re.compile(r"(\d{1,4})\.?(?:º|ª|°|er|ère|ere|re|e|è|ème|eme|ième|[ao])")
_COMPOUND = re.compile(r"(\d[\d.,]*)-([^\W\d_]{3,})")
_ARABIC_MARKS = str.maketrans("٫٬٪", ".,%")


def interlinear(text: str, language: str, english: Callable[[str], str] | None = None) -> Interlinear:
    """Return the interlinear sentence of a text in a language that has a file of closed-class words.

    Parameters
    ----------
    text
        The text.
    language
        ISO 639-1 code.
    english
        Function that returns the English word for another word, and the word itself if it has none.
    """
    reader = _Reader(closed_classes(language), english)
    tokens = with_hours(list(reader.tokens(list(reader.units(cut(normalise(text)))))))
    if "negative concord" in reader.facts:
        tokens = _without_concord(tokens)
    _, words, lemmas, stems, tags, spans = zip(*tokens, strict=True) if tokens else ((),) * 6
    written = tuple(token.token for token in tokens)
    sentence = Sentence(" ".join(written), written, words, stems, lemmas=lemmas, tags=tags, language=language)
    return Interlinear(sentence, spans)


class _Reader:
    # Reads the texts of one language.
    def __init__(self, classes: ClosedClasses, english: Callable[[str], str] | None) -> None:
        self.classes, self.english, self.facts = classes, english, classes.facts
        self.comma = "," in self.facts.get("decimal", ())
        self.drops = "ending after apostrophe" in self.facts
        self.capitals = "nouns have capitals" not in self.facts
        self.points = "ordinal point" in self.facts
        self.joiners = self.facts.get("joiners", ())

    def units(self, text: str) -> Iterator[_Unit]:
        """Yield the words, figures and marks of a text; a figure is whatever has a digit, and an address."""
        first, drop = True, False
        if self.comma:  # "12 000"
            text = _GROUPED.sub(lambda found: _GROUPING.sub("\0", found[0]), text)
        for found in _UNIT.finditer(text):
            kind, written, (start, stop) = str(found.lastgroup), found[0], found.span()
            dropped, drop = drop and kind == "word", False
            if dropped:
                continue
            if kind == "figure":
                if article := _ARTICLE.match(written):  # "l'1"
                    end = start + article.end()
                    yield self._word(written[: end - start - 1], (start, end - 1), first)
                    written, start = written[end - start :], end
                bare = written.rstrip(_EDGE)
                yield _Unit(bare.replace("\0", ""), bare.lower(), (start, start + len(bare)), kind, first)
                for place, mark in enumerate(written[len(bare) :], start + len(bare)):
                    yield _Unit(mark, mark, (place, place + 1), "mark")
                first = written[-1] in ".!?:"
            elif kind == "word":
                unit = self._word(written, (start, stop), first)
                prefix = self._attached(unit.word)
                if prefix:
                    yield unit._replace(word=prefix)
                word = unit.word[len(prefix) :]
                for part in self.classes.number_parts(word) or [word]:
                    yield unit._replace(word=part)
                first = False
            elif written in "'’":
                drop = self.drops and text[start - 1 : start].isalpha()
            else:
                if written not in "¿¡":
                    yield _Unit(written, _MARKS.get(written, written), (start, stop), kind)
                first = written in _STARTS

    def _word(self, written: str, span: Span, first: bool) -> _Unit:
        return _Unit(written, next(self.classes.words_of(written), written.lower()), span, "word", first)

    def _attached(self, word: str) -> str:
        # The conjunction or preposition that is written with a closed-class word, as in Arabic.
        if not self.classes.knows(word):
            for prefix in self.classes.facts.get("attached", ()):
                if len(word) > len(prefix) + 1 and word.startswith(prefix) and self.classes.knows(word[len(prefix) :]):
                    return prefix
        return ""

    def tokens(self, units: Sequence[_Unit]) -> Iterator[Token]:
        """Yield the tokens of the interlinear sentence."""
        words = [unit.word for unit in units]
        place = 0
        while place < len(units):
            unit = units[place]
            if unit.kind == "figure":
                place = yield from self._figure(units, place)
                continue
            place += 1
            if unit.kind == "mark":
                tag = unit.word if unit.word in ".,:" else "." if unit.word in "?!" else ":"
                yield Token(unit.word, unit.word, unit.word, unit.word, tag, unit.span)
                continue
            match = self.classes.match(words, place - 1)
            section = match.gloss.section if match else "opposites"
            if match is None or section == "opposites":
                yield from self._open(unit)
                continue
            if section in ("numbers", "ordinals"):
                value, stop, ending = self._number(words, place - 1, match)
                span = unit.span[0], units[stop - 1].span[1]
                beside_figure = place > 1 and units[place - 2].kind == "figure"
                scale = next((word for word, size in SCALES.items() if size == value), "") if beside_figure else ""
                yield english_token(scale or f"{value}{ending}", "JJ" if ending else "CD", span)
                place = stop
                continue
            yield from self.tokens(units[match.skipped.start : match.skipped.stop])
            first = units[match.skipped.stop] if match.skipped else unit
            for word in match.gloss.english:
                yield english_token(word, match.gloss.tag, (first.span[0], units[match.stop - 1].span[1]))
            place = match.stop

    def _number(self, words: Sequence[str], start: int, match: Match) -> tuple[int, int, str]:
        # The value of number words, the place after them, and the ending of an ordinal: "two hundred thirty five". Of
        # libraries text2num would do it, but for Arabic and Turkish.
        value, stop = int(match.gloss.english[0]), match.stop
        if match.gloss.section == "ordinals":
            return value, stop, "th"
        total, run = (value, 0) if value >= 1000 else (0, value)
        while stop < len(words):
            after = stop + 1 if words[stop] in self.joiners and stop + 1 < len(words) else stop
            following = self.classes.match(words, after)
            one = following is not None and following.gloss.english == ("a",)  # "deux cent un"
            if following is None or not (one or following.gloss.section in ("numbers", "ordinals")):
                break
            more = 1 if one else int(following.gloss.english[0])
            if following.gloss.section == "ordinals":
                if after == stop and _goes_on(run, total, more):
                    return total + run + more, following.stop, "th"
                break
            if more in (100, 1000) or more >= 10**6:
                if run >= more or (not run and more > 100 and total >= more):
                    break
                if more == 100:
                    run = max(run, 1) * more
                else:
                    run, total = 0, (total + run) * more if more >= 10**6 else total + run * more
            elif _goes_on(run, total, more):
                run += more
            else:
                break
            stop = following.stop
        return total + run, stop, ""

    def _figure(self, units: Sequence[_Unit], place: int) -> Generator[Token, None, int]:
        # Tokens of a figure; returns the place after it.
        unit, after = units[place], place + 1
        text = ascii_digits(unit.text).translate(_ARABIC_MARKS)
        following = units[after] if after < len(units) else None
        if self.drops:
            text = re.sub(r"(?<=\d)['’][^\W\d_]+$", "", text)
        text = _PERCENT_FIRST.sub(r"\1%", text)
        if compound := _COMPOUND.fullmatch(text):  # "12-stündig"
            middle = unit.span[0] + compound.start(2)
            yield english_token(self._digits(compound[1]), "CD", (unit.span[0], middle - 1))
            yield from self.tokens([self._word(compound[2], (middle, unit.span[1]), False)])
            return after
        minutes = units[after + 1] if after + 1 < len(units) else None
        before = self.classes.match([units[place - 1].word], 0) if place else None
        if following is not None and following.word in self.facts.get("hours", ()) and text.isdigit() and len(text) < 3:
            if minutes is not None and re.fullmatch(r"[0-5]\d", minutes.text):  # "8 h 30"
                text, after = f"{text}:{minutes.text}", after + 2
            elif before is not None and before.gloss.english and before.gloss.english[-1] in BEFORE_HOUR:
                text, after = f"{text}:00", after + 1
        elif found := _DATE.fullmatch(text):
            day, month, year = int(found[1]), int(found[3]), int(found[4])
            text = f"{year + 2000 * (year < 100)}-{month:02}-{day:02}" if day <= 31 and month <= 12 else text
        elif (found := _HOUR.fullmatch(text)) and (
            found[2] or (before is not None and before.gloss.english and before.gloss.english[-1] in BEFORE_HOUR)
        ):
            text = f"{found[1]}:{found[2] or '00'}"
        elif (found := _DAY_MONTH.fullmatch(text)) and self._is_date(found, following):
            middle = unit.span[0] + found.start(3)
            yield english_token(found[1], "CD", (unit.span[0], middle - 1))
            yield english_token(_MONTH_NAMES[int(found[3]) - 1], "NNP", (middle, unit.span[1]))
            return after + (found[2] == ".")
        elif found := _ORDINAL.fullmatch(text):
            text = f"{found[1]}th"
        elif following is not None and following.text == "." and self.points and text.isdigit() and len(text) <= 3:
            nearby = units[after + 1] if after + 1 < len(units) else None
            if nearby is not None and nearby.kind == "word":  # "am 3. Mai"
                text, after = f"{text}th", after + 1
        elif self.comma and (found := _POINT_CLOCK.fullmatch(text)):
            text = f"{found[1]}:{found[2]}"
        else:
            text = self._digits(text)
        for part in tokenize(text):
            yield english_token(part, "CD" if part[0].isdigit() or part[0] in "+-" else "NN", unit.span)
        return after

    def _is_date(self, found: re.Match[str], following: _Unit | None) -> bool:
        # "30.9.", and "30/9" if it can hardly be a fraction.
        day, month = int(found[1]), int(found[3])
        if not (1 <= day <= 31 and 1 <= month <= 12):
            return False
        if found[2] == ".":
            return self.points and following is not None and following.text == "."
        return day > 12 or found[1].startswith("0") or found[3].startswith("0")

    def _digits(self, text: str) -> str:
        # Numbers with a decimal point, and nothing between thousands.
        if not self.comma:
            return text
        return _DECIMAL_COMMA.sub(lambda found: found[0].replace(".", "").replace(",", "."), text)

    def _open(self, unit: _Unit) -> Iterator[Token]:
        # A word of an open class, or one with a closed-class word inside it.
        word, opposite = unit.word, self.classes.opposite(unit.word)
        inside = self.classes.of_pattern(word) if opposite is None else None
        if inside is not None:
            gloss, word = inside
            for part in gloss.english:
                yield english_token(part, gloss.tag, unit.span)
            opposite = self.classes.opposite(word)
        root = stem(word, self.classes.language)
        name = self.capitals and unit.text[0].isupper() and not unit.first and inside is None
        if opposite is not None:
            lemma, tag = opposite.english[0], "JJ"
        else:
            known = self.english(word) if self.english is not None and not name else word
            lemma = known.lower() if known != word else f"{root}_{self.classes.language}"
            tag = "NNP" if name else "NN"
        yield Token(unit.text if name else word, word, lemma, root, tag, unit.span)


def _goes_on(run: int, total: int, more: int) -> bool:
    # "thousand five", "hundred and five", "twenty five", and "five and twenty".
    if not run:
        return total > 0
    tens = run % 100  # of "one hundred and twenty", to which three can be added
    if not tens:
        return more < 100
    return (tens >= 10 and tens % 10 == 0 and more < 10) or (run < 10 and more >= 20 and more % 10 == 0)


def _without_concord(tokens: list[Token]) -> list[Token]:
    # Without "not" in a clause that has another negative word: "no vino nadie".
    kept: list[Token] = []
    clause: list[Token] = []
    for token in [*tokens, english_token("", "", (0, 0))]:
        clause.append(token)
        if token.tag in ("", ".", ",", ":"):
            negative = any(one.word in _NEGATIVE for one in clause)
            kept += [one for one in clause if one.word and not (negative and one.word == "not")]
            clause = []
    return kept
