import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.research.families import event_embedding

from ...features.sentences import sentence


def batch(a, b):
    return PairBatch([a, b], np.asarray([0]), np.asarray([1]))


def event(verb, *arguments):
    vectors = shipped_vectors("relational").embed([verb, *arguments]).values.astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors[0] + (vectors[1:].mean(axis=0) if arguments else 0)


def cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


CHASE = sentence(
    "the dog has chased cats", tags="DT NN VBZ VBN NNS", heads="1 3 3 3 3", relations="det nsubj aux root obj"
)
PLAY = sentence(
    "a man playing drums smiles", tags="DT NN VBG NNS VBZ", heads="1 4 1 2 4", relations="det nsubj acl obj root"
)
NO_VERB = sentence("red boats", tags="JJ NNS", heads="1 1", relations="amod root")
EMPTY = sentence("", tags="", heads="")


def test_best_events_by_hand():
    chase = event("chased", "dog", "cats")
    play, smile = event("playing", "man", "drums"), event("smiles", "man")
    found = [cosine(chase, play), cosine(chase, smile)]
    expected = [*sorted([max(found), sum(found) / 2]), cosine(chase, play + smile)]
    assert event_embedding.relational(batch(CHASE, PLAY))[0].tolist() == pytest.approx(expected, abs=1e-5)


def test_a_sentence_without_a_verb_is_its_root():
    expected = cosine(event("boats"), event("chased", "dog", "cats"))
    assert event_embedding.relational(batch(NO_VERB, CHASE))[0].tolist() == pytest.approx([expected] * 3, abs=1e-5)


def test_an_empty_sentence_has_no_event():
    assert event_embedding.relational(batch(EMPTY, CHASE)).tolist() == [[0, 0, 0]]
    assert event_embedding.relational(batch(EMPTY, EMPTY)).tolist() == [[0, 0, 0]]
