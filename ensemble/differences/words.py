"""Differences of words: exchanged roles, opposites, and words without a counterpart."""

from ...features.base.sentences import Sentence
from .comparison import Comparison
from .sentence_facts import SUBJECT, Slot
from .word_relations import CONVERSES, FUNCTION_OPPOSITES, are_opposites, positive_form

_MUTUAL = frozenset(
    """meet marry resemble equal match join be become remain face border differ fight date hug embrace talk argue agree
    play dance share compare divorce cooperate merge collide correspond""".split()
)
_MUTUAL_ROLES = frozenset({"with", "beside", "alongside", "near", "between", "and"})
_ENOUGH_FOR_OPPOSITES = 0.6
_MOST = 60


def compare_roles(pair: Comparison) -> None:
    """Report two words that exchanged their roles beside verbs that both texts have."""
    slots_a, slots_b = pair.facts[0].slots, pair.facts[1].slots
    moved: dict[tuple[Slot, Slot], tuple[int, int]] = {}
    for i, of_i in slots_a.items():
        for j in sorted(pair.links[0].get(i, ())):
            for x in of_i:
                for y in slots_b.get(j, ()):
                    here = _same_slot(pair, y)
                    if here is not None and here != x:
                        moved.setdefault((x, here), (i, j))
    for (x, y), (i, j) in moved.items():
        back = moved.get((y, x))
        if back is None or i > back[0] or _mutual(pair, x, y):
            continue
        others = [_same_slot(pair, slot) for slot in slots_b.get(j, ())]
        if any(slot in others for slot in slots_a.get(i, ())):
            continue  # the word has not moved if another of its roles is the same
        if pair.open(0, (i, back[0])) and pair.open(1, (j, back[1])) and not _converse(pair):
            pair.report("role", (i, back[0]), (j, back[1]))


def _same_slot(pair: Comparison, slot: Slot) -> Slot | None:
    # The slot of the second sentence at the linked verb of the first.
    if slot.verb < 0:
        return slot
    verbs = pair.links[1].get(slot.verb, set())
    return Slot(min(verbs), slot.role) if verbs else None


def _mutual(pair: Comparison, x: Slot, y: Slot) -> bool:
    if {x.role, y.role} & _MUTUAL_ROLES:
        return True
    return x.verb >= 0 and "than" not in (x.role, y.role) and pair.sentences[0].lemmas[x.verb] in _MUTUAL


def is_mutual(lemma: str) -> bool:
    """Return whether a verb or preposition says the same of both its ends, such as "meet"."""
    return lemma in _MUTUAL or lemma in _MUTUAL_ROLES


def opposites_between(pair: Comparison) -> tuple[int, int] | None:
    """Return the places of opposites of which each text has one: "A lent to B", "B borrowed from A"."""
    a, b = pair.sentences
    for i in _candidates(pair, 0):
        for j in _candidates(pair, 1):
            if _opposed(a, i, b, j) and a.lemmas[i] not in b.lemmas:
                return i, j
    for side in (0, 1):
        less, there = pair.sentences[side].words, pair.sentences[1 - side]
        if "less" in less and "less" not in there.words:  # "less dense", "denser"
            for k, tag in enumerate(there.tags):
                if tag in ("JJR", "RBR"):
                    return (less.index("less"), k) if side == 0 else (k, less.index("less"))
    return None


def _converse(pair: Comparison) -> bool:
    # "older than" and "younger than": settle the opposites, they cancel.
    found = opposites_between(pair)
    if found is not None:
        pair.settle(found[:1], found[1:])
    return found is not None


def compare_opposites(pair: Comparison) -> None:
    """Report opposites in corresponding places; those of verbs whose subjects exchanged places say the same."""
    a, b = pair.sentences
    candidates = []
    for i in _candidates(pair, 0):
        for j in _candidates(pair, 1):
            if not _opposed(a, i, b, j):
                continue
            points = pair.evidence((i,), (j,)) + 2.0 * pair.linked(i, j)
            candidates.append((-points, i, j))
    only = len(candidates) == 1 and pair.coverage >= _ENOUGH_FOR_OPPOSITES
    for points, i, j in sorted(candidates):
        if not (pair.open(0, [i]) and pair.open(1, [j])):
            continue
        is_function = a.words[i] in FUNCTION_OPPOSITES
        told = not is_function and _told_from_the_other_side(pair, i, j)
        if told or _compared_the_other_way(pair, i, j):
            pair.settle((i,), (j,))
        elif -points >= (1.5 if is_function else 1.0) or (only and not is_function):
            pair.report("antonym", (i,), (j,))


