"""Words that exchanged their places: what stands before each of them stands before the other one in the other text."""

from collections import Counter
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from ...features.base.sentences import Sentence
from .comparison import SUBJECT_FORMS, Comparison
from .words import is_mutual, opposites_between

_SKIPPED = frozenset("DT PDT PRP PRP$ POS CD MD".split())
_JOINS = frozenset("and or but so while whereas whenever only &".split())
_LISTED = frozenset({"", "of", "as", "with", *_JOINS, ","})
"""Governing words of the members of a list, which may change places."""

_AUXILIARIES = frozenset({"be", "have", "do", "get", "let"})
_TELLING = frozenset({"not", "n't", "then", "first", "next", "never"})
_MOVING = frozenset("NVP")
"""First letters of the tags of words that can exchange their roles: nouns, verbs and pronouns."""

_ANAPHORS = frozenset({"it", "they", "them", "one"})
_ONE_PHRASE = 3
_MOST_EDITED = 4
_MOST_OTHER = 2
_FAR = 6
_MOST = 80

_Keys = tuple[list[str], list[str]]


def compare_exchanges(pair: Comparison) -> None:
    """Report two words that took each other's place, such as "from Lyon to Turin" and "from Turin to Lyon"."""
    keys = _keys(pair.sentences[0]), _keys(pair.sentences[1])
    bags = [_bag(sentence, of_side) for sentence, of_side in zip(pair.sentences, keys, strict=True)]
    others = (bags[0] - bags[1]).total() + (bags[1] - bags[0]).total()
    found = [*_by_edits(pair, keys, others == 0)]
    if not found and others <= _MOST_OTHER:
        found = [*_by_governing_words(pair, keys)]
    if len(found) > 1 and abs(found[1][0] - found[0][0]) > _ONE_PHRASE:
        # "Several mention the zip, none the price", "None mention the price, several the zip": two exchanges cancel.
        for i, j, p, q in found:
            pair.settle((i, p), (j, q))
        return
    for i, j, p, q in found:
        opposites = opposites_between(pair)
        if opposites is not None:  # "A is older than B", "B is younger than A"
            pair.settle((opposites[0], i, p), (opposites[1], j, q))
        else:
            pair.report("role", (i, p), (j, q))


def compare_voices(pair: Comparison) -> None:
    """Report a verb in the passive between the words that stand beside it in the active: "buys", "is bought by"."""
    if any(one.kind == "role" for one in pair.found):
        return
    a, b = pair.sentences
    keys = [_keys(sentence) for sentence in pair.sentences]
    for i in pair.content[0]:
        for j in sorted(pair.links[0].get(i, ())):
            if a.lemmas[i] != b.lemmas[j] or not a.tags[i].startswith("V") or not b.tags[j].startswith("V"):
                continue
            if _is_passive(a, i) == _is_passive(b, j) or not (pair.open(0, [i]) and pair.open(1, [j])):
                continue
            beside = [[_next(sentence, place, step) for step in (-1, 1)] for sentence, place in ((a, i), (b, j))]
            if all(p is not None and q is not None and keys[0][p] == keys[1][q] for p, q in zip(*beside, strict=True)):
                pair.report("role", [i], [j])


def _is_passive(sentence: Sentence, place: int) -> bool:
    return sentence.tags[place] in ("VBN", "VBD") and sentence.words[place + 1 : place + 2] == ("by",)


def _next(sentence: Sentence, place: int, step: int) -> int | None:
    # The nearest noun, name or pronoun before or after a place.
    stop = -1 if step < 0 else len(sentence.tags)
    for at in range(place + step, stop, step):
        if sentence.tags[at][:2] in ("NN", "PR") and sentence.tags[at] != "PRP$":
            return at
        if sentence.tags[at] in (",", ".", ":"):
            return None
    return None


