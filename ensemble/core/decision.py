"""Decision whether two texts are the same: two thresholds of the score, how they were chosen, and on what."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from ...models.bundle import BundleError, dumps
from ..differences.keeping_apart import check_kinds
from .adapted_model import ScoreBands
from .scale import stored_number, stored_numbers

SAME, DIFFERENT, UNSURE = "same", "different", "unsure"
"""The decisions."""

KINDS = ("max_false", "recall", "cost")
"""Kinds of rules; see `Rule`."""


PROMISED = 0.9
"""Least share of the answers given that keep the shares of a rule, if the confidence is not lower."""


@dataclass(frozen=True)
class Rule:
    """Demand on the thresholds.

    Attributes
    ----------
    kind
        ``max_false``: the share of false pairs among those called same is at most `value`. ``recall``: the share of the
        same pairs that are called so is at least `value`. ``cost``: the least total cost, where calling a different
        pair same costs `value` times as much as missing a pair that is the same.
    value
        Between 0 and 1, or for ``cost`` above 0.
    max_missed
        Largest share of missed pairs among those called different, between 0 and 1; None for no demand.

    Raises
    ------
    ValueError
        If a value is out of its range.
    """

    kind: Literal["max_false", "recall", "cost"]
    value: float
    max_missed: float | None = None

    def __post_init__(self) -> None:
        shares = [
            *([] if self.kind == "cost" else [self.value]),
            *([] if self.max_missed is None else [self.max_missed]),
        ]
        odd = next((share for share in shares if not 0.0 < share < 1.0), None)
        if odd is not None:
            raise ValueError(f"a share must be between 0 % and 100 %, got {100 * odd:g} %; correct it")
        if self.kind not in KINDS or not self.value > 0.0:
            raise ValueError(f"a rule must be {', '.join(KINDS)} with a value above 0, got {self.kind} {self.value:g}")
        object.__setattr__(self, "value", float(self.value))  # 3 is stored, and read back, as 3.0

    @property
    def ratio(self) -> float:
        """Cost of a false pair in missed ones: for a share, that at which one more pair neither helps nor harms."""
        if self.kind == "cost":
            return self.value
        return (1.0 - self.value) / self.value

    def __str__(self) -> str:
        clauses = {
            "max_false": f"at most {100 * self.value:g} % false among those called same",
            "recall": f"at least {100 * self.value:g} % of the same pairs found",
            "cost": f"least cost, a false pair costing {self.value:g} times a missed one",
        }
        missed = f", at most {100 * self.max_missed:g} % missed among those called different" if self.max_missed else ""
        return clauses[self.kind] + missed


@dataclass(frozen=True)
class Curve:
    """Results on the labelled pairs at some thresholds, each of shape (m,)."""

    threshold: tuple[float, ...]  # increasing scores
    same: tuple[float, ...]  # pairs with at least this score
    false: tuple[float, ...]  # those of them that are not the same
    # Upper end of the share of false pairs among those, with the confidence of the decision for each row alone.
    bound: tuple[float, ...]
    recall: tuple[float, ...]  # share of the pairs that are the same with at least this score, 0..1

    def rows(self) -> list[tuple[float, float, float, float, float]]:
        """Return a tuple for each threshold: threshold, same, false, bound, recall."""
        return list(zip(self.threshold, self.same, self.false, self.bound, self.recall, strict=True))

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "Curve":
        """Return the curve with these fields; raise KeyError, TypeError or ValueError for others."""
        columns = [stored_numbers(facts[name]) for name in cls.__dataclass_fields__]
        if len(set(map(len, columns))) != 1:
            raise ValueError("columns of a curve must be of one length")
        return cls(*columns)


@dataclass(frozen=True)
class Decision:
    """Thresholds of a model's score, kinds of differences that keep texts apart, and how they were chosen.

    Attributes
    ----------
    same_from, different_below
        Scores on the scale of the model; pairs between the two are unsure. None if no pair is called same, or none
        different.
    keep_apart
        Kinds of differences: a pair that has one is unsure where its score would make it the same.
    rule, confidence
        Demand, and the confidence, between 0 and 1, with which each part of it is met.
    gold_from, labels
        Label from which a pair counted as the same, and the scale of the labels, such as ``0..5``.
    data, sha256, pairs
        Name of the labelled pairs, SHA-256 of their file (None for a stream), and their number.
    curve
        Results at other thresholds.
    bands
        Distribution of the scores of the labelled pairs.
    model
        Digest of the model (`models.bundle.digest`), which no decision enters.
    """

    same_from: float | None
    different_below: float | None
    keep_apart: tuple[str, ...]
    rule: Rule
    confidence: float
    gold_from: float
    labels: str
    data: str
    sha256: str | None
    pairs: int
    curve: Curve = field(repr=False)
    bands: ScoreBands
    model: str

    @property
    def unsure_from(self) -> float | None:
        """Score below which a pair is different, or neither same nor unsure; None if no pair is same or different."""
        return self.same_from if self.different_below is None else self.different_below

    def of_same(self, scores: np.ndarray) -> np.ndarray:
        """Return whether each score is that of texts that are the same, shape (n,)."""
        return np.asarray(scores >= (np.inf if self.same_from is None else self.same_from))

    def decide(self, scores: np.ndarray, reasons: Sequence[str | None] | None = None) -> np.ndarray:
        """Return ``same``, ``different`` or ``unsure`` for each of n pairs, shape (n,).

        Parameters
        ----------
        scores
            Shape (n,), on the scale of the model.
        reasons
            Kind of difference that keeps the texts of each pair apart, None for a pair without; see
            `model_decision.reasons_of`.

        Raises
        ------
        ValueError
            If differences keep texts apart, and no reasons are given.
        """
        if reasons is None:
            if self.keep_apart:
                raise ValueError(
                    f"the reasons must be given to a decision that keeps texts apart by {', '.join(self.keep_apart)}, "
                    "got scores alone; call decide_pairs"
                )
            reasons = [None] * len(scores)
        same = self.of_same(scores)
        apart = np.asarray([reason is not None for reason in reasons], dtype=bool)
        different = scores < (-np.inf if self.different_below is None else self.different_below)
        return np.select([same & apart, same, different], [UNSURE, SAME, DIFFERENT], UNSURE)

    @property
    def promise(self) -> str:
        """Promise to the user, in one sentence."""
        if self.rule.kind == "cost":
            return "none for the pairs called same: the threshold costs least on the labelled pairs"
        kept = min(PROMISED, self.confidence)
        return (
            f"of 100 answers of this command, at least {100 * kept:g} keep what the rule says, on pairs drawn like "
            "these"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as JSON values, with their digest."""
        facts: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # lists for tuples
        return {**facts, _DIGEST: _digest(facts)}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any], model: str, name: str) -> "Decision":
        """Return the decision of `to_dict`; BundleError if it is malformed, changed or for another model."""
        try:
            decision = cls._read(facts)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BundleError(f"the decision of {name} is malformed ({error}); run samewise threshold again") from error
        if decision.to_dict() != facts:
            raise BundleError(
                f"the decision of {name} must be as samewise threshold wrote it, got one that was changed since; run "
                "samewise threshold again"
            )
        if decision.model != model:
            raise BundleError(
                f"the decision of {name} must be for the model {model[:12]}, got one for {decision.model[:12]}; "
                "run samewise threshold again"
            )
        return decision

    @classmethod
    def _read(cls, facts: Mapping[str, Any]) -> "Decision":
        rule = facts["rule"]
        same_from, different_below = (_number_or_none(facts[key]) for key in ("same_from", "different_below"))
        texts = {key: facts[key] for key in ("labels", "data", "model")}
        if same_from is not None and different_below is not None and different_below > same_from:
            raise ValueError(f"different_below must be at most same_from, got {different_below} and {same_from}")
        if not all(type(text) is str for text in texts.values()) or not re.fullmatch("[0-9a-f]{64}", texts["model"]):
            raise ValueError("labels, data and model must be text")
        if type(facts["pairs"]) is not int or not isinstance(facts["sha256"], str | None):
            raise ValueError(f"pairs must be a whole number, got {facts['pairs']!r:.40}")
        return cls(
            same_from,
            different_below,
            _kinds(facts["keep_apart"]),
            Rule(rule["kind"], stored_number(rule["value"]), _number_or_none(rule["max_missed"])),
            stored_number(facts["confidence"]),
            stored_number(facts["gold_from"]),
            sha256=facts["sha256"],
            pairs=facts["pairs"],
            curve=Curve.from_dict(facts["curve"]),
            bands=ScoreBands.from_dict(facts["bands"]),
            **texts,
        )


_DIGEST = "digest"


def _digest(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(dumps(facts).encode()).hexdigest()


def _kinds(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        raise ValueError(f"keep_apart must be a list of kinds, got {names!r:.40}")
    return check_kinds(names)


def _number_or_none(value: Any) -> float | None:
    return None if value is None else stored_number(value)
