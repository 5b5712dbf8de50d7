"""Differences of pairs of which one text is not in English, read from interlinear sentences.

The encoder of all languages, where it is installed, links words of two languages by their states in context, each the
nearest of the other (Jalili Sabet et al., 2020), and tells words that replace one another from synonyms.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ...features.analysis.analysis import cut, normalise
from ...features.base.sentences import PairBatch, Sentence
from ...features.base.word_tables import stop_words
from ...features.encoders.multilingual import encoder_languages, multilingual_encoder, states_of_words, words_of
from ...features.lexicon.dictionaries import dictionary, dictionary_languages
from ...features.linguistics.closed_classes import closed_class_languages
from ...features.linguistics.tokenizer import token_spans, tokenize
from ...features.values.interlinear import interlinear
from ...features.values.interlinear_hours import Span
from ..differences.facts import MIRRORED, Difference
from ..differences.keeping_apart import kinds_of
from ..differences.operators import CONTENT_TAGS
from ..differences.text_differences import differences
from ..differences.word_relations import FUNCTION_OPPOSITES, are_opposites
from .pair_languages import ENGLISH_READS

Pairs = Sequence[tuple[str, str]]

LEAST_COSINE = 0.5
"""Least cosine of the states of two words that are linked, each the nearest of the other."""

LEAST_ONE_WAY = 0.6
"""The same where only one of them is the nearest of the other: "Hörgerät" and "hearing", "aid"."""

SYNONYMS = 0.5
"""Cosine of the vectors of two words of one language from which they are no difference: in seven languages 3 of 10
words that change the meaning are below it, and 2 of 10 of those that keep it."""


def reads(sides: Sequence[str]) -> bool:
    """Return whether a pair has a text in a language with closed-class words, and none in another but English."""
    foreign = {language for language in sides if language not in ENGLISH_READS}
    return bool(foreign) and foreign.issubset(closed_class_languages())


def interlinear_differences(pairs: Pairs, languages: Pairs, english: PairBatch) -> list[list[Difference]]:
    """Return the differences of n pairs that `reads` accepts; their words and places are those of the texts.

    Parameters
    ----------
    pairs, languages
        The texts, and the languages of both texts of each pair.
    english
        The same pairs analysed as English, to the level ``lexical``.
    """
    texts: dict[tuple[str, str], _Text] = {}
    index = np.empty((2, len(pairs)), dtype=np.int64)
    place: dict[tuple[str, str], int] = {}
    for row, (pair, codes, analysed) in enumerate(zip(pairs, languages, english, strict=True)):
        for side, (text, code) in enumerate(zip(pair, codes, strict=True)):
            key = text, code
            if key not in texts:
                place[key] = len(texts)
                texts[key] = _Text(text, code, analysed[side])
            index[side, row] = place[key]
    read = list(texts.values())
    batch = PairBatch([one.sentence for one in read], index[0], index[1])
    across = [row for row, (one, other) in enumerate(languages) if one != other]
    found = differences(batch, _links(read, index, across) if across else None)
    written: list[list[Difference]] = []
    for row, (i, j) in enumerate(zip(index[0].tolist(), index[1].tolist(), strict=True)):
        one_language = languages[row][0] == languages[row][1]
        sure = [one for one in found[row] if one_language or _is_sure(one, read[i].sentence, read[j].sentence)]
        written.append([_as_written(one, read[i], read[j]) for one in sure])
    return _without_synonyms(written, languages)


class _Text:
    # A text, the sentence that stands for it, and the characters that each token of the sentence stands for.
    def __init__(self, text: str, language: str, analysed: Sentence) -> None:
        self.text, self.language, self.sentence = cut(normalise(text)), language, analysed
        if language in ENGLISH_READS:
            self.spans: Sequence[Span] = token_spans(analysed.text, analysed.tokens)
        else:
            english = dictionary(language).english if language in dictionary_languages() else None
            self.sentence, self.spans = interlinear(text, language, english)

    def words(self, places: Sequence[int]) -> str:
        """Return the words of the text at tokens of the sentence."""
        words, end = "", -1
        for start, stop in sorted({self.spans[place] for place in places}) if self.spans else ():
            if start >= end:
                words += ("" if start == end or not words else " ") + self.text[start:stop]
                end = stop
        return words

    def places(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return the places of the same words among the tokens of the text."""
        spans = [self.spans[place] for place in places] if self.spans else []
        tokens = token_spans(self.text, tokenize(self.text)) if spans else []
        inside = (any(start < end and stop > begin for begin, end in spans) for start, stop in tokens)
        return tuple(place for place, within in enumerate(inside) if within)

    def content(self) -> dict[int, int]:
        """Return the places of content words that are no names, by the character at which they start."""
        stops, tags = stop_words("ecnu"), self.sentence.tags
        return {
            span[0]: place
            for place, (word, span) in enumerate(zip(self.sentence.words, self.spans, strict=False))
            if tags[place].startswith(CONTENT_TAGS) and word[0].isalpha() and word not in stops
        }


