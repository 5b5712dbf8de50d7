"""Paths that embed and rank texts.

The vectors are those of the sentence encoder that ships, of length 1: texts with a large inner product are close in
meaning. They do not depend on the model that scores, nor on the other texts of a request.

The score of a text is that of the model, divided by its scale: 0..1, where a cross-encoder there gives a probability.
"""

import base64
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Discriminator, FailFast, Field, Tag, TypeAdapter, create_model

from ...ensemble.core.scale import Scale
from .queue import Batcher, Costs, room_of
from .requests import Limits, body_of, declared_body, extend_document, validated, while_connected
from .responses import Embeddings, RankedText, RefusalToClient, refusals

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
    """Add the path to an application."""
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


PATHS = ("/rerank", "/similarity")

# Settings of text-embeddings-inference about models that it runs, such as ``truncate``, are read and not used.
_LENIENT = ConfigDict(extra="ignore")


class RankingForms:
    """Forms of the bodies of the paths under certain limits, and their JSON schemas."""

    def __init__(self, limits: Limits) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        texts: Any = Annotated[list[text], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        flag: Any = Annotated[bool, Field(strict=True)]
        ranking = create_model(
            "RerankRequest",
            __doc__="Texts that are put in the order of their similarity to a query.",
            __config__=_LENIENT,
            query=(text, ...),
            texts=(texts, ...),
            raw_scores=(flag, False),
            return_text=(flag, False),
        )
        inputs = create_model(
            "SimilarityInputs", __config__=_LENIENT, source_sentence=(text, ...), sentences=(texts, ...)
        )
        similarity = create_model(
            "SimilarityRequest",
            __doc__="Sentences whose similarity to a source sentence is wanted.",
            __config__=_LENIENT,
            inputs=(inputs, ...),
        )
        self.ranking: TypeAdapter[Any] = TypeAdapter(ranking)
        self.similarity: TypeAdapter[Any] = TypeAdapter(similarity)

    def schemas(self, ref_template: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return the JSON schemas of both bodies, and those that they refer to."""
        kinds = [(name, "validation", getattr(self, name)) for name in ("ranking", "similarity")]
        schemas, definitions = TypeAdapter.json_schemas(kinds, ref_template=ref_template)  # type: ignore[arg-type]
        return schemas["ranking", "validation"], schemas["similarity", "validation"], definitions["$defs"]


def answer_rankings(app: FastAPI, scoring: Batcher, scale: Scale, limits: Limits, ref_template: str) -> None:
    """Add the paths to an application."""
    forms = RankingForms(limits)
    ranking, similarity, definitions = forms.schemas(ref_template)
    extend_document(app, lambda document: document["components"]["schemas"].update(definitions))
    limits_text = f"At most {limits.pairs:,} texts of at most {limits.characters:,} characters."

    async def scores(request: Request, text: str, others: list[str]) -> list[float]:
        results = await while_connected(request, scoring.submit([(text, other) for other in others]))
        return [result["score"] for result in results]

    def share(score: float) -> float:
        return (score - scale.low) / (scale.high - scale.low)

    @app.post(
        PATHS[0],
        response_model=list[RankedText],
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(ranking, limits_text),
    )
    async def rerank(request: Request) -> Response:
        """Put texts in the order of their similarity to a query, the most similar first."""
        form = validated(forms.ranking, await body_of(request, limits.body, "texts"), limits)
        found = await scores(request, form.query, form.texts)
        order = sorted(range(len(found)), key=lambda place: -found[place])  # of equal scores the first text
        ranked = [
            {"index": place, "score": found[place] if form.raw_scores else share(found[place])}
            | ({"text": form.texts[place]} if form.return_text else {})
            for place in order
        ]
        return JSONResponse(ranked)

    @app.post(
        PATHS[1],
        response_model=list[float],
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(similarity, limits_text),
    )
    async def similarities(request: Request) -> Response:
        """Return the similarity of each sentence to a source sentence, 0..1."""
        inputs = validated(forms.similarity, await body_of(request, limits.body, "texts"), limits).inputs
        return JSONResponse([share(score) for score in await scores(request, inputs.source_sentence, inputs.sentences)])
