"""The page of the paths, and the OpenAPI document behind it: an example for each path, and refusals said once."""

import json
import re

import pytest
from samewise.ensemble.core.scale import POINTS

pytest.importorskip("fastapi")
jsonschema_rs = pytest.importorskip("jsonschema_rs")

import numpy as np  # noqa: E402
from samewise.apps.serve.app import create_app  # noqa: E402
from starlette.testclient import TestClient  # noqa: E402


class Answering:
    """A model with an index that answers everything at once."""

    signature, languages, scale, slots, index_signature, index_rows = "model", ("en",), POINTS, 1, "rows", 3
    decides = False

    async def score(self, pairs):
        return [{"score": 2.5, "low": 2.0, "high": 3.0, "flags": []} for _ in pairs]

    async def explain(self, pairs):
        rest = {"base": None, "contributions": None, "tokens": [[], []], "alignment": [], "differences": []}
        return [{**row, **rest, "translations": [None, None], "note": "n"} for row in await self.score(pairs)]

    async def match(self, asked):
        return [b'{"matches":[]}' for _ in asked]

    async def embed(self, texts):
        return [np.ones(3, np.float32) for _ in texts]

    async def ready(self):
        return 1


@pytest.fixture(scope="module")
def client():
    scorer = Answering()
    app = create_app(scorer, matcher=scorer, embedder=scorer, keys=["k" * 20])
    with TestClient(app, base_url="http://localhost", headers={"Authorization": f"Bearer {'k' * 20}"}) as client:
        yield client


def contents(part):
    return list(part.get("content", {}).items())


def test_every_path_but_the_pages_has_an_example_that_is_answered_in_the_form_of_its_answer(client):
    document = client.get("/openapi.json").json()
    without = set()
    for path, operations in document["paths"].items():
        [(method, operation)] = operations.items()
        [(kind, answer)] = contents(operation["responses"]["200"])
        bodies = [media for _, media in contents(operation.get("requestBody", {}))]
        if "examples" not in answer:
            without.add(path)
            continue
        [given] = [media["examples"]["first"]["value"] for media in bodies] or [None]
        found = client.request(method, path, content=None if given is None else json.dumps(given))
        assert found.status_code == 200, found.text
        if kind == "application/json":
            validator = jsonschema_rs.validator_for({**answer["schema"], "components": document["components"]})
            validator.validate(found.json())
            validator.validate(answer["examples"]["first"]["value"])
    assert without == {"/", "/docs"}


def test_a_refusal_is_said_once(client):
    document = client.get("/openapi.json").json()
    refused = [
        (status, answer)
        for operations in document["paths"].values()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status != "200"
    ]
    assert len(refused) > 40
    assert all(set(answer) == {"$ref"} and answer["$ref"].endswith(status) for status, answer in refused)
    html = client.get("/docs").text
    for status in ("400", "401", "403", "408", "413", "415", "422", "500", "503"):
        assert len(re.findall(f">{status}<", html)) == 1


def test_an_example_on_the_page_is_the_one_of_the_document(client):
    html = client.get("/docs").text.replace("&#34;", '"')
    blocks = [json.loads(text) for text in re.findall(r"<pre><code>([\[{].*?)</code></pre>", html, re.DOTALL)]
    paths = client.get("/openapi.json").json()["paths"]
    [media] = paths["/v1/rerank"]["post"]["requestBody"]["content"].values()
    assert media["examples"]["first"]["value"] in blocks
    assert all(len(line) <= 110 for line in re.findall(r"<pre><code>(.*)", html))
