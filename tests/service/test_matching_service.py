"""Rows of an index over HTTP: the same matches as in memory, refusals, and workers that share the index."""

import asyncio
import datetime
import json
import os
import signal
import threading
import time

import pytest
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.matching import index as index_module
from samewise.ensemble.matching.api import match
from samewise.ensemble.matching.index import Index
from samewise.ensemble.matching.index_folder import MANIFEST

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client.parser")

import psutil  # noqa: E402
from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.match_path import TEXT_COSTS, AskedText, matches
from samewise.apps.serve.requests import Limits  # noqa: E402
from samewise.apps.serve.responses import Matches  # noqa: E402
from samewise.apps.serve.service_workers import NoIndex, WorkerPool  # noqa: E402

from .running import COMMAND, WAIT, Standing, answering, ask, counts, fails, started  # noqa: E402

KNOWN = [
    "The lift in block 4 is stuck.",
    "How do I return a pair of shoes?",
    "The tap in the kitchen drips.",
    "How do I return a pair of shoes?",
    "A lamp in the hall flickers.",
    "How can I send back shoes that do not fit?",
    "The kitchen tap is dripping again.",
    "My parcel has not arrived.",
]
IDS = [f"k{number}" for number in range(len(KNOWN))]
ASKED = ["The tap in our kitchen drips.", "How do I return a pair of shoes?", "Wo ist der Bahnhof?", "", "Shoes"]


def build(texts=KNOWN, ids=IDS):
    return Index.build(texts, ids)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("matching") / "known"
    build().save(place)
    return place


@pytest.fixture(scope="module")
def service(folder):
    with started("--index", folder) as running:
        yield running


@pytest.fixture(scope="module")
def port(service):
    return service[1]


@pytest.fixture(scope="module")
def model():
    return load("surface")


def found(port, body):
    status, _, answer = ask(port, "/match", body)
    assert status == 200, answer
    Matches.model_validate(answer)
    return [each["matches"] for each in answer["results"]]


def in_memory(text, index, model, at_least=None, **question):
    """What the function for lists finds for one text, as the service writes it."""
    rows = match([text], index, model=model, prefilter="none", probability_of=at_least, **question).to_pylist()
    names = ("score", "low", "high", "flags", *(["differences"] if question.get("differences") else []))
    return [
        {"row": row["row2"] + 1, "id": row["id2"], "text": row["sentence2"], **{name: row[name] for name in names}}
        for row in rows
    ]


def test_each_text_has_its_matches_in_memory(port, model):
    index = build()
    assert found(port, {"texts": ASKED}) == [in_memory(text, index, model) for text in ASKED]
    for question in ({"top": 1}, {"top": 100, "at_least": 2.5}, {"at_least": 4, "differences": True}):
        expected = [in_memory(text, index, model, **question) for text in ASKED]
        assert found(port, {"texts": ASKED, **question}) == expected
    assert found(port, {"texts": ASKED[:1], "at_least": None}) == found(port, {"texts": ASKED[:1]})


def test_equal_rows_come_first_and_are_counted_from_one(port):
    shoes = found(port, {"texts": ASKED})[1]
    assert [(row["row"], row["id"], row["score"]) for row in shoes[:2]] == [(2, "k1", 5.0), (4, "k3", 5.0)]
    assert "identical" in shoes[0]["flags"]
    assert {row["text"] for row in shoes[2:]} <= {*KNOWN} - {KNOWN[1]}
    assert all("differences" not in row for row in shoes)
    assert found(port, {"texts": ["", "Wo ist der Bahnhof?"]}) == [[], []]


def test_differences_go_from_the_text_to_the_row(port):
    [[first, *_]] = found(port, {"texts": ["The lift in block 7 is stuck."], "top": 1, "differences": True})
    assert first["row"] == 1
    assert {"kind": "number", "a": "7", "b": "4"} in first["differences"]


