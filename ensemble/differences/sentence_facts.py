"""Facts of the distinct sentences of a batch: dates, amounts, names, quantifiers, modal words, denials, roles."""

from typing import NamedTuple

from ...features.sentences import PairBatch, Sentence
from .amounts import amounts
from .calendar_dates import dates
from .denial_words import denials
from .fact import Fact
from .grammatical_slots import Slot, grammatical_slots
from .modal_words import modals
from .name_words import name_places
from .quantifier_words import quantifiers


class SentenceFacts(NamedTuple):
    """Facts of one sentence, each kind in order.

    Attributes
    ----------
    dates, amounts, quantifiers, modals, denials
        Facts; see the modules that read them for their values.
    names
        Places of the tokens of names.
    slots
        For a noun its roles: the verb, and the role beside it.
    """

    dates: list[Fact]
    amounts: list[Fact]
    names: frozenset[int]
    quantifiers: list[Fact]
    modals: list[Fact]
    denials: list[Fact]
    slots: dict[int, list[Slot]]


def facts_of(sentence: Sentence) -> SentenceFacts:
    """Return the facts of a sentence of the level ``lexical``."""
    of_dates = dates(sentence)
    taken = _places(of_dates)
    of_amounts = amounts(sentence, taken)
    counted = taken | _places(of_amounts)
    of_quantifiers = quantifiers(sentence, counted)
    quantified = _places(of_quantifiers)
    return SentenceFacts(
        of_dates,
        of_amounts,
        name_places(sentence, counted),
        of_quantifiers,
        modals(sentence),
        denials(sentence, quantified),
        grammatical_slots(sentence),
    )


def _places(facts: list[Fact]) -> frozenset[int]:
    return frozenset(place for fact in facts for place in fact.places)


def batch_facts(pairs: PairBatch) -> list[SentenceFacts]:
    """Return the facts of each distinct sentence of a batch, read once a batch."""
    return pairs.memo("facts", lambda: [facts_of(sentence) for sentence in pairs.sentences])
