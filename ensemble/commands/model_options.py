"""Options that choose a model and the user-supplied files that it reads."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import PROFILES, check_model

if TYPE_CHECKING:
    from ..multilingual.model_source import ModelSource

ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="DIR", callback=check_model, help="Folder of a trained model.")
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="P",
        callback=PROFILES.check,
        autocompletion=PROFILES.complete,
        help="A model that ships: surface, fast, full (without --profile and --model), best, multilingual, "
        "translations; or a benchmark twin, fitted on STS Benchmark train alone: surface-stsb, fast-stsb, full-stsb, "
        "best-stsb.",
    ),
]
OwnOption = Annotated[
    Path | None, typer.Option("--own", metavar="FILE.py", help="Your own features that the model was trained with.")
]
VectorsOption = Annotated[
    Path | None,
    typer.Option("--vectors", metavar="PATH", help="Path of user-supplied word vectors, for user_embedding."),
]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="PATH_OR_NAME",
        help="Folder or hub name of a user-supplied sentence encoder, for user_contextual.",
    ),
]
WordNetOption = Annotated[
    Path | None,
    typer.Option(
        "--wordnet", metavar="DIR", help="WordNet of `samewise wordnet build`, read instead of the one that ships."
    ),
]
LanguagesOption = Annotated[
    str | None,
    typer.Option(
        "--languages",
        metavar="L",
        help="Languages of the texts: es,en for any of these, es-en for first and second text, auto for all known.",
    ),
]
TranslateOption = Annotated[
    str | None,
    typer.Option(
        "--translate", metavar="T", help="Also compare translations: apertium, dictionary, or yours as module:function."
    ),
]


def model_source(
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    wordnet: WordNetOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
) -> "ModelSource":
    """Return the model source that the options name."""
    if model is not None and profile is not None:
        raise typer.BadParameter("must be given without --profile, got both", param_hint="--model")
    from ...models.profiles import DEFAULT_PROFILE
    from ..multilingual.model_source import ModelSource

    name = model if model is not None else profile or DEFAULT_PROFILE
    return ModelSource.of(name, own, vectors, encoder, wordnet=wordnet, languages=languages, translate=translate)
