"""Requests to the service: whatever is sent, the answer is one that the OpenAPI document declares."""

import asyncio
import json
import math
import random

import pytest
from hypothesis import strategies as st

from .fuzzing import fuzzed

pytest.importorskip("fastapi")
schemathesis = pytest.importorskip("schemathesis")

import jsonschema_rs  # noqa: E402 (schemathesis brings it)
from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.requests import Limits  # noqa: E402
from samewise.ensemble.core.scale import POINTS  # noqa: E402

LIMITS = Limits(pairs=6, characters=40, body=2_000)
REQUESTS = 25
"""Requests that one call of the fuzzer of bytes tries."""

STATUSES = {200, 400, 403, 404, 405, 413, 415, 422, 503}
TEXTS = ["", "A dog barks.", "héllo wörld", "日本語", "🙂🙃", "a\u0000b", "\u202eevil", "x" * 40, "\\", '"', "\n\r\t"]


def score_of(a, b):
    return 5 * len(a) / (len(a) + len(b) + 1)


class Cheap:
    """A scorer whose scores are known."""

    signature, languages, scale, slots = "cheap", ("en",), POINTS, 1
    decides = False

    async def score(self, pairs):
        return [{"score": score_of(a, b), "low": 0.0, "high": 5.0, "flags": []} for a, b in pairs]

    async def explain(self, pairs):
        rest = {"base": None, "contributions": None, "tokens": [["a"], []], "alignment": [[0, 0]]}
        rest |= {"differences": [{"kind": "missing", "a": "a", "b": "", "places_a": [0], "places_b": []}]}
        return [{**row, **rest, "translations": [None, "b"], "note": "n"} for row in await self.score(pairs)]

    async def ready(self):
        return 1


APP = create_app(Cheap(), LIMITS)
DOCUMENT = APP.openapi()


@pytest.fixture(scope="module")
def ask():
    """Function that sends a request to the application, without a socket, and returns status, headers and body."""

    async def answer(method, path, body, headers, query):
        pieces = ((body[:7], True), (body[7:], False))
        asked = [{"type": "http.request", "body": piece, "more_body": more} for piece, more in pieces]
        sent = []

        async def receive():
            if asked:
                return asked.pop(0)
            await asyncio.Event().wait()  # a client that stays

        async def send(message):
            sent.append(message)

        fields = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        scope = {"type": "http", "http_version": "1.1", "method": method, "path": path, "query_string": query}
        scope |= {"raw_path": path.encode(), "headers": fields, "scheme": "http", "server": ("127.0.0.1", 80)}
        await APP(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]), b"".join(part.get("body", b"") for part in sent[1:])

    with asyncio.Runner() as runner:
        lifespan = APP.router.lifespan_context(APP)
        runner.run(lifespan.__aenter__())
        yield lambda *request: runner.run(answer(*request))
        runner.run(lifespan.__aexit__(None, None, None))


def whole(response):
    """A declared answer, or the shared one that it refers to."""
    return DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]] if "$ref" in response else response


VALIDATORS = {
    (path, method.upper(), status): jsonschema_rs.validator_for(
        {**media["schema"], "components": DOCUMENT["components"]}
    )
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    for status, response in operation["responses"].items()
    if (media := whole(response).get("content", {}).get("application/json"))
}


def check(method, path, answer):
    """An answer is declared, in the form declared, and says nothing but numbers on 0..5."""
    status, headers, body = answer
    assert status in STATUSES
    assert headers[b"x-content-type-options"] == b"nosniff"
    if headers[b"content-type"] != b"application/json":
        assert (path, status) in {("/", 200), ("/docs", 200), ("/metrics", 200)}
        return None
    found = json.loads(body, parse_constant=lambda name: pytest.fail(f"{name} in {body!r}"))
    if (path, method, "200") in VALIDATORS:
        VALIDATORS[path, method, str(status)].validate(found)
    elif status != 200:  # no operation: a path or a method that there is not
        assert list(found) == ["error"]
    if status != 200:
        assert "\n" not in found["error"]
        assert found["error"].isprintable()
        assert len(found["error"]) < 300
    return found


# Bytes.


def pair(rng):
    a, b = rng.choices(TEXTS, k=2)
    return rng.choice(([a, b], {"sentence1": a, "sentence2": b}, {"sentence1": a, "sentence2": b, "x": value(rng)}))


def value(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 7)
    if kind >= 7:
        parts = [value(rng, depth + 1) for _ in range(rng.randrange(3))]
        return parts if kind == 7 else {rng.choice(("pairs", "sentence1", "", "é")): part for part in parts}
    return [None, True, 0, -1.5, 10**30, rng.choice(TEXTS), math.inf][kind]


def valid_body(rng):
    pairs = [pair(rng) for _ in range(rng.randrange(8))]
    whole = rng.choice((pairs, {"pairs": pairs}, {"id": value(rng), "pairs": pairs}, pair(rng)))
    return json.dumps(whole, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 1))).encode()


def inside(rng, body, text):
    place = rng.randrange(len(body) + 1)
    return body[:place] + text + body[place:]


