"""The path ``/v1/embeddings``, in the form of OpenAI's API, so that its clients can ask for vectors of texts.

The vectors are those of the sentence encoder that ships, of length 1: texts with a large inner product are close in
meaning. They do not depend on the model that scores, nor on the other texts of a request.
"""

import base64
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter, create_model

from .answer_models import Embeddings, RefusalToClient, refusals
from .fair_queue import Costs, room_of
from .micro_batches import Batcher
from .request_bodies import Limits, validated
from .request_handling import body_of, declared_body, extend_document, while_connected

PATH = "/v1/embeddings"

MODEL = "all-MiniLM-L6-v2"
"""Name of the encoder in answers, whatever model a request names."""

# A text is read once, a pair by encoder and cross-encoder.
VECTOR_COSTS = Costs("texts", lambda text: 1, lambda text: room_of((text, "")))


class Embedder(Protocol):
    """Source of vectors, such as `service_workers.WorkerPool`."""

    slots: int

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vector of each text, shape (d,), float32."""
        ...


def answer_embeddings(app: FastAPI, embedding: Batcher, limits: Limits, ref_template: str) -> None:
    """Add the path to an application.

    Parameters
    ----------
    app
        The application.
    embedding
        The queue in front of the encoder.
    limits
        Limits of each request.
    ref_template
        Place of a schema in the OpenAPI document.
    """
    text: Any = Annotated[str, Field(max_length=limits.characters)]
    texts: Any = Annotated[list[text], Field(min_length=1, max_length=limits.pairs, fail_fast=True)]
    one: Any = Annotated[text, Tag("<text>")]
    more: Any = Annotated[texts, Tag("<list>")]
    one_or_more: Any = Annotated[
        one | more,
        Discriminator(_kind, custom_error_type="input", custom_error_message="the input is a text, or a list of texts"),
    ]
    formats: Any = Literal["float", "base64"]
    form: TypeAdapter[Any] = TypeAdapter(
        create_model(
            "EmbeddingsRequest",
            __doc__="Text, or list of texts, whose vectors are wanted.",
            __config__=ConfigDict(extra="ignore"),  # clients send settings of models that are not here
            input=(one_or_more, ...),
            encoding_format=(formats, "float"),
        )
    )
    schemas, definitions = TypeAdapter.json_schemas([("body", "validation", form)], ref_template=ref_template)
    extend_document(app, lambda document: document["components"]["schemas"].update(definitions["$defs"]))

    @app.post(
        PATH,
        response_model=Embeddings,
        responses=refusals(400, 403, 408, 413, 415, 422, 500, 503, model=RefusalToClient),
        openapi_extra=declared_body(
            schemas["body", "validation"],
            f"At most {limits.pairs:,} texts of at most {limits.characters:,} characters.",
        ),
    )
    async def embeddings(request: Request) -> Response:
        """Return the vectors of texts."""
        asked = validated(form, await body_of(request, limits.body, "texts"), limits)
        inputs = [asked.input] if isinstance(asked.input, str) else asked.input
        vectors = await while_connected(request, embedding.submit(inputs))
        written = _base64 if asked.encoding_format == "base64" else _plain
        data = [
            {"object": "embedding", "index": place, "embedding": written(vector)}
            for place, vector in enumerate(vectors)
        ]
        words = sum(len(text.split()) for text in inputs)
        usage = {"prompt_tokens": words, "total_tokens": words}
        return JSONResponse({"object": "list", "data": data, "model": MODEL, "usage": usage})


def _kind(value: Any) -> str | None:
    if isinstance(value, str):
        return "<text>"
    return "<list>" if isinstance(value, list) else None


def _plain(vector: np.ndarray) -> list[float] | str:
    return vector.tolist()


def _base64(vector: np.ndarray) -> list[float] | str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
