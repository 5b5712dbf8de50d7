import asyncio
import json
import os
import random
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from samewise.ensemble.core.scale import POINTS, YES_OR_NO, Scale
from samewise.ensemble.loading import load

from ..conftest import HOSTILE, PAIRS

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client.parser")

from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.queue import Batcher, QueueFull  # noqa: E402
from samewise.apps.serve.requests import Limits  # noqa: E402
from samewise.apps.serve.responses import explain  # noqa: E402

from .running import COMMAND, ONE, WAIT, Standing, answering, ask, counts, fails, started  # noqa: E402


@pytest.fixture(scope="module")
def port():
    with started() as (_, port):
        yield port


@pytest.fixture(scope="module")
def model():
    return load("surface")


def score(port, pairs):
    status, _, found = ask(port, "/score", {"pairs": pairs})
    assert status == 200, found
    return found["results"]


def rows(model, pairs):
    found = model.predict_pairs(pairs)
    return [
        {"score": score, "low": low, "high": high, "flags": list(flags)}
        for score, low, high, flags in zip(*(part.tolist() for part in found[:3]), found.flags, strict=True)
    ]


def test_scores_are_those_of_the_model(port, model):
    assert score(port, PAIRS) == rows(model, PAIRS)
    status, _, found = ask(port, "/score", ONE)
    assert (status, found["signature"]) == (200, model.signature)
    a, b = PAIRS[0]
    by_name = [{"sentence1": a, "sentence2": b, "id": 7}]
    for body in ({"pairs": by_name}, by_name, [[a, b]]):
        assert ask(port, "/score", body)[2]["results"] == rows(model, [(a, b)])
    assert score(port, []) == []


def test_hostile_texts_are_scored(port, model):
    pairs = [(a[:10_000], b[:10_000]) for a, b in HOSTILE if "\ud800" not in a]
    assert score(port, pairs) == rows(model, pairs)


REFUSED = [
    ('{"pairs": [["a", "b"]]', 400, "EOF while parsing an object"),
    ("", 400, "EOF while parsing a value"),
    (b'{"pairs": [["a", "\xff"]]}', 400, "invalid unicode code point"),
    ('[["a", "b"]]'.encode("utf-16"), 400, "not JSON in UTF-8"),
    (r'{"pairs": [["a", "\ud800"]]}', 400, "perhaps of a lone surrogate"),
    (r'{"pairs": [["a", "\ud800\u0041 b"]]}', 400, "surrogate"),
    ("[" * 100_000, 400, "recursion limit exceeded"),
    ('{"pairs": ' + "[" * 100_000, 400, "recursion limit exceeded"),
    ('{"a":' * 100_000, 400, "recursion limit exceeded"),
    ("NaN", 422, "the body is nan: send an object with pairs, or a list of pairs"),
    ("null", 422, "the body is None: send an object with pairs"),
    ('"text"', 422, "the body is 'text'"),
    ("{}", 422, "pairs is missing"),
    ('{"pairs": null}', 422, "pairs is None"),
    ('{"pairs": [["a", NaN]]}', 422, "pairs[0][1] is nan"),
    ('{"pairs": [["a", "b"], ["a"]]}', 422, "pairs[1][1] is missing"),
    ('{"pairs": [["a", "b", "c"]]}', 422, "not 3"),
    ('{"pairs": [5]}', 422, "pairs[0] is 5: a pair is a list of two texts, or an object with sentence1 and sentence2"),
    ('{"pairs": [{"sentence1": "a"}]}', 422, "pairs[0].sentence2 is missing"),
    ('{"pairs": [{"sentence1": "a", "sentence2": {}}]}', 422, "pairs[0].sentence2 is {}"),
    (json.dumps([["a", ["b" * 5_000]]]), 422, "[0][1] is ['bbbb"),
    ('[["a", ' + "9" * 5_000 + "]]", 400, "number out of range"),
    (json.dumps([["a", "b"]] * 1_001), 413, "1,001 pairs and the limit is 1,000"),
    (
        json.dumps([["a", "b"], ["a", "é" * 10_001]]),
        422,
        "pairs[1]: the second text has 10,001 characters and the limit is 10,000",
    ),
    (" " * 2_000_001, 413, "2,000,001 bytes and the limit is 2,000,000"),
    ("[" + "1," * 900_000 + "1]", 422, "[0] is 1"),
]


