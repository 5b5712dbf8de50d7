"""Forms of the bodies of requests, and what the OpenAPI document says of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from fastapi import FastAPI
from pydantic import BeforeValidator, Discriminator, FailFast, Field, Tag, TypeAdapter, ValidationError, create_model

from . import Pair
from .decisions import DecidedPair, Decisions
from .request_errors import RequestError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


@dataclass(frozen=True)
class Limits:
    """Limits of one request.

    Attributes
    ----------
    pairs
        Number of pairs in a request.
    characters
        Number of Unicode code points in a text.
    body
        Number of bytes in the body of a request.
    """

    pairs: int = 1_000
    characters: int = 10_000
    body: int = 2_000_000


def whole_number(ge: int, le: int | None = None) -> Any:
    """Return the type of an integer as JSON Schema knows it, of which 5.0 is one, and neither "5" nor true."""
    return Annotated[int, Field(strict=True, ge=ge, le=le), BeforeValidator(_whole)]


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def limits_in_words(limits: Limits) -> str:
    """Return the description of a body of texts."""
    return f"At most {limits.pairs:,} texts of at most {limits.characters:,} characters."


def _form(value: Any) -> str | None:
    if isinstance(value, list):
        return "<list>"
    if isinstance(value, dict):
        return "<references>" if "references" in value else "<object>"
    return None


class AskedScores(NamedTuple):
    """Pairs to be scored, and how many of them, one after the other, are one text with its references; 0 for a pair."""

    pairs: list[Pair] | list[DecidedPair]
    references: list[int]

    def best(self, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return a result for each pair and each text with references; that is its best, with ``reference``."""
        found, start = [], 0
        for count in self.references:
            part = results[start : start + max(count, 1)]
            place = max(range(len(part)), key=lambda at: part[at]["score"])  # of equal scores the first reference
            found.append(part[place] | ({"reference": place} if count else {}))
            start += len(part)
        return found


