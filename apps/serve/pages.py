"""The page of the service, and its description."""

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response

from .access import declare_keys
from .requests import extend_document


class Page(NamedTuple):
    """Page and the headers to send with it."""

    html: str
    headers: dict[str, str]


def read_page() -> Page:
    """Return the page."""
    # Here, because the templates of the reports take a while to import.
    from ...ensemble.reports.html_pages import colours, part_names

    folder = files("samewise.apps.serve").joinpath("data")
    html, style, script = (
        folder.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    style = colours() + style
    # No text of a name can end the element that holds it.
    names = json.dumps(dict(part_names())).replace("<", "\\u003c")
    return Page(
        html.replace("/* page.css */", style).replace("/* part names */", names).replace("/* page.js */", script),
        document_headers(style, script),
    )


def document_headers(style: str, script: str | None = None) -> dict[str, str]:
    """Return the headers of a page, which allow its own style and script and nothing else."""
    policy = {
        "default-src": "'none'",
        "style-src": _hash(style),
        **({} if script is None else {"script-src": _hash(script), "connect-src": "'self'"}),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Referrer-Policy": "no-referrer",
    }


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


PATHS = ("/docs", "/openapi.json")

_REFERENCE = "#/components/schemas/"

_LINE = 70
"""Most characters of a line of an example."""


def answer_documents(app: FastAPI, has_keys: bool) -> None:
    """Add the page to an application, after its other paths, and complete its OpenAPI document."""
    if has_keys:
        extend_document(app, declare_keys)
    examples = json.loads(files("samewise.apps.serve").joinpath("data", "examples.json").read_text(encoding="utf-8"))
    extend_document(app, lambda document: add_examples(document, examples))
    extend_document(app, share_refusals)
    shown: list[HTMLResponse] = []

    @app.get("/docs", response_class=HTMLResponse)
    async def describe() -> Response:
        """Return a page that describes every path."""
        if not shown:  # at the first request, because writing it takes some tenths of a second
            shown.append(_page(app.openapi()))
        return shown[0]


def add_examples(document: dict[str, Any], examples: dict[str, Any]) -> None:
    """Add the example of each path to the body and to the answer of an OpenAPI document, in place."""
    for path, example in examples.items():
        for operation in document["paths"].get(path, {}).values():
            parts = {"request": operation.get("requestBody", {}), "answer": operation["responses"]["200"]}
            for name, part in parts.items():
                for content in part.get("content", {}).values():
                    content["examples"] = {"first": {"summary": example["summary"], "value": example[name]}}


def share_refusals(document: dict[str, Any]) -> None:
    """Say each refusal of an OpenAPI document once, among its components, to which the paths refer; in place."""
    shared = document["components"].setdefault("responses", {})
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and "$ref" not in answer:
                    name = f"{''.join(map(type_of, _schemas(answer)))}{status}"
                    # FastAPI gives a refusal the media type of the answer, but each is JSON.
                    for form in list(answer.get("content", {}).values()):
                        answer["content"] = {"application/json": form}
                    shared[name] = answer
                    operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}


def _page(document: dict[str, Any]) -> HTMLResponse:
    # Here, because the templates take a while to import.
    from jinja2 import Environment, StrictUndefined

    from ...ensemble.reports.html_pages import colours

    folder = files("samewise.apps.serve").joinpath("data")
    style = colours() + folder.joinpath("docs.css").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(folder.joinpath("docs.html").read_text(encoding="utf-8"))
    components = document["components"]
    refusals = {name[-3:]: answer["description"] for name, answer in components["responses"].items()}
    html = template.render(
        style=style,
        info=document["info"],
        paths=[_operation(path, *each) for path, methods in document["paths"].items() for each in methods.items()],
        refusals=sorted(refusals.items()),
        schemas=[
            (name, _plain(schema.get("description", "")), fields_of(schema))
            for name, schema in sorted(components["schemas"].items())
        ],
    )
    return HTMLResponse(html, headers=document_headers(style))


def _operation(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    body, answer = operation.get("requestBody", {}), operation["responses"]["200"]
    return {
        "path": path,
        "method": method.upper(),
        "text": _plain(operation.get("description", "")),
        "needs_key": "security" in operation,
        "body": body.get("description", ""),
        "forms": list(map(type_of, _schemas(body))),
        "answers": list(map(type_of, _schemas(answer))),
        "examples": {title: _example(part) for title, part in (("Body", body), ("Answer", answer))},
    }


def _example(part: dict[str, Any]) -> tuple[str, str] | None:
    for content in part.get("content", {}).values():
        for example in content.get("examples", {}).values():
            value = example["value"]
            return example["summary"], value if isinstance(value, str) else _laid_out(value)
    return None


def _laid_out(value: Any, indent: int = 0) -> str:
    # JSON whose parts stand on one line where they are short.
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + indent <= _LINE or not isinstance(value, dict | list):
        return text
    start, end = "{}" if isinstance(value, dict) else "[]"
    inner = indent + 2
    items = [
        f"{json.dumps(each, ensure_ascii=False)}: {_laid_out(value[each], inner)}"
        if isinstance(value, dict)
        else _laid_out(each, inner)
        for each in value
    ]
    return f"{start}\n{' ' * inner}" + f",\n{' ' * inner}".join(items) + f"\n{' ' * indent}{end}"


def _plain(text: str) -> str:
    return text.replace("``", "")


def _schemas(part: dict[str, Any]) -> list[dict[str, Any]]:
    return [each["schema"] for each in part.get("content", {}).values() if "schema" in each]


def fields_of(schema: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Return the fields of an object in an OpenAPI document: name, type in words, and whether it is required."""
    required = schema.get("required", ())
    return [(name, type_of(field), name in required) for name, field in schema.get("properties", {}).items()]


def type_of(schema: dict[str, Any]) -> str:
    """Return a type of an OpenAPI document in words, with its limits and its default."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(map(type_of, choices)))
    limits = [words.format(schema[key]) for key, words in _LIMITS.items() if key in schema]
    if "enum" in schema or "const" in schema:
        text = " or ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    elif "prefixItems" in schema:
        return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
    elif schema.get("type") == "array":
        items = type_of(schema.get("items", {}))
        text = f"list of ({items})" if " " in items else f"list of {items}"
    elif isinstance(values := schema.get("additionalProperties"), dict):
        text = f"object of {type_of(values)}"
    else:
        text = str(schema.get("type", "anything"))
    limits += [f"default {json.dumps(schema['default'])}"] if "default" in schema else []
    return f"{text} ({', '.join(limits)})" if limits else text


_LIMITS = {
    "minimum": "from {:,}",
    "maximum": "to {:,}",
    "minLength": "at least {:,} characters",
    "maxLength": "at most {:,} characters",
    "minItems": "at least {:,} items",
    "maxItems": "at most {:,} items",
}
"""Words for the limits of a type."""
