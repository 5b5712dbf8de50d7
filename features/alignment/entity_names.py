"""Links between the names of persons, organisations and places in two sentences (Sultan et al., 2014)."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ..base.sentences import Sentence

_KINDS = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "ORG": "ORGANIZATION",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
}


class Span(NamedTuple):
    """A name: ``tokens[start:end]`` and PERSON, ORGANIZATION or LOCATION."""

    start: int
    end: int
    kind: str


def acronym(tokens: Sequence[str]) -> str:
    """Return the initials of the capitalised tokens, ``UN`` for ``United Nations``; empty for a single token."""
    return "".join(token[0] for token in tokens if token[0].isupper()) if len(tokens) > 1 else ""


def _names(sentence: Sentence) -> list[Span]:
    return [Span(start, end, _KINDS[label]) for start, end, label in sentence.entities if label in _KINDS]


def projected(sentence: Sentence, other: Sentence) -> list[Span]:
    """Return the names of a sentence, with those that only the other sentence's labels reveal."""
    spans = _names(sentence)
    taken = {place for start, end, _ in spans for place in range(start, end)}
    tokens = sentence.tokens
    for start, end, kind in _names(other):
        name = other.tokens[start:end]
        if not name[0][0].isupper():
            continue
        for run in filter(None, (name, (acronym(name),) if acronym(name) else ())):
            for place in range(len(tokens) - len(run) + 1):
                here = range(place, place + len(run))
                if tokens[place : place + len(run)] == run and taken.isdisjoint(here):
                    spans.append(Span(place, place + len(run), kind))
                    taken.update(here)
    return sorted(spans)


def same_names(a: Sentence, spans_a: Sequence[Span], b: Sentence, spans_b: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield links between the words of names of one kind: equal names, acronyms, then names within names."""
    lower = ([a.words[start:end] for start, end, _ in spans_a], [b.words[start:end] for start, end, _ in spans_b])
    matched: set[tuple[int, int]] = set()
    for p, name in enumerate(lower[0]):
        if lower[0].count(name) == 1 == lower[1].count(name):
            q = lower[1].index(name)
            matched.add((p, q))
            yield from zip(range(*spans_a[p][:2]), range(*spans_b[q][:2]), strict=True)
    rest = [
        (span_a, span_b)
        for p, span_a in enumerate(spans_a)
        for q, span_b in enumerate(spans_b)
        if (p, q) not in matched and span_a.kind == span_b.kind
    ]
    for span_a, span_b in rest:
        name_a, name_b = a.tokens[span_a.start : span_a.end], b.tokens[span_b.start : span_b.end]
        if name_a == (acronym(name_b),) or name_b == (acronym(name_a),):
            yield from product(range(*span_a[:2]), range(*span_b[:2]))
    for span_a, span_b in rest:
        words_a, words_b = a.words[span_a.start : span_a.end], b.words[span_b.start : span_b.end]
        shared = set(words_a) & set(words_b)
        if shared and len(words_a) != len(words_b) and shared in (set(words_a), set(words_b)):
            places_a, places_b = range(*span_a[:2]), range(*span_b[:2])
            equal = [(i, j) for i in places_a for j in places_b if a.words[i] == b.words[j]]
            yield from equal
            yield from product([i for i in places_a if a.words[i] not in shared], places_b)
            yield from product(places_a, [j for j in places_b if b.words[j] not in shared])
