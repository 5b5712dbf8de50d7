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
        if pair.evidence(x.places, y.places) >= LEAST_EVIDENCE:
            pair.report("word", x.places, y.places)


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
