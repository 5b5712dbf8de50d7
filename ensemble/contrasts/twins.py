"""Twins of a sentence: texts that differ from it by one edit that changes the meaning, or by edits that keep it."""

import random
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from ...features.analysis.analysis import analyse, normalise
from ...features.analysis.editable_sentence import EditableSentence
from ...features.base.sentences import Sentence
from .edit import Change, all_changes

MOST_TOKENS = 60
"""Length above which a sentence is left alone: its clauses cannot be told apart by tags."""


class Twin(NamedTuple):
    """An edited sentence: the name of the edit, and the text."""

    kind: str
    text: str


def changed_twins(sentence: Sentence, chance: random.Random, kinds: Collection[str] | None = None) -> list[Twin]:
    """Return a twin of another meaning for each kind that applies.

    Parameters
    ----------
    sentence
        Analysed to the level ``lexical`` at least.
    chance
        Draws what is edited. The same state gives the same twins.
    kinds
        Names of the kinds to try; all that change the meaning if None.

    Raises
    ------
    ValueError
        If a kind is unknown or keeps the meaning, or if the sentence has no tags.
    """
    return _twins(sentence, chance, _chosen(kinds, keeps=False))


def kept_twins(sentence: Sentence, chance: random.Random, kinds: Collection[str] | None = None) -> list[Twin]:
    """Return a twin of the same meaning for each kind that applies; arguments and errors as for `changed_twins`."""
    return _twins(sentence, chance, _chosen(kinds, keeps=True))


def kept(sentence: Sentence, chance: random.Random, edits: int = 3) -> str | None:
    """Return a text of the same meaning after up to `edits` edits of different kinds, or None if none applies.

    Each edit is made on the text that the one before it left, which is analysed again.

    Parameters
    ----------
    sentence, chance
        As for `changed_twins`.
    edits
        Most edits to make, at least 1.
    """
    return kept_texts([sentence], chance, edits)[0]


def kept_texts(sentences: Iterable[Sentence], chance: random.Random, edits: int = 3) -> list[str | None]:
    """Return `kept` of each sentence; the texts between two edits are analysed in one batch."""
    current = list(sentences)
    found: list[str | None] = [None] * len(current)
    used: list[set[str]] = [set() for _ in current]
    seen = [{_plain(sentence.text)} for sentence in current]
    open_rows = list(range(len(current)))
    for turn in range(edits):
        going = []
        for row in open_rows:
            names = [name for name in _names(keeps=True) if name not in used[row]]
            chance.shuffle(names)
            editable = _editable(current[row])
            for name in names:
                text = _made(all_changes()[name], editable, chance)
                if text is not None and _plain(text) not in seen[row]:
                    found[row] = text
                    used[row].add(name)
                    seen[row].add(_plain(text))
                    going.append(row)
                    break
        if turn + 1 == edits or not going:
            break
        texts = [found[row] or "" for row in going]
        batch = analyse([(text, text) for text in texts], "lexical")
        for row, place in zip(going, batch.left.tolist(), strict=True):
            current[row] = batch.sentences[place]
        open_rows = going
    return found


@cache
def _names(keeps: bool) -> tuple[str, ...]:
    return tuple(name for name, change in all_changes().items() if change.keeps is keeps)


def _chosen(kinds: Collection[str] | None, keeps: bool) -> list[Change]:
    names = _names(keeps)
    unknown = [] if kinds is None else sorted(set(kinds) - set(names))
    if unknown:
        relation = "keep" if keeps else "change"
        raise ValueError(f"kinds must {relation} the meaning, got {unknown[0]!r}; they are {', '.join(names)}")
    return [all_changes()[name] for name in names if kinds is None or name in kinds]


def _editable(sentence: Sentence) -> EditableSentence | None:
    if sentence.tokens and not sentence.tags:
        raise ValueError("a sentence must have tags to be edited, got the level 'tokens'; analyse it to 'lexical'")
    if not sentence.tokens or sentence.truncated or len(sentence.tokens) > MOST_TOKENS:
        return None
    return _spanned(sentence)


@lru_cache(16)  # both kinds of twins of a sentence are requested in turn
def _spanned(sentence: Sentence) -> EditableSentence | None:
    editable = EditableSentence(sentence)
    return editable if editable.spans else None


def _twins(sentence: Sentence, chance: random.Random, changes: Iterable[Change]) -> list[Twin]:
    editable = _editable(sentence)
    made = ((change.name, _made(change, editable, chance)) for change in changes)
    return [Twin(name, text) for name, text in made if text is not None]


def _made(change: Change, sentence: EditableSentence | None, chance: random.Random) -> str | None:
    # A text that differs in spaces or capitals alone is not a twin.
    text = None if sentence is None else change.edit(sentence, chance)
    if text is None or sentence is None or _plain(text) == _plain(sentence.text):
        return None
    return normalise(text)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace(",", " ").split())
