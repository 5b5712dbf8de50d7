"""Extraction of columns from pairs of texts, with the resources that were fitted on training pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..analysis.analysis import analyse
from ..analysis.annotator import Annotator, load_annotator
from ..base.feature import Feature, highest_level
from ..base.sentences import LEVELS, PairBatch
from ..linguistics.languages import Languages
from ..statistics.counts import Idf
from ..statistics.fitted import Resource
from .catalogue import all_features, core_features, resolve
from .matrix import FeatureMatrix, extract
from .registry import Resources, check_needs
from .user_supplied import USER_SUPPLIED, UserEncoder, UserVectors, UserWordNet, own_tables, reader_of


@dataclass(frozen=True, eq=False)
class Extraction:
    """Features with fitted resources: pairs in, a matrix out.

    Attributes
    ----------
    features, columns
        The features that are computed and the columns that are kept.
    resources
        The resources that the features need, and the frequencies of words.
    cache
        A folder for extracted features, keyed by content, or None.
    pipeline
        Name of the spaCy package that tags and parses; the shipped pipeline if None.
    level
        The level of analysis: that of the features, or a deeper one.
    languages
        The languages that the texts may be in; English alone if None.
    """

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    resources: Resources
    cache: str | Path | None = None
    pipeline: str | None = None
    level: str = LEVELS[0]
    languages: Languages | None = None

    @classmethod
    def fit(
        cls,
        pairs: Sequence[tuple[str, str]],
        features: str | Sequence[str | Feature] | None,
        *,
        cache: str | Path | None = None,
        pipeline: str | None = None,
        vectors: str | Path | None = None,
        encoder: str | Path | None = None,
        wordnet: str | Path | None = None,
        least_level: str = LEVELS[0],
        languages: Languages | None = None,
    ) -> "tuple[Extraction, PairBatch]":
        """Fit the resources on training pairs; return the extraction and these pairs, analysed.

        Parameters
        ----------
        pairs
            n pairs of texts.
        features
            As in `catalogue.resolve`; None for no columns.
        cache, pipeline
            As above.
        vectors, encoder, wordnet
            Places of the user-supplied word vectors, sentence encoder and WordNet that features read.
        least_level
            The lowest level of analysis, for members that read the pairs themselves.
        languages
            The languages that the texts may be in. Only features of `shared_space` read others than English.

        Raises
        ------
        ValueError
            If a feature is unknown, needs a resource that is missing, or none reads a resource that is supplied; or if
            a user-supplied feature leaves its range, or changes from call to call or with the order of the texts.
        """
        chosen, columns = ((), ()) if features is None else resolve(features)
        check_needs(chosen)
        places = {UserVectors.name: vectors, UserEncoder.name: encoder, UserWordNet.name: wordnet}
        supplied = _user_supplied(chosen, places)
        level = max(highest_level(chosen), least_level, key=LEVELS.index)
        if languages is not None and (level != "tokens" or any(value.family != "shared_space" for value in chosen)):
            raise ValueError(
                f"features for several languages must be of the family shared_space, got {features!r}; name "
                "no other family"
            )
        batch = analyse(pairs, level, _annotator(level, pipeline), languages=languages)
        # By the common words of its training text a model recognises English.
        always = {Idf.name} if languages is None else set()
        needed = {need for value in chosen for need in value.needs}
        resources = Resources.fit(sorted(needed.union(always, supplied)), batch.sentences, supplied)
        _check_user_supplied(chosen, batch, resources)
        return cls(chosen, columns, resources, cache, pipeline, level, languages), batch

    @property
    def annotator(self) -> Annotator | None:
        """The pipeline that tags and parses; None at the level ``tokens``."""
        return _annotator(self.level, self.pipeline)

    def analyse(self, pairs: Sequence[tuple[str, str]]) -> PairBatch:
        """Analyse pairs to the level of the extraction."""
        return analyse(pairs, self.level, self.annotator, languages=self.languages)

    def matrix(self, batch: PairBatch) -> FeatureMatrix:
        """Return the columns of analysed pairs."""
        return extract(batch, self.features, self.resources, columns=self.columns, cache=self.cache)


def _annotator(level: str, pipeline: str | None) -> Annotator | None:
    return None if level in ("text", "tokens") else load_annotator(pipeline)


_CHECKED = 100
"""Training pairs on which user-supplied features are checked."""


def _check_user_supplied(features: Sequence[Feature], batch: PairBatch, resources: Resources) -> None:
    own = [value for value in features if value not in core_features()]
    if not own:  # so that the features of research are not loaded
        return
    pairs = batch[:_CHECKED].with_tables(own_tables(resources))
    swapped = PairBatch(pairs.sentences, pairs.right, pairs.left, own_tables=pairs.own_tables)
    for value in (value for value in own if value not in all_features()):
        first, again, other = (value(each, **resources) for each in (pairs, pairs, swapped))
        outside = first[~((first >= value.low) & (first <= value.high))]
        if len(outside):
            raise ValueError(
                f"the values of {value.full_name} must be from {value.low:g} to {value.high:g}, got {outside[0]:g}; "
                "correct them, or declare low and high"
            )
        for others, rule in ((again, "for the same pair"), (other, "for (a, b) and (b, a)")):
            if not np.allclose(first, others, rtol=1e-5, atol=1e-6):
                place = tuple(np.argwhere(~np.isclose(first, others, rtol=1e-5, atol=1e-6))[0])
                raise ValueError(
                    f"the values of {value.full_name} must be the same {rule}, got {first[place]:g} and "
                    f"{others[place]:g}; correct the feature"
                )


def _user_supplied(features: Sequence[Feature], places: Mapping[str, str | Path | None]) -> dict[str, Resource]:
    resources: dict[str, Resource] = {}
    for kind in USER_SUPPLIED.values():
        place = places[kind.name]
        reader = reader_of(kind, features)
        if reader is None and place is not None:
            raise ValueError(f"no feature reads the {kind.title} {str(place)!r}; add {kind.family} to the features")
        if reader is not None and place is None and kind.replaces is None:
            raise ValueError(
                f"{reader} needs your {kind.title}; pass {kind.option} (in Python, {kind.option.removeprefix('--')}=)"
            )
        if place is not None:
            resources[kind.name] = kind.read(place)
    return resources
