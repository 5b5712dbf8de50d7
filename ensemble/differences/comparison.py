"""Comparison of the two sentences of a pair: their links, the words already explained, and the differences found."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from ...features.analysis.editable_sentence import EditableSentence
from ...features.base.sentences import Sentence
from ...features.base.word_tables import stop_words
from .facts import Difference, Fact
from .sentence_facts import SentenceFacts, is_title
from .word_relations import mean_the_same
from .written_names import same_written_name

_MOST_FREE = 60
"""Unlinked words of a side that are compared with all of the other side; the cost of long texts stays bounded."""

SUBJECT_FORMS = {"me": "i", "him": "he", "us": "we", "them": "they", "her": "she"}
"""The form as a subject of each pronoun that has another one."""

_FUNCTION_TAGS = frozenset("IN TO DT PDT WDT MD CC RP EX PRP PRP$ POS UH".split())
_FAR = 4
COVERED_FOR_LONE = 0.65
"""Linked share of the content words from which a word that only one text has is a difference of that word alone."""

REST_COVERED = 0.8
"""Linked share of the content words outside all differences from which these are reported; chosen on contrast squares:
95 % of the changed near copies whose change is seen reach it, and 30 % of the paraphrases that seem to differ."""

_VALUES = frozenset({"date", "unit", "number", "code", "sign"})

ENOUGH_COVERED = 0.5
"""Linked share of the content words of both sides from which words may correspond without linked neighbours."""


class Comparison:
    """Two analysed sentences, side 0 and side 1, and which of their words are linked or explained.

    Parameters
    ----------
    sentences
        Both sentences, of the level ``lexical``.
    facts
        Their facts.
    links
        Places of linked tokens.
    """

    def __init__(
        self,
        sentences: tuple[Sentence, Sentence],
        facts: tuple[SentenceFacts, SentenceFacts],
        links: Iterable[tuple[int, int]],
    ) -> None:
        self.sentences, self.facts = sentences, facts
        self.content = (_content(sentences[0], facts[0].names), _content(sentences[1], facts[1].names))
        self.content_set = (frozenset(self.content[0]), frozenset(self.content[1]))
        self.links: tuple[dict[int, set[int]], dict[int, set[int]]] = ({}, {})
        self.settled: tuple[set[int], set[int]] = (set(), set())
        self.found: list[Difference] = []
        for i, j in links:
            if not self._are_two_names(i, j):
                self._link(i, j)
        self._complete()
        self._nearest = [self._nearest_links(side) for side in (0, 1)]

    def _are_two_names(self, i: int, j: int) -> bool:
        # "Mill Street" and "Mill Road": synonyms, or neighbours of the same words, are not one name.
        if not (i in self.facts[0].names and j in self.facts[1].names):
            return False
        a, b = self.sentences
        return not (_equal(a, i, b, j) or same_written_name(a.words[i], b.words[j]))

    def _link(self, i: int, j: int) -> None:
        self.links[0].setdefault(i, set()).add(j)
        self.links[1].setdefault(j, set()).add(i)

    def _complete(self) -> None:
        # The aligner leaves words without linked neighbours free: equal ones, then synonyms, are linked here.
        a, b = self.sentences
        for same in (_equal, _synonyms):
            free = [[k for k in self.content[side] if k not in self.links[side]][:_MOST_FREE] for side in (0, 1)]
            for i in free[0]:
                fits = [j for j in free[1] if j not in self.links[1] and same(a, i, b, j)]
                if fits:
                    self._link(i, min(fits, key=lambda j: abs(j / len(b.tokens) - i / len(a.tokens))))

    def _nearest_links(self, side: int) -> tuple[list[int], list[int]]:
        # For each place the nearest linked word before and after it, -1 if there is none.
        size, tokens = len(self.sentences[side].tokens), self.sentences[side].tokens
        before, after, last = [-1] * (size + 1), [-1] * (size + 1), -1
        for place in range(size):
            before[place] = last
            last = place if place in self.links[side] and tokens[place][0].isalnum() else last
        last = -1
        for place in reversed(range(size)):
            after[place] = last
            last = place if place in self.links[side] and tokens[place][0].isalnum() else last
        return before, after

    @cached_property
    def coverage(self) -> float:
        """Linked share of the content words of both sides, 0..1."""
        total = sum(map(len, self.content))
        linked = sum(place in self.links[side] for side in (0, 1) for place in self.content[side])
        return linked / total if total else 0.0

    @property
    def rest_coverage(self) -> float:
        """Linked share of the content words that are in no difference so far, 0..1; 1 if there are none."""
        used = self._places_of_differences()
        other = [[place for place in self.content[side] if place not in used[side]] for side in (0, 1)]
        total = sum(map(len, other))
        linked = sum(place in self.links[side] for side in (0, 1) for place in other[side])
        return linked / total if total else 1.0

    def _places_of_differences(self) -> tuple[set[int], set[int]]:
        return (
            {place for one in self.found for place in one.places_a},
            {place for one in self.found for place in one.places_b},
        )

    def withdraw_unsure(self) -> None:
        """Take back the differences in words if the other words hardly correspond: they are about different things.

        Values are exact, and stay; so do names, except those of titles, where any word has a capital.
        """
        if self.rest_coverage >= REST_COVERED:
            return
        exact = _VALUES if any(map(is_title, self.sentences)) else {*_VALUES, "name"}
        kept = [one for one in self.found if one.kind in exact]
        for one in self.found:
            if one.kind not in exact:
                self.settled[0].difference_update(one.places_a)
                self.settled[1].difference_update(one.places_b)
        self.found[:] = kept

    def linked(self, i: int | None, j: int | None) -> bool:
        """Return whether a token of side 0 and one of side 1 are linked."""
        return i is not None and j is not None and j in self.links[0].get(i, ())

    def evidence(self, places_a: Sequence[int], places_b: Sequence[int]) -> float:
        """Return how well the neighbours of two groups of tokens correspond, 0..2: one point for either side.

        Without a linked word on one side of both groups, the beginning or the end of the sentences counts half.
        """
        points, ends = 0.0, 0.0
        for step, (p, q) in enumerate(((places_a[0], places_b[0]), (places_a[-1], places_b[-1]))):
            near_a, near_b = self._nearest[0][step][p], self._nearest[1][step][q]
            if near_a == near_b == -1:
                ends += 0.5
            elif self.linked(near_a, near_b) and abs(near_a - p) <= _FAR and abs(near_b - q) <= _FAR:
                points += 1.0
        return points + ends if points else 0.0

    def settle(self, places_a: Iterable[int], places_b: Iterable[int]) -> None:
        """Mark tokens as explained: they are in no further difference."""
        self.settled[0].update(places_a)
        self.settled[1].update(places_b)

    def settle_on(self, side: int, places: Iterable[int]) -> None:
        """Mark tokens of one side as explained."""
        self.settled[side].update(places)

    def report_on(self, side: int, kind: str, places: Iterable[int]) -> None:
        """Add a difference that has words on one side alone."""
        self.report(kind, *((places, ()) if side == 0 else ((), places)))

    def open_facts(self, side: int, facts: Iterable[Fact]) -> list[Fact]:
        """Return the facts of a side of which no token is explained."""
        return [fact for fact in facts if self.open(side, fact.places)]

    def says_the_rest(self, side: int, fact: Fact) -> bool:
        """Return whether the other text has the word that a fact is about, and nearly all other words of the text."""
        return fact.anchor in self.links[side] and self.coverage >= COVERED_FOR_LONE

    def open(self, side: int, places: Iterable[int]) -> bool:
        """Return whether none of the tokens of a side is explained."""
        return self.settled[side].isdisjoint(places)

    def report(self, kind: str, places_a: Iterable[int], places_b: Iterable[int]) -> None:
        """Add a difference of tokens that are not explained yet, and mark them as explained."""
        a = tuple(sorted(set(places_a) - self.settled[0]))
        b = tuple(sorted(set(places_b) - self.settled[1]))
        if a or b:
            written = (_written(self.sentences[0], a), _written(self.sentences[1], b))
            self.found.append(Difference(kind, *written, a, b))
            self.settle(a, b)

    def paired(
        self, facts_a: Sequence[Fact], facts_b: Sequence[Fact], equal: Callable[[Fact, Fact], bool], alone: bool = True
    ) -> list[tuple[Fact, Fact, bool]]:
        """Return pairs of facts that correspond, the best first, each fact once, and whether they are equal.

        Equal facts correspond anywhere; others if their anchors are linked, if their neighbours are, or, with `alone`,
        if they are the only ones left and the sentences have most content words in common.
        """
        table = []
        for p, x in enumerate(facts_a[:_MOST_FREE]):
            for q, y in enumerate(facts_b[:_MOST_FREE]):
                same = equal(x, y)
                points = 2.0 * self.linked(x.anchor, y.anchor) + self.evidence(x.places, y.places)
                table.append((-(points + 1.5 * same), p, q, same, points))
        single = alone and len(facts_a) == len(facts_b) == 1 and self.coverage >= ENOUGH_COVERED
        pairs, used_a, used_b = [], set(), set()
        for _, p, q, same, points in sorted(table):
            if p not in used_a and q not in used_b and (same or points >= 1.0 or single):
                used_a.add(p)
                used_b.add(q)
                pairs.append((facts_a[p], facts_b[q], same))
        return pairs


def _content(sentence: Sentence, names: frozenset[int]) -> list[int]:
    # Places of the content words, and of the pronouns that have roles.
    stops, pronouns = stop_words("ecnu"), {*SUBJECT_FORMS, *SUBJECT_FORMS.values()}
    return [
        place
        for place, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True))
        if word in pronouns
        or (word not in stops and (place in names or tag not in _FUNCTION_TAGS) and any(map(str.isalnum, word)))
    ]


def _equal(a: Sentence, i: int, b: Sentence, j: int) -> bool:
    x, y = a.lemmas[i], b.lemmas[j]
    same = a.words[i] == b.words[j] or x == y or a.stems[i] == b.stems[j]
    return same or SUBJECT_FORMS.get(a.words[i], a.words[i]) == SUBJECT_FORMS.get(b.words[j], b.words[j])


def _synonyms(a: Sentence, i: int, b: Sentence, j: int) -> bool:
    fixed = {"CD", "NNP", "NNPS"} & {a.tags[i], b.tags[j]}
    return not fixed and mean_the_same(a.lemmas[i], a.tags[i], b.lemmas[j], b.tags[j])


def _written(sentence: Sentence, places: Sequence[int]) -> str:
    # Neighbouring tokens as they stand in the text, other tokens with a blank between them.
    if not places:
        return ""
    spans = EditableSentence(sentence).spans
    words = [sentence.text[slice(*spans[place])] if spans else sentence.tokens[place] for place in places]
    text = words[0]
    for word, before, place in zip(words[1:], places, places[1:], strict=False):
        touches = bool(spans) and place == before + 1 and spans[place][0] == spans[before][1]
        text += word if touches else f" {word}"
    return text