def _by_edits(pair: Comparison, keys: _Keys, same_words: bool) -> Iterator[tuple[int, int, int, int]]:
    # Two words of the first text, each replaced by the other one: their places in the first and the second text.
    (a, b), (keys_a, keys_b) = pair.sentences, keys
    if max(map(len, keys)) > _MOST:
        return
    edits = [edit for edit in Levenshtein.opcodes(keys_a, keys_b) if edit.tag != "equal"]
    sizes = [(edit.src_end - edit.src_start, edit.dest_end - edit.dest_start) for edit in edits]
    if sum(map(max, sizes)) > _MOST_EDITED:
        return  # a clause that moved
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for edit in edits:
        if edit.tag != "replace":
            continue
        for i, j in zip(range(edit.src_start, edit.src_end), range(edit.dest_start, edit.dest_end), strict=False):
            if not (_moves(pair, 0, i) and _moves(pair, 1, j) and _has_one_neighbour(keys_a, i, keys_b, j)):
                continue
            if not same_words and governing_word(a, i) != governing_word(b, j):
                continue
            x, y = keys_a[i], keys_b[j]
            if (y, x) in found:
                p, q = found.pop((y, x))
                if not (_one_list(a, p, i) or is_mutual(governing_word(a, p)) or is_mutual(governing_word(a, i))):
                    yield p, j, i, q
            else:
                found.setdefault((x, y), (i, j))


def _keys(sentence: Sentence) -> list[str]:
    # Stems, and one form of each pronoun.
    return [SUBJECT_FORMS.get(word, stem) for word, stem in zip(sentence.words, sentence.stems, strict=True)]


def _moves(pair: Comparison, side: int, place: int) -> bool:
    # Numbers are compared as values.
    word, tag = pair.sentences[side].words[place], pair.sentences[side].tags[place]
    return word not in _ANAPHORS and tag != "CD" and (place in pair.content_set[side] or tag == "PRP")


def _has_one_neighbour(a: list[str], i: int, b: list[str], j: int) -> bool:
    before = (a[i - 1] if i else "") == (b[j - 1] if j else "")
    return before or a[i + 1 : i + 2] == b[j + 1 : j + 2]


def _one_list(sentence: Sentence, first: int, second: int) -> bool:
    # "salt and pepper": nothing but signs of a list stands between the two words.
    return all(
        word in _LISTED or tag in ("DT", "PRP$", "JJ", "CD")
        for word, tag in zip(sentence.words[first + 1 : second], sentence.tags[first + 1 : second], strict=True)
    )


def _by_governing_words(pair: Comparison, keys: _Keys) -> Iterator[tuple[int, int, int, int]]:
    # What stands before each of two words in one text stands before the other one in the other text.
    a, b = pair.sentences
    moved: dict[tuple[str, str], tuple[int, int]] = {}
    there = _single(pair, 1, keys[1])
    for key, i in _single(pair, 0, keys[0]).items():
        j = there.get(key)
        if j is None or a.tags[i][:1] not in _MOVING:
            continue
        x, y = governing_word(a, i), governing_word(b, j)
        if x == y or (x in _LISTED and y in _LISTED) or is_mutual(x) or is_mutual(y):
            continue
        if (y, x) in moved:
            p, q = moved[y, x]
            if not (_one_list(a, *sorted((i, p))) and _one_list(b, *sorted((j, q)))):
                yield (p, q, i, j) if p < i else (i, j, p, q)
        else:
            moved.setdefault((x, y), (i, j))


def _single(pair: Comparison, side: int, keys: list[str]) -> dict[str, int]:
    # Places of the words that stand once in a text.
    counts = Counter(keys)
    return {key: place for place, key in enumerate(keys[:_MOST]) if counts[key] == 1 and _moves(pair, side, place)}


def _bag(sentence: Sentence, keys: list[str]) -> Counter[str]:
    return Counter(
        key
        for key, lemma, tag in zip(keys, sentence.lemmas, sentence.tags, strict=True)
        if tag not in ("DT", "PRP$") and key[0].isalnum() and lemma not in _AUXILIARIES
    )


def governing_word(sentence: Sentence, place: int) -> str:
    """Return the verb, preposition or conjunction that a word belongs to; "" at the beginning of a clause."""
    # The tagger takes some nouns for verbs.
    is_noun = place > 0 and sentence.tags[place - 1] in ("DT", "PRP$", "POS")
    is_verb = sentence.tags[place].startswith("V") and not is_noun
    for at in range(place - 1, max(place - 1 - _FAR, -1), -1):
        word, tag, lemma = sentence.words[at], sentence.tags[at], sentence.lemmas[at]
        if word in _TELLING:
            return word
        if tag in _SKIPPED or tag[:2] in ("JJ", "RB"):
            continue
        if tag.startswith("NN"):
            if is_verb:
                return ""
            continue
        if tag.startswith("V"):
            if is_verb and lemma in _AUXILIARIES:
                continue
            return lemma
        if not word.isalpha() or (at == 0 and word in _JOINS):
            return ""
        before = sentence.words[at - 1] if at else ""
        return f"{before} {word}" if before in _TELLING else word
    return ""
