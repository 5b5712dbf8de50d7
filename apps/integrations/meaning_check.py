"""Check whether a text means the same as an expected one, with a report for people."""

from collections.abc import Sequence
from typing import NamedTuple

from ...ensemble.core.manifest import has_decision
from ...ensemble.core.scale import Scale
from ...ensemble.differences.facts import MIRRORED, Difference
from ...ensemble.differences.keeping_apart import keeping_apart
from ...ensemble.loading import Model, ModelLike, main_part
from ...ensemble.matching.options import pair_rule
from ...ensemble.scoring.single_pair import kept_model
from ...models.profiles import DEFAULT_PROFILE


class MeaningCheck(NamedTuple):
    """Score of two texts beside a threshold.

    Attributes
    ----------
    actual, expected
        The texts.
    score, low, high
        Score and its interval, on `scale`.
    threshold
        Score from which the texts mean the same.
    scale
        Scale of the scores.
    apart
        Differences that keep the texts apart whatever their score.
    model
        The model, for the report.
    """

    actual: str
    expected: str
    score: float
    low: float
    high: float
    threshold: float
    scale: Scale
    apart: tuple[Difference, ...]
    model: Model

    @property
    def same(self) -> bool:
        """True if the texts mean the same."""
        return self.score >= self.threshold and not self.apart

    @property
    def share(self) -> float:
        """Place of the score on the scale, 0..1."""
        return (self.score - self.scale.low) / (self.scale.high - self.scale.low)

    def reason(self) -> str:
        """Return one line with score, interval and threshold, and what keeps the texts apart."""
        text = self.scale.text
        kept = "".join(f"; {_line(difference)}" for difference in self.apart)
        ends = f"interval {text(self.low)} to {text(self.high)}"
        return f"score {text(self.score)} ({ends}), the same from {text(self.threshold)}{kept}"

    def report(self) -> str:
        """Return `reason`, both texts, all differences, and the words aligned, a line each."""
        pair = [(self.actual, self.expected)]
        [differences] = self.model.differences(pair)
        [(tokens, links)] = main_part(self.model).aligned_tokens(pair)
        aligned = ", ".join(f"{tokens[0][i]} — {tokens[1][j]}" for i, j in links)
        return "\n".join([
            self.reason(),
            f"  actual:   {self.actual}",
            f"  expected: {self.expected}",
            *(f"  differs:  {_line(difference)}" for difference in differences),
            f"  aligned:  {aligned or 'no words'}",
        ])  # fmt: skip


def _line(difference: Difference) -> str:
    # A word that only the actual text has is one too many there, not a missing one.
    words = [part for part in (difference.a, difference.b) if part]
    return f"{MIRRORED.get(difference.kind, difference.kind)}: {' — '.join(words)}"


def check_meaning(
    actual: str,
    expected: str,
    model: ModelLike = DEFAULT_PROFILE,
    at_least: float | None = None,
    keep_apart: Sequence[str] | None = None,
) -> MeaningCheck:
    """Return whether two texts mean the same, and the evidence.

    Parameters
    ----------
    actual, expected
        The texts.
    model
        As for `load`; it is kept for the next call.
    at_least
        Score from which they mean the same; by default that of the model's decision, if it has one, or the place 0.8
        on its scale.
    keep_apart
        Kinds of differences, such as ``number`` and ``negation``, that keep texts apart whatever their score. By
        default those of the model's decision where its threshold is used, and otherwise none.

    Raises
    ------
    ValueError
        If the score is off the scale, or a kind is unknown.
    samewise.models.bundle.BundleError
        If the model does not exist or cannot be used here.
    """
    used = kept_model(model)
    rule = pair_rule(used, at_least is None and has_decision(used.parts), at_least, keep_apart=keep_apart)
    prediction = used.predict_pairs([(actual, expected)])
    differing = used.differences([(actual, expected)])[0] if rule.keep_apart else []
    return MeaningCheck(
        actual,
        expected,
        float(prediction.score[0]),
        float(prediction.low[0]),
        float(prediction.high[0]),
        rule.same_from,
        used.scale,
        tuple(keeping_apart(differing, rule.keep_apart)),
        used,
    )
