"""The paths ``/rerank`` and ``/similarity``, in the form of text-embeddings-inference, so that its clients can ask.

The score of a text is that of the model, divided by its scale: 0..1, where a cross-encoder there gives a probability.
"""

from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, FailFast, Field, TypeAdapter, create_model

from ..core.scale import Scale
from .answer_models import RankedText, refusals
from .micro_batches import Batcher
from .request_bodies import Limits, validated
from .request_handling import body_of, declared_body, extend_document, while_connected

PATHS = ("/rerank", "/similarity")

# Settings of text-embeddings-inference about models that it runs, such as ``truncate``, are read and not used.
_LENIENT = ConfigDict(extra="ignore")


class RankingForms:
    """Forms of the bodies of the paths under certain limits, and their JSON schemas.

    Parameters
    ----------
    limits
        Limits of each request.
    """

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
    """Add the paths to an application.

    Parameters
    ----------
    app
        The application.
    scoring
        The queue in front of the model.
    scale
        Scale of the model.
    limits
        Limits of each request.
    ref_template
        Place of a schema in the OpenAPI document.
    """
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
