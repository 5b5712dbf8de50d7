"""Paths that clients of other services speak: embeddings, reranking and similarity."""

import base64

import numpy as np
import pytest
from samewise.features.encoders.sentence_encoder import shipped_encoder

from samewise import load

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from . import running  # noqa: E402

LIMITS = ("--max-pairs", "4", "--max-characters", "60")
QUERY = "Where can I park my bicycle?"
TEXTS = ["The lift is stuck.", "Where can I park my bike?", "Where can I park my bicycle?", "Can I park a car?"]


@pytest.fixture(scope="module")
def port():
    with running.started(*LIMITS) as (_, port):
        yield port


def ask(port, path, body):
    status, _, found = running.ask(port, path, body)
    return status, found


@pytest.fixture(scope="module")
def scores():
    return load("surface").predict([(QUERY, text) for text in TEXTS])


def test_rerank_puts_texts_in_the_order_of_their_scores(port, scores):
    status, found = ask(port, "/rerank", {"query": QUERY, "texts": TEXTS})
    assert status == 200
    assert [item["index"] for item in found] == np.argsort(-scores, kind="stable").tolist()
    assert [item["score"] for item in found] == pytest.approx(np.sort(scores / 5)[::-1])
    assert all(item.keys() == {"index", "score"} for item in found)


def test_rerank_gives_raw_scores_and_texts_if_asked(port, scores):
    body = {"query": QUERY, "texts": TEXTS, "raw_scores": True, "return_text": True, "truncate": True}
    found = ask(port, "/rerank", body)[1]
    assert found[0] == {"index": 2, "score": 5.0, "text": QUERY}
    assert [item["score"] for item in found] == np.sort(scores)[::-1].tolist()


def test_of_several_references_the_best_counts(port, scores):
    answers = [(QUERY, TEXTS[0]), {"sentence1": QUERY, "references": [TEXTS[0], TEXTS[3], TEXTS[1]]}]
    status, found = ask(port, "/score", answers)
    best = int(np.argmax(scores[[0, 3, 1]]))
    assert (status, [item["score"] for item in found["results"]]) == (200, [scores[0], max(scores[[0, 3, 1]])])
    assert [item.get("reference") for item in found["results"]] == [None, best]


def test_similarity_is_in_the_order_of_the_sentences(port, scores):
    found = ask(port, "/similarity", {"inputs": {"source_sentence": QUERY, "sentences": TEXTS}})
    assert found == (200, pytest.approx((scores / 5).tolist()))


def test_embeddings_are_those_of_the_encoder(port):
    status, found = ask(port, "/v1/embeddings", {"input": TEXTS, "model": "any"})
    assert (status, found["object"], [item["index"] for item in found["data"]]) == (200, "list", [0, 1, 2, 3])
    vectors = np.array([item["embedding"] for item in found["data"]])
    expected = shipped_encoder().vectors(TEXTS)
    assert vectors == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert found["usage"] == {"prompt_tokens": 21, "total_tokens": 21}


