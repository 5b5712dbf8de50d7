"""Tables of phrases that replace each other, written as plain lines, and their application to a sentence.

A line is ``left => right``, or ``left <=> right`` for both directions, with several right sides between ``|``. Words
are lower-case tokens of the Treebank ("do n't"). Of the left side

- ``~word`` stands for any form of a verb, noun or adjective, and the first ``~word`` of the right side takes its form;
- ``^`` at the start and ``$`` at the end stand for the start and the end of the sentence.

``~be`` or another verb on the right without one on the left has the present form that its subject needs. Conditions
follow after a semicolon: ``next=VB,VBG`` and ``prev=PRP`` list beginnings of tags of the neighbouring tokens,
``after=word`` and ``before=word`` words, ``digits=`` asks for a number in digits before the phrase, a ``!`` before the
list negates it, and ``tag=NN`` is the tag of the first token, ``lasttag=IN`` that of the last.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...features.analysis.editable_sentence import EditableSentence
from ...features.analysis.inflection import inflected
from ...features.analysis.simple_clauses import present, subject_number


class Rule(NamedTuple):
    """One line of a table, in one direction."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    conditions: tuple[tuple[str, tuple[str, ...], bool], ...]
    at_start: bool
    at_end: bool


class Match(NamedTuple):
    """A place where a rule applies: tokens ``[start, end)``."""

    rule: Rule
    start: int
    end: int


class Substitutions:
    """A table of phrases, looked up by their first word.

    Parameters
    ----------
    table
        Lines as the module describes them.

    Raises
    ------
    ValueError
        If a line has no arrow.
    """

    def __init__(self, table: Iterable[str]) -> None:
        self._by_word: dict[str, list[Rule]] = {}
        for line in table:
            for rule in _rules(line):
                self._by_word.setdefault(rule.left[0], []).append(rule)

    def matches(self, sentence: EditableSentence) -> Iterator[Match]:
        """Return every place where a rule applies, in order."""
        places = sentence.memo("places", lambda: _places(sentence))
        known = places.keys() & self._by_word.keys()
        found = sorted((i, word) for word in known for i in places[word])
        for i, key in found:
            for rule in self._by_word[key]:
                if _fits(rule, sentence, i):
                    yield Match(rule, i, i + len(rule.left))

    def edit(self, sentence: EditableSentence, chance: random.Random) -> str | None:
        """Return the sentence with one phrase replaced, drawn at random, or None if no rule applies."""
        found = list(self.matches(sentence))
        if not found:
            return None
        # The longest phrase at a place is the one that is meant.
        longest = {start: max(m.end for m in found if m.start == start) for start in {m.start for m in found}}
        inner = {m.start for m in found for other in found if other.start < m.start < other.end}
        kept = [m for m in found if m.end == longest[m.start] and m.start not in inner]
        match = chance.choice(kept)
        return replace(sentence, match, chance)


def _places(sentence: EditableSentence) -> dict[str, list[int]]:
    # The places of each word, and of each lemma after a "~".
    places: dict[str, list[int]] = {}
    for i, word in enumerate(sentence.words):
        places.setdefault(word, []).append(i)
        places.setdefault("~" + sentence.lemmas[i], []).append(i)
    return places


def replace(sentence: EditableSentence, match: Match, chance: random.Random) -> str:
    """Return the sentence with the phrase of a match replaced by one of the right sides of its rule."""
    rule, start, end = match
    new = chance.choice(rule.right)
    tag = next((sentence.tags[start + k] for k, item in enumerate(rule.left) if item.startswith("~")), None)
    pieces = []
    for item in new.split():
        if not item.startswith("~"):
            pieces.append(item)
        elif tag is not None:
            pieces.append(_form(item[1:], tag, sentence, start))
            tag = "VB" if tag.startswith("VB") else tag
        else:
            pieces.append(present(item[1:], subject_number(sentence, start)))
    text = " ".join(pieces).replace(" n't", "n't").replace("can not", "cannot")
    written = sentence.tokens[start]
    if written[:1].isupper() and (written != "I") and (start == 0 or not sentence.is_name(start)):
        text = text[:1].upper() + text[1:]
    return sentence.replaced(start, end, text)


def _form(lemma: str, tag: str, sentence: EditableSentence, place: int) -> str:
    if lemma == "be" and tag in ("VBP", "VBD"):
        number = subject_number(sentence, place)
        return present("be", number) if tag == "VBP" else ("were" if number == "plural" else "was")
    return inflected(lemma, tag)


def _rules(line: str) -> list[Rule]:
    sides, *conditions = line.split(";")
    both = "<=>" in sides
    if "=>" not in sides:
        raise ValueError(f"a line of phrases must hold => or <=>, got {line!r}; write left => right")
    left, right = (side.strip() for side in sides.split("<=>" if both else "=>"))
    pairs = [(left, right)]
    if both:
        pairs += [(other.strip(), left) for other in right.split("|")]
    return [_rule(a, b, conditions) for a, b in pairs]


def _rule(left: str, right: str, conditions: Sequence[str]) -> Rule:
    items = left.split()
    at_start, at_end = items[0] == "^", items[-1] == "$"
    parsed = []
    for condition in conditions:
        name, _, listed = condition.strip().partition("=")
        turned = listed.startswith("!")
        parsed.append((name, tuple(listed.lstrip("!").split(",")), turned))
    kept = tuple(items[at_start : len(items) - at_end])
    return Rule(kept, tuple(option.strip() for option in right.split("|")), tuple(parsed), at_start, at_end)


def _fits(rule: Rule, sentence: EditableSentence, start: int) -> bool:
    end = start + len(rule.left)
    if end > len(sentence) or (rule.at_start and start) or (rule.at_end and end != sentence.end):
        return False
    for k, item in enumerate(rule.left):
        place = start + k
        if item[0] == "~" and len(item) > 1:
            if sentence.lemmas[place] != item[1:] or sentence.tags[place][:2] not in ("VB", "NN", "JJ", "RB"):
                return False
        elif sentence.words[place] != item:
            return False
    return all(_holds(condition, sentence, start, end) for condition in rule.conditions)


def _holds(condition: tuple[str, tuple[str, ...], bool], sentence: EditableSentence, start: int, end: int) -> bool:
    name, listed, turned = condition
    if name == "tag":
        fits = sentence.tags[start].startswith(listed)
    elif name == "lasttag":
        fits = sentence.tags[end - 1].startswith(listed)
    elif name == "next":
        fits = end < len(sentence) and sentence.tags[end].startswith(listed)
    elif name == "prev":
        fits = start > 0 and sentence.tags[start - 1].startswith(listed)
    elif name == "digits":
        fits = start > 0 and sentence.words[start - 1][:1].isdecimal()
    elif name == "after":
        fits = end < len(sentence) and sentence.words[end] in listed
    elif name == "before":
        fits = start > 0 and sentence.words[start - 1] in listed
    else:
        raise ValueError(
            f"a condition must be tag, lasttag, next, prev, digits, after or before, got {name!r}; rename it"
        )
    return fits is not turned
