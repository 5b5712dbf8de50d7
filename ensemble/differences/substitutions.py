"""Words that stand where the other text has other words, in texts that are otherwise the same."""

from .comparison import Comparison
from .facts import Fact

LEAST_COVERED = 0.7
MOST_RUNS = 2
LEAST_EVIDENCE = 1.5
_MOST_TOKENS = 4


def compare_substitutions(pair: Comparison) -> None:
    """Report content words that other words replace: "running shoes for the office", "for the marathon"."""
    runs = [_free_runs(pair, side) for side in (0, 1)]
    if not all(0 < len(of_side) <= MOST_RUNS for of_side in runs):
        return
    if len(runs[0]) == len(runs[1]) == 1 and _only_edit(pair, runs[0][0], runs[1][0]):
        pairs = [(runs[0][0], runs[1][0])]
    elif pair.rest_coverage >= LEAST_COVERED:
        pairs = [(x, y) for x, y, _ in pair.paired(runs[0], runs[1], lambda x, y: False, alone=False)]
        pairs = [(x, y) for x, y in pairs if pair.evidence(x.places, y.places) >= LEAST_EVIDENCE]
    else:
        return
    for x, y in pairs:
        if _of_one_class(pair, x, y):
            pair.report("word", x.places, y.places)


def _only_edit(pair: Comparison, x: Fact, y: Fact) -> bool:
    # The texts have the same words before and after these few, in the same order.
    a, b = (sentence.words for sentence in pair.sentences)
    i, j, p, q = x.places[0], x.places[-1] + 1, y.places[0], y.places[-1] + 1
    rest = a[:i] + a[j:]
    return rest == b[:p] + b[q:] and i == p and any(map(str.isalpha, rest)) and max(j - i, q - p) <= _MOST_TOKENS


def _of_one_class(pair: Comparison, x: Fact, y: Fact) -> bool:
    # A verb beside a noun is most often the same said otherwise, and so is a verb with a particle: "start", "strike up".
    tags = [pair.sentences[side].tags[fact.places[-1]] for side, fact in ((0, x), (1, y))]
    if tags[0].startswith("V") and tags[1].startswith("V"):
        return _particle(pair, 0, x) == _particle(pair, 1, y)
    return tags[0][0] == tags[1][0] != "C" or {tags[0][0], tags[1][0]} == {"J", "N"}


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