def test_signatures(port, model):
    answer = ask(port, "/match", {"texts": ["Shoes"]})[2]
    assert (answer["signature"], answer["index"]) == (model.signature, build().signature)
    assert list(answer) == ["results", "signature", "index"]


REFUSED = [
    ('{"texts": ["a"', 400, "the body is not JSON"),
    (r'{"texts": ["\ud800"]}', 400, "surrogate"),
    (["a"], 422, "the body is ['a']"),
    ({}, 422, "texts is missing"),
    ({"texts": "a"}, 422, "texts is 'a'"),
    ({"texts": []}, 422, "texts is []"),
    ({"texts": ["a", 5]}, 422, "texts[1] is 5"),
    ({"texts": ["a"], "top": 0}, 422, "top is 0"),
    ({"texts": ["a"], "top": 101}, 422, "top is 101"),
    ({"texts": ["a"], "top": "5"}, 422, "top is '5'"),
    ({"texts": ["a"], "top": True}, 422, "top is True"),
    ({"texts": ["a"], "at_least": 5.1}, 422, "at_least is 5.1"),
    ({"texts": ["a"], "at_least": -1}, 422, "at_least is -1"),
    ('{"texts": ["a"], "at_least": NaN}', 422, "at_least is nan"),
    ({"texts": ["a"], "differences": 1}, 422, "differences is 1"),
    ({"texts": ["a"], "at_leats": 4}, 422, "at_leats is 4"),
    ({"texts": ["a", "b" * 10_001]}, 422, "texts[1] has 10,001 characters and the limit is 10,000"),
    ({"texts": ["a"] * 1_001}, 413, "the request has 1,001 texts and the limit is 1,000"),
    ({"texts": ["a"] * 201}, 413, "1,005 rows, 5 for each of 201 texts, and the limit is 1,000"),
    ({"texts": ["a"] * 11, "top": 100}, 413, "1,100 rows, 100 for each of 11 texts"),
    (" " * 2_000_001, 413, "the limit is 2,000,000; send fewer texts at a time"),
]


@pytest.mark.parametrize(("body", "status", "message"), REFUSED, ids=range(len(REFUSED)))
def test_refusals_say_why(port, body, status, message):
    code, _, answer = ask(port, "/match", body)
    assert (code, list(answer)) == (status, ["error"])
    assert message in answer["error"]
    assert len(answer["error"]) < 250


def test_other_methods_are_refused(port):
    status, headers, _ = ask(port, "/match")
    assert (status, headers["Allow"]) == (405, "POST")


def test_texts_are_counted(port):
    before = counts(port)
    found(port, {"texts": ASKED})
    ask(port, "/match", {})
    after = counts(port)
    added = {key: value - before.get(key, 0) for key, value in after.items()}
    assert added["samewise_requests_total", "/match", "200"] == 1
    assert added["samewise_requests_total", "/match", "422"] == 1
    assert added["samewise_texts_total",] == len(ASKED)
    assert added["samewise_pairs_total",] == added["samewise_batch_pairs_count",] == 0
    assert after["samewise_queue_texts",] == after["samewise_queue_pairs",] == 0


def test_a_dead_worker_is_replaced_by_one_with_the_index(service):
    process, port = service
    expected = found(port, {"texts": ASKED})
    [worker] = [child for child in psutil.Process(process.pid).children() if "LokyProcess" in str(child.cmdline())]
    os.kill(worker.pid, signal.SIGKILL)
    assert found(port, {"texts": ASKED}) == expected


def changed(place):
    build([*KNOWN, "The lift is stuck."], None).save(place)


