"""The path that matches lists of texts.

The matches of a text are those of `samewise.match` for this text alone, without screening: they do not depend on the
other texts that are matched at the same time.
"""

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import ConfigDict, FailFast, Field, TypeAdapter, create_model

from ...ensemble.core.scale import Scale
from ...ensemble.matching.index import Index
from ...ensemble.matching.matches import best_matches, match_table
from ...ensemble.matching.options import NONE, MatchOptions
from ...ensemble.matching.pipeline import Search
from ...ensemble.matching.texts import TextRows
from .decisions import Decisions, Kinds
from .queue import Batcher, Costs, room_of, work_of
from .request_bodies import body_of, while_connected
from .request_errors import RequestError
from .requests import Limits, declared_body, extend_document, validated, whole_number
from .responses import Matches, bounded, refusals

if TYPE_CHECKING:
    from ...ensemble.loading import Model


TOP, MOST_TOP = 5, 100
"""Rows for each text, if a request does not say, and at most."""

FEWEST_CANDIDATES = 10
"""Close texts that a view finds at least for a text; beyond it the double of the rows that are asked for."""


class AskedText(NamedTuple):
    """Text whose matches are asked for.

    Attributes
    ----------
    text
        The text.
    top
        Largest number of rows, from 1 to `MOST_TOP`.
    at_least
        Score that a row must have at least, on the scale of the model; None for any.
    differences
        Whether the differences between the text and each row are returned.
    decide, keep_apart
        Whether decisions are returned, without the rows that are called different, and kinds for them.
    """

    text: str
    top: int = TOP
    at_least: float | None = None
    differences: bool = False
    decide: bool = False
    keep_apart: Kinds = None


def pairs_of(asked: AskedText) -> int:
    """Return about how many pairs are scored for a text: those that two views find."""
    return 2 * max(FEWEST_CANDIDATES, 2 * asked.top)


# The rows are taken to be as long as the text.
TEXT_COSTS = Costs(
    "texts",
    lambda asked: pairs_of(asked) * work_of((asked.text, asked.text)),
    lambda asked: pairs_of(asked) * room_of((asked.text, asked.text)),
)
"""Costs of an `AskedText`, in those of a pair."""


