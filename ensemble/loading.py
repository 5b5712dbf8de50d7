"""A model by its name or folder: what can be done with it, how it is loaded, and how it reaches other processes."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from ..features.base.caches import SentenceCache
from ..features.linguistics.glossary import Glossary, GlossaryLike
from ..features.linguistics.languages import ENGLISH, Languages
from ..features.pipeline.catalogue import load_features
from ..models.profiles import DEFAULT_PROFILE, MULTILINGUAL, TRANSLATIONS, bundle_folder, is_installed
from .core.bundle_parts import USER_RESOURCES
from .core.explanation import Explanation
from .core.manifest import PROBE
from .core.pair_inputs import Pairs
from .core.prediction import Prediction
from .core.predictor import Predictor, with_ref
from .core.scale import Scale
from .differences.facts import Difference
from .multilingual.multilingual_model import FOREIGN_PROBE, MultilingualModel


class Model(Protocol):
    """A fitted model: a `Predictor`, or a `MultilingualModel` that holds several."""

    @property
    def signature(self) -> str:
        """One line that names the model; quote it with figures."""
        ...

    @property
    def ref(self) -> Any:
        """`ModelRef` that loads the same model; None for a model that was fitted or changed in memory."""
        ...

    @property
    def parts(self) -> Mapping[str, Predictor]:
        """The ensembles that the model consists of, by name; the first reads English texts."""
        ...

    @property
    def scale(self) -> Scale:
        """Scale of the scores."""
        ...

    def predict_pairs(self, pairs: Pairs, languages: Pairs | None = None) -> Prediction:
        """Return scores, intervals and flags of n pairs, whose languages may be known."""
        ...

    def explain(self, pairs: Pairs, languages: Pairs | None = None) -> list[Explanation]:
        """Return an explanation of each score."""
        ...

    def differences(self, pairs: Pairs, languages: Pairs | None = None) -> list[list[Difference]]:
        """Return the words in which the texts of each pair, or their translations into English, differ in meaning."""
        ...

    def covers(self, pairs: Pairs, languages: Pairs | None = None) -> np.ndarray:
        """Return how much of each first text the second says, and how much the second adds, shape (n, 2)."""
        ...


@dataclass(frozen=True)
class ModelRef:
    """Reference to a model and to the user-supplied files that it reads; small, immutable and picklable.

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
        Translator into English, as `find_translator` reads it; without it ``dictionary`` if languages are named.
    cache
        Folder in which analyses and encodings of sentences are kept for later runs.
    glossary
        Words that mean the same: a file or lists, which are read at once, or a `Glossary`. Other processes get the
        words, not the file.
    """

    model: str = DEFAULT_PROFILE
    features_file: str | None = None
    vectors: str | None = None
    encoder: str | None = None
    languages: str | None = None
    translate: str | None = None
    cache: str | None = None
    wordnet: str | None = None
    glossary: GlossaryLike | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, str(value) if isinstance(value, Path) else value)
        if self.glossary is not None:
            object.__setattr__(self, "glossary", Glossary.of(self.glossary))

    def load(self, *, unused: bool = False) -> "LoadedModel":
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
            If a user-supplied file is named that the model does not read, a language or translator is unknown, or the
            model has another glossary.
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
        if self.glossary is not None:
            english = english.with_glossary(self.glossary)
        english = with_ref(english, replace(self, languages=None, translate=None))
        if self.languages is None and self.translate is None:
            return english
        others = [
            Predictor.load(bundle_folder(name)) if is_installed(name) else None for name in (MULTILINGUAL, TRANSLATIONS)
        ]
        if english.glossary is not None:
            others = [None if other is None else other.with_glossary(english.glossary) for other in others]
        languages = "auto" if self.languages is None else self.languages
        translate = "dictionary" if self.translate is None else self.translate
        return with_ref(MultilingualModel.of(english, languages, translate, *others), self)


LoadedModel: TypeAlias = Predictor | MultilingualModel

ModelLike: TypeAlias = str | Path | ModelRef | Model
"""A profile, the folder of a bundle, a reference, or a loaded model."""


def load(model: ModelLike = DEFAULT_PROFILE, **fields: Any) -> LoadedModel:
    """Return a model: a shipped profile by name, or a bundle by folder.

    Parameters
    ----------
    model
        One of `ALL_PROFILES`, the path of a bundle, a `ModelRef`, or a loaded model, which is returned.
    **fields
        Other fields of `ModelRef`: `features_file`, `vectors`, `encoder`, `wordnet`, `languages`, `translate`,
        `cache` and `glossary`. None leaves a field as it is.

    Returns
    -------
    Predictor or MultilingualModel
        The latter if languages or a translator are named.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model does not exist or cannot be used here.
    ValueError
        If a user-supplied file is named that the model does not read, a language or translator is unknown, a glossary
        is malformed or not that of the model, or fields are given with a model that was fitted or changed in memory.
    OSError
        If a glossary cannot be read.
    TypeError
        If `model` is something else, or a field is unknown.
    """
    fields = {name: value for name, value in fields.items() if value is not None}
    if isinstance(model, str | Path):
        return ModelRef(str(model), **fields).load()
    ref = model if isinstance(model, ModelRef) else getattr(model, "ref", None)
    if isinstance(ref, ModelRef) and (fields or ref is model):
        return replace(ref, **fields).load()
    if not hasattr(model, "predict_pairs"):
        raise TypeError(
            "model must be a profile, the folder of a bundle, a ModelRef or a loaded model, got "
            f"{repr(model)[:60]}; name one"
        )
    if fields:
        raise ValueError(
            f"{next(iter(fields))} must be given with the name of a model, got a model from memory; save it first"
        )
    return cast(LoadedModel, model)


def lives_in_memory(model: ModelLike) -> bool:
    """Return whether a model has features that are in no file, so that no other process can load it."""
    if isinstance(model, str | Path | ModelRef):
        return False
    return any(part.ref is None and part.manifest.get("own_features") for part in getattr(model, "parts", {}).values())


def pickled(model: Model) -> bytes:
    """Return a model that has no reference as bytes for another process, which `pickle.loads` reads.

    Raises
    ------
    ValueError
        If the model has features or a translator that live in this process alone.
    """
    if lives_in_memory(model):
        own = [part.manifest["own_features"] for part in model.parts.values() if part.manifest.get("own_features")]
        names = ", ".join(f"{name} of {facts['file']}" for name, facts in own[0].items())
        raise ValueError(
            f"features must come from a file to reach other processes, got {names} from memory; name the model and its "
            "features_file in a ModelRef, or use one worker"
        )
    from joblib.externals.loky.backend.reduction import dumps  # also of what was defined in a notebook

    try:
        return bytes(dumps(model))
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise ValueError(
            f"a model must be picklable to reach other processes, got one that is not ({error}); name it in a "
            "ModelRef, or use one worker"
        ) from None


def main_part(model: Model) -> Predictor:
    """Return the ensemble that reads English texts, which is the whole model if it has one part."""
    return next(iter(model.parts.values()))


def glossary_of(model: Model) -> Glossary | None:
    """Return the glossary by which all parts of a model read texts; None for none."""
    return next((part.glossary for part in getattr(model, "parts", {}).values()), None)


def readable_languages(model: Model) -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages that a model reads."""
    own = main_part(model).languages
    if own is not None:
        return own.candidates
    if "model" in model.parts:
        return (ENGLISH,)
    return Languages.parse("auto" if model.ref is None else model.ref.languages or "auto").readable


def probe(model: Model) -> list[float]:
    """Return the scores of fixed pairs, which show whether two machines compute the same.

    They are `PROBE`, and for a model of several parts a pair for each language that it reads.
    """
    foreign = [] if "model" in model.parts else [code for code in readable_languages(model) if code in FOREIGN_PROBE]
    pairs = [(FOREIGN_PROBE[language], PROBE[0][0]) for language in foreign]
    return [float(score) for score in model.predict_pairs([*PROBE, *pairs]).score]
