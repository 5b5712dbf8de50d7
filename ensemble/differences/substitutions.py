"""Words that stand where the other text has other words, in texts that are otherwise the same."""

from .comparison import Comparison
from .facts import Fact

LEAST_COVERED = 0.7
MOST_RUNS = 2
LEAST_EVIDENCE = 1.5


def compare_substitutions(pair: Comparison) -> None:
    """Report content words that other words replace: "running shoes for the office", "for the marathon"."""
    runs = [_free_runs(pair, side) for side in (0, 1)]
    if not all(0 < len(of_side) <= MOST_RUNS for of_side in runs) or pair.rest_coverage < LEAST_COVERED:
        return
    for x, y, _ in pair.paired(runs[0], runs[1], lambda x, y: False, alone=False):
        if pair.evidence(x.places, y.places) >= LEAST_EVIDENCE and _of_one_class(pair, x, y):
            pair.report("word", x.places, y.places)


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
