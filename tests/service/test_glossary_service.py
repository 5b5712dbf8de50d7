"""A service with a glossary: its processes score, explain and match by the user's words, as in this process."""

import json

import pytest
from samewise.ensemble.loading import load
from samewise.ensemble.matching.index import Index

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from .running import COMMAND, ask, fails, started  # noqa: E402

WORDS = [["COD", "cash on delivery"], ["Bob", "Robert"]]
PAIRS = [["Ships COD.", "Ships cash on delivery."], ["Bob paid COD.", "Ann paid by card."], ["A dog.", "A cat."]]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    place = tmp_path_factory.mktemp("words")
    (place / "words.txt").write_text("\n".join(map(", ".join, WORDS)))
    Index.build(["Ships cash on delivery.", "The lift is stuck."], glossary=WORDS).save(place / "known")
    return place


def test_two_processes_answer_as_this_one(files):
    model = load("surface", glossary=WORDS)
    options = ("--workers", "2", "--glossary", files / "words.txt", "--index", files / "known")
    with started(*options) as (_, port):
        for _ in range(4):
            status, _, answer = ask(port, "/score", json.dumps(PAIRS))
            assert status == 200
            assert [each["score"] for each in answer["results"]] == model.predict(PAIRS).tolist()
            assert answer["signature"] == model.signature
        _, _, answer = ask(port, "/match", json.dumps({"texts": ["Ships COD."], "top": 1}))
        [[first]] = [each["matches"] for each in answer["results"]]
        assert (first["text"], first["score"]) == ("Ships cash on delivery.", 5.0)


def test_an_index_with_another_glossary_stops_the_start(files):
    assert "the glossary must be that of the index" in fails(*COMMAND, "--index", str(files / "known"))
