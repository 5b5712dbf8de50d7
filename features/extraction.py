"""Pairs of texts to columns: what is fitted on training pairs for that, and used on any pairs after."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .analysis import analyse
from .catalogue import resolve
from .declaration import Feature, highest_level
from .linguistics.annotator import Annotator, load_annotator
from .linguistics.languages import Languages
from .matrix import FeatureMatrix, extract
from .resources.registry import Resources, check_needs, resources_of
from .resources.user_supplied import GIVEN, UserEncoder, UserVectors
from .sentences import LEVELS, PairBatch


@dataclass(frozen=True, eq=False)
class Extraction:
    """Features, and the resources that were fitted on training pairs: pairs in, a matrix out.

    Attributes
    ----------
    features, columns
        What is computed and which of it is kept.
    resources
        What the features need, and all else that is fitted on sentences of their level.
    cache
        A folder for extracted features, keyed by content, or None.
    pipeline
        Name of the spaCy package that tags and parses; ours if None.
    level
        How deeply pairs are analysed: as the features need, or more.
    languages
        Those that the texts may be in; English alone if None.
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
        least_level: str = LEVELS[0],
        languages: Languages | None = None,
    ) -> "tuple[Extraction, PairBatch]":
        """Fit the resources on training pairs; return the extraction and these pairs, analysed.

        Parameters
        ----------
        pairs
            n pairs of texts.
        features
            As for `catalogue.resolve`; None for no column at all.
        cache, pipeline
            As above.
        vectors, encoder
            Where those word vectors and that sentence encoder of the user's are which features read.
        least_level
            How deeply to analyse at least, for what reads the pairs themselves.
        languages
            Those that the texts may be in. Only features of `shared_space` read others than English.

        Raises
        ------
        ValueError
            If a feature is unknown, or needs what is not given, or none reads what is given.
        """
        chosen, columns = ((), ()) if features is None else resolve(features)
        check_needs(chosen)
        given = _given(chosen, vectors, encoder)
        level = max(highest_level(chosen), least_level, key=LEVELS.index)
        if languages is not None and (level != "tokens" or any(value.family != "shared_space" for value in chosen)):
            raise ValueError("only the features of shared_space read other languages than English; name no others")
        batch = analyse(pairs, level, _annotator(level, pipeline), languages=languages)
        # All of the level, about 1 MB: with the model any feature of its level can be extracted.
        needed = {need for value in chosen for need in value.needs}
        others = resources_of(level) if languages is None else ()
        resources = Resources.fit(sorted(needed.union(others)), batch.sentences, given)
        return cls(chosen, columns, resources, cache, pipeline, level, languages), batch

    @property
    def annotator(self) -> Annotator | None:
        """What tags and parses; None where that is not needed."""
        return _annotator(self.level, self.pipeline)

    def analyse(self, pairs: Sequence[tuple[str, str]]) -> PairBatch:
        """Analyse pairs to the level."""
        return analyse(pairs, self.level, self.annotator, languages=self.languages)

    def matrix(self, batch: PairBatch) -> FeatureMatrix:
        """Return the columns of analysed pairs."""
        return extract(batch, self.features, self.resources, columns=self.columns, cache=self.cache)


def _annotator(level: str, pipeline: str | None) -> Annotator | None:
    return None if level in ("text", "tokens") else load_annotator(pipeline)


def _given(
    features: Sequence[Feature], vectors: str | Path | None, encoder: str | Path | None
) -> dict[str, UserVectors | UserEncoder]:
    kinds: tuple[tuple[type[UserVectors] | type[UserEncoder], str | Path | None], ...]
    kinds = ((UserVectors, vectors), (UserEncoder, encoder))
    found: dict[str, UserVectors | UserEncoder] = {}
    for kind, place in kinds:
        reader = next((value.full_name for value in features if kind.name in value.needs), None)
        if reader is None and place is not None:
            raise ValueError(f"no feature reads the {kind.title} {str(place)!r}; add {kind.family} to the features")
        if reader is not None and place is None:
            option = GIVEN[kind.name]
            raise ValueError(
                f"{reader} needs your {kind.title}; pass {option} (in Python, {option.removeprefix('--')}=)"
            )
        if place is not None:
            found[kind.name] = kind.read(place)
    return found
