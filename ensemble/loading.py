"""A model by its name or folder: what can be done with it, and how it is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

import numpy as np

from ..features.base.caches import SentenceCache
from ..features.base.feature import Feature
from ..features.pipeline.catalogue import load_features
from ..models.profiles import DEFAULT_PROFILE, MULTILINGUAL, TRANSLATIONS, bundle_folder, is_installed
from .core.bundle_parts import USER_RESOURCES
from .core.explanation import Explanation
from .core.prediction import Prediction
from .core.predictor import Predictor, with_source
from .core.scale import Scale
from .core.uncertainty import Uncertainty
from .differences.facts import Difference
from .multilingual.multilingual_model import MultilingualModel


class Model(Protocol):
    """A fitted model: a `Predictor`, or a `MultilingualModel` that holds several."""

    @property
    def signature(self) -> str:
        """One line that names the model; quote it with figures."""
        ...

    @property
    def source(self) -> Any:
        """`ModelSource` that loads the same model; None for a model that was fitted or changed in memory."""
        ...

    @property
    def parts(self) -> Mapping[str, Predictor | None]:
        """The ensembles that the model consists of, by the fields of `ModelSource` that name their places."""
        ...

    @property
    def settings(self) -> Mapping[str, str | None]:
        """The other fields of `ModelSource`, as far as they belong to the model.

        Raises
        ------
        ValueError
            If the model holds an object that cannot be named.
        """
        ...

    @property
    def interval(self) -> Uncertainty:
        """Uncertainty of a score: its prediction interval, and the probability of other scores."""
        ...

    @property
    def scale(self) -> Scale:
        """Scale of the scores."""
        ...

    @property
    def readable_languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of the languages that the model reads."""
        ...

    @property
    def contribution_names(self) -> tuple[str, ...]:
        """Names of the contributions that `explain` returns, the same for all pairs."""
        ...

    @property
    def sentence_cache(self) -> SentenceCache:
        """Analyses and encodings of sentences that were scored before."""
        ...

    def with_sentence_cache(self, cache: SentenceCache) -> Self:
        """Return the same model with another cache of sentences."""
        ...

    def predict_pairs(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> Prediction:
        """Return scores, intervals and flags of n pairs, whose languages may be known."""
        ...

    def probability(self, prediction: Prediction, at_least: float) -> np.ndarray:
        """Return the probability, shape (n,), that people give each pair a score of `at_least` or more.

        The probability does not rise with `at_least`, a score on the scale of the model.
        """
        ...

    def predict_members(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> dict[str, np.ndarray]:
        """Return the scores of each member, shape (n,); the last entry is what `predict_pairs` returns."""
        ...

    def explain(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> list[Explanation]:
        """Return an explanation of each score."""
        ...

    def differences(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]] | None = None
    ) -> list[list[Difference]]:
        """Return the words in which the texts of each pair, or their translations into English, differ in meaning."""
        ...

    def aligned_tokens(
        self, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, int]]]]:
        """Return the tokens of both texts of each pair, and the places of aligned tokens."""
        ...

    def probe(self) -> list[float]:
        """Return the scores of fixed pairs, which show whether two machines compute the same."""
        ...


DEFAULT_TRANSLATOR = "dictionary"
"""Translator of a model of several languages, if none is named."""


@dataclass(frozen=True)
class ModelSource:
    """Profile or bundle of a model, and the user-supplied files that it reads; small, immutable and picklable.

    Attributes
    ----------
    model
        Name of a profile, or folder of a bundle.
    features_file
        Python file of user-supplied features that the model was trained with.
    vectors, encoder, wordnet
        User-supplied word vectors, sentence encoder and WordNet; None where the model finds them as it was trained.
    languages
        Languages of the texts, as `Languages.parse` reads them; None for those of the model itself.
    translate
        Translator into English, as `find_translator` reads it.
    multilingual, translations
        Profile or bundle of the other parts of a model of several languages, as `MultilingualModel.of` reads them; not
        read unless `languages` or `translate` is given.
    cache
        Folder in which analyses and encodings of sentences are kept for later runs.
    """

    model: str = DEFAULT_PROFILE
    features_file: str | None = None
    vectors: str | None = None
    encoder: str | None = None
    languages: str | None = None
    translate: str | None = None
    multilingual: str | None = MULTILINGUAL
    translations: str | None = TRANSLATIONS
    cache: str | None = None
    wordnet: str | None = None

    @classmethod
    def of(
        cls,
        model: str | Path = DEFAULT_PROFILE,
        features_file: str | Path | None = None,
        vectors: str | Path | None = None,
        encoder: str | Path | None = None,
        *,
        wordnet: str | Path | None = None,
        languages: str | None = None,
        translate: str | None = None,
        cache: str | Path | None = None,
    ) -> "ModelSource":
        """Return a source whose places may be given as `pathlib.Path`."""
        files, vectors, encoder, wordnet, cache = (
            None if place is None else str(place) for place in (features_file, vectors, encoder, wordnet, cache)
        )
        return cls(str(model), files, vectors, encoder, languages, translate, cache=cache, wordnet=wordnet)

    def load(self, *, unused: bool = False) -> "Predictor | MultilingualModel":
        """Return the model.

        Parameters
        ----------
        unused
            Whether word vectors, an encoder or a WordNet may be named that the model itself does not read.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the model cannot be used here.
        ValueError
            If a user-supplied file is named that the model does not read, or a language or translator is unknown.
        """
        features = () if self.features_file is None else load_features(self.features_file)
        places = {key: getattr(self, key) for key in USER_RESOURCES}
        english = Predictor.load(bundle_folder(self.model), features, **places)
        for key, place in places.items():
            if place is not None and not (unused or key in english.user_files):
                title = USER_RESOURCES[key].title
                raise ValueError(f"the model {self.model!r} reads no user-supplied {title}; leave {place!r} out")
        if self.cache is not None:
            english = english.with_sentence_cache(SentenceCache(self.cache))
        english = with_source(english, replace(self, languages=None, translate=None))
        if self.languages is None and self.translate is None:
            return english
        languages = "auto" if self.languages is None else self.languages
        translate = DEFAULT_TRANSLATOR if self.translate is None else self.translate
        parts = (_part(place) for place in (self.multilingual, self.translations))
        return with_source(MultilingualModel.of(english, languages, translate, *parts), self)


