"""Paths that rank texts, as text-embeddings-inference, and as Jina and Cohere have them.

The score of a text is that of the model, divided by its scale: 0..1, where a cross-encoder there gives a probability.
"""

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Discriminator, FailFast, Field, Tag, TypeAdapter, create_model

from ...ensemble.core.scale import Scale
from .queue import Batcher
from .request_bodies import body_of, while_connected
from .requests import Limits, declared_body, extend_document, limits_in_words, validated, whole_number
from .responses import Answer, RefusalToClient, refusals

PATHS = ("/rerank", "/similarity", "/v1/rerank")

# Settings about models that other services run, such as ``truncate`` and ``model``, are read and not used.
_LENIENT = ConfigDict(extra="ignore")


class RankedText(Answer):
    """Text of a request for an order: its place in the request, from 0, and its score; the text if it was asked for."""

    index: int
    score: float
    text: str = Field(default="")


class RankedDocument(Answer):
    """Document of a request for an order: its place, from 0, its score, 0..1, and its text if it was asked for."""

    index: int
    relevance_score: float = Field(ge=0, le=1)
    document: dict[Literal["text"], str] = Field(default_factory=dict)


class WordCount(Answer):
    """Number of words of the query and of all documents, as they are divided by white space."""

    total_tokens: int


class RankedDocuments(Answer):
    """Documents, the most similar first, and the signature of the model."""

    model: str
    results: list[RankedDocument]
    usage: WordCount


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
        document = create_model("Document", __doc__="Document with a text.", __config__=_LENIENT, text=(text, ...))
        item: Any = Annotated[
            Annotated[text, Tag("<text>")] | Annotated[document, Tag("<object>")],
            Discriminator(
                _kind,
                custom_error_type="document",
                custom_error_message="a document is a text, or an object with text",
            ),
        ]
        documents: Any = Annotated[list[item], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        ranked_documents = create_model(
            "RerankDocumentsRequest",
            __doc__="Documents in the order of their similarity to a query are wanted, all or the first ``top_n``.",
            __config__=_LENIENT,
            query=(text, ...),
            documents=(documents, ...),
            top_n=(whole_number(ge=1) | None, None),
            return_documents=(flag | None, False),
        )
        self.ranking: TypeAdapter[Any] = TypeAdapter(ranking)
        self.similarity: TypeAdapter[Any] = TypeAdapter(similarity)
        self.documents: TypeAdapter[Any] = TypeAdapter(ranked_documents)

    def schemas(self, ref_template: str) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
        """Return the JSON schema of each body by its name here, and those that they refer to."""
        names = ("ranking", "similarity", "documents")
        kinds = [(name, "validation", getattr(self, name)) for name in names]
        schemas, definitions = TypeAdapter.json_schemas(kinds, ref_template=ref_template)  # type: ignore[arg-type]
        return {name: schemas[name, "validation"] for name in names}, definitions["$defs"]


def answer_rankings(
    app: FastAPI, scoring: Batcher, scale: Scale, signature: str, limits: Limits, ref_template: str
) -> None:
    """Add the paths to an application; `signature` is that of the model."""
    forms = RankingForms(limits)
    schemas, definitions = forms.schemas(ref_template)
    extend_document(app, lambda document: document["components"]["schemas"].update(definitions))

    async def scores(request: Request, text: str, others: list[str]) -> list[float]:
        results = await while_connected(request, scoring.submit([(text, other) for other in others]))
        return [result["score"] for result in results]

    def share(score: float) -> float:
        return (score - scale.low) / (scale.high - scale.low)

    @app.post(
        PATHS[0],
        response_model=list[RankedText],
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(schemas["ranking"], limits_in_words(limits)),
    )
    async def rerank(request: Request) -> Response:
        """Put texts in the order of their similarity to a query, the most similar first."""
        form = validated(forms.ranking, await body_of(request, limits.body, "texts"), limits)
        found = await scores(request, form.query, form.texts)
        ranked = [
            {"index": place, "score": found[place] if form.raw_scores else share(found[place])}
            | ({"text": form.texts[place]} if form.return_text else {})
            for place in _order(found)
        ]
        return JSONResponse(ranked)

    @app.post(
        PATHS[1],
        response_model=list[float],
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(schemas["similarity"], limits_in_words(limits)),
    )
    async def similarities(request: Request) -> Response:
        """Return the similarity of each sentence to a source sentence, 0..1."""
        inputs = validated(forms.similarity, await body_of(request, limits.body, "texts"), limits).inputs
        return JSONResponse([share(score) for score in await scores(request, inputs.source_sentence, inputs.sentences)])

    @app.post(
        PATHS[2],
        response_model=RankedDocuments,
        responses=refusals(400, 403, 408, 413, 415, 422, 500, 503, model=RefusalToClient),
        openapi_extra=declared_body(schemas["documents"], limits_in_words(limits)),
    )
    async def rerank_documents(request: Request) -> Response:
        """Put documents in the order of their similarity to a query, as Jina and Cohere do."""
        form = validated(forms.documents, await body_of(request, limits.body, "texts"), limits)
        texts = [each if isinstance(each, str) else each.text for each in form.documents]
        found = await scores(request, form.query, texts)
        results = [
            {"index": place, "relevance_score": share(found[place])}
            | ({"document": {"text": texts[place]}} if form.return_documents else {})
            for place in _order(found)[: form.top_n]
        ]
        words = sum(len(text.split()) for text in (form.query, *texts))
        return JSONResponse({"model": signature, "results": results, "usage": {"total_tokens": words}})


def _order(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: -scores[place])  # of equal scores the first text


def _kind(value: Any) -> str | None:
    if isinstance(value, str):
        return "<text>"
    return "<object>" if isinstance(value, dict) else None
