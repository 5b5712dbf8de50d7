"""All facts of a sentence, and the grammatical slots of its words."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...features.analysis.editable_sentence import EditableSentence
from ...features.analysis.simple_clauses import Clause, clauses
from ...features.base.sentences import PairBatch, Sentence
from ...features.base.word_tables import stop_words
from ...features.lexicon.wordnet import wordnet
from ...features.values.amount_values import Amount
from ...features.values.reading import CODE, DATE, NUMBER, QUANTITY, SIGN, Value, values_of
from .facts import Fact, next_noun
from .operators import denials, modals, quantifiers

SUBJECT, OBJECT, RECEIVER = "subject", "object", "to"
"""Roles; the other roles are prepositions."""

_MARKED = frozenset({"IN", "TO", "RP"})
_ROUTE = frozenset({"from", "to"})
_WITHIN = frozenset({"of", "'s"})


class Slot(NamedTuple):
    """Role of a noun beside a verb."""

    verb: int  # place of the verb; -1 for the ends of a route, "from Lyon to Turin"
    role: str  # `SUBJECT`, `OBJECT`, `RECEIVER` or a preposition


def grammatical_slots(sentence: Sentence) -> dict[int, list[Slot]]:
    """Return the slots of each noun or pronoun that has any, by its place."""
    editable = EditableSentence(sentence)
    found: dict[int, list[Slot]] = {}
    spoken = list(clauses(editable))
    for k, clause in enumerate(spoken):
        stop = min((other.group[0] for other in spoken[k + 1 :]), default=editable.end)
        for place, slot in _of_clause(editable, clause, stop):
            found.setdefault(place, []).append(slot)
    has_route = "from" in sentence.words and "to" in sentence.words
    for start, end in editable.noun_phrases:
        if start and sentence.words[start - 1] in _ROUTE and has_route:
            found.setdefault(end - 1, []).append(Slot(-1, sentence.words[start - 1]))
    return found


def _of_clause(sentence: EditableSentence, clause: Clause, stop: int) -> Iterator[tuple[int, Slot]]:
    verb = clause.verb
    group = sentence.lemmas[clause.group[0] : verb]
    passive = sentence.tags[verb] in ("VBN", "VBD") and bool({"be", "get"} & set(group))
    head = next(end for start, end in sentence.noun_phrases if start == clause.subject[0]) - 1
    complements = list(_complements(sentence, verb, stop))
    bare = [place for place, role in complements if role == OBJECT]
    if passive:
        yield head, Slot(verb, RECEIVER if bare else OBJECT)
    else:
        yield head, Slot(verb, SUBJECT)
    for place, role in complements:
        if role == OBJECT and len(bare) > 1 and place == bare[0]:
            role = RECEIVER
        yield place, Slot(verb, SUBJECT if passive and role == "by" else role)
    for start, end in sentence.noun_phrases:
        # "asked me to rate the driver": the object of another verb.
        if verb + 1 < start < stop and sentence.tags[start - 1] in ("VB", "VBG"):
            yield end - 1, Slot(start - 1, OBJECT)


def _complements(sentence: EditableSentence, verb: int, stop: int) -> Iterator[tuple[int, str]]:
    # Noun phrases after a verb: the last word of each, and its role.
    last = verb + 1
    for start, end in sentence.noun_phrases:
        if start <= verb:
            continue
        if start >= stop:
            break
        before = sentence.words[start - 1]
        if before in _WITHIN:
            last = end
        elif start == last or (start == last + 1 and sentence.tags[last] in ("RP", "RB")):
            yield end - 1, OBJECT
            last = end
        elif sentence.tags[start - 1] in _MARKED or before == "than":
            yield end - 1, before
            last = -1
        else:
            last = -1


_NOT_NAMES = frozenset(
    """i ok mb gb tb kb tv id pin pdf usb am pm mr mrs ms miss dr prof sir lady lord president minister king queen
    nurse saint st""".split()
)
_OPENERS = frozenset({".", "!", "?", ":", "``", '"', "'", "("})


def is_title(sentence: Sentence, taken: frozenset[int] = frozenset()) -> bool:
    """Return whether most words begin with a capital, so that it marks no name; values may be left out of the count."""
    capitals = sum(token[0].isupper() and place not in taken for place, token in enumerate(sentence.tokens))
    return 5 * capitals > 3 * sum(token[0].isalpha() for token in sentence.tokens) > 12


def name_places(sentence: Sentence, taken: frozenset[int]) -> frozenset[int]:
    """Return the places of the tokens of names."""
    capital = [place for place, token in enumerate(sentence.tokens) if token[0].isupper() and place not in taken]
    by_tag = is_title(sentence, taken)
    return frozenset(place for place in capital if _is_name(sentence, place, by_tag))


def _is_name(sentence: Sentence, place: int, by_tag: bool) -> bool:
    word, tag = sentence.words[place], sentence.tags[place]
    if word in _NOT_NAMES:
        return False
    if tag in ("NNP", "NNPS"):
        return True
    if by_tag or not word.isalpha() or word in stop_words("nltk"):
        return False
    if place == 0 or sentence.tokens[place - 1] in _OPENERS:
        return tag in ("NN", "NNS", "JJ") and not _is_listed(word)
    return tag in ("NN", "NNS", "JJ") or not _is_listed(word)


@lru_cache(1 << 12)
def _is_listed(word: str) -> bool:
    return bool((wordnet().word_ids([word, word.removesuffix("s")] * 4, np.arange(8) // 2) >= 0).any())


class SentenceFacts(NamedTuple):
    """Facts of one sentence, each kind in order; see the modules that read them for their values."""

    dates: list[Fact]
    amounts: list[Fact]
    codes: list[Fact]
    signs: list[Fact]
    names: frozenset[int]  # places of the tokens of names
    quantifiers: list[Fact]
    modals: list[Fact]
    denials: list[Fact]
    slots: dict[int, list[Slot]]  # for a noun its roles: the verb, and the role beside it


def facts_of(sentence: Sentence, values: Sequence[Value]) -> SentenceFacts:
    """Return the facts of a sentence of the level ``lexical``, given its values."""
    told = [one for one in values if not _is_half(sentence, one)]
    of_kind = {kind: [_fact(sentence, one) for one in told if one.kind in kinds] for kind, kinds in _KINDS.items()}
    counted = _places(of_kind["dates"]) | _places(of_kind["amounts"])
    of_quantifiers = quantifiers(sentence, counted)
    quantified = _places(of_quantifiers)
    return SentenceFacts(
        **of_kind,
        names=name_places(sentence, counted | _places(of_kind["codes"])),
        quantifiers=of_quantifiers,
        modals=modals(sentence),
        denials=denials(sentence, quantified),
        slots=grammatical_slots(sentence),
    )


_KINDS = {"dates": (DATE,), "amounts": (NUMBER, QUANTITY), "codes": (CODE,), "signs": (SIGN,)}


def _is_half(sentence: Sentence, value: Value) -> bool:
    # "half of the rooms" is read as a quantifier.
    return isinstance(value.content, Amount) and tuple(sentence.words[k] for k in value.places) == ("half",)


def _fact(sentence: Sentence, value: Value) -> Fact:
    # An amount is about the noun that it counts, or else about its unit.
    places, amount = value.places, value.content
    if not isinstance(amount, Amount):
        return Fact(places, amount)
    anchor = next_noun(sentence.tags, sentence.words, places[-1] + 1)
    if anchor is None and amount.unit_places and amount.number is not None:
        anchor = amount.unit_places[0]
    return Fact(places, amount, anchor)


def _places(facts: list[Fact]) -> frozenset[int]:
    return frozenset(place for fact in facts for place in fact.places)


def batch_facts(pairs: PairBatch) -> list[SentenceFacts]:
    """Return the facts of each distinct sentence of a batch, read once a batch."""
    return pairs.memo("facts", lambda: list(map(facts_of, pairs.sentences, values_of(pairs))))