def cut(rng, body):
    begin, end = sorted(rng.choices(range(len(body) + 1), k=2))
    return body[:begin] + body[end:]


def again(rng, body):
    begin, end = sorted(rng.choices(range(len(body) + 1), k=2))
    return body[:end] + body[begin:end] * rng.randrange(20) + body[end:]


TOKENS = [
    *(b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"null", b"NaN", b"-Infinity", b"1e999", b"-0", b"0" * 50),
    *(b"9" * 400, b'"\\ud800"', b'"\\udc00\\ud800"', b"\\u0000", b"\x00", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80"),
    *(b"\xef\xbb\xbf", b"\x7f", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"[" * 300, b'{"a":' * 300, b" " * 1_990),
    *(b'"pairs":[],', b'"sentence1":1,', b"//", b"/*"),
]
MUTATIONS = [
    lambda rng, body: body,
    lambda rng, body: inside(rng, body, rng.choice(TOKENS)),
    lambda rng, body: inside(rng, body, bytes([rng.randrange(256)])),
    lambda rng, body: inside(rng, body, json.dumps(value(rng)).encode()),
    cut,
    again,
    lambda rng, body: body.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-8-sig", "utf-32-be", "utf-7"))),
    lambda rng, body: body.replace(
        *rng.choice(((b'"', b"'"), (b",", b",,"), (b"[", b"[["), (b"1", b"3"), (b":", b"")))
    ),
    lambda rng, body: rng.randbytes(rng.randrange(60)),
]
PATHS = ["/score"] * 12 + ["/explain"] * 5
PATHS += ["/health", "/live", "/metrics", "/", "/openapi.json", "/score/", "//score", "/../etc", "/é\n", "/docs"]
METHODS = ["POST"] * 20 + ["GET", "GET", "GET", "PUT", "HEAD", "OPTIONS", "PATCH", "get", "X" * 30]
HOSTS = ["127.0.0.1:8000"] * 20 + [
    "localhost",
    "[::1]:80",
    "LOCALHOST.",
    "evil.example",
    "",
    "127.0.0.1@evil",
    "a\x80",
    "[",
]
HEADERS = [
    ("Content-Type", "text/plain"), ("Content-Type", "multipart/form-data; boundary=x"), ("Content-Type", "\x80"),
    ("Content-Encoding", "gzip"), ("Content-Encoding", "identity"), ("Content-Length", "5"), ("Content-Length", "-1"),
    ("Content-Length", "9" * 30), ("Content-Length", "\xb2"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null"),
    ("X-Forwarded-Host", "evil.example"), ("Accept", "text/html"), ("Range", "bytes=0-1"), ("Host", "evil.example"),
]  # fmt: skip


def request(rng):
    body = valid_body(rng)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        body = rng.choice(MUTATIONS)(rng, body)
    headers = [("Host", rng.choice(HOSTS)), *rng.choices(HEADERS, k=rng.choice((0, 0, 0, 1, 2)))]
    return rng.choice(METHODS), rng.choice(PATHS), body[:25_000], headers, rng.choice((b"", b"", b"a=%00&a[]=1"))


def pairs_meant(body):
    """The pairs of a body, as the JSON parser of Python reads it."""
    found = json.loads(body.decode("utf-8"))
    items = found["pairs"] if isinstance(found, dict) else found
    return [(item["sentence1"], item["sentence2"]) if isinstance(item, dict) else tuple(item) for item in items]


@fuzzed(inputs_per_call=REQUESTS, start=st.integers(0, 2**48))
def test_any_bytes_are_answered(start, ask):
    rng = random.Random(start)
    for _ in range(REQUESTS):
        sent = method, path, body, headers, query = request(rng)
        try:
            found = check(method, path, answer := ask(*sent))
            if answer[0] == 200 and path == "/score":
                meant = pairs_meant(body)
                assert [row["score"] for row in found["results"]] == [score_of(a, b) for a, b in meant]
                assert len(meant) <= LIMITS.pairs
                assert all(len(text) <= LIMITS.characters for one in meant for text in one)
        except BaseException:
            print("request:", sent)
            raise


# The document.

CHECKS = {
    "negative_data_rejection": {"expected-statuses": [400, 413, 422]},
    # 413 because each reference counts as a pair, and no schema can say a sum.
    "positive_data_acceptance": {
        "expected-statuses": ["2xx", "401", "403", "404", "409", "413", "429", "5xx"],
    },
}
DECLARED = schemathesis.openapi.from_asgi(
    "/openapi.json",
    create_app(Cheap(), Limits(6, 40), allowed_hosts="*"),
    config=schemathesis.Config.from_dict({"checks": CHECKS}),
)
CASES = st.one_of(
    *(found.ok().as_strategy(mode) for found in DECLARED.get_all_operations() for mode in schemathesis.GenerationMode)
)


@fuzzed(case=CASES)
def test_document_is_true(case):
    # All checks of schemathesis: statuses, headers and bodies are as declared, what the schema allows is answered with
    # 200 and what it forbids is not, and no answer is a failure of the service.
    case.call_and_validate()