def cut_short(place):
    os.truncate(next(place.glob("codes-*")), 100)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (changed, "changed while it was in use; start the service again"),
        (cut_short, "must be as it was written, got a file that changed"),
    ],
)
def test_a_worker_with_another_index_scores_and_does_not_match(tmp_path, caplog, damage, reason):
    build().save(tmp_path)
    before = set(psutil.Process().children())
    pool = WorkerPool(ModelRef("surface"), 1, str(tmp_path))

    async def run():
        processes = set(psutil.Process().children()) - before
        [worker] = [process for process in processes if "LokyProcess" in str(process.cmdline())]
        damage(tmp_path)
        worker.kill()
        while not await pool.ready() or not caplog.records:
            await asyncio.sleep(0.01)
        with pytest.raises(NoIndex, match="the index must be as it was at the start, got another; start the service"):
            await pool.match([AskedText("The tap drips.", 1, None, False, False, None)])
        return await pool.score([("The tap drips.", "The tap drips.")])

    try:
        pool.start()
        assert asyncio.run(run())[0]["score"] == 5.0
    finally:
        pool.close()
    assert reason in caplog.text


def test_a_lost_index_is_told():
    class Lost(Standing):
        async def match(self, asked):
            raise NoIndex("the index must be as it was at the start, got another; start the service again")

    scorer = Lost()
    with answering(create_app(scorer, matcher=scorer)) as port:
        status, _, answer = ask(port, "/match", {"texts": ["a"]})
    assert (status, answer["error"][:32]) == (503, "the index must be as it was at t")


# Starts.


def test_an_index_of_other_tables_is_refused_at_the_start(tmp_path):
    build().save(tmp_path)
    facts = json.loads((tmp_path / MANIFEST).read_bytes())
    facts["views"]["words"] = "0" * 64
    (tmp_path / MANIFEST).write_text(json.dumps(facts))
    line = fails(*COMMAND, "--index", str(tmp_path))
    assert line.startswith(f"samewise: the index {tmp_path} must be made with the tables of this version")
    assert line.endswith("got 000000000000; build it again")


def test_a_folder_without_an_index_is_refused_at_the_start(tmp_path):
    assert fails(*COMMAND, "--index", str(tmp_path)).startswith(
        f"samewise: {tmp_path} must be an index, got a folder without"
    )


# The application, with a matcher of its own.


def test_a_service_without_an_index_says_so():
    app = create_app(Standing())
    assert "/match" not in app.openapi()["paths"]
    with answering(app) as port:
        status, _, answer = ask(port, "/match", {"texts": ["a"]})
        assert (status, list(answer)) == (404, ["error"])
        assert answer["error"].endswith("start it with --index DIR")
        assert counts(port)["samewise_requests_total", "/match", "404"] == 1


def test_a_full_queue_counts_texts():
    scorer = Standing()
    # A text of 5 rows counts for 20 pairs: two views find 10 each.
    with answering(create_app(scorer, waiting_pairs=50, matcher=scorer)) as port:
        clients = [threading.Thread(target=ask, args=(port, "/match", {"texts": ["a"]}))]
        clients[0].start()
        assert scorer.entered.wait(WAIT)
        clients.append(threading.Thread(target=ask, args=(port, "/match", {"texts": ["a", "b"]})))
        clients[1].start()
        while counts(port)["samewise_queue_texts",] < 2:
            time.sleep(0.01)
        status, headers, answer = ask(port, "/match", {"texts": ["a"]})
        assert (status, answer) == (503, {"error": "2 texts are waiting; try again in 1 s"})
        assert headers["Retry-After"] == "1"
        assert ask(port, "/health")[0] == 200
        scorer.go.set()
        for client in clients:
            client.join(WAIT)
        assert ask(port, "/match", {"texts": ["a"]})[2] == {
            "results": [{"matches": []}],
            "signature": "standing",
            "index": "rows",
        }


