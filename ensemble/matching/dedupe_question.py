"""Question of a search for duplicates, and its settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..multilingual.model import Model
from .candidate_run import views_of
from .candidate_screening import AUTO
from .candidate_settings import MOST, CandidateSettings
from .duplicates import KEEPS, Keep
from .pair_rule import APART, PairRule, pair_rule
from .view_catalogue import least_similarity


@dataclass(frozen=True)
class DedupeQuestion:
    """Texts that count as duplicates, and how they are searched.

    Attributes
    ----------
    keep
        Member that stands for a group: ``first``, ``longest`` or ``central``.
    at_least, review_from, decide, apart
        As for `pair_rule`.
    views, candidates, exact
        As for `CandidateSettings`; by default the views of `views_of` and `candidate_settings.MOST`.
    screen
        As for `screening_source`.

    Raises
    ------
    ValueError
        If `keep` is something else.
    """

    keep: Keep = "first"
    at_least: float | None = None
    review_from: float | None = None
    decide: bool = False
    apart: Sequence[str] = APART
    views: Sequence[str] | None = None
    candidates: int | None = None
    exact: bool | None = None
    screen: str = AUTO

    def __post_init__(self) -> None:
        if self.keep not in KEEPS:
            raise ValueError(f"keep must be one of {', '.join(KEEPS)}, got {self.keep!r}; name one of these")


def dedupe_settings(question: DedupeQuestion, model: Model) -> tuple[PairRule, CandidateSettings]:
    """Return which pairs are the same, and how candidates are searched.

    Raises
    ------
    ValueError
        If a setting is out of its range.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    rule = pair_rule(model, question.decide, question.at_least, question.review_from, question.apart)
    views = tuple(question.views or views_of(model))
    most = MOST if question.candidates is None else question.candidates
    least = least_similarity(rule.unsure_from, model.scale, views)
    return rule, CandidateSettings(views, most, least, question.exact)
