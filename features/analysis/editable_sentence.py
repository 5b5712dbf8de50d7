"""A sentence whose tokens are known by their place in the text, so that an edit leaves the rest as it is written."""

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ..._messages import from_extra
from ..base.sentences import Sentence
from ..linguistics.tokenizer import token_spans

if TYPE_CHECKING:
    from inflect import engine


@cache
def english() -> "engine":
    """Return the rules of the library inflect."""
    with from_extra("fit", "making pairs by rule"):
        import inflect

    return inflect.engine()


@cache
def _values() -> dict[str, int]:
    return {words_of(value): value for value in range(100)}


def words_of(value: int) -> str:
    """Return the name of a number from 0 to 99, and digits with commas for others.

    Examples
    --------
    >>> words_of(42), words_of(7), words_of(1200)
    ('forty-two', 'seven', '1,200')
    """
    return str(english().number_to_words(str(value))) if 0 <= value < 100 else f"{value:,}"


def digits_of(word: str) -> int | None:
    """Return the number from 0 to 99 that a lower-case word names, or None.

    Examples
    --------
    >>> digits_of("forty-two"), digits_of("twelve"), digits_of("many")
    (42, 12, None)
    """
    return _values().get(word)


def ordinal_digits(value: int) -> str:
    """Return an ordinal in digits."""
    return str(english().ordinal(str(value)))


T = TypeVar("T")

Part = str | tuple[int, int]
"""New text, or tokens ``[start, end)`` of the sentence as they are written."""

_MARKS = frozenset("\"'“‘")
_OF_PLACES = ("ian", "ish", "ese", "ean", "can", "aqi", "aeli", "ench", "German")
_CLOSING = re.compile(r"[,.;:?!)\]}%…]|'(?:s|m|d|ll|re|ve)?\b|n't\b|'$", re.IGNORECASE)
_OPENING = re.compile(r"(?:^|[\s(\[{])[(\[{$£€#]$|[(\[{$£€]$")
_ARTICLE = re.compile(r"(?:^|(?<=[\s\"(\[“]))an?$", re.IGNORECASE)
_WORD = re.compile(r"\w[\w.]*")
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INSIDE = _NOUNS | {"DT", "PDT", "PRP$", "CD", "JJ", "JJR", "JJS", "POS", "$"}
_OPENERS = frozenset({"DT", "PDT", "PRP$"})