def _opposed(a: Sentence, i: int, b: Sentence, j: int) -> bool:
    if are_opposites(a.lemmas[i], b.lemmas[j]) or are_opposites(a.words[i], b.words[j]):
        return True
    return are_opposites(positive_form(a.words[i], a.tags[i]), positive_form(b.words[j], b.tags[j]))


def _candidates(pair: Comparison, side: int) -> list[int]:
    here, there = pair.sentences[side], pair.sentences[1 - side]
    fits = [
        place
        for place, word in enumerate(here.words)
        if (place in pair.content_set[side] or word in FUNCTION_OPPOSITES)
        and pair.open(side, [place])
        and not any(there.words[other] == word for other in pair.links[side].get(place, ()))
    ]
    return fits[:_MOST]


def _compared_the_other_way(pair: Comparison, i: int, j: int) -> bool:
    # "The lamp is cheaper than the chair", "The chair is dearer than the lamp".
    standards = []
    for side, place in ((0, i), (1, j)):
        sentence = pair.sentences[side]
        if sentence.tags[place] not in ("JJR", "RBR") and sentence.words[place] not in ("more", "less", "fewer"):
            return False
        than = next((k for k in range(place + 1, len(sentence.words)) if sentence.words[k] == "than"), None)
        after = range(than + 1, min(than + 1 + _REACH, len(sentence.words))) if than is not None else ()
        standards.append({k for k in after if k in pair.links[side] and k in pair.content[side]})
    linked = {k for place in standards[0] for k in pair.links[0][place]}
    return bool(standards[0] or standards[1]) and linked.isdisjoint(standards[1])


_REACH = 5


def _told_from_the_other_side(pair: Comparison, i: int, j: int) -> bool:
    # "The firm sold the fleet to a rival", "A rival bought the fleet"; "older than", "younger than".
    before = [
        sentence.lemmas[place - 1] if place else "" for sentence, place in zip(pair.sentences, (i, j), strict=True)
    ]
    if before == ["be", "be"] and pair.linked(i - 1, j - 1):
        return False  # "is open", "is closed": a state of the same subject
    subjects = [_with_role(pair, side, place, True) for side, place in ((0, i), (1, j))]
    others = [_with_role(pair, side, place, False) for side, place in ((0, i), (1, j))]
    if any(pair.linked(x, y) for x in subjects[0] for y in subjects[1]):
        return False
    if all(subjects) and frozenset((pair.sentences[0].lemmas[i], pair.sentences[1].lemmas[j])) in CONVERSES:
        return True
    crossed = any(pair.linked(x, y) for x in subjects[0] for y in others[1])
    return crossed or any(pair.linked(x, y) for x in others[0] for y in subjects[1])


def _with_role(pair: Comparison, side: int, place: int, subject: bool) -> list[int]:
    # Words with a role beside a verb, or beside the last verb before a word of another kind.
    slots = [(k, slot) for k, some in pair.facts[side].slots.items() for slot in some]
    verb = max((slot.verb for _, slot in slots if slot.verb <= place), default=-1)
    return [k for k, slot in slots if slot.verb == verb >= 0 and (slot.role == SUBJECT) == subject]


def compare_rest(pair: Comparison) -> None:
    """Report runs of content words without a counterpart, as added and missing words."""
    for side, kind in ((0, "missing"), (1, "added")):
        free = {k for k in pair.content[side] if k not in pair.links[side] and pair.open(side, [k])}
        run: list[int] = []
        for place in sorted(free):
            run.append(place)
            # Within a text the end of a sentence is not a separate token.
            ends = pair.sentences[side].tokens[place].endswith((".", "!", "?"))
            if place + 1 not in free or ends:
                pair.report_on(side, kind, run)
                run = []