@pytest.mark.parametrize(("body", "status", "message"), REFUSED, ids=range(len(REFUSED)))
def test_refusals_say_why(port, body, status, message):
    body = body if isinstance(body, bytes) else body.encode()
    for path in ("/score", "/explain") if status == 400 else ("/score",):
        found, _, answer = ask(port, path, body)
        assert (found, list(answer)) == (status, ["error"])
        assert message in answer["error"]
        assert len(answer["error"]) < 250
        assert "\n" not in answer["error"]
    assert ask(port, "/health")[0] == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('["a", "b"]', "the body is ['a', 'b']"),
        ('{"sentence1": "a"}', "sentence2 is missing"),
        ('{"sentence1": "a", "sentence2": 3}', "sentence2 is 3"),
        (json.dumps({"sentence1": "a" * 10_001, "sentence2": ""}), "the first text has 10,001 characters"),
    ],
)
def test_refusals_of_explanations(port, body, message):
    status, _, answer = ask(port, "/explain", body)
    assert status == 422
    assert message in answer["error"]


def test_a_body_of_chunks_is_limited_too(port):
    def chunks(count):
        return (b" " * 50_000 for _ in range(count))

    chunked = {"Transfer-Encoding": "chunked"}
    status, _, answer = ask(port, "/score", chunks(41), headers=chunked, chunked=True)
    assert (status, answer) == (
        413,
        {"error": "the body has 2,050,000 bytes and the limit is 2,000,000; send fewer pairs at a time"},
    )
    # Without an end: nobody reads it all.
    with pytest.raises(OSError):
        ask(port, "/score", chunks(10_000), headers=chunked, chunked=True)
    status, headers, answer = ask(
        port, "/score", b"", method="POST", headers={"Content-Length": "99999999999999999999"}
    )
    assert status == 413
    assert headers["Connection"] == "close"
    assert ask(port, "/score", iter([ONE.encode()]), headers=chunked, chunked=True)[0] == 200


def test_paths_and_methods(port):
    status, _, answer = ask(port, "/nothing%ff<b>")
    assert (status, list(answer)) == (404, ["error"])
    status, headers, answer = ask(port, "/score", method="PUT", body="x")
    assert (status, list(answer), headers["Allow"]) == (405, ["error"], "POST")
    assert ask(port, "/redoc")[0] == 404


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00",
        b"GET / HTTP/1.1\r\n",
        b"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n[[",
        b"POST /score HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        f"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: {len(ONE)}\r\n\r\n{ONE}".encode(),
        b"GET /" + b"a" * 100_000,
    ],
)
def test_whoever_leaves_does_no_harm(port, model, sent):
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
            connection.sendall(sent)
    assert score(port, PAIRS[:2]) == rows(model, PAIRS[:2])


def test_fifty_clients_get_what_the_model_says(port, model):
    expected = rows(model, PAIRS)

    def client(seed):
        rng = random.Random(seed)
        for _ in range(4):
            chosen = [rng.randrange(len(PAIRS)) for _ in range(rng.choice((1, 3, 40)))]
            assert score(port, [PAIRS[k] for k in chosen]) == [expected[k] for k in chosen]

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(client, range(50)))


def test_metrics(port):
    before, started = counts(port), time.monotonic()
    score(port, PAIRS)
    ask(port, "/score", "{}")
    ask(port, "/explain", '{"sentence1": "a", "sentence2": "b"}')
    ask(port, "/a"), ask(port, "/b")
    after = counts(port)
    added = {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key)}
    assert added["samewise_requests_total", "/score", "200"] == 1
    assert added["samewise_requests_total", "/score", "422"] == 1
    assert added["samewise_requests_total", "/explain", "200"] == 1
    assert added["samewise_requests_total", "other", "404"] == 2
    assert added["samewise_pairs_total",] == len(PAIRS)
    assert added["samewise_batch_pairs_count",] == 1
    assert added["samewise_request_seconds_count", "/score"] == 2
    assert 0 < added["samewise_request_seconds_sum", "/score"] < time.monotonic() - started
    assert after["samewise_queue_pairs",] == 0
    assert not any(key[1:2] == ("/a",) for key in after)