class EditableSentence:
    """A sentence of the level ``lexical`` with the place of each token in its text.

    Parameters
    ----------
    sentence
        The analysed sentence.

    Attributes
    ----------
    text, tokens, words, lemmas, tags
        Those of the sentence.
    spans
        Start and end of each token in the text; empty if the tokens cannot be found there.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.text, self.tokens, self.words = sentence.text, sentence.tokens, sentence.words
        self.lemmas, self.tags = sentence.lemmas, sentence.tags
        self.spans = token_spans(sentence.text, sentence.tokens)
        self._memo: dict[str, Any] = {}

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    def memo(self, key: str, compute: Callable[[], T]) -> T:
        """Return `compute()`, computed once a sentence and key, so that kinds of edits share what they look for."""
        if key not in self._memo:
            self._memo[key] = compute()
        value: T = self._memo[key]
        return value

    @cached_property
    def noun_phrases(self) -> list[tuple[int, int]]:
        """Base noun phrases in order, as places of tokens ``[start, end)``, found by tags alone."""
        return _noun_phrases(self.tags, self.words)

    @cached_property
    def end(self) -> int:
        """Number of tokens before the marks that end the sentence."""
        end = len(self.tokens)
        while end and self.tags[end - 1] in (".", "''", ":"):
            end -= 1
        return end

    @property
    def is_question(self) -> bool:
        """True if a question mark ends the sentence."""
        return "?" in self.words[self.end :]

    def written(self, start: int, end: int) -> str:
        """Return the text of tokens ``[start, end)``."""
        return self.text[self.spans[start][0] : self.spans[end - 1][1]]

    def is_name(self, i: int) -> bool:
        """Return whether a token keeps its capital away from the start of a sentence."""
        token = self.tokens[i]
        if self.tags[i] == "JJ" and token.endswith(_OF_PLACES):
            return token[0].isupper()
        return self.tags[i] in ("NNP", "NNPS") or token == "I" or (len(token) > 1 and token[1:] != token[1:].lower())

    def replaced(self, start: int, end: int, new: str) -> str:
        """Return the text with other words for tokens ``[start, end)``; none of them if `start` is `end`."""
        return self.composed([(0, start), new, (end, len(self))])

    def composed(self, parts: Sequence[Part]) -> str:
        """Return a text of parts of the sentence and of new text.

        Neighbouring parts that stand together in the sentence keep what is between them; elsewhere there is one blank,
        none before punctuation. "a" and "an" follow the word after them, and the text begins with a capital letter if
        it did.
        """
        kept = [part for part in parts if (part if isinstance(part, str) else part[0] < part[1])]
        text, before, last = "", -1, 0
        for part in kept:
            piece = part if isinstance(part, str) else self.written(*part)
            if not isinstance(part, str) and part[0] == 0 and text and not self.is_name(0):
                piece = piece[0].lower() + piece[1:]
            if not isinstance(part, str) and part[0] == before:
                text += self.text[self.spans[before - 1][1] : self.spans[before][0]] + piece
            elif self._touches(text, last, part):
                text += piece
            else:
                text = joined(text, piece)
            before = -1 if isinstance(part, str) else part[1]
            last = before if before >= 0 else last
        first = self.text[:1]
        return text[:1].upper() + text[1:] if first.isupper() else text

    def _touches(self, text: str, last: int, part: Part) -> bool:
        # Whether a quotation mark on either side stands next to its word in the sentence.
        if isinstance(part, str):
            return 0 < last < len(self) and text[-1:] in _MARKS and self.spans[last - 1][1] == self.spans[last][0]
        start = part[0]
        return start > 0 and self.tags[start] == "''" and self.spans[start - 1][1] == self.spans[start][0]


def joined(text: str, piece: str) -> str:
    """Return two pieces of a sentence as one, with the blank and the article that belong between them."""
    if not text or not piece:
        return text or piece
    if _CLOSING.match(piece):
        # A comma before a full stop goes, and no mark stands twice.
        return text.rstrip(",;: ") + piece if piece[0] in ".,?!;" else text + piece
    article = _ARTICLE.search(text)
    if article:
        found = article[0]
        text = text[: article.start()] + found[0] + ("n" if _takes_an(piece) else "")
    return text + piece if _OPENING.search(text) else f"{text} {piece}"


def _takes_an(piece: str) -> bool:
    word = _WORD.search(piece)
    if not word:
        return False
    found = str(english().number_to_words(word[0])) if word[0].isdecimal() else word[0]
    return str(english().a(found)).startswith("an ")


def _noun_phrases(tags: Sequence[str], words: Sequence[str]) -> list[tuple[int, int]]:
    phrases, i, size = [], 0, len(tags)
    while i < size:
        tag = tags[i]
        if tag == "PRP":
            phrases.append((i, i + 1))
            i += 1
            continue
        if tag not in _INSIDE and not (tag in ("VBG", "VBN") and _modifies(tags, i)):
            i += 1
            continue
        stop = i + 1
        while stop < size and _goes_on(tags, stop):
            stop += 1
        last = stop
        while last > i and tags[last - 1] not in _NOUNS and not (last - 1 == i and words[i] in _ALONE):
            last -= 1
        if last > i and not (tags[i] == "POS"):
            phrases.append((i, last))
        i = stop
    return phrases


_ALONE = frozenset({"this", "that", "these", "those"})


def _goes_on(tags: Sequence[str], place: int) -> bool:
    tag, before = tags[place], tags[place - 1]
    if tag in _OPENERS:
        return before == "PDT"
    if tag == "CD":
        return before in ("DT", "PRP$", "JJ", "JJS", "$", "PDT", "NNP")
    if tag in _INSIDE:
        return not (before in _NOUNS and tag in ("JJ", "JJR", "JJS", "$"))
    if tag in ("RB", "RBR"):
        return before in _OPENERS and place + 1 < len(tags) and tags[place + 1] == "JJ"
    return tag in ("VBG", "VBN") and before in ("DT", "PRP$", "JJ", "RB", "CD") and _modifies(tags, place)


def _modifies(tags: Sequence[str], place: int) -> bool:
    # A participle that stands before a noun and after a determiner belongs to the noun.
    after = tags[place + 1] if place + 1 < len(tags) else ""
    before = tags[place - 1] if place else ""
    return after in _NOUNS and before in ("DT", "PRP$", "JJ", "RB", "CD")
