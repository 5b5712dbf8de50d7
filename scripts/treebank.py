"""Universal Dependencies treebanks as training sentences: read, realigned to our own tokens, varied in form."""

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from entities import Mention, name_spans
from samewise.features.analysis.analysis import normalise
from samewise.features.linguistics.tokenizer import tokenize

GENRES = frozenset({"news", "interview", "bio", "voyage", "textbook", "vlog", "speech", "conversation"})
"""The genres of GUM under terms that allow redistribution of what is learned from them; all others are left out."""


@dataclass(frozen=True)
class Tree:
    """One annotated sentence; all but `entities` parallel.

    Attributes
    ----------
    words, tags, lemmas
        Forms, Penn Treebank tags and lemmas.
    heads, relations
        Index of the head, the root's own index for the root, and basic Universal Dependencies relations.
    entities
        Spans ``(start, end, label)`` in order, without overlap; None where they are not annotated.
    text
        The raw text, or "" when the words were changed.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    entities: tuple[tuple[int, int, str], ...] | None
    text: str = ""


def read_conllu(path: Path, genres: frozenset[str] | None = None, entities: bool = False) -> Iterator[Tree]:
    """Yield the sentences of a gzipped CoNLL-U file; with genres, only of documents ``GUM_<genre>_...`` of these."""
    kept, text, rows = genres is None, "", []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id = ") and genres is not None:
                kept = line.removeprefix("# newdoc id = GUM_").split("_")[0] in genres
            elif line.startswith("# text = "):
                text = line.removeprefix("# text = ")
            elif not line and rows:
                if kept:
                    yield _tree(rows, text, entities)
                rows = []
            elif line[:1].isdigit():
                row = line.split("\t")
                if row[0].isdigit():
                    rows.append(row)


def _tree(rows: Sequence[Sequence[str]], text: str, entities: bool) -> Tree:
    words = tuple(row[1].replace(" ", "") for row in rows)
    tags = tuple(row[4] for row in rows)
    heads = tuple(int(row[6]) - 1 if row[6] != "0" else i for i, row in enumerate(rows))
    lemmas = tuple(
        row[1] if row[4] in ("NNP", "NNPS", "GW", "ADD") or row[2] == "_" else row[2].replace(" ", "") for row in rows
    )
    spans = name_spans(words, tags, heads, _mentions(rows)) if entities else None
    return Tree(words, tags, lemmas, heads, tuple(row[7] for row in rows), spans, text)


_BRACKET = re.compile(r"\((?P<open>[^()]+)(?P<single>\))?|(?P<close>[^()]+)\)")
_NOTE = re.compile(r"\d+-(?P<kind>[a-z]+)-.*-cf[^-]*-(?P<head>\d+)[\d,]*-[a-z]+(-(?P<identity>.*))?")


def _mentions(rows: Sequence[Sequence[str]]) -> list[Mention]:
    # Spans of the `Entity` bracket notation; a mention in several parts ("12[1/2]") is left out.
    opened: dict[str, list[tuple[int, str]]] = {}
    found = []
    for i, row in enumerate(rows):
        notes = dict(item.split("=", 1) for item in row[9].split("|") if "=" in item)
        for match in _BRACKET.finditer(notes.get("Entity", "")):
            if match["open"]:
                if match["single"]:
                    found.append(_mention(i, i + 1, match["open"]))
                else:
                    opened.setdefault(match["open"].split("-")[0], []).append((i, match["open"]))
            elif stack := opened.get(match["close"]):
                start, note = stack.pop()
                found.append(_mention(start, i + 1, note))
    return [mention for mention in found if mention is not None]


def _mention(start: int, end: int, note: str) -> Mention | None:
    match = _NOTE.fullmatch(note)
    if match is None:
        return None
    return Mention(start, end, match["kind"], start + int(match["head"]) - 1, match["identity"] or "")


# ---- our own tokens


def retokenised(tree: Tree) -> Tree | None:
    """Return the tree over the tokens of `tokenize`, or None where the two tokenisations cross.

    Words that are one token (``well - known``) become one node under the head of the word that leads outside; the
    pieces of a split word hang from the first piece.
    """
    tokens = tokenize(normalise(tree.text))
    groups = _aligned(tree.words, tokens)
    if groups is None:
        return None
    place = [0] * len(tree.words)  # our token that stands for each word
    words, tags, lemmas, sources = [], [], [], []
    for (first, last), (start, end) in groups:
        top = _top(tree, first, last)
        for i in range(first, last):
            place[i] = len(words)
        tag, lemma = _merged(tree, first, last, top) if last - first > 1 else (tree.tags[top], tree.lemmas[top])
        for k in range(start, end):
            piece = end - start > 1
            punctuation = piece and not any(map(str.isalnum, tokens[k]))
            words.append(tokens[k])
            tags.append((tokens[k] if tokens[k] in ".,:" else "SYM") if punctuation else tag)
            lemmas.append(tokens[k] if piece else lemma)
            sources.append(top if k == start else -1)
    heads, relations = [], []
    for k, top in enumerate(sources):
        if top < 0:
            first_piece = max(j for j in range(k) if sources[j] >= 0)
            heads.append(first_piece)
            relations.append("punct" if words[k] in ".," else "goeswith")
        else:
            heads.append(place[tree.heads[top]])
            made = tags[k] == "JJ" != tree.tags[top] and tree.relations[top] in ("compound", "nmod", "obl:unmarked")
            relations.append("amod" if made else tree.relations[top])
    if not _is_tree(heads):
        return None
    return Tree(tuple(words), tuple(tags), tuple(lemmas), tuple(heads), tuple(relations), _moved(tree, groups))


def _aligned(words: Sequence[str], tokens: Sequence[str]) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
    # Least groups of words and of tokens that cover the same characters; one of both sides has a single member.
    plain = [_plain(word) for word in words], [_plain(token) for token in tokens]
    if "".join(plain[0]) != "".join(plain[1]):
        return None
    groups = []
    i = j = 0
    while i < len(words):
        start, from_ = i, j
        left, right = len(plain[0][i]), len(plain[1][j])
        i, j = i + 1, j + 1
        while left != right:
            if left < right:
                left, i = left + len(plain[0][i]), i + 1
            else:
                right, j = right + len(plain[1][j]), j + 1
        if i - start > 1 and j - from_ > 1:
            return None
        groups.append(((start, i), (from_, j)))
    return groups


_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})


def _plain(word: str) -> str:
    return normalise(word).translate(_QUOTES).replace("``", '"').replace("''", '"')


def _top(tree: Tree, first: int, last: int) -> int:
    # The word that leads outside: the root, or else the last that is not punctuation.
    outside = [i for i in range(first, last) if not first <= tree.heads[i] < last or tree.heads[i] == i]
    return max(outside, key=lambda i: (tree.heads[i] == i, tree.relations[i] != "punct", i))


def _is_tree(heads: Sequence[int]) -> bool:
    for i in range(len(heads)):
        seen = 0
        while heads[i] != i:
            i, seen = heads[i], seen + 1
            if seen > len(heads):
                return False
    return sum(head == i for i, head in enumerate(heads)) == 1


def _merged(tree: Tree, first: int, last: int, top: int) -> tuple[str, str]:
    tag, head = tree.tags[top], tree.heads[top]
    hyphen = "HYPH" in tree.tags[first:last]
    before_noun = head >= last and tree.tags[head].startswith("NN")
    if hyphen and before_noun and tag not in ("NNP", "NNPS", "CD") and tree.relations[top] not in ("nsubj", "conj"):
        return "JJ", "".join(tree.words[first:last]).lower()
    if tag in ("NNP", "NNPS"):
        return tag, "".join(tree.words[first:last])
    lemma = tree.lemmas[last - 1] if top == last - 1 else tree.words[last - 1]
    return tag, "".join(tree.words[first : last - 1]) + lemma


def _moved(
    tree: Tree, groups: Sequence[tuple[tuple[int, int], tuple[int, int]]]
) -> tuple[tuple[int, int, str], ...] | None:
    if tree.entities is None:
        return None
    starts = {first: start for (first, _), (start, _) in groups}
    ends = {last: end for (_, last), (_, end) in groups}
    return tuple((starts[a], ends[b], label) for a, b, label in tree.entities if a in starts and b in ends)


# ---- other forms of the same sentence

_BE = frozenset({"is", "are", "was", "were", "been", "be", "being", "has", "have", "'s", "'re"})


def kept_words(tree: Tree, keep: Sequence[bool]) -> Tree:
    """Return the tree of the marked words; a word that is left out must not be a head."""
    place = [0] * (len(keep) + 1)
    for i, kept in enumerate(keep):
        place[i + 1] = place[i] + kept

    def pick(values: Sequence[str]) -> tuple[str, ...]:
        return tuple(value for value, kept in zip(values, keep, strict=True) if kept)

    entities = tree.entities
    if entities is not None:
        moved = [(place[start], place[end], label) for start, end, label in entities]
        entities = tuple(span for span in moved if span[0] < span[1])
    heads = tuple(place[head] for head, kept in zip(tree.heads, keep, strict=True) if kept)
    return Tree(pick(tree.words), pick(tree.tags), pick(tree.lemmas), heads, pick(tree.relations), entities)


def without_final_stop(tree: Tree) -> Tree:
    """Return the tree without its final full stop."""
    last = len(tree.words) - 1
    if last < 1 or tree.words[last] != "." or last in tree.heads:
        return tree
    return kept_words(tree, [i != last for i in range(last + 1)])


def headline(tree: Tree) -> Tree:
    """Return the tree as headlines are written: no articles, no auxiliary `be` or `have`, no final stop."""
    heads = set(tree.heads)
    keep = [
        i in heads
        or not (
            (tree.relations[i] == "det" and word.lower() in ("the", "a", "an"))
            or (tree.relations[i] in ("aux", "aux:pass") and word.lower() in _BE)
        )
        for i, word in enumerate(tree.words)
    ]
    return without_final_stop(kept_words(tree, keep)) if sum(keep) > 1 else tree


def varied(tree: Tree, random: Random) -> Tree:
    """Return the tree itself or, at random, one of its other forms."""
    draw = random.random()
    if draw < 0.08:
        tree = headline(tree)
    elif draw < 0.33:
        tree = without_final_stop(tree)
    draw = random.random()
    if draw < 0.15:
        return replace(tree, words=tuple(word.lower() for word in tree.words))
    if draw < 0.20:
        small = frozenset({"DT", "IN", "TO", "CC", "RP"})
        titled = (
            word if tag in small and random.random() < 0.7 else word[:1].upper() + word[1:]
            for word, tag in zip(tree.words, tree.tags, strict=True)
        )
        return replace(tree, words=tuple(titled))
    if draw < 0.215:
        return replace(tree, words=tuple(word.upper() for word in tree.words))
    return tree
