"""Made-up annotators, honest and not, to see what screening finds: who is random, constant, lazy, or merely noisy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .annotations import Annotation, Annotations

Labels = Callable[[np.ndarray, np.random.Generator], np.ndarray]
"""From the true scores of n pairs, 0..5, to n labels."""


def _whole(values: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(values + 0.5), 0, 5)


def honest(noise: float = 0.6, shift: float = 0.0) -> Labels:
    """Return an annotator who sees the true score with normal noise and a habit of grading higher or lower."""
    return lambda truth, rng: _whole(truth + shift + rng.normal(0.0, noise, len(truth)))


def random(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with a grade drawn at random."""
    return rng.integers(0, 6, len(truth)).astype(np.float64)


def constant(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with the same grade."""
    return np.full(len(truth), float(rng.integers(0, 6)))


def middle(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Label every pair with 2 or 3, whichever."""
    return rng.integers(2, 4, len(truth)).astype(np.float64)


def lazy(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Read one pair in three and grade it; give the others the grade given last."""
    labels = honest()(truth, rng)
    read = rng.random(len(truth)) < 1 / 3
    read[:1] = True
    return labels[np.maximum.accumulate(np.where(read, np.arange(len(truth)), 0))]


KINDS: dict[str, Labels] = {"random": random, "constant": constant, "middle": middle, "lazy": lazy}
"""The bad annotators, by name."""


def colluding(seed: int = 0) -> Labels:
    """Return annotators who all copy the same grades, which have nothing to do with the pairs."""

    def copied(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # The same pair, the same grade: its digits stand for an answer key passed round.
        return np.floor(np.modf(np.abs(np.sin(truth * 12.9898 + seed) * 43758.5453))[0] * 6.0)

    return copied


@dataclass(frozen=True)
class Simulation:
    """Labels whose truth is known.

    Attributes
    ----------
    annotations
        The labels.
    truth
        The true score of each pair, 0..5.
    bad
        Names of the bad annotators.
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
    """Let annotators label pairs in tasks, each task by some of them.

    Parameters
    ----------
    pairs
        Number of pairs; their true scores are uniform on 0..5.
    annotators
        Number of annotators, the bad ones among them, in an order drawn at random.
    bad
        A way to label for each bad annotator; the others are honest.
    per_pair
        Annotators of each task, drawn from those who have done least.
    per_task
        Pairs of a task.
    noise
        Least and greatest standard deviation of the noise of the honest, in grades; each has one of their own, and a
        habit of grading up to a third of a grade higher or lower. By default two of them correlate at 0.85 to 0.89, as
        the experts of Agirre et al. (2012) did at 0.845 to 0.874.
    seed
        Of everything random.

    Raises
    ------
    ValueError
        If there are fewer annotators than a task needs, or than bad ones.
    """
    if not max(per_pair, len(bad)) <= annotators:
        raise ValueError(f"{annotators} annotators are too few for {per_pair} a pair and {len(bad)} bad ones; add some")
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
