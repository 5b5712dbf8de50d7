"""Content of a pyramid: the snippets of several summaries that express one fact (Nenkova and Passonneau, 2004)."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...features.analysis.analysis import normalise
from ...features.base.word_tables import stop_words
from ...features.linguistics.tokenizer import tokenize


@dataclass(frozen=True)
class Part:
    """A stretch of a summary.

    Attributes
    ----------
    text
        Text of the stretch.
    start
        Its first character, counted in the lines of all summaries joined by line feeds.
    summary
        Number of its summary, from 0; None where the file does not separate summaries.
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
        """Parts in the order of the summary, joined by blanks and normalised."""
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
        """Summaries that express the unit; empty where the file does not separate summaries."""
        parts = (part for contributor in self.contributors for part in contributor.parts)
        return frozenset(part.summary for part in parts if part.summary is not None)

    @property
    def weight(self) -> int:
        """Number of summaries of the unit, or of its contributors where the file does not separate summaries."""
        return len(self.summaries) or len(self.contributors)


@dataclass(frozen=True)
class Pyramid:
    """The content units of several summaries of one topic.

    Attributes
    ----------
    summaries
        The summaries; empty where the file does not separate them.
    units
        The content units in the order of the file.
    """

    summaries: tuple[str, ...]
    units: tuple[Unit, ...]

    def of_summary(self, summary: int) -> tuple[str, ...]:
        """Return the uids of the units that a summary, counted from 0, expresses."""
        return tuple(unit.uid for unit in self.units if summary in unit.summaries)


def summary_score(pyramid: Pyramid, uids: Collection[str], others: int = 0) -> float:
    r"""Return the pyramid score of a summary, 0..1 (Nenkova and Passonneau, 2004).

    The score is the sum of the weights of its units over the greatest sum of the same number of units. A summary
    without units scores 0.

    Parameters
    ----------
    pyramid
        The units and their weights.
    uids
        The units that the summary expresses; duplicates count once.
    others
        Number of its facts outside the pyramid. They have no weight and raise the greatest sum.

    Raises
    ------
    ValueError
        If a uid is not in the pyramid, or `others` is negative.
    """
    weights = {unit.uid: unit.weight for unit in pyramid.units}
    unknown = sorted(set(uids) - set(weights))
    if unknown:
        raise ValueError(f"units must be in the pyramid, got {unknown[0]!r}; count other facts in `others`")
    if others < 0:
        raise ValueError(f"others must be 0 or more, got {others}; give the number of facts outside the pyramid")
    expressed_uids = set(uids)
    best = sum(sorted(weights.values(), reverse=True)[: len(expressed_uids) + others])
    return sum(weights[uid] for uid in expressed_uids) / best if best else 0.0


PRONOUNS = frozenset(
    "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves".split()
)
"""Personal, possessive and reflexive pronouns, without ``mine``, which is a place in news texts."""

_NAMES = frozenset({"US", "IT"})  # in capitals these are not pronouns


class Words(NamedTuple):
    """Words of a text for the tests.

    Attributes
    ----------
    words
        Its Penn Treebank tokens with a letter or a digit, in lower case, in order.
    content
        Distinct words that are not on the stop list ``ecnu``.
    pronoun
        Whether a word is in `PRONOUNS`; US and IT in capitals are names.
    """

    words: tuple[str, ...]
    content: frozenset[str]
    pronoun: bool


def words_of(text: str) -> Words:
    """Return the words of a normalised text."""
    tokens = [token for token in tokenize(text) if any(map(str.isalnum, token))]
    words = tuple(token.lower() for token in tokens)
    pronoun = any(word in PRONOUNS and token not in _NAMES for token, word in zip(tokens, words, strict=True))
    return Words(words, frozenset(words) - stop_words("ecnu"), pronoun)
