"""Simulated annotators, honest, random, constant, lazy or colluding, to test screening."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .annotations import Annotation, Annotations

Labels = Callable[[np.ndarray, np.random.Generator], np.ndarray]
"""Function from the true scores of n pairs, 0..5, to n labels."""


def _whole(values: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(values + 0.5), 0, 5)


def honest(noise: float = 0.6, shift: float = 0.0) -> Labels:
    """Return an annotator who sees the true score with normal noise and a constant shift."""
    return lambda truth, rng: _whole(truth + shift + rng.normal(0.0, noise, len(truth)))


def random(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with a random grade."""
    return rng.integers(0, 6, len(truth)).astype(np.float64)


def constant(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with the same grade."""
    return np.full(len(truth), float(rng.integers(0, 6)))


def middle(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with 2 or 3 at random."""
    return rng.integers(2, 4, len(truth)).astype(np.float64)


def lazy(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Read and grade one pair in three; give the others the previous grade."""
    labels = honest()(truth, rng)
    read = rng.random(len(truth)) < 1 / 3
    read[:1] = True
    return labels[np.maximum.accumulate(np.where(read, np.arange(len(truth)), 0))]


KINDS: dict[str, Labels] = {"random": random, "constant": constant, "middle": middle, "lazy": lazy}
"""Unreliable annotators, by name."""


def colluding(seed: int = 0) -> Labels:
    """Return annotators who all copy the same grades, unrelated to the pairs."""

    def copied(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # A function of the pair alone, as if all had the same answer key.
        return np.floor(np.modf(np.abs(np.sin(truth * 12.9898 + seed) * 43758.5453))[0] * 6.0)

    return copied


@dataclass(frozen=True)
class Simulation:
    """Labels with known true scores.

    Attributes
    ----------
    annotations
        The labels.
    truth
        True score of each pair, 0..5.
    bad
        Names of the unreliable annotators.
    """

    annotations: Annotations
    truth: dict[str, float]
    bad: frozenset[str]


def simulate(
    pairs: int = 300,
    annotators: int = 20,
    bad: Sequence[Labels] = (),
    *,
    per_pair: int = 5,
    per_task: int = 5,
    noise: tuple[float, float] = (0.4, 0.6),
    seed: int = 0,
) -> Simulation:
    """Simulate annotators who label pairs in tasks, several annotators for each task.

    Parameters
    ----------
    pairs
        Number of pairs; their true scores are uniform on 0..5.
    annotators
        Number of annotators, including the unreliable ones, in random order.
    bad
        Labelling function of each unreliable annotator; the others are honest.
    per_pair
        Number of annotators of each task, drawn from those with the fewest labels.
    per_task
        Number of pairs in a task.
    noise
        Smallest and largest standard deviation of the noise of honest annotators, in grades. Each has a shift of up to
        a third of a grade. By default two of them correlate at 0.85 to 0.89, similar to the experts of Agirre et al.
        (2012) with 0.845 to 0.874.
    seed
        Seed of all random choices.

    Raises
    ------
    ValueError
        If there are fewer annotators than a task needs, or than unreliable ones.
    """
    if not max(per_pair, len(bad)) <= annotators:
        raise ValueError(
            f"annotators must be at least {max(per_pair, len(bad))} for {per_pair} a pair and {len(bad)} unreliable "
            f"ones, got {annotators}; add some"
        )
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0.0, 5.0, pairs)
    ways = [*bad, *(honest(rng.uniform(*noise), rng.uniform(-1 / 3, 1 / 3)) for _ in range(annotators - len(bad)))]
    places = rng.permutation(annotators)
    done: list[list[int]] = [[] for _ in ways]
    for start in range(0, pairs, per_task):
        load = np.asarray([len(each) for each in done]) + rng.random(annotators)
        for who in np.argsort(load)[:per_pair].tolist():
            done[who] += range(start, min(start + per_task, pairs))
    width = len(str(pairs))
    names = [f"pair-{k:0{width}d}" for k in range(pairs)]
    rows = []
    for who, way in enumerate(ways):
        chosen = np.asarray(done[who], dtype=np.int64)
        labels = way(truth[chosen], rng).tolist()
        rows += [Annotation(f"a{places[who]:03d}", names[k], x) for k, x in zip(chosen, labels, strict=True)]
    wrong = frozenset(f"a{places[who]:03d}" for who in range(len(bad)))
    return Simulation(Annotations.of(rows), dict(zip(names, truth.tolist(), strict=True)), wrong)
