"""Decisions over HTTP: differences that keep texts apart, by the model, by the start and by the request."""

import pytest
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.model_decision import with_thresholds
from samewise.ensemble.loading import load
from samewise.ensemble.matching.index import Index

from ..ensemble.core.test_model_decision import PAIRS, labelled

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client.parser")

from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.match_path import matches  # noqa: E402
from samewise.apps.serve.responses import Matches, Scores, score  # noqa: E402

from .running import COMMAND, Standing, answering, ask, fails  # noqa: E402


@pytest.fixture(scope="module")
def decided():
    """A model that calls pairs the same from a low score on, if they do not differ in a number."""
    pairs = labelled()._replace(differences=[[]] * 400)
    model, decision, _ = with_thresholds(load("surface"), pairs, Rule("cost", 1.0), 1.0, keep_apart=["number"])
    assert decision.keep_apart == ("number",)
    return model


class Direct(Standing):
    """A model that answers in this process."""

    def __init__(self, model):
        super().__init__(go=True)
        self.model, self.index, self.decides = (
            model,
            Index.build([b for _, b in PAIRS], None),
            "decision" in model.manifest,
        )

    async def score(self, pairs):
        return score(self.model, pairs)

    async def match(self, asked):
        return matches(self.model, self.index, asked)


@pytest.fixture(scope="module")
def port(decided):
    scorer = Direct(decided)
    with answering(create_app(scorer, matcher=scorer)) as port:
        yield port


def decisions(port, **fields):
    status, _, answer = ask(port, "/score", {"pairs": PAIRS, **fields})
    assert status == 200, answer
    Scores.model_validate(answer)
    return [(row["decision"], row["reason"]) for row in answer["results"]]


def test_a_pair_kept_apart_is_unsure_and_its_kind_is_named(port):
    assert decisions(port, decide=True) == [("unsure", "number"), ("same", None), ("different", None)]


def test_a_request_names_other_kinds(port):
    assert decisions(port, decide=True, keep_apart=[])[0] == ("same", None)
    assert decisions(port, keep_apart=["name"])[0] == ("same", None)
    assert decisions(port, decide=True, keep_apart=["name", "number"])[0] == ("unsure", "number")


def test_without_decide_there_is_no_decision(port):
    answer = ask(port, "/score", {"pairs": PAIRS})[2]
    assert all(list(row) == ["score", "low", "high", "flags"] for row in answer["results"])


def test_kinds_of_the_start_are_those_of_requests_that_name_none(decided):
    with answering(create_app(Direct(decided), keep_apart=())) as port:
        assert decisions(port, decide=True)[0] == ("same", None)
        assert decisions(port, decide=True, keep_apart=["number"])[0] == ("unsure", "number")


def test_matches_are_decided_too(port):
    asked = {"texts": [PAIRS[0][0]], "top": 3, "decide": True}
    answer = ask(port, "/match", asked)[2]
    Matches.model_validate(answer)
    rows = {row["text"]: (row["decision"], row["reason"]) for row in answer["results"][0]["matches"]}
    assert rows == {PAIRS[0][1]: ("unsure", "number"), PAIRS[1][1]: ("same", None)}
    [found] = ask(port, "/match", {**asked, "keep_apart": []})[2]["results"]
    assert {row["decision"] for row in found["matches"]} == {"same"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"decide": True, "keep_apart": ["colour"]}, "keep_apart[0] is 'colour'"),
        ({"decide": "yes"}, "decide is 'yes'"),
    ],
)
def test_refusals(port, fields, words):
    for path, body in (("/score", {"pairs": PAIRS}), ("/match", {"texts": ["a"]})):
        status, _, answer = ask(port, path, {**body, **fields})
        assert status == 422 and words in answer["error"]


def test_decisions_are_described_where_the_model_has_one(decided):
    for model, described in ((decided, True), (load("surface"), False)):
        schemas = create_app(Direct(model), matcher=Direct(model)).openapi()["components"]["schemas"]
        for name in ("ScoreRequest", "MatchRequest"):
            text = str(schemas[name])
            assert ("'decide'" in text, "'keep_apart'" in text) == (described, described)


def test_a_model_without_a_decision_refuses_to_decide():
    with answering(create_app(Direct(load("surface")))) as port:
        status, _, answer = ask(port, "/score", {"pairs": PAIRS, "decide": True})
    assert status == 422 and "must have a decision, got none" in answer["error"]


def test_a_start_with_kinds_needs_a_decision():
    assert "must have a decision if differences are to keep texts apart" in fails(*COMMAND, "--keep-apart", "number")
