"""The command that starts the scoring service."""

from typing import Annotated

import typer

from .options import (
    EncoderOption,
    LanguagesOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    TranslateOption,
    VectorsOption,
    WorkersOption,
    chosen_model,
)


def serve(
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    host: Annotated[str, typer.Option("--host", metavar="NAME", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="Port; 0 is any that is free.")
    ] = 8000,
    workers: WorkersOption = "auto",
    max_pairs: Annotated[
        int, typer.Option("--max-pairs", metavar="N", min=1, help="The most pairs in a request.")
    ] = 1_000,
    max_characters: Annotated[
        int, typer.Option("--max-characters", metavar="N", min=1, help="The most characters in a text.")
    ] = 10_000,
    max_body: Annotated[
        int, typer.Option("--max-body", metavar="N", min=1, help="The most bytes in the body of a request.")
    ] = 2_000_000,
    max_waiting: Annotated[
        int,
        typer.Option(
            "--max-waiting", metavar="N", min=1, help="The most pairs that wait; beyond it the answer is 503."
        ),
    ] = 10_000,
) -> None:
    """Answer requests for scores over HTTP, and show a page to try pairs on. There is no authentication."""
    chosen = chosen_model(model, profile)
    try:
        from ..multilingual.model_source import ModelSource
        from ..serving.server import Limits
        from ..serving.server import serve as start
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from error

    start(
        ModelSource.of(chosen, own, vectors, encoder, languages=languages, translate=translate),
        host=host,
        port=port,
        workers=workers,
        limits=Limits(max_pairs, max_characters, max_body),
        waiting_pairs=max_waiting,
        ready=lambda address, signature: print(f"{address} answers with {signature}", flush=True),
    )
