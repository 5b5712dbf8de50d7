"""Keys, ids of requests, the page of the paths, and the facts of the index."""

import json
import re
import subprocess

import pytest

from ..browsers import needs_axe, needs_browser, violations

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from fastapi.testclient import TestClient  # noqa: E402
from samewise.apps.serve.access import read_keys  # noqa: E402
from samewise.apps.serve.pages import type_of  # noqa: E402

from . import running  # noqa: E402

OLD, NEW = "old-key-of-the-clients", "new-key-of-the-clients"
PAIR = json.dumps([["A dog runs.", "A dog is running."]])


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "keys").write_text(f"# for a change of keys\n{OLD}\n\n{NEW}\n")
    (folder / "rows.csv").write_text("text\nThe lift is stuck.\nWhere can I park?\n")
    index = ("index", str(folder / "rows.csv"), "--column", "text", "-o", str(folder / "known"))
    subprocess.run([*running.COMMAND[:3], *index], check=True, capture_output=True, timeout=300)
    options = ("--api-key-file", str(folder / "keys"), "--index", str(folder / "known"))
    with running.started(*options) as (_, port):
        yield f"http://127.0.0.1:{port}"


def ask(address, path, body=None, **headers):
    return running.ask(int(address.rpartition(":")[2]), path, body, headers=headers)


@pytest.mark.parametrize("key", [OLD, NEW])
def test_each_key_of_the_file_opens_the_service(served, key):
    status, _, body = ask(served, "/score", PAIR, Authorization=f"Bearer {key}")
    assert status == 200
    assert len(body["results"]) == 1
    assert ask(served, "/metrics", Authorization=f"bearer {key}")[0] == 200


@pytest.mark.parametrize(
    "value", [None, "", "Bearer", "Bearer ", f"Bearer {OLD}x", f"Bearer {OLD[:-1]}", f"Basic {OLD}", OLD, "Bearer \xe9"]
)
@pytest.mark.parametrize("path", ["/score", "/explain", "/match", "/rerank", "/similarity", "/metrics", "/nowhere"])
def test_without_a_key_nothing_is_answered(served, path, value):
    headers = {} if value is None else {"Authorization": value}
    status, headers, body = ask(served, path, None if path == "/metrics" else PAIR, **headers)
    assert (status, headers["WWW-Authenticate"]) == (401, "Bearer")
    assert body["error"].startswith("the header Authorization must be Bearer and a key of this service")
    assert OLD not in body["error"]


@pytest.mark.parametrize("path", ["/", "/docs", "/health", "/live", "/openapi.json"])
def test_what_scores_nothing_needs_no_key(served, path):
    assert ask(served, path)[0] == 200


def test_the_client_of_openai_sends_its_key(served):
    openai = pytest.importorskip("openai", reason="openai, whose client asks, is not installed")
    client = openai.OpenAI(base_url=f"{served}/v1", api_key=NEW, max_retries=0)
    assert len(client.embeddings.create(model="any", input="Rain.").data[0].embedding) == 384
    stranger = openai.OpenAI(base_url=f"{served}/v1", api_key="unknown-to-the-service", max_retries=0)
    with pytest.raises(openai.AuthenticationError, match="a key of this service"):
        stranger.embeddings.create(model="any", input="Rain.")


def test_the_document_says_which_paths_need_a_key(served):
    document = ask(served, "/openapi.json")[2]
    [(name, scheme)] = document["components"]["securitySchemes"].items()
    assert scheme == {"type": "http", "scheme": "bearer"}
    keyed = {path for path, each in document["paths"].items() if any("security" in one for one in each.values())}
    assert keyed == set(document["paths"]) - {"/", "/docs", "/health", "/live"}
    assert document["paths"]["/score"]["post"]["security"] == [{name: []}]


def test_health_tells_of_the_index(served):
    index = ask(served, "/health")[2]["index"]
    assert index["rows"] == 2
    found = ask(served, "/match", {"texts": ["Rain."]}, Authorization=f"Bearer {OLD}")[2]
    assert found["index"] == index["signature"]