class RequestForms:
    """Forms of the bodies under certain limits, and their JSON schemas."""

    def __init__(self, limits: Limits, decisions: Decisions) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        two_texts: Any = create_model(
            "TwoTexts", __doc__="Pair of texts by name.", sentence1=(text, ...), sentence2=(text, ...)
        )
        references: Any = Annotated[list[text], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        referenced: Any = create_model(
            "TextWithReferences",
            __doc__="Text and references, of which the one with the best score counts.",
            sentence1=(text, ...),
            references=(references, ...),
        )
        item: Any = Annotated[
            Annotated[tuple[text, text], Tag("<list>")]
            | Annotated[two_texts, Tag("<object>")]
            | Annotated[referenced, Tag("<references>")],
            Discriminator(
                _form,
                custom_error_type="pair",
                custom_error_message="a pair is a list of two texts, or an object with sentence1 and sentence2",
            ),
        ]
        pairs: Any = Annotated[list[item], FailFast(), Field(max_length=limits.pairs)]
        request: Any = create_model(
            "ScoreRequest",
            __doc__="Pairs of texts to be scored, and decided about.",
            pairs=(pairs, ...),
            **decisions.fields,
        )
        self._limits, self._decisions = limits, decisions
        self._pair: TypeAdapter[Any] = TypeAdapter(two_texts)
        self._list: TypeAdapter[Any] = TypeAdapter(pairs)
        self._object: TypeAdapter[Any] = TypeAdapter(request)

    def schemas(self, ref_template: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Return the JSON schemas of the bodies of ``/score`` and ``/explain``, and those that they refer to."""
        kinds = {"list": self._list, "object": self._object, "pair": self._pair}
        schemas, definitions = TypeAdapter.json_schemas(
            [(name, "validation", kind) for name, kind in kinds.items()], ref_template=ref_template
        )
        of = {name: schema for (name, _), schema in schemas.items()}
        return {"anyOf": [of["object"], of["list"]]}, of["pair"], definitions["$defs"]

    def asked_scores(self, body: bytes) -> AskedScores:
        """Return the pairs of a body of ``/score``; raises as `validated` does."""
        # By the first character: a function of pydantic that chooses gets a copy of all that is in the body.
        start = body.lstrip(b" \t\r\n")[:1]
        decide, kinds = False, None
        if start == b"[":
            items = validated(self._list, body, self._limits)
        elif start == b"{":
            form = validated(self._object, body, self._limits)
            items, (decide, kinds) = form.pairs, self._decisions.asked(form)
        else:
            value = validated(_ANYTHING, body, self._limits)
            raise RequestError(422, f"the body is {_shown(value)}: send an object with pairs, or a list of pairs")
        pairs: list[Pair] = []
        counts = []
        for item in items:
            a, others = item if isinstance(item, tuple) else (item.sentence1, _others(item))
            several = isinstance(others, list)
            pairs += [(a, other) for other in others] if several else [(a, others)]
            counts.append(len(others) if several else 0)
        if len(pairs) > self._limits.pairs:
            raise _too_many_items(len(pairs), "pairs", self._limits)
        return AskedScores([DecidedPair(a, b, kinds) for a, b in pairs] if decide else pairs, counts)

    def explain_pair(self, body: bytes) -> Pair:
        """Return the pair of a body of ``/explain``; raises as `validated` does."""
        pair = validated(self._pair, body, self._limits)
        return pair.sentence1, pair.sentence2


def validated(kind: TypeAdapter[Any], body: bytes, limits: Limits) -> Any:
    """Return a body as an object of some form.

    Raises
    ------
    RequestError
        400 for a body that is not JSON, 422 for a wrong form or a text that is too long, 413 for too many items.
    """
    try:
        return kind.validate_json(body)
    except ValidationError as error:
        refused = error
    # Copies of the refused input are made only where it is shown: it may be the whole body.
    first = refused.errors(include_url=False, include_input=False)[0]
    if first["type"] not in ("json_invalid", "missing") and not _too_many(first):
        first = refused.errors(include_url=False)[0]
    raise _refusal(first, limits)


def _refusal(error: "ErrorDetails", limits: Limits) -> RequestError:
    kind, message = error["type"], error["msg"]
    if kind == "json_invalid":
        message = message.removeprefix("Invalid JSON: ")
        hint = ", perhaps of a lone surrogate" if "hex escape" in message else ""
        return RequestError(400, f"the body is not JSON in UTF-8: {message}{hint}")
    # The location includes the names of our forms.
    parts = [part for part in error["loc"] if part not in ("<list>", "<object>", "<references>", "<text>")]
    items = "texts" if parts[:1] in (["texts"], ["query"], ["inputs"], ["input"], ["documents"]) else "pairs"
    if _too_many(error):
        count = error["ctx"]["actual_length"]
        return _too_many_items(count, items, limits)
    if kind == "string_too_long":
        text, remedy = _place(parts), "send its parts"
        if items == "pairs" and "references" not in parts:
            which = "first" if parts.pop() in (0, "sentence1") else "second"
            text, remedy = f"pairs[{parts[-1]}]: " if parts else "", "compare its parts"
            text += f"the {which} text"
        return RequestError(
            422,
            f"{text} has {len(error['input']):,} characters and the limit is {limits.characters:,}; {remedy}",
        )
    place = _place(parts) or "the body"
    if kind == "missing":
        return RequestError(422, f"{place} is missing")
    return RequestError(422, f"{place} is {_shown(error['input'])}: {message[0].lower()}{message[1:]}")


def _too_many_items(count: int, items: str, limits: Limits) -> RequestError:
    return RequestError(
        413, f"the request has {count:,} {items} and the limit is {limits.pairs:,}; send them in several"
    )


def _others(item: Any) -> str | list[str]:
    return item.references if hasattr(item, "references") else item.sentence2


def _place(parts: Sequence[int | str]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")


def _too_many(error: "ErrorDetails") -> bool:
    return error["type"] == "too_long" and error["ctx"]["field_type"] == "List"  # that of a pair is "Tuple"


_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def extend_document(app: FastAPI, extend: Callable[[dict[str, Any]], object]) -> None:
    """Extend the OpenAPI document of an application by what FastAPI does not know, such as the forms of bodies.

    Parameters
    ----------
    app
        The application.
    extend
        Function that changes the document in place. It is called for each request for the document.
    """
    document = app.openapi

    def extended() -> dict[str, Any]:
        found = document()
        extend(found)
        return found

    app.openapi = extended  # type: ignore[method-assign]


def declared_body(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """Return the declaration of a body that FastAPI does not read."""
    return {
        "requestBody": {
            "required": True,
            "description": f"{description} The type of the content is not looked at.",
            "content": {"application/json": {"schema": schema}},
        }
    }
