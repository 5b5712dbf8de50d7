"""Where a model comes from, as one small value that commands, worker processes, the service and Spark pass on."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.predictor import DEFAULT_PROFILE

if TYPE_CHECKING:
    from ..core.predictor import Predictor


@dataclass(frozen=True)
class ModelSource:
    """Profile or bundle of a model, and the user-supplied files that it reads; small, immutable and picklable.

    Attributes
    ----------
    model
        Name of a profile, or folder of a bundle.
    features_file
        Python file of user-supplied features that the model was trained with.
    vectors, encoder
        User-supplied word vectors and sentence encoder; None where the model finds them as it was trained.
    languages
        Languages of the texts, as `Languages.parse` reads them; None for English alone.
    translate
        Translator into English, as `find_translator` reads it.
    cache
        Folder in which analyses and encodings of sentences are kept for later runs.
    """

    model: str = DEFAULT_PROFILE
    features_file: str | None = None
    vectors: str | None = None
    encoder: str | None = None
    languages: str | None = None
    translate: str | None = None
    cache: str | None = None

    def __post_init__(self) -> None:
        for name in ("model", "features_file", "vectors", "encoder", "cache"):
            place = getattr(self, name)
            if isinstance(place, Path):
                object.__setattr__(self, name, str(place))

    def load(self, *, unused: bool = False) -> "Predictor":
        """Return the model.

        Parameters
        ----------
        unused
            Whether word vectors or an encoder may be named that the model itself does not read.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the model cannot be used here.
        ValueError
            If a user-supplied file is named that the model does not read, or a language or translator is unknown.
        """
        from ..scoring.batch_scores import load_model

        return load_model(
            self.model,
            self.features_file,
            self.vectors,
            self.encoder,
            others=unused,
            cache=self.cache,
            languages=self.languages,
            translate=self.translate,
        )
