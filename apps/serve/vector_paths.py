"""Paths that embed texts, as OpenAI's API and as text-embeddings-inference have them.

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

from .queue import Batcher, Costs, room_of
from .request_bodies import body_of, while_connected
from .requests import Limits, declared_body, extend_document, limits_in_words, validated
from .responses import Answer, RefusalToClient, refusals

PATHS = ("/v1/embeddings", "/embed")

MODEL = "all-MiniLM-L6-v2"
"""Name of the encoder in answers, whatever model a request names."""

# A text is read once, a pair by encoder and cross-encoder.
VECTOR_COSTS = Costs("texts", lambda text: 1, lambda text: room_of((text, "")))


class Embedding(Answer):
    """Vector of a text, as numbers or as base64 of 32-bit floats, and the place of the text in the request, from 0."""

    object: str
    index: int
    embedding: list[float] | str


class Usage(Answer):
    """Number of words of all texts, as they are divided by white space."""

    prompt_tokens: int
    total_tokens: int


class Embeddings(Answer):
    """Vectors in the order of the texts, and the name of the encoder."""

    object: str
    data: list[Embedding]
    model: str
    usage: Usage


class Embedder(Protocol):
    """Source of vectors, such as `service_workers.WorkerPool`."""

    slots: int

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vector of each text, shape (d,), float32."""
        ...


class EmbeddingForms:
    """Forms of the bodies of the paths under certain limits, and their JSON schemas."""

    def __init__(self, limits: Limits) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        texts: Any = Annotated[list[text], Field(min_length=1, max_length=limits.pairs, fail_fast=True)]
        one_or_more: Any = Annotated[
            Annotated[text, Tag("<text>")] | Annotated[texts, Tag("<list>")],
            Discriminator(
                _kind, custom_error_type="input", custom_error_message="the input is a text, or a list of texts"
            ),
        ]
        lenient = ConfigDict(extra="ignore")  # clients send settings of models that are not here
        formats: Any = Literal["float", "base64"]
        openai = create_model(
            "EmbeddingsRequest",
            __doc__="Text, or list of texts, whose vectors are wanted.",
            __config__=lenient,
            input=(one_or_more, ...),
            encoding_format=(formats, "float"),
        )
        inference = create_model(
            "EmbedRequest",
            __doc__="Text, or list of texts, whose vectors of length 1 are wanted.",
            __config__=lenient,
            inputs=(one_or_more, ...),
            normalize=(Literal[True] | None, True),
        )
        self.openai: TypeAdapter[Any] = TypeAdapter(openai)
        self.inference: TypeAdapter[Any] = TypeAdapter(inference)

    def schemas(self, ref_template: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return the JSON schemas of both bodies, and those that they refer to."""
        kinds = [(name, "validation", getattr(self, name)) for name in ("openai", "inference")]
        schemas, definitions = TypeAdapter.json_schemas(kinds, ref_template=ref_template)  # type: ignore[arg-type]
        return schemas["openai", "validation"], schemas["inference", "validation"], definitions["$defs"]


def answer_embeddings(app: FastAPI, embedding: Batcher, limits: Limits, ref_template: str) -> None:
    """Add the paths to an application."""
    forms = EmbeddingForms(limits)
    openai, inference, definitions = forms.schemas(ref_template)
    extend_document(app, lambda document: document["components"]["schemas"].update(definitions))

    async def vectors_of(request: Request, texts: list[str]) -> list[np.ndarray]:
        return await while_connected(request, embedding.submit(texts))

    @app.post(
        PATHS[0],
        response_model=Embeddings,
        responses=refusals(400, 403, 408, 413, 415, 422, 500, 503, model=RefusalToClient),
        openapi_extra=declared_body(openai, limits_in_words(limits)),
    )
    async def embeddings(request: Request) -> Response:
        """Return the vectors of texts."""
        asked = validated(forms.openai, await body_of(request, limits.body, "texts"), limits)
        texts = _listed(asked.input)
        written = _base64 if asked.encoding_format == "base64" else _plain
        data = [
            {"object": "embedding", "index": place, "embedding": written(vector)}
            for place, vector in enumerate(await vectors_of(request, texts))
        ]
        words = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": words, "total_tokens": words}
        return JSONResponse({"object": "list", "data": data, "model": MODEL, "usage": usage})

    @app.post(
        PATHS[1],
        response_model=list[list[float]],
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(inference, limits_in_words(limits)),
    )
    async def embed(request: Request) -> Response:
        """Return the vectors of texts, as text-embeddings-inference does."""
        asked = validated(forms.inference, await body_of(request, limits.body, "texts"), limits)
        return JSONResponse(list(map(_plain, await vectors_of(request, _listed(asked.inputs)))))


def _kind(value: Any) -> str | None:
    if isinstance(value, str):
        return "<text>"
    return "<list>" if isinstance(value, list) else None


def _listed(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts


def _plain(vector: np.ndarray) -> list[float] | str:
    return vector.tolist()


def _base64(vector: np.ndarray) -> list[float] | str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