def test_openapi_is_whole(port):
    document = ask(port, "/openapi.json")[2]
    for_clients = {"/rerank", "/similarity", "/v1/rerank", "/v1/embeddings", "/embed"}
    assert set(document["paths"]) == {"/", "/docs", "/score", "/explain", "/health", "/live", "/metrics"} | for_clients

    def references(value):
        if isinstance(value, dict):
            yield from ([value["$ref"]] if "$ref" in value else [])
            value = list(value.values())
        for part in value if isinstance(value, list) else ():
            yield from references(part)

    found = set(references(document))
    assert "#/components/schemas/TwoTexts" in found
    for reference in found:
        _, kind, name = reference.rsplit("/", 2)
        assert name in document["components"][kind]
    body = document["paths"]["/score"]["post"]["requestBody"]
    assert "1,000 pairs" in body["description"]
    score = document["components"]["schemas"]["Score"]["properties"]["score"]
    assert (score["minimum"], score["maximum"]) == (0, 5)


@pytest.mark.parametrize(
    ("scale", "description"),
    [
        (POINTS, "Similarity of two sentences in meaning, from 0 (unrelated) to 5 (the same)."),
        (Scale(-1.0, 1.0), "Similarity of two sentences in meaning, from -1 (unrelated) to 1 (the same)."),
        (YES_OR_NO, "Probability that two sentences match in meaning, from 0 to 1."),
    ],
)
def test_the_service_names_the_scale_of_its_model(scale, description):
    scorer = Standing()
    scorer.scale = scale
    app = create_app(scorer)
    document = app.openapi()
    assert document["info"]["description"] == description
    for name in ("Score", "Explanation"):
        fields = document["components"]["schemas"][name]["properties"]
        for field in ("score", "low", "high"):
            assert (fields[field]["minimum"], fields[field]["maximum"]) == (scale.low, scale.high)
        assert "minimum" not in fields.get("base", {})
    with answering(app) as port:
        health = ask(port, "/health")[2]
    assert (health["scale"], health["lowest"], health["highest"]) == (str(scale), scale.low, scale.high)


def test_the_page_lets_nothing_else_in(port):
    status, headers, text = ask(port, "/")
    assert (status, headers.get_content_type()) == (200, "text/html")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["script-src"].startswith("'sha256-")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert not [
        word
        for word in ("http://", "https://", "//cdn", "innerHTML")
        if word in text.replace("http://www.w3.org/2000/svg", "")
    ]


def test_explanations_over_http(port, model):
    a, b = PAIRS[0]
    status, _, found = ask(port, "/explain", {"sentence1": a, "sentence2": b})
    assert status == 200
    assert {key: found[key] for key in ("score", "low", "high", "flags")} == rows(model, [(a, b)])[0]
    assert found["signature"] == model.signature
    assert (found["base"] is None) == (found["contributions"] is None) == (found["note"] is not None)
    tokens = found["tokens"]
    assert tokens[0][:3] == ["A", "chef", "is"]
    assert ["tomatoes", "tomatoes"] in [[tokens[0][i], tokens[1][j]] for i, j in found["alignment"]]


class Explained:
    """A model whose explanations are given."""

    def __init__(self, model, explanations):
        self._model, self._explanations = model, explanations

    def explain(self, pairs):
        if self._explanations is None:
            raise ValueError("it was trained before; train it again")
        return self._explanations

    def __getattr__(self, name):
        return getattr(self._model, name)


def test_an_explanation_as_json(model):
    from samewise.ensemble.core.explanation import Explanation

    given = Explanation(
        3.0, 2.0, 4.0, ("long",), 2.5, {"ngram": 0.75, "rules": -0.25}, [(0, 1)], (("a",), ("the", "a"))
    )
    assert explain(Explained(model, [given]), [("a", "the a")]) == [
        {
            "score": 3.0,
            "low": 2.0,
            "high": 4.0,
            "flags": ["long"],
            "base": 2.5,
            "contributions": {"ngram": 0.75, "rules": -0.25},
            "alignment": [[0, 1]],
            "tokens": [["a"], ["the", "a"]],
            "translations": [None, None],
            "differences": [],
            "note": None,
        }
    ]


