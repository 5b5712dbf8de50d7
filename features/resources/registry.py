"""The resources by name, and a model's fitted resources as a mapping."""

from collections.abc import Iterator, Mapping, Sequence

from ..encoders.encoder_directions import EncoderDirections
from ..encoders.language_spaces import SpaceMeans
from ..lexicon.language_frequencies import LanguageFrequencies
from ..lexicon.word_frequencies import Frequencies
from ..sentences import LEVELS, Sentence
from ..word_similarity.common_directions import Directions
from .character_frequencies import CharacterIdf
from .fitted import Resource
from .ngram_counts import LemmaNgramCounts, NgramCounts
from .term_frequencies import Idf, LemmaIdf
from .user_supplied import GIVEN

RESOURCES: dict[str, type[Resource]] = {
    kind.name: kind
    for kind in (
        Idf, LemmaIdf, CharacterIdf, NgramCounts, LemmaNgramCounts, Frequencies, Directions, EncoderDirections,
        LanguageFrequencies, SpaceMeans,
    )
}  # fmt: skip
"""Every resource that is fitted on text and that a feature can declare in ``needs``."""


def resources_of(level: str) -> list[str]:
    """Return the names of the resources that are fitted on sentences of a level for any model."""
    fitting = {name: kind for name, kind in RESOURCES.items() if LEVELS.index(kind.level) <= LEVELS.index(level)}
    return [name for name, kind in fitting.items() if not kind.costly]


class Resources(Mapping[str, Resource]):
    """Fitted resources by name."""

    def __init__(self, resources: Mapping[str, Resource]) -> None:
        self._resources = dict(resources)

    def __getitem__(self, name: str) -> Resource:
        return self._resources[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._resources)

    def __len__(self) -> int:
        return len(self._resources)

    @classmethod
    def fit(
        cls, names: Sequence[str], sentences: Sequence[Sentence], given: Mapping[str, Resource] | None = None
    ) -> "Resources":
        """Fit the named resources on distinct sentences.

        Parameters
        ----------
        names
            Names of `RESOURCES`, and of those of `GIVEN` that are given.
        sentences
            Sentences of the level that the resources need.
        given
            What is there already and is not fitted.

        Raises
        ------
        ValueError
            If a name is unknown, or names something of `GIVEN` that is not given.
        """
        given = given or {}
        for name in names:
            if name in GIVEN and name not in given:
                raise ValueError(f"the resource {name!r} is not given; pass {GIVEN[name]}")
            if name not in RESOURCES and name not in given:
                raise ValueError(f"resource {name!r} is unknown; the resources are {', '.join(RESOURCES)}")
        found = {name: given[name] if name in given else RESOURCES[name].fit(sentences) for name in sorted(set(names))}
        return cls(found)

    @property
    def stored(self) -> dict[str, Resource]:
        """Those that are stored with a model."""
        return {name: resource for name, resource in self.items() if name not in GIVEN}
