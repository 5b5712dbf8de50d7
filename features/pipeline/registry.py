"""Registry of the needs that a feature can declare, and the resources of a model as a mapping.

There are three kinds, each declared by its name:

- a fitted resource (`RESOURCES`) is fitted on training text, stored with the model and passed to the function;
- a user-supplied resource (`USER_SUPPLIED`) is read from the place that an option names, not stored, and passed too;
- a shipped table (`SHIPPED_TABLES`) is part of the package; the function loads it, and a model records its digest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..analysis.annotator import Annotator
from ..base.extensions import Extended, ShippedTable, added
from ..base.feature import Feature, highest_level
from ..base.sentences import LEVELS, Sentence
from ..encoders.encoder_measures import EncoderDirections
from ..encoders.large_encoder import base_encoder
from ..encoders.multilingual import SpaceMeans, multilingual_cross_encoder, multilingual_encoder
from ..encoders.sentence_encoder import shipped_encoder
from ..lexicon.language_frequencies import LanguageFrequencies
from ..lexicon.paraphrases import paraphrases
from ..lexicon.word_frequencies import Frequencies
from ..lexicon.word_vectors import shipped_vectors
from ..lexicon.wordnet import wordnet
from ..statistics.counts import CharacterIdf, Idf, LemmaIdf, NgramCounts
from ..statistics.fitted import Resource
from ..word_similarity.vector_pooling import Directions, RelationalDirections
from .user_supplied import USER_SUPPLIED

_TABLES = {
    "wordnet": ShippedTable(wordnet, lambda: wordnet().digest),
    "paraphrases": ShippedTable(paraphrases, lambda: paraphrases().digest),
    "distilled": ShippedTable(shipped_vectors, lambda: shipped_vectors("distilled").digest),
    "relational": ShippedTable(shipped_vectors, lambda: shipped_vectors("relational").digest),
    "encoder": ShippedTable(shipped_encoder, lambda: shipped_encoder().digest),
    "base_encoder": ShippedTable(base_encoder, lambda: base_encoder().digest),
    "multilingual_encoder": ShippedTable(multilingual_encoder, lambda: multilingual_encoder().digest),
    "multilingual_cross_encoder": ShippedTable(multilingual_cross_encoder, lambda: multilingual_cross_encoder().digest),
}

SHIPPED_TABLES: Extended[ShippedTable] = Extended(_TABLES, added("SHIPPED_TABLES"))
"""The tables by name. A model records the digests of those that it reads, and is refused where they differ."""


def record_of_tables(names: Iterable[str], annotator: Annotator | None) -> dict[str, Any]:
    """Return the digests of the named tables, and of the pipeline if there is one, for the record of a model."""
    pipeline = {} if annotator is None else {"pipeline": {"name": annotator.name, "digest": annotator.digest}}
    tables = (name for name in names if name != "pipeline" and name in SHIPPED_TABLES)
    return pipeline | {name: SHIPPED_TABLES[name].digest() for name in tables}


_RESOURCES: dict[str, type[Resource]] = {
    kind.name: kind
    for kind in (
        Idf, LemmaIdf, CharacterIdf, NgramCounts, Frequencies, Directions, RelationalDirections,
        EncoderDirections, LanguageFrequencies, SpaceMeans,
    )
}  # fmt: skip

RESOURCES: Extended[type[Resource]] = Extended(_RESOURCES, added("RESOURCES"))
"""The fitted resources by name."""


def check_needs(features: Iterable[Feature]) -> None:
    """Refuse features with an unknown need, without a parameter for a resource, or with one for a shipped table."""
    for value in features:
        for need in value.needs:
            if need in USER_SUPPLIED or need in RESOURCES:
                continue
            if need in SHIPPED_TABLES:
                raise ValueError(f"{value.full_name} takes the shipped table {need!r}; load it inside the function")
            raise _unknown(value, need)
        for need in value.tables:
            if need in SHIPPED_TABLES:
                continue
            if need in USER_SUPPLIED or need in RESOURCES:
                raise ValueError(f"{value.full_name} needs {need!r} and does not take it; add it as a parameter")
            raise _unknown(value, need)


def _unknown(value: Feature, need: str) -> ValueError:
    names = ", ".join((*RESOURCES, *USER_SUPPLIED, *SHIPPED_TABLES))
    return ValueError(f"{value.full_name} needs {need!r}, which is unknown; declare one of {names}")


def tables_read(features: Sequence[Feature]) -> list[str]:
    """Return the names of the shipped tables that features read, in alphabetical order."""
    resources = {need for value in features for need in value.needs if need not in USER_SUPPLIED}
    names = {name for value in features for name in value.tables}
    names.update(name for need in resources for name in RESOURCES[need].tables)
    if LEVELS.index(highest_level(features)) > LEVELS.index("tokens"):
        names |= {"wordnet", "paraphrases"}
    return sorted(names)


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