def _as_written(one: Difference, a: _Text, b: _Text) -> Difference:
    places = a.places(one.places_a), b.places(one.places_b)
    return Difference(one.kind, a.words(one.places_a) or one.a, b.words(one.places_b) or one.b, *places)


_IN_BOTH = frozenset({"modality", "quantifier"})
_LONE = frozenset({"only", "never", "none"})
_DENYING = frozenset({"not", "n't", "never", "no"})
_VAGUE = FUNCTION_OPPOSITES - frozenset(
    "inside outside above below up down before after more less most least with without under over".split()
)


def _is_sure(one: Difference, a: Sentence, b: Sentence) -> bool:
    # Whether a difference between texts of two languages is none of their grammar.
    words = [*(a.words[place] for place in one.places_a), *(b.words[place] for place in one.places_b)]
    lone = not (one.places_a and one.places_b)
    if one.kind in _IN_BOTH and lone:
        return not _LONE.isdisjoint(words)
    if one.kind == "negation":
        return not _DENYING.isdisjoint(words)
    if one.kind == "antonym":
        return _VAGUE.isdisjoint(words)
    return not (one.kind in MIRRORED and "number" in kinds_of(one))


def _links(texts: Sequence[_Text], index: np.ndarray, rows: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    # Links of the content words of both texts of these pairs.
    if not encoder_languages():
        return {}
    used = sorted({int(place) for row in rows for place in index[:, row]})
    plain = [Sentence(texts[place].text, (), (), (), language=texts[place].language) for place in used]
    batch = PairBatch(plain, np.arange(len(used)), np.arange(len(used)))
    states, words, first = states_of_words(batch), words_of(batch), 0
    of_text: dict[int, tuple[list[int], np.ndarray]] = {}
    for k, place in enumerate(used):
        content, places, kept = texts[place].content(), [], []
        for row in range(int(states.offsets[k]), int(states.offsets[k + 1])):
            start = words[k][int(states.tokens[row]) - first].span[0]
            if start in content:
                places.append(content[start])
                kept.append(row)
        first += len(words[k])
        codes = states.codes[kept].astype(np.float32)
        of_text[place] = places, codes / np.linalg.norm(codes, axis=1, keepdims=True)
    return {row: list(_nearest(texts, of_text, *index[:, row].tolist())) for row in rows}


def _nearest(
    texts: Sequence[_Text], of_text: dict[int, tuple[list[int], np.ndarray]], i: int, j: int
) -> Iterable[tuple[int, int]]:
    (places_a, a), (places_b, b) = of_text[i], of_text[j]
    if not places_a or not places_b:
        return
    cosines = a @ b.T
    to_b, to_a = cosines.argmax(axis=1), cosines.argmax(axis=0)
    for p, q in np.argwhere(cosines >= LEAST_COSINE).tolist():
        ways = int(to_b[p] == q) + int(to_a[q] == p)
        if ways == 2 or (ways and cosines[p, q] >= LEAST_ONE_WAY):
            x, y = places_a[p], places_b[q]
            known = {texts[i].sentence.tags[x], texts[j].sentence.tags[y]} & {"JJ"}  # not by the dictionary alone
            if not (known and are_opposites(texts[i].sentence.lemmas[x], texts[j].sentence.lemmas[y])):
                yield x, y


def _without_synonyms(found: Sequence[Sequence[Difference]], languages: Pairs) -> list[list[Difference]]:
    # Of the replaced words of one language, and of the names of two, those that are far from each other.
    known = frozenset({*encoder_languages(), *ENGLISH_READS} if encoder_languages() else ())
    kinds = ["word" if one == other else "name" for one, other in languages]
    unsure = [[one for one in of_pair if one.kind == kind] for of_pair, kind in zip(found, kinds, strict=True)]
    readable = [known.issuperset(codes) for codes in languages]
    words = sorted(
        {text for of_pair, can in zip(unsure, readable, strict=True) if can for one in of_pair for text in one[1:3]}
    )
    vectors = dict(zip(words, multilingual_encoder().vectors(words), strict=True)) if any(words) else {}

    def differ(one: Difference) -> bool:
        if not (one.a and one.b) or one.a not in vectors or one.b not in vectors:
            return False
        a, b = vectors[one.a], vectors[one.b]
        return bool(a @ b < SYNONYMS * np.linalg.norm(a) * np.linalg.norm(b))

    return [
        [one for one in of_pair if differ(one) or not (one.kind == kind or (one.kind == "word" and kind == "name"))]
        for of_pair, kind in zip(found, kinds, strict=True)
    ]