def test_embeddings_in_base64_and_of_one_text_are_the_same(port):
    plain = ask(port, "/v1/embeddings", {"input": TEXTS})[1]["data"][1]["embedding"]
    packed = ask(port, "/v1/embeddings", {"input": TEXTS[1], "encoding_format": "base64"})[1]["data"][0]["embedding"]
    assert np.frombuffer(base64.b64decode(packed), "<f4").tolist() == plain


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("/rerank", {"query": "a", "texts": []}, 422, "texts is []"),
        ("/rerank", {"query": "a"}, 422, "texts is missing"),
        ("/rerank", {"query": "a" * 61, "texts": ["b"]}, 422, "query has 61 characters and the limit is 60"),
        ("/rerank", {"query": "a", "texts": ["b"] * 5}, 413, "the request has 5 texts and the limit is 4"),
        (
            "/similarity",
            {"inputs": {"source_sentence": "a", "sentences": ["b" * 61]}},
            422,
            "inputs.sentences[0] has 61",
        ),
        ("/similarity", {"inputs": []}, 422, "inputs is []"),
        ("/v1/embeddings", {"input": 5}, 422, "input is 5: the input is a text, or a list of texts"),
        ("/v1/embeddings", {"input": [[1, 2]]}, 422, "input[0] is [1, 2]"),
        ("/v1/embeddings", {"input": ["a"] * 5}, 413, "the request has 5 texts"),
        ("/v1/embeddings", {"input": "a" * 61}, 422, "input has 61 characters"),
        ("/v1/embeddings", "{", 400, "the body is not JSON"),
        ("/v1/rerank", {"query": "a", "documents": []}, 422, "documents is []"),
        ("/v1/rerank", {"query": "a", "documents": [5]}, 422, "documents[0] is 5: a document is a text, or an object"),
        ("/v1/rerank", {"query": "a", "documents": [{"text": "b" * 61}]}, 422, "documents[0].text has 61 characters"),
        ("/v1/rerank", {"query": "a", "documents": ["b"] * 5}, 413, "the request has 5 texts and the limit is 4"),
        ("/v1/rerank", {"query": "a", "documents": ["b"], "top_n": 0}, 422, "top_n is 0"),
        ("/embed", {"inputs": "a", "normalize": False}, 422, "normalize is False"),
        ("/embed", {"inputs": ["a"] * 5}, 413, "the request has 5 texts"),
        ("/score", [{"sentence1": "a", "references": []}], 422, "[0].references is []"),
        ("/score", [{"sentence1": "a", "references": ["b", "c" * 61]}], 422, "[0].references[1] has 61 characters"),
        ("/score", [["a", "b"], {"sentence1": "a", "references": ["b"] * 4}], 413, "the request has 5 pairs"),
    ],
)
def test_refusals_are_one_sentence(port, path, body, status, message):
    found = ask(port, path, body)
    assert found[0] == status
    error = found[1]["error"]
    assert message in (error["message"] if path.startswith("/v1/") else error)


def test_the_client_of_openai_understands_the_answer(port):
    openai = pytest.importorskip("openai", reason="openai, whose client asks, is not installed")
    client = openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none")
    answer = client.embeddings.create(model="any", input=TEXTS[:2])
    assert [len(item.embedding) for item in answer.data] == [384, 384]
    assert np.linalg.norm(answer.data[0].embedding) == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(openai.UnprocessableEntityError, match="input has 61 characters"):
        client.embeddings.create(model="any", input="a" * 61)


def test_documents_are_ranked_as_jina_and_cohere_do(port, scores):
    documents = [{"text": TEXTS[0], "title": "ignored"}, *TEXTS[1:]]
    status, found = ask(port, "/v1/rerank", {"model": "any", "query": QUERY, "documents": documents, "top_n": 2})
    assert (status, found["model"]) == (200, load("surface").signature)
    assert [item.keys() for item in found["results"]] == [{"index", "relevance_score"}] * 2
    assert [item["index"] for item in found["results"]] == np.argsort(-scores, kind="stable")[:2].tolist()
    assert [item["relevance_score"] for item in found["results"]] == pytest.approx(np.sort(scores / 5)[::-1][:2])
    assert found["usage"] == {"total_tokens": 27}
    body = {"query": QUERY, "documents": documents, "top_n": 9.0, "return_documents": True}
    results = ask(port, "/v1/rerank", body)[1]["results"]
    assert [item["document"] for item in results] == [{"text": TEXTS[item["index"]]} for item in results]
    assert len(results) == 4


def test_embed_gives_the_vectors_alone(port):
    plain = [item["embedding"] for item in ask(port, "/v1/embeddings", {"input": TEXTS})[1]["data"]]
    assert ask(port, "/embed", {"inputs": TEXTS, "normalize": True, "truncate": True}) == (200, plain)
    assert ask(port, "/embed", {"inputs": TEXTS[1], "normalize": None}) == (200, [plain[1]])