def _part(place: str | None) -> Predictor | None:
    return None if place is None or not is_installed(place) else load(place)


ModelLike: TypeAlias = str | Path | ModelSource | Model
"""A profile, the folder of a bundle, a source, or a loaded model."""


def load(
    model: str | Path = DEFAULT_PROFILE,
    features: Sequence[Feature] = (),
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    wordnet: str | Path | None = None,
) -> Predictor:
    """Load a shipped profile by name, or a bundle by folder.

    Parameters
    ----------
    model
        One of `ALL_PROFILES`, or the path of a bundle.
    features, vectors, encoder, wordnet
        As for `Predictor.load`.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model does not exist or cannot be used here.
    """
    predictor = Predictor.load(bundle_folder(str(model)), features, vectors, encoder, wordnet)
    if features:
        return predictor  # no file by which another process could load them
    return with_source(predictor, ModelSource.of(model, None, vectors, encoder, wordnet=wordnet))


def load_model(
    model: str | Path,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    *,
    others: bool = False,
    cache: str | Path | None = None,
    languages: str | None = None,
    translate: str | None = None,
) -> "Predictor | MultilingualModel":
    """Load a profile or a bundle, as `ModelSource.load` does; `others` is its `unused`."""
    source = ModelSource.of(
        model, features_file, vectors, encoder, languages=languages, translate=translate, cache=cache
    )
    return source.load(unused=others)


def loaded_model(model: ModelLike, source: ModelSource) -> Model:
    """Return a model as callers name it: loaded already, by a source, or by its name and the fields of `source`.

    Parameters
    ----------
    model
        The model.
    source
        The user-supplied files, languages and cache for a model that is named; of a source or a loaded model only the
        cache is replaced.

    Raises
    ------
    TypeError
        If `model` is something else.
    """
    if isinstance(model, str | Path):
        return replace(source, model=str(model)).load()
    if isinstance(model, ModelSource):
        return (model if source.cache is None else replace(model, cache=source.cache)).load()
    if not hasattr(model, "predict_pairs"):
        raise TypeError(
            "model must be a profile, the folder of a bundle, a ModelSource or a loaded model, got "
            f"{repr(model)[:60]}; name one"
        )
    if source.cache is None:
        return model
    cached = model.with_sentence_cache(SentenceCache(source.cache))
    if model.source is None:
        return cached
    return with_source(cached, replace(model.source, cache=source.cache))


def lives_in_memory(model: ModelLike) -> bool:
    """Return whether a model has features that are in no file, so that no other process can load it."""
    if isinstance(model, str | Path | ModelSource):
        return False
    parts = [part for part in getattr(model, "parts", {}).values() if part is not None]
    return any(part.source is None and part.manifest.get("own_features") for part in parts)


def source_of(model: Model, folder: Path, features_file: str | None = None) -> ModelSource:
    """Return a source by which another process can load a model.

    Parameters
    ----------
    model
        A model that has no source of its own, because it was fitted or changed in memory, is written to files.
    folder
        An empty folder for these.
    features_file
        Python file with the user-supplied features of such a model, if it has any.

    Raises
    ------
    ValueError
        If no file can hold the model: it reads features or a translator that live in this process alone.
    """
    if model.source is not None:
        source: ModelSource = model.source
        return source
    settings: Mapping[str, Any] = model.settings
    places: dict[str, ModelSource | None] = {}
    for name, part in model.parts.items():
        places[name] = None if part is None else _source_of_part(part, folder / name, features_file)
    main = places.pop("model")
    assert main is not None
    fields: dict[str, Any] = {name: None if place is None else place.model for name, place in places.items()}
    return replace(main, **fields, **settings)


def _source_of_part(part: Predictor, folder: Path, features_file: str | None) -> ModelSource:
    if part.source is not None:
        source: ModelSource = part.source
        return source
    own = lives_in_memory(part)
    if own and features_file is None:
        names = ", ".join(f"{name} of {facts['file']}" for name, facts in part.manifest["own_features"].items())
        raise ValueError(
            f"features must come from a file to reach other processes, got {names} from memory; pass features_file and "
            "the name of the model, or use one worker"
        )
    part.save(folder)
    files = {key: str(place) for key, place in part.user_files.items()}
    return ModelSource(str(folder), features_file if own else None, **files)
