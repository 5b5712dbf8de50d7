"""Links of words that are written otherwise: split in two, or misspelt."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from rapidfuzz.distance import OSA

from ..analysis.lemmas import UNLISTED, english_words
from ..base.caches import cached_by_word
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import text_hash, token_ids, vocabulary
from .aligner import Linked
from .word_relatedness import stripped

STAGE = 10
"""Number of the stage that makes these links, after those of the aligner."""

SHORTEST = 4
"""Fewest letters of a word that is compared."""

SHORT = 5
"""Most letters of a word of which one may be wrong; in a longer word two may be."""

MOST_STRANGE = 60
"""Most words of a text that are looked up for typing errors; the cost of long texts stays bounded."""

_ARTICLES = frozenset({"a", "an", "the"})
_BEGINNINGS = ("hyper", "hypo", "inter", "intra")  # two letters apart, and opposites

SpellingLink = tuple[tuple[int, ...], tuple[int, ...]]
"""Places of the linked tokens of either text."""


def spelling_links(a: Sentence, b: Sentence, free_a: Iterable[int], free_b: Iterable[int]) -> list[SpellingLink]:
    """Return links of unlinked words that are one word, written otherwise.

    Two words that follow each other are linked to the word that they make together ("data base" and "database"). A word
    that is not English is linked to an English one that it differs from by one letter, or from `SHORT` + 1 letters by
    two; exchanged neighbours count as one. Two English words are never linked, nor names, nor words with digits.

    Parameters
    ----------
    a, b
        Sentences of English.
    free_a, free_b
        Places of their tokens that have no link yet.

    Returns
    -------
    list of SpellingLink
        By place in `a`; a token is in one link at most. With `a` and `b` swapped, the links are the same with sides
        exchanged. Of two words that make one, either may have a link already.

    Examples
    --------
    >>> from samewise.features.analysis.analysis import analyse
    >>> [(a, b)] = analyse([("My data base pasworrd", "database password")])
    >>> spelling_links(a, b, range(4), range(2))
    [((1, 2), (0,)), ((3,), (1,))]
    """
    free = set(free_a), set(free_b)
    used: tuple[set[int], set[int]] = (set(), set())
    found: list[SpellingLink] = []
    for candidates in (_joined(a, b, *free), _misspelt(a, b, *free)):
        for _, *link in sorted(candidates):
            if all(taken.isdisjoint(places) for taken, places in zip(used, link, strict=True)):
                for taken, places in zip(used, link, strict=True):
                    taken.update(places)
                found.append((link[0], link[1]))
    return sorted(found)


_Candidate = tuple[tuple[int, int, int], tuple[int, ...], tuple[int, ...]]


def _order(badness: int, a: Sentence, i: int, b: Sentence, j: int) -> tuple[int, int, int]:
    # Equal for mirrored candidates, which do not exclude each other.
    return badness, abs(i * len(b.tokens) - j * len(a.tokens)), i + j


def _joined(a: Sentence, b: Sentence, free_a: set[int], free_b: set[int]) -> Iterator[_Candidate]:
    forms_a, forms_b = _forms(a), _forms(b)
    for i, j in _runs(a, forms_a, free_a, forms_b):
        yield _order(0, a, i, b, j), (i, i + 1), (j,)
    for j, i in _runs(b, forms_b, free_b, forms_a):
        yield _order(0, a, i, b, j), (i,), (j, j + 1)


def _runs(
    one: Sentence, forms: Sequence[set[str]], free: set[int], others: Sequence[set[str]]
) -> Iterator[tuple[int, int]]:
    # The first of two words of which one has no link, and the word of the other text that they make together. The
    # other one may have a link: of "data base", the aligner links "data" to "database".
    made: dict[str, list[int]] = {}
    for i in range(len(forms) - 1):
        first = stripped(one.words[i])
        if (i in free or i + 1 in free) and first in forms[i]:
            for last in forms[i + 1]:
                if len(first + last) >= SHORTEST:
                    made.setdefault(first + last, []).append(i)
    for j, of_word in enumerate(others):
        yield from {(i, j) for form in of_word for i in made.get(form, ())}


def _forms(sentence: Sentence) -> list[set[str]]:
    # Of each token the word and its lemma without marks; none of other tokens and of articles.
    pairs = zip(sentence.words, sentence.lemmas or sentence.words, strict=True)
    return [{form for form in map(stripped, pair) if form.isalpha() and form not in _ARTICLES} for pair in pairs]


def _misspelt(a: Sentence, b: Sentence, free_a: set[int], free_b: set[int]) -> Iterator[_Candidate]:
    for one, other, own, others, first in ((a, b, free_a, free_b, True), (b, a, free_b, free_a, False)):
        strange = [i for i in sorted(own) if _is_strange(one.words[i]) and one.words[i] not in other.words]
        for i in strange[:MOST_STRANGE]:
            word = one.words[i]
            for j in others:
                known = other.words[j]
                if known in one.words or not _may_be(one, i, other, j):
                    continue
                most = 1 if min(len(word), len(known)) <= SHORT else 2
                distance = OSA.distance(word, known, score_cutoff=most)
                if distance <= most:
                    places = ((i,), (j,)) if first else ((j,), (i,))
                    yield (_order(distance, one, i, other, j), *places)


@cached_by_word(1 << 14)
def _is_strange(word: str) -> bool:
    # Whether a lower-case word is in no list of English words.
    return _is_spelt(word) and int(english_words().kinds(np.asarray([text_hash(word)], np.uint64))[0]) == UNLISTED


def _is_spelt(word: str) -> bool:
    return len(word) >= SHORTEST and word.isascii() and word.isalpha()


def _may_be(one: Sentence, i: int, other: Sentence, j: int) -> bool:
    # Whether the first, which is no English word, may be the second, misspelt.
    word, known = one.words[i], other.words[j]
    if abs(len(word) - len(known)) > 2 or (word[0] != known[0] and sorted(word[:2]) != sorted(known[:2])):
        return False
    if not _is_spelt(known) or _is_strange(known):
        return False
    begins = {next((start for start in _BEGINNINGS if form.startswith(start)), "") for form in (word, known)}
    if len(begins - {""}) > 1:
        return False
    written = one.tokens[i], other.tokens[j]
    if any(text.isupper() for text in written) and not all(text.isupper() for text in written):
        return False
    return not (all(text[0].isupper() for text in written) and (i or j))


def with_spelling_links(pairs: PairBatch, linked: Linked) -> Linked:
    """Return the links of a batch, and those of words that are written otherwise, with stage `STAGE` and weight 1."""
    sides = token_ids(pairs)
    free = np.ones(len(sides.a.values), dtype=bool), np.ones(len(sides.b.values), dtype=bool)
    free[0][sides.a.offsets[linked.row] + linked.i] = False
    free[1][sides.b.offsets[linked.row] + linked.j] = False
    rows = _rows_with_strangers(pairs, free) | _rows_with_runs(pairs, 0, free[0]) | _rows_with_runs(pairs, 1, free[1])
    added: list[tuple[int, int, int]] = []
    for pair in sorted(rows):
        places = (
            np.flatnonzero(mask[side.offsets[pair] : side.offsets[pair + 1]]).tolist()
            for mask, side in zip(free, sides, strict=True)
        )
        for places_a, places_b in spelling_links(*pairs[pair], *places):
            added += [(pair, p, q) for p in places_a for q in places_b]
    if not added:
        return linked
    row, i, j = (np.concatenate(column) for column in zip(linked[:3], np.asarray(added).T, strict=True))
    stage = np.append(linked.stage, [STAGE] * len(added))
    weight = np.append(linked.weight, np.ones(len(added)))
    order = np.lexsort((stage, j, i, row))
    row, i, j = row[order], i[order], j[order]
    first = np.append(True, (np.diff(row) != 0) | (np.diff(i) != 0) | (np.diff(j) != 0))
    return Linked(row[first], i[first], j[first], stage[order][first], weight[order][first])


def _rows_with_strangers(pairs: PairBatch, free: tuple[np.ndarray, np.ndarray]) -> set[int]:
    # Pairs with an unlinked word that is not English.
    words = vocabulary(pairs, "words")
    strange = english_words().kinds(words.hashes) == UNLISTED
    strange &= np.fromiter(map(_is_spelt, words.items), dtype=bool, count=len(words.items))
    rows: set[int] = set()
    for side, mask in zip(token_ids(pairs), free, strict=True):
        rows.update(side.rows[mask & strange[words.ids.values[side.values]]].tolist())
    return rows


def _rows_with_runs(pairs: PairBatch, one: int, free: np.ndarray) -> set[int]:
    # Pairs in which two words of a side, one of them unlinked, make a word of the other side.
    words, lemmas, side = vocabulary(pairs, "words"), vocabulary(pairs, "lemmas"), token_ids(pairs)[one]
    first = np.flatnonzero((free[:-1] | free[1:]) & (side.rows[:-1] == side.rows[1:]))
    x, y = side.values[first], side.values[first + 1]
    form, lemma, most = words.ids.values, lemmas.ids.values, len(words.items)
    codes, place = np.unique((form[x] * most + form[y]) * len(lemmas.items) + lemma[y], return_inverse=True)
    known = {stripped(item) for item in (*words.items, *lemmas.items)}
    made = [
        {words.items[run // most] + last for last in (words.items[run % most], lemmas.items[end])} & known
        for run, end in zip(*(part.tolist() for part in np.divmod(codes, max(len(lemmas.items), 1))), strict=True)
    ]
    hits = np.flatnonzero(np.fromiter(map(bool, made), dtype=bool, count=len(made))[place])
    rows = set()
    for row, forms in zip(side.rows[first[hits]].tolist(), (made[k] for k in place[hits].tolist()), strict=True):
        other = pairs[row][1 - one]
        if any(stripped(form) in forms for form in (*other.words, *other.lemmas)):
            rows.add(row)
    return rows
