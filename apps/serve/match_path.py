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

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import ConfigDict, FailFast, Field, TypeAdapter, create_model

from ...ensemble.core.scale import Scale
from ...ensemble.matching.candidate_scores import NONE, score_candidates
from ...ensemble.matching.candidates import Candidates
from ...ensemble.matching.index import Index
from ...ensemble.matching.match_problem import MatchProblem
from ...ensemble.matching.matches import MatchQuestion, best_matches, match_settings, match_table
from ...ensemble.matching.text_index import CandidateSettings
from ...ensemble.matching.texts import TextCollection, TextRows, codes_by_view
from ...ensemble.scoring.worker_processes import Workers
from .queue import Batcher, Costs, room_of, work_of
from .requests import Limits, RequestError, body_of, declared_body, extend_document, validated, while_connected
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
    """

    text: str
    top: int = TOP
    at_least: float | None = None
    differences: bool = False


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

    def __init__(self, limits: Limits, scale: Scale) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        texts: Any = Annotated[list[text], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        score: Any = Annotated[float, Field(ge=scale.low, le=scale.high, strict=True)]
        self._limits = limits
        self._form: TypeAdapter[Any] = TypeAdapter(
            create_model(
                "MatchRequest",
                __doc__="Texts whose matching rows are wanted, and which of these rows.",
                __config__=ConfigDict(extra="forbid"),
                texts=(texts, ...),
                top=(Annotated[int, Field(ge=1, le=MOST_TOP, strict=True)], TOP),
                at_least=(score | None, None),
                differences=(Annotated[bool, Field(strict=True)], False),
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
        return [AskedText(text, form.top, form.at_least, form.differences) for text in form.texts]


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


def answer_matches(app: FastAPI, matcher: Matcher, matching: Batcher, limits: Limits, ref_template: str) -> None:
    """Add the path to an application."""
    form = MatchForm(limits, matcher.scale)
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
    question = MatchQuestion(
        asked.top, asked.at_least, differences=asked.differences, exact=not index.texts.graphs, screen=NONE
    )
    settings, added = match_settings(question, model)
    with Workers(model, 1) as pool:
        problem = _problem(texts, index, settings, pool)
        scores = score_candidates(problem.texts, problem.candidates, pool)
        columns = replace(added, at_least=None)
        tables = [
            match_table((TextRows(texts), index), problem, scores, part, columns, model, pool)
            for part in best_matches(problem, scores, question.top, question.at_least)
        ]
    found: list[list[dict[str, Any]]] = [[] for _ in texts]
    for row in itertools.chain.from_iterable(table.to_pylist() for table in tables):
        match = {"row": row["row2"], "id": _plain(row.get("id2")), "text": row["sentence2"]}
        match |= {name: row[name] for name in ("score", "low", "high", "flags")}
        found[row["row1"] - 1].append(match | ({"differences": row["differences"]} if asked.differences else {}))
    return found


def _problem(texts: Sequence[str], index: Index, settings: CandidateSettings, pool: Workers) -> MatchProblem:
    # Unlike in `match_problem`, a text that both sides have stands twice, so that it is never found as a row of the
    # index by another text of the request that it is close to.
    own = TextCollection.of(texts)
    codes = codes_by_view(own.texts, index.views, pool)
    links = index.texts.links_without_recall(own.texts, codes, settings, threads=1)
    links = index.texts.with_equal(links, own.texts)
    places, link = np.unique(links.texts, return_inverse=True)
    others = [index.texts.texts[place] for place in places.tolist()]
    alphabetical = np.argsort(np.asarray(others, dtype=object), kind="stable")
    rank = len(own.texts) + np.argsort(alphabetical)
    rows = np.flatnonzero(np.isin(index.places, places))
    both = TextCollection(
        [*own.texts, *(others[place] for place in alphabetical.tolist())],
        [own.rows[0], rank[np.searchsorted(places, index.places[rows])]],
    )
    return MatchProblem(both, Candidates(links.queries, rank[link], links.recall), rows)


def _plain(name: Any) -> Any:
    if name is None or isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name)):
        return name
    return str(name)