def test_a_model_that_cannot_be_explained_shows_its_words(model):
    pairs = [("A boy bought a car.", "A car was bought."), ("", "a")]
    first, second = explain(Explained(model, None), pairs)
    assert [first["score"], second["score"]] == model.predict(pairs).tolist()
    assert first["base"] is first["contributions"] is None
    assert first["note"] == "it was trained before; train it again"
    assert first["alignment"] == [[2, 3], [3, 0], [4, 1], [5, 4]]
    assert second["tokens"] == [[], ["a"]]
    told = explain(Explained(model, None), [("It cost <i>300</i> euros.", "It cost <i>450</i> euros.")])[0][
        "differences"
    ]
    assert [(one["kind"], one["a"], one["b"]) for one in told] == [("number", "300", "450")]
    assert told == explain(model, [("It cost <i>300</i> euros.", "It cost <i>450</i> euros.")])[0]["differences"]
    json.dumps([first, second])


def test_other_languages_over_http():
    asked = {"sentence1": "Una mujer corta cebollas.", "sentence2": "Someone cuts an onion."}
    told = {"languages": "es,en", "translate": "dictionary"}
    here = load("surface", **told)
    with started("--languages", "es", "--translate", "dictionary") as (_, port):
        health = ask(port, "/health")[2]
        found = ask(port, "/explain", asked)[2]
        pairs = [tuple(asked.values()), PAIRS[0]]
        assert score(port, pairs) == rows(here, pairs)
    assert health["languages"] == ["es", "en"]
    assert "languages es, " in health["signature"]
    assert {"cross_lingual", "translated"} == set(found["flags"])
    assert found["translations"] == [here.explain(pairs)[0].translations[0], None]
    assert found["tokens"][0][0] == found["translations"][0].split()[0]
    assert found["differences"] == [one.as_dict() for one in here.explain(pairs)[0].differences]


# Batches.


class Slow:
    """Scores a pair by the length of its texts when it is told to, and remembers the batches."""

    def __init__(self):
        self.batches, self.go = [], asyncio.Event()

    async def __call__(self, pairs):
        self.batches.append([a for a, _ in pairs])
        await self.go.wait()
        if ("bad", "") in pairs:
            raise ValueError("bad")
        return [len(a) + len(b) for a, b in pairs]


def texts(prefix, count):
    return [(f"{prefix}{k}", "") for k in range(count)]


def test_what_waits_is_scored_together():
    async def run():
        slow = Slow()
        async with Batcher(slow, slots=1, waiting_pairs=100, batch_work=4) as batcher:
            tasks = [asyncio.create_task(batcher.submit(texts("a", 1)))]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            tasks += [asyncio.create_task(batcher.submit(texts(name, n))) for name, n in (("b", 6), ("c", 1), ("d", 2))]
            await asyncio.sleep(0)
            assert batcher.waiting == 9
            slow.go.set()
            found = await asyncio.gather(*tasks)
            assert batcher.waiting == 0
        # A long request goes to the end of the queue after each part.
        assert slow.batches == [["a0"], ["b0", "b1", "b2", "b3"], ["c0", "d0", "d1", "b4"], ["b5"]]
        assert found == [[2], [2] * 6, [2], [2] * 2]

    asyncio.run(run())


def test_results_keep_their_order_with_several_slots():
    async def run():
        async def scored(pairs):
            await asyncio.sleep(random.Random(len(pairs[0][0])).random() / 100)
            return [int(a) for a, _ in pairs]

        async with Batcher(scored, slots=3, waiting_pairs=10_000, batch_work=7) as batcher:
            jobs = [[(str(n * 100 + k), "") for k in range(n)] for n in range(1, 60)]
            found = await asyncio.gather(*map(batcher.submit, jobs))
        assert found == [[int(a) for a, _ in job] for job in jobs]

    asyncio.run(run())


