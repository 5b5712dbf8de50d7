"""The aligner of Sultan et al. (2014) written for reading: every token against every token, nothing kept or indexed.

An oracle for the tests of `samewise.features.alignment.aligner`, and the yardstick of `alignment_speed.py`.
"""

import itertools
from typing import NamedTuple

import Stemmer
from samewise.features.alignment.dependency_relations import GROUPS
from samewise.features.alignment.entity_names import projected, same_names
from samewise.features.base.sentences import Sentence
from samewise.features.base.word_tables import stop_words
from samewise.features.lexicon.paraphrases import paraphrases

CLITICS = {"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ca", "wo"}
VERB, NOUN, ADJECTIVE, ADVERB = "VB", "NN", "JJ", "RB"


def is_punctuation(word: str) -> bool:
    return not any(character.isalnum() for character in word)


def is_function(word: str) -> bool:
    return word in stop_words("nltk") | CLITICS


def is_content(word: str) -> bool:
    return not is_punctuation(word) and not is_function(word)


def bare(word: str) -> str:
    return word.replace(".", "").replace("-", "").replace(",", "") or word


Edge = tuple[int, str]


class Neighbours(NamedTuple):
    """For each token its head, or None for the root, and its dependents; punctuation left out."""

    parents: list[Edge | None]
    children: list[list[Edge]]


def collapsed(relation: str, marker: str | None) -> str:
    if relation in {f"{kind}:{part}" for kind in ("obl", "nmod") for part in ("tmod", "unmarked", "npmod")}:
        return "obl:tmod"
    if relation in ("nmod", "obl"):
        return f"prep:{marker}" if marker else "prep"
    if relation == "conj":
        return f"conj:{marker or 'and'}"
    return "nsubj" if relation == "nsubj:outer" else relation


def neighbours(sentence: Sentence) -> Neighbours:
    size = len(sentence.tokens)
    found = Neighbours([None] * size, [[] for _ in range(size)])
    if len(sentence.heads) < size:
        return found
    markers: dict[int, str] = {}
    for token, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if relation in ("case", "cc"):
            markers.setdefault(head, sentence.lemmas[token])
    for token, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if head != token and relation != "punct":
            name = collapsed(relation, markers.get(token))
            found.parents[token] = (head, name)
            found.children[head].append((token, name))
    return found