class MatchForm:
    """Form of the bodies of ``/match`` under certain limits, and its JSON schema."""

    def __init__(self, limits: Limits, scale: Scale, decisions: Decisions) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        texts: Any = Annotated[list[text], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        score: Any = Annotated[float, Field(ge=scale.low, le=scale.high, strict=True)]
        self._limits, self._decisions = limits, decisions
        self._form: TypeAdapter[Any] = TypeAdapter(
            create_model(
                "MatchRequest",
                __doc__="Texts whose matching rows are wanted, and which of these rows.",
                __config__=ConfigDict(extra="forbid"),
                texts=(texts, ...),
                top=(whole_number(ge=1, le=MOST_TOP), TOP),
                at_least=(score | None, None),
                differences=(Annotated[bool, Field(strict=True)], False),
                **decisions.fields,
            )
        )

    def schemas(self, ref_template: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the JSON schema of the body, and those that it refers to."""
        schemas, definitions = TypeAdapter.json_schemas([("body", "validation", self._form)], ref_template=ref_template)
        return schemas["body", "validation"], definitions["$defs"]

    def asked_texts(self, body: bytes) -> list[AskedText]:
        """Return the texts of a body."""
        form = validated(self._form, body, self._limits)
        rows = len(form.texts) * form.top
        if rows > self._limits.pairs:
            raise RequestError(
                413,
                f"the request asks for {rows:,} rows, {form.top} for each of {len(form.texts):,} texts, and the limit "
                f"is {self._limits.pairs:,}; send the texts in several, or a smaller top",
            )
        question = form.top, form.at_least, form.differences, *self._decisions.asked(form)
        return [AskedText(text, *question) for text in form.texts]


PATH = "/match"


class Matcher(Protocol):
    """Model and index, such as `service_workers.WorkerPool`."""

    signature: str
    scale: Scale
    slots: int
    index_signature: str | None
    index_rows: int

    async def match(self, asked: Sequence[AskedText]) -> list[bytes]:
        """Return for each text the JSON object of `MatchedText`."""
        ...


def answer_matches(
    app: FastAPI, matcher: Matcher, matching: Batcher, limits: Limits, ref_template: str, decisions: Decisions
) -> None:
    """Add the path to an application."""
    form = MatchForm(limits, matcher.scale, decisions)
    schema, definitions = form.schemas(ref_template)
    signatures = json.dumps({"signature": matcher.signature, "index": matcher.index_signature})

    def extend(document: dict[str, Any]) -> None:
        document["components"]["schemas"].update(definitions)
        bounded(document["components"]["schemas"], matcher.scale)

    extend_document(app, extend)

    @app.post(
        PATH,
        response_model=Matches,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(
            schema,
            f"Texts of at most {limits.characters:,} characters; the number of texts times top is at most "
            f"{limits.pairs:,}.",
        ),
    )
    async def match(request: Request) -> Response:
        """Find the rows of the index that mean the same as each text."""
        asked = form.asked_texts(await body_of(request, limits.body, "texts"))
        results = await while_connected(request, matching.submit(asked))
        body = b'{"results":[' + b",".join(results) + b"]," + signatures[1:].encode()
        return Response(body, media_type="application/json")


def refuse_matches(app: FastAPI) -> None:
    """Add the path to an application without an index, which refuses it."""

    @app.post(PATH, include_in_schema=False)
    async def match(request: Request) -> Response:
        raise RequestError(404, "the service must have an index to match texts, got none; start it with --index DIR")


def matches(model: "Model", index: Index, asked: Sequence[AskedText]) -> list[bytes]:
    """Return for each text the JSON object of `responses.MatchedText`."""
    # JSON and not objects: the process that answers all requests has only to join it.
    answers = [b""] * len(asked)
    groups: dict[AskedText, list[int]] = {}
    for place, one in enumerate(asked):
        groups.setdefault(one._replace(text=""), []).append(place)
    for question, places in groups.items():
        found = _matches_of(model, index, question, [asked[place].text for place in places])
        for place, rows in zip(places, found, strict=True):
            text = json.dumps({"matches": rows}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            answers[place] = text.encode()
    return answers


def _matches_of(model: "Model", index: Index, asked: AskedText, texts: list[str]) -> list[list[dict[str, Any]]]:
    # Nothing is made for a request: vectors are searched by graphs only if the index has them.
    options = MatchOptions(
        top=asked.top,
        probability_of=asked.at_least,
        differences=asked.differences,
        decide=asked.decide,
        keep_apart=asked.keep_apart,
        exact=not index.texts.graphs,
        prefilter=NONE,
    )
    added = replace(options.added(model), at_least=None)
    asked_columns = [
        *(("decision", "reason") if asked.decide else ()),
        *(("differences",) if asked.differences else ()),
    ]
    with Search(model, options, workers=1, measured=False) as search:
        sides = TextRows(texts), index
        scores = search.scored(search.candidates(*sides, alone=True))
        tables = [
            match_table(sides, scores, part, added, model, search.pool)
            for part in best_matches(scores, options.top, search.lowest)
        ]
    found: list[list[dict[str, Any]]] = [[] for _ in texts]
    for row in itertools.chain.from_iterable(table.to_pylist() for table in tables):
        match = {"row": row["row2"], "id": _plain(row.get("id2")), "text": row["sentence2"]}
        match |= {name: row[name] for name in ("score", "low", "high", "flags", *asked_columns)}
        found[row["row1"] - 1].append(match)
    return found


def _plain(name: Any) -> Any:
    if name is None or isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name)):
        return name
    return str(name)
