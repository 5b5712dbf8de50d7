"""Figures of a fitted model on held-out pairs: those of scores, or of probabilities for labels yes and no."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .binary_table import show_binary
from .console import say, show
from .evaluation_table import show_figures, show_scales
from .experiment_options import Pairs
from .training_data import HeldOutPairs

if TYPE_CHECKING:
    import numpy as np

    from ..core.estimator import SimilarityEnsemble
    from ..core.scale import Scale
    from ..evaluation.binary_metrics import BinaryEvaluation
    from ..evaluation.metrics import Evaluation


@dataclass(frozen=True)
class HeldOutFigures:
    """Figures of all pairs, and of those without pairs or sentences of the training set, by name."""

    overall: "Evaluation | BinaryEvaluation"
    groups: "dict[str, Evaluation | BinaryEvaluation]" = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, groups nested."""
        return {**self.overall.as_dict(), "groups": {name: part.as_dict() for name, part in self.groups.items()}}


def measure(model: "SimilarityEnsemble", held_out: HeldOutPairs, training: Pairs, seed: int) -> HeldOutFigures:
    """Measure a model on all pairs, on those that are not training pairs, and on those without a training sentence."""
    import numpy as np

    from ..evaluation.leaks import Leaks

    prediction = model.predict_pairs(held_out.pairs)
    columns = prediction.score, prediction.low, prediction.high

    def figures(rows: "np.ndarray") -> "Evaluation | BinaryEvaluation":
        gold = held_out.gold[rows]
        if prediction.scale.binary:
            from ..evaluation.binary_metrics import evaluate_binary

            return evaluate_binary(gold > 0.0, prediction.score[rows], probabilities=True)
        from ..evaluation.metrics import evaluate

        score, low, high = (prediction.scale.points(column[rows]) for column in columns)
        return evaluate(gold, score, low, high, seed=seed)

    leaks = Leaks.of(held_out.pairs, training)
    parts = (("no pair of TRAIN", ~leaks.pairs), ("no sentence of TRAIN", ~leaks.sentences))
    groups = {label: figures(new) for label, new in parts if 1 < new.sum() < len(new)}
    return HeldOutFigures(figures(np.ones(len(held_out.gold), bool)), groups)


def show_held_out(
    results: Mapping[str, HeldOutFigures], files: Mapping[str, str], training: str, scale: "Scale"
) -> None:
    """Print the figures of each held-out set; `files` and `training` are the names of the tables."""
    from ..evaluation.binary_metrics import BinaryEvaluation
    from ..evaluation.metrics import Evaluation

    for name, result in results.items():
        show([(name, files[name])])
        parts = [("all", result.overall), *result.groups.items()]
        if of_scores := [(label, part) for label, part in parts if isinstance(part, Evaluation)]:
            show_figures(of_scores)
            show_scales(scale, scale)
        if of_probabilities := [(label, part) for label, part in parts if isinstance(part, BinaryEvaluation)]:
            show_binary([(label, part.as_dict()) for label, part in of_probabilities])
        if result.groups:
            say(
                f"samewise: {files[name]} holds pairs or sentences of {training}, which flatter a model; the lines "
                "below the first leave them out"
            )
