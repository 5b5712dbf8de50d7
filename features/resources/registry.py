"""Registry of the needs that a feature can declare, and the resources of a model as a mapping.

There are three kinds, each declared by its name:

- a fitted resource (`RESOURCES`) is fitted on training text, stored with the model and passed to the function;
- a user-supplied resource (`USER_SUPPLIED`) is read from the place that an option names, not stored, and passed too;
- a shipped table (`SHIPPED_TABLES`) is part of the package; the function loads it, and a model records its digest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..declaration import Feature, highest_level
from ..encoders.encoder_directions import EncoderDirections
from ..encoders.language_spaces import SpaceMeans
from ..lexicon.language_frequencies import LanguageFrequencies
from ..lexicon.word_frequencies import Frequencies
from ..sentences import LEVELS, Sentence
from ..word_similarity.common_directions import Directions, RelationalDirections
from .character_frequencies import CharacterIdf
from .fitted import Resource
from .ngram_counts import LemmaNgramCounts, NgramCounts
from .shipped_tables import SHIPPED_TABLES
from .term_frequencies import Idf, LemmaIdf
from .user_supplied import USER_SUPPLIED

RESOURCES: dict[str, type[Resource]] = {
    kind.name: kind
    for kind in (
        Idf, LemmaIdf, CharacterIdf, NgramCounts, LemmaNgramCounts, Frequencies, Directions, RelationalDirections,
        EncoderDirections, LanguageFrequencies, SpaceMeans,
    )
}  # fmt: skip
"""The fitted resources by name."""


def check_needs(features: Iterable[Feature]) -> None:
    """Refuse features with an unknown need, without a parameter for a resource, or with one for a shipped table.

    Raises
    ------
    ValueError
        With the name of the feature and of the need.
    """
    for value in features:
        for need in (*value.needs, *value.tables):
            if need not in RESOURCES and need not in USER_SUPPLIED and need not in SHIPPED_TABLES:
                names = ", ".join((*RESOURCES, *USER_SUPPLIED, *SHIPPED_TABLES))
                raise ValueError(f"{value.full_name} needs {need!r}, which is unknown; declare one of {names}")
            if need in value.needs and need in SHIPPED_TABLES:
                raise ValueError(f"{value.full_name} takes the shipped table {need!r}; load it inside the function")
            if need in value.tables and need not in SHIPPED_TABLES:
                raise ValueError(f"{value.full_name} needs {need!r} and does not take it; add it as a parameter")


def tables_read(features: Sequence[Feature]) -> list[str]:
    """Return the names of the shipped tables that features read, in the order of `SHIPPED_TABLES`.

    They are those that the features and the resources that they need declare. The analysis above the level ``tokens``
    reads WordNet; there the paraphrases count for every feature as well.
    """
    resources = {need for value in features for need in value.needs if need in RESOURCES}
    names = {name for value in features for name in value.tables}
    names.update(name for need in resources for name in RESOURCES[need].tables)
    if LEVELS.index(highest_level(features)) > LEVELS.index("tokens"):
        names |= {"wordnet", "paraphrases"}
    return [name for name in SHIPPED_TABLES if name in names]


class Resources(Mapping[str, Resource]):
    """Resources of a model by name."""

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
            Names in `RESOURCES`, or in `given`.
        sentences
            Sentences of the level that the resources need.
        given
            Resources that are not fitted, such as user-supplied ones.

        Raises
        ------
        ValueError
            If a name is unknown, or that of a user-supplied resource that is not given.
        """
        given = given or {}
        for name in names:
            if name in USER_SUPPLIED and name not in given:
                raise ValueError(f"the resource {name!r} is missing; pass {USER_SUPPLIED[name].option}")
            if name not in RESOURCES and name not in given:
                raise ValueError(f"resource {name!r} is unknown; the resources are {', '.join(RESOURCES)}")
        return cls(
            {name: given[name] if name in given else RESOURCES[name].fit(sentences) for name in sorted({*names})}
        )

    @property
    def stored(self) -> dict[str, Resource]:
        """The resources that are stored with a model."""
        return {name: resource for name, resource in self.items() if name not in USER_SUPPLIED}