@pytest.mark.parametrize("scale", [POINTS, Scale(-1.0, 1.0)])
def test_the_document_declares_the_path(scale):
    scorer = Standing()
    scorer.scale = scale
    document = create_app(scorer, Limits(pairs=30, characters=70), matcher=scorer).openapi()
    schemas = document["components"]["schemas"]
    asked, row = schemas["MatchRequest"]["properties"], schemas["Match"]["properties"]
    body = document["paths"]["/match"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    # A reference or the schema itself.
    assert body.get("$ref", "#/components/schemas/MatchRequest") == "#/components/schemas/MatchRequest"
    assert (asked["texts"]["minItems"], asked["texts"]["maxItems"], asked["texts"]["items"]["maxLength"]) == (1, 30, 70)
    assert (asked["top"]["minimum"], asked["top"]["maximum"], asked["top"]["default"]) == (1, 100, 5)
    assert schemas["MatchRequest"]["required"] == ["texts"]
    assert schemas["Match"]["required"] == ["row", "id", "text", "score", "low", "high", "flags"]
    for field in ("score", "low", "high"):
        assert (row[field]["minimum"], row[field]["maximum"]) == (scale.low, scale.high)
    assert scale.low in [each.get("minimum") for each in asked["at_least"]["anyOf"]]


def test_texts_cost_what_their_pairs_cost():
    # 10 rows of each of two views; from the sixth row on twice the rows; a text of 2,000 characters is worth 161 pairs.
    assert [TEXT_COSTS.work(AskedText("a", top)) for top in (1, 5, 6, 100)] == [20, 20, 24, 400]
    assert TEXT_COSTS.work(AskedText("a" * 2_000)) == 20 * 161
    assert TEXT_COSTS.room(AskedText("a" * 2_000)) == 20
    assert TEXT_COSTS.room(AskedText("a" * 10_000)) == 20 * 5


# Matches without HTTP.


def answers(model, index, asked):
    return [json.loads(answer)["matches"] for answer in matches(model, index, asked)]


def test_no_other_text_changes_the_matches_of_a_text(model):
    # Each text is itself a row of the index, and close to others that have closer rows: one search for all of them
    # finds other rows for some.
    texts = [f"The {thing} in room {room} is broken." for thing in ("lamp", "tap", "heater") for room in range(40)]
    index = Index.build(texts)
    asked = [AskedText(text, top, at_least) for text in texts[::4] for top, at_least in ((5, None), (3, 4.0))]
    assert answers(model, index, asked) == [answers(model, index, [one])[0] for one in asked]


def test_names_of_rows_are_plain_json(model):
    days = [datetime.date(2024, 2, 29), datetime.date(2024, 3, 1)]
    for ids, expected in (
        (days, "2024-02-29"),
        ([7, 8], 7),
        ([0.5, 1.5], 0.5),
        ([float("nan"), 1.0], "nan"),
        (None, None),
    ):
        index = Index.build(["My parcel is late.", "The lift is stuck."], ids)
        [[first, *_]] = answers(model, index, [AskedText("My parcel is late.")])
        assert (first["row"], first["id"]) == (1, expected)


def test_an_index_without_rows(model):
    assert answers(model, Index.build([]), [AskedText("My parcel is late."), AskedText("")]) == [[], []]


def test_graphs_are_searched_and_an_index_may_grow_while_it_is_in_use(model, tmp_path, monkeypatch):
    pytest.importorskip("usearch")
    texts = [f"Order {number} of {thing} has not arrived." for number in range(60) for thing in ("shoes", "lamps")]
    asked = [AskedText(text, at_least=3.0) for text in ("Order 7 of shoes never arrived.", "The order of lamps 12")]
    expected = answers(model, Index.build(texts), asked)
    assert all(expected)
    monkeypatch.setattr(index_module, "_SMALL", 10)
    Index.build(texts).save(tmp_path)
    opened = Index.open(tmp_path)
    assert opened.texts.graphs
    assert answers(model, opened, asked) == expected
    Index.open(tmp_path).appended(["Order 7 of shoes never arrived."]).save(tmp_path)
    assert answers(model, opened, asked) == expected
    [[first, *_], _] = answers(model, Index.open(tmp_path), asked)
    assert (first["row"], first["score"]) == (len(texts) + 1, 5.0)
