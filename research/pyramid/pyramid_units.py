"""Content of a pyramid: the snippets of several summaries that express one fact (Nenkova and Passonneau, 2004)."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from ...features.analysis import normalise


@dataclass(frozen=True)
class Part:
    """A stretch of a summary.

    Attributes
    ----------
    text
        What stands there.
    start
        Its first character, counted in the lines of all summaries joined by line feeds.
    summary
        The summary that it stands in, from 0; None where the file does not tell summaries apart.
    """

    text: str
    start: int
    summary: int | None = None


@dataclass(frozen=True)
class Contributor:
    """An occurrence of a content unit in a summary: one part, or several with other words between them."""

    parts: tuple[Part, ...]

    @cached_property
    def text(self) -> str:
        """The parts in the order of the summary with blanks between them, normalised."""
        return normalise(" ".join(part.text for part in sorted(self.parts, key=lambda part: part.start)))


@dataclass(frozen=True)
class Unit:
    """A summary content unit: one fact.

    Attributes
    ----------
    uid
        Its name in the file.
    label
        The fact in the annotator's words.
    contributors
        Its occurrences.
    """

    uid: str
    label: str
    contributors: tuple[Contributor, ...]

    @property
    def summaries(self) -> frozenset[int]:
        """The summaries that express it; empty where the file does not tell summaries apart."""
        parts = (part for contributor in self.contributors for part in contributor.parts)
        return frozenset(part.summary for part in parts if part.summary is not None)

    @property
    def weight(self) -> int:
        """In how many summaries it is; where they are not told apart, how many contributors it has."""
        return len(self.summaries) or len(self.contributors)


@dataclass(frozen=True)
class Pyramid:
    """The content units of several summaries of one topic.

    Attributes
    ----------
    summaries
        The summaries; empty where the file does not tell them apart.
    units
        In the order of the file.
    """

    summaries: tuple[str, ...]
    units: tuple[Unit, ...]

    def of_summary(self, summary: int) -> tuple[str, ...]:
        """Return the uids of the units that a summary, counted from 0, expresses."""
        return tuple(unit.uid for unit in self.units if summary in unit.summaries)


def summary_score(pyramid: Pyramid, uids: Collection[str], others: int = 0) -> float:
    r"""Return the pyramid score of a summary, 0..1 (Nenkova and Passonneau, 2004).

    The sum of the weights of its units as a share of the greatest sum that as many units can have. A summary that
    expresses nothing scores 0.

    Parameters
    ----------
    pyramid
        The units and their weights.
    uids
        The units that the summary expresses; one that is named twice counts once.
    others
        How many facts it expresses besides, which weigh nothing and make the greatest sum greater.

    Raises
    ------
    ValueError
        If a uid is not in the pyramid, or `others` is negative.
    """
    weights = {unit.uid: unit.weight for unit in pyramid.units}
    unknown = sorted(set(uids) - set(weights))
    if unknown:
        raise ValueError(f"the pyramid has no unit {unknown[0]!r}; count what is not in it among the others")
    if others < 0:
        raise ValueError(f"there cannot be {others} other facts; give 0 or more")
    expressed_uids = set(uids)
    best = sum(sorted(weights.values(), reverse=True)[: len(expressed_uids) + others])
    return sum(weights[uid] for uid in expressed_uids) / best if best else 0.0
