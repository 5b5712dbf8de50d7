"""Words that stand where the other text has other words, in texts that are otherwise the same."""

from ...features.lexicon.paraphrases import paraphrases
from .comparison import Comparison
from .exchanges import governing_word
from .facts import Fact
from .word_relations import mean_the_same

LEAST_COVERED = 0.7
"""Linked share of the content words outside other differences, from which runs of words can replace one another."""

LEAST_COVERED_BESIDE = 0.75
MOST_RUNS = 2
LEAST_EVIDENCE = 1.5
_MOST_TOKENS = 4

_PARTICLES = ("RP", "IN", "RB")
_PHRASAL = frozenset("look run go get put take turn call come give set break bring".split())
_BEFORE_STATES = frozenset({"be", "still", "already", "'s", "'re", "n't", "not"})
_NOT_STATES = ("VB", "VBG", "DT", "PRP", "PRP$", "WP", "CD", "NN", "NNS", "NNP")


def compare_substitutions(pair: Comparison) -> None:
    """Report content words that other words replace: "running shoes for the office", "for the marathon"."""
    runs = [_free_runs(pair, side) for side in (0, 1)]
    edit = _only_edit(pair)
    if edit is not None and (_are_states(pair, *edit) or _are_particles(pair, *edit)):
        pair.report("word", *(fact.places for fact in edit))
    elif edit is not None and all(len(fact.places) == 1 for fact in edit) and _are_marks(pair, *edit):
        pair.report("name", *(fact.places for fact in edit))
    if not all(0 < len(of_side) <= MOST_RUNS for of_side in runs):
        return
    pairs = []
    if edit is not None and len(runs[0]) == len(runs[1]) == 1:
        pairs = [(runs[0][0], runs[1][0])]
    elif pair.rest_coverage >= LEAST_COVERED:
        pairs = [(x, y) for x in runs[0] for y in runs[1] if _in_one_place(pair, x, y)]
    for x, y in pairs:
        if _of_one_class(pair, x, y):
            pair.report("word", x.places, y.places)


def _in_one_place(pair: Comparison, x: Fact, y: Fact) -> bool:
    if pair.evidence(x.places, y.places) >= LEAST_EVIDENCE:
        return True
    (a, b), i, j = pair.sentences, x.places[-1], y.places[-1]
    before = governing_word(a, i)
    nouns = a.tags[i].startswith("NN") and b.tags[j].startswith("NN")
    return nouns and before == governing_word(b, j) != "" and pair.rest_coverage >= LEAST_COVERED_BESIDE


def _only_edit(pair: Comparison) -> tuple[Fact, Fact] | None:
    # The few words of either text between beginnings and ends that are the same.
    a, b = (sentence.words for sentence in pair.sentences)
    least = min(len(a), len(b))
    start = next((k for k in range(least) if a[k] != b[k]), least)
    end = next((k for k in range(least - start) if a[-1 - k] != b[-1 - k]), least - start)
    sizes = len(a) - start - end, len(b) - start - end
    if not 0 < min(sizes) <= max(sizes) <= _MOST_TOKENS or not any(map(str.isalpha, a[:start] + a[len(a) - end :])):
        return None
    if a[start].rstrip(".") == b[start].rstrip("."):
        return None  # one of the texts goes on
    x, y = (Fact(tuple(range(start, start + size)), None) for size in sizes)
    return (x, y) if pair.open(0, x.places) and pair.open(1, y.places) else None


def _are_states(pair: Comparison, x: Fact, y: Fact) -> bool:
    # "is taken" and "is free", "are delayed" and "are on time"
    for side, fact in ((0, x), (1, y)):
        sentence, first = pair.sentences[side], fact.places[0]
        if not first or sentence.lemmas[first - 1] not in _BEFORE_STATES or sentence.tags[first] in _NOT_STATES:
            return False
    a, b = pair.sentences
    return not any(mean_the_same(a.lemmas[i], a.tags[i], b.lemmas[j], b.tags[j]) for i in x.places for j in y.places)


def _are_marks(pair: Comparison, x: Fact, y: Fact) -> bool:
    # "size S" and "size XL", "Ansel, OH" and "Ansel, OK"
    return all(pair.sentences[side].tokens[fact.places[0]].isupper() for side, fact in ((0, x), (1, y)))


def _are_particles(pair: Comparison, x: Fact, y: Fact) -> bool:
    # "picked up" and "picked out", "look after" and "look for"
    a, b = pair.sentences
    i, j = x.places[0], y.places[0]
    if len(x.places) != 1 or len(y.places) != 1 or not i or not a.tags[i - 1].startswith("VB"):
        return False
    certain = "RP" in (a.tags[i], b.tags[j]) or a.lemmas[i - 1] in _PHRASAL
    return a.tags[i] in _PARTICLES and b.tags[j] in _PARTICLES and certain


def _of_one_class(pair: Comparison, x: Fact, y: Fact) -> bool:
    # A verb beside a noun most often says the same otherwise, and so does a verb with a particle: "start", "strike up".
    tags = [pair.sentences[side].tags[fact.places[-1]] for side, fact in ((0, x), (1, y))]
    if any("CD" in (pair.sentences[side].tags[k] for k in fact.places) for side, fact in ((0, x), (1, y))):
        return False
    if tags[0].startswith("V") and tags[1].startswith("V"):
        return _particle(pair, 0, x) == _particle(pair, 1, y) and not _have_a_synonym(pair, x, y)
    return tags[0][0] == tags[1][0] != "C" or {tags[0][0], tags[1][0]} == {"J", "N"}


def _have_a_synonym(pair: Comparison, x: Fact, y: Fact) -> bool:
    # "cancel" and "end" are both paraphrases of "terminate".
    lemmas = (pair.sentences[side].lemmas[fact.places[-1]] for side, fact in ((0, x), (1, y)))
    one, other = (paraphrases().entry(lemma) for lemma in lemmas)
    return not one.partners.isdisjoint(other.partners)


def _particle(pair: Comparison, side: int, fact: Fact) -> str:
    sentence, after = pair.sentences[side], fact.places[-1] + 1
    return sentence.words[after] if sentence.tags[after : after + 1] in (("RP",), ("IN",)) else ""


def _free_runs(pair: Comparison, side: int) -> list[Fact]:
    # Runs of content words without a counterpart; words without content may stand between them.
    free = [k for k in pair.content[side] if k not in pair.links[side] and pair.open(side, [k])]
    runs: list[list[int]] = []
    for place in free:
        if runs and not any(k in pair.links[side] for k in range(runs[-1][-1] + 1, place)):
            runs[-1].append(place)
        else:
            runs.append([place])
    return [Fact(tuple(run), None) for run in runs]