@pytest.mark.parametrize("given", ["a", "order-7.item_3", "Z" * 128])
def test_the_id_of_a_client_comes_back(served, given):
    assert ask(served, "/live", **{"X-Request-ID": given})[1]["X-Request-ID"] == given


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 129, 'a"b', "\xe9"])
def test_others_get_a_new_id(served, given):
    headers = {} if given is None else {"X-Request-ID": given}
    ids = {ask(served, "/live", **headers)[1]["X-Request-ID"] for _ in range(2)}
    assert len(ids) == 2 and all(re.fullmatch(r"[0-9a-f]{32}", found) for found in ids)


def test_refusals_have_an_id_too(served):
    for path, body in (("/score", PAIR), ("/nowhere", None)):
        assert ask(served, path, body, **{"X-Request-ID": "mine"})[1]["X-Request-ID"] == "mine"


class Failing:
    """Scorer whose readiness fails."""

    signature, languages, slots = "m", ["en"], 1
    decides = False

    def __init__(self):
        from samewise.ensemble.core.scale import POINTS

        self.scale = POINTS

    async def score(self, pairs):
        """Score nothing."""
        raise RuntimeError

    explain = score

    async def ready(self):
        """Fail once the service has started."""
        raise RuntimeError("a fault")


def test_a_failure_names_the_request_in_the_log(capsys):
    from samewise.apps.serve.app import create_app

    client = TestClient(create_app(Failing()), base_url="http://localhost", raise_server_exceptions=False)
    answer = client.get("/health", headers={"X-Request-ID": "order-8"})
    assert (answer.status_code, answer.headers["X-Request-ID"]) == (500, "order-8")
    assert capsys.readouterr().err == "samewise: request order-8 failed\n"


def test_the_page_of_the_paths_describes_every_path(served):
    status, headers, html = ask(served, "/docs")
    assert status == 200
    for path in ask(served, "/openapi.json")[2]["paths"]:
        assert f" {path}</code></h2>" in html
    assert "string (at most 10,000 characters)" in html
    assert "script" not in headers["Content-Security-Policy"] and "<script" not in html
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", html)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "maxLength": 1200}, "string (at most 1,200 characters)"),
        ({"$ref": "#/components/schemas/Score"}, "Score"),
        (
            {"type": "array", "items": {"$ref": "#/components/schemas/Score"}, "minItems": 1},
            "list of Score (at least 1 items)",
        ),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "number or null"),
        ({"enum": ["float", "base64"], "default": "float"}, '"float" or "base64" (default "float")'),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}]}, "[string, string]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
        ({"type": "number", "minimum": 0.0, "maximum": 5.0}, "number (from 0.0, to 5.0)"),
        ({}, "anything"),
    ],
)
def test_types_in_words(schema, words):
    assert type_of(schema) == words


@pytest.fixture(params=[(1280, 800), (375, 812)], ids=["wide", "phone"])
def page(request, browser):
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(120_000)
    yield page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


@needs_browser
@needs_axe
def test_axe_finds_no_violation_on_the_page_of_the_paths(served, page):
    page.goto(f"{served}/docs")
    assert violations(page) == []


@needs_browser
def test_the_page_asks_for_the_key(served, page):
    page.goto(served)
    assert not page.is_visible("#key")
    page.click("#send")
    page.wait_for_selector("#key", state="visible")
    assert page.inner_text("#error") == "The service asks for a key; enter one and compare again."
    page.fill("#key", "unknown-to-the-service")
    page.click("#send")
    page.locator("#error", has_text="The service does not know this key; correct it.").wait_for()
    page.fill("#key", NEW)
    page.click("#send")
    page.wait_for_selector("#result", state="visible")
    assert violations(page) == []
    assert float(page.inner_text("#score")) > 0


def test_keys_of_the_environment_and_of_a_file(tmp_path):
    file = tmp_path / "keys"
    file.write_text(f"  {NEW}  \n#{OLD}\n{NEW}\n")
    assert read_keys(None, {}) == ()
    assert read_keys(None, {"SAMEWISE_API_KEY": OLD}) == (OLD,)
    assert read_keys(file, {"SAMEWISE_API_KEY": f" {OLD} "}) == (OLD, NEW)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold a key"),
        ("# none\n\n", "must hold a key"),
        ("short", "got 5 characters"),
        ("a" * 20 + " b", "got 22"),
    ],
)
def test_bad_keys_are_refused_and_never_quoted(tmp_path, text, message):
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        read_keys(file, {})
    assert "short" not in str(caught.value)
    with pytest.raises(ValueError, match="got 0 characters"):
        read_keys(None, {"SAMEWISE_API_KEY": ""})