class PlainAligner:
    def __init__(self, a: Sentence, b: Sentence) -> None:
        self.a, self.b = a, b
        self.links: dict[tuple[int, int], int] = {}
        self.around = (neighbours(a), neighbours(b))
        self.groups = dict(zip((NOUN, VERB, ADJECTIVE, ADVERB), GROUPS, strict=True))
        self.everywhere = list(itertools.product(range(len(a.tokens)), range(len(b.tokens))))

    def relatedness(self, i: int, j: int) -> float:
        stem = Stemmer.Stemmer("english").stemWord
        x, y = self.a.words[i], self.b.words[j]
        forms_x, forms_y = {x, (self.a.lemmas or self.a.words)[i]}, {y, (self.b.lemmas or self.b.words)[j]}
        bare_x, bare_y = {bare(form) for form in forms_x}, {bare(form) for form in forms_y}
        if (bare_x | {stem(form) for form in bare_x}) & (bare_y | {stem(form) for form in bare_y}):
            return 1.0
        if is_punctuation(x) or is_punctuation(y) or is_function(x) != is_function(y):
            return 0.0
        if self.number(self.a, i) and self.number(self.b, j):
            return 0.0
        return 0.9 if any(paraphrases().pair(one, other) for one in forms_x for other in forms_y) else 0.0

    def number(self, sentence: Sentence, place: int) -> bool:
        return bare(sentence.words[place]).isdigit() or bool(sentence.tags) and sentence.tags[place] == "CD"

    def free(self, i: int, j: int) -> bool:
        return all(i != k for k, _ in self.links) and all(j != m for _, m in self.links)

    def link(self, i: int, j: int, stage: int) -> None:
        self.links.setdefault((i, j), stage)

    def both_content(self, i: int, j: int) -> bool:
        return is_content(self.a.words[i]) and is_content(self.b.words[j])

    def best_first(self, candidates: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
        size_a, size_b = len(self.a.tokens), len(self.b.tokens)

        def rank(candidate: tuple[float, int, int]) -> tuple[float, int, int, int, int]:
            value, i, j = candidate
            return -value, abs(i * size_b - j * size_a), i + j, min(i, j), i

        return [(i, j) for _, i, j in sorted(candidates, key=rank)]

    def run(self) -> dict[tuple[int, int], int]:
        self.final_punctuation()
        self.identical_runs()
        self.hyphenated_runs()
        self.names()
        for kind in (VERB, NOUN, ADJECTIVE, ADVERB):
            self.by_dependencies(kind)
        self.by_neighbouring_words()
        self.hyphenated_words()
        self.function_words_by_dependencies()
        self.function_words_by_neighbours()
        return self.links

    def final_punctuation(self) -> None:
        a, b = self.a.tokens, self.b.tokens
        for back in (2, 3, 4):
            for i, j in self.everywhere:
                if (len(a) - i) + (len(b) - j) == back and max(len(a) - i, len(b) - j) <= 2 and self.free(i, j):
                    if a[i] in ".!" and b[j] in ".!" or back == 2 and a[i] == b[j]:
                        self.link(i, j, 1)

    def identical_runs(self) -> None:
        a, b = self.a.words, self.b.words
        runs = {}
        for i, j in self.everywhere:
            length = 0
            while i + length < len(a) and j + length < len(b) and a[i + length] == b[j + length]:
                length += 1
            if length > 1 and not (i and j and a[i - 1] == b[j - 1]) and any(map(is_content, a[i : i + length])):
                runs[i, j] = length
        for i, j in self.best_first([(length, i, j) for (i, j), length in runs.items()]):
            for k in range(runs[i, j]):
                if self.free(i + k, j + k):
                    self.link(i + k, j + k, 2)

    def hyphenated(self, sentence: Sentence) -> list[tuple[int, list[str]]]:
        split = [(place, [part for part in word.split("-") if part]) for place, word in enumerate(sentence.words)]
        return [(place, parts) for place, parts in split if len(parts) > 1]

    def hyphenated_runs(self) -> None:
        found = []
        for i, parts in self.hyphenated(self.a):
            for j in range(len(self.b.words)):
                if list(self.b.words[j : j + len(parts)]) == parts:
                    found.append([(i, j + k) for k in range(len(parts))])
        for j, parts in self.hyphenated(self.b):
            for i in range(len(self.a.words)):
                if list(self.a.words[i : i + len(parts)]) == parts:
                    found.append([(i + k, j) for k in range(len(parts))])
        found = [run for run in found if all(self.free(i, j) for i, j in run)]
        for i, j in itertools.chain.from_iterable(found):
            self.link(i, j, 3)

    def names(self) -> None:
        spans_a, spans_b = projected(self.a, self.b), projected(self.b, self.a)
        linked_a, linked_b = {i for i, _ in self.links}, {j for _, j in self.links}
        for i, j in same_names(self.a, spans_a, self.b, spans_b):
            if i not in linked_a or j not in linked_b:
                self.link(i, j, 4)

    def support(self, i: int, j: int, kind: str) -> list[tuple[int, int]]:
        groups = self.groups[kind]
        up_a, up_b = self.around[0].parents[i], self.around[1].parents[j]
        down_a, down_b = self.around[0].children[i], self.around[1].children[j]
        found = []
        if up_a and up_b:
            same = up_a[1] == up_b[1]
            if same or groups.parents.get(up_a[1], 0) & groups.parents.get(up_b[1], 0):
                found.append((up_a[0], up_b[0]))
        for one, other in itertools.product(down_a, down_b):
            same = one[1] == other[1]
            if same or groups.children.get(one[1], 0) & groups.children.get(other[1], 0):
                found.append((one[0], other[0]))
        for other in down_b if up_a else ():
            if groups.upward.get(up_a[1], 0) & groups.downward.get(other[1], 0):
                found.append((up_a[0], other[0]))
        for one in down_a if up_b else ():
            if groups.upward.get(up_b[1], 0) & groups.downward.get(one[1], 0):
                found.append((one[0], up_b[0]))
        return [at for at in found if self.relatedness(*at) >= 0.9 or at in self.links]

    def by_dependencies(self, kind: str) -> None:
        candidates, supporters = [], {}
        for i, j in self.everywhere:
            tags = (self.a.tags or [""] * len(self.a.tokens))[i], (self.b.tags or [""] * len(self.b.tokens))[j]
            if all(tag.startswith(kind) for tag in tags) and self.free(i, j) and self.both_content(i, j):
                related = self.relatedness(i, j)
                held = self.support(i, j, kind) if related >= 0.9 else []
                evidence = sum(sorted(self.relatedness(*at) or 0.9 for at in held))
                if evidence > 0:
                    candidates.append((0.9 * related + (1 - 0.9) * evidence, i, j))
                    supporters[i, j] = held
        for i, j in self.best_first(candidates):
            if self.free(i, j):
                self.link(i, j, 5)
                for k, m in self.best_first([(self.relatedness(*at), *at) for at in supporters[i, j]]):
                    if self.free(k, m):
                        self.link(k, m, 5)

    def by_neighbouring_words(self) -> None:
        candidates = []
        for i, j in self.everywhere:
            if self.free(i, j) and self.both_content(i, j) and self.relatedness(i, j) >= 0.9:
                near_i = [k for k, w in enumerate(self.a.words) if 0 < abs(k - i) <= 3 and is_content(w)]
                near_j = [m for m, w in enumerate(self.b.words) if 0 < abs(m - j) <= 3 and is_content(w)]
                evidence = sum(sorted(self.relatedness(k, m) for k in near_i for m in near_j))
                candidates.append((0.9 * self.relatedness(i, j) + (1 - 0.9) * evidence, i, j))
        for i, j in self.best_first(candidates):
            if self.free(i, j):
                self.link(i, j, 6)

    def hyphenated_words(self) -> None:
        stem = Stemmer.Stemmer("english").stemWord

        def keys(sentence: Sentence, place: int) -> set[str]:
            forms = {bare(sentence.words[place]), bare((sentence.lemmas or sentence.words)[place])}
            return forms | {stem(form) for form in forms}

        found = set()
        for i, parts in self.hyphenated(self.a):
            for j, word in enumerate(self.b.words):
                if self.free(i, j) and is_content(word) and keys(self.b, j) & set(parts):
                    found.add((1.0, i, j))
        for j, parts in self.hyphenated(self.b):
            for i, word in enumerate(self.a.words):
                if self.free(i, j) and is_content(word) and keys(self.a, i) & set(parts):
                    found.add((1.0, i, j))
        for i, j in self.best_first(list(found)):
            if self.free(i, j):
                self.link(i, j, 7)

    def function_words_by_dependencies(self) -> None:
        candidates = []
        for i, j in self.everywhere:
            if is_punctuation(self.a.words[i]) or self.both_content(i, j) or not self.free(i, j):
                continue
            if self.relatedness(i, j) >= 0.9:
                up_a, up_b = self.around[0].parents[i], self.around[1].parents[j]
                down = itertools.product(self.around[0].children[i], self.around[1].children[j])
                linked = sum((one[0], other[0]) in self.links for one, other in down)
                linked += bool(up_a and up_b and (up_a[0], up_b[0]) in self.links)
                if linked:
                    candidates.append((self.relatedness(i, j) + linked, i, j))
        for i, j in self.best_first(candidates):
            if self.free(i, j):
                self.link(i, j, 8)

    def function_words_by_neighbours(self) -> None:
        while True:
            candidates = []
            for i, j in self.everywhere:
                beside = ((i - 1, j - 1) in self.links) + ((i + 1, j + 1) in self.links)
                if beside and self.free(i, j) and not self.both_content(i, j) and self.relatedness(i, j) >= 0.9:
                    candidates.append((self.relatedness(i, j) + beside, i, j))
            if not candidates:
                return
            self.link(*self.best_first(candidates)[0], 9)