def test_a_full_queue_says_when_to_come_again():
    async def run():
        slow = Slow()
        async with Batcher(slow, slots=1, waiting_pairs=3, batch_work=4) as batcher:
            first = asyncio.create_task(batcher.submit(texts("a", 1)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            # More than may wait, but nothing waits.
            second = asyncio.create_task(batcher.submit(texts("b", 5)))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull) as refused:
                await batcher.submit(texts("c", 1))
            assert (refused.value.waiting, refused.value.retry_after) == (5, 1)
            slow.go.set()
            await asyncio.gather(first, second)
            assert await batcher.submit(texts("c", 1)) == [2]

    asyncio.run(run())


def test_an_error_reaches_those_of_its_batch_alone():
    async def run():
        slow = Slow()
        async with Batcher(slow, slots=1, waiting_pairs=100, batch_work=2) as batcher:
            tasks = [
                asyncio.create_task(batcher.submit(p))
                for p in (texts("a", 2), [("bad", "")], texts("b", 1), texts("c", 1))
            ]
            await asyncio.sleep(0)
            slow.go.set()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in found] == [list, ValueError, ValueError, list]

    asyncio.run(run())


def test_a_full_queue_over_http():
    scorer = Standing()
    with answering(create_app(scorer, Limits(), waiting_pairs=2)) as port, ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, port, "/score", ONE)
        assert scorer.entered.wait(WAIT)
        second = pool.submit(ask, port, "/score", [["a", "b"]] * 2)
        while counts(port)["samewise_queue_pairs",] < 2:
            time.sleep(0.01)
        status, headers, answer = ask(port, "/score", ONE)
        assert (status, answer) == (503, {"error": "2 pairs are waiting; try again in 1 s"})
        assert headers["Retry-After"] == "1"
        assert ask(port, "/health")[0] == 200
        scorer.go.set()
        assert first.result()[0] == second.result()[0] == ask(port, "/score", ONE)[0] == 200


def test_a_fault_of_ours_is_answered_and_counted():
    with answering(create_app(Standing(go=True))) as port:
        status, _, answer = ask(port, "/score", '[["fault", ""]]')
        assert (status, answer) == (500, {"error": "the service failed; see its log"})
        assert counts(port)["samewise_requests_total", "/score", "500"] == 1
        assert ask(port, "/score", ONE)[0] == 200


# Processes.


@pytest.mark.parametrize("to_all", [False, True])
def test_a_stop_finishes_what_is_in_hand(model, to_all):
    pairs = PAIRS * 60
    with started() as (process, port), ThreadPoolExecutor(1) as pool:
        score(port, PAIRS[:1])
        # The worker stands still until the stop, so that pairs wait however fast or slow the machine is.
        [worker] = [child for child in psutil.Process(process.pid).children() if "LokyProcess" in str(child.cmdline())]
        worker.suspend()
        waiting = pool.submit(score, port, pairs)
        while not counts(port)["samewise_queue_pairs",]:
            assert not waiting.done()
        # A terminal sends its interrupt to the workers as well.
        if to_all:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.terminate()
        worker.resume()
        assert waiting.result() == rows(model, pairs)
        assert process.wait(WAIT) == 0
        with pytest.raises(ConnectionRefusedError):
            ask(port, "/health")


def test_a_start_that_fails_says_why(port, tmp_path):
    line = fails(*COMMAND[:-1], str(port))
    assert line.startswith(
        f"samewise: cannot listen on port {port} of 127.0.0.1 (Address already in use); choose another"
    )
    line = fails(*COMMAND[:4], "--model", str(tmp_path / "none"), "--port", "0")
    assert line.startswith("samewise: model must be a folder or one of the profiles")
    for library in ("uvicorn", "asgi_correlation_id"):
        without = (
            f"import sys; sys.modules['{library}'] = None; from samewise.ensemble.commands.cli import main; main()"
        )
        line = fails(sys.executable, "-c", without, "serve")
        assert line == f"samewise: the service needs {library}; pip install 'samewise[serve]'"
