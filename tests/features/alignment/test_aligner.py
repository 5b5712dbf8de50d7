"""Promises of the word aligner: symmetry, batches equal to single pairs, long input, parity with a plain aligner."""

import importlib.util
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.alignment.aligner import align, link_pairs, run_stages
from samewise.features.alignment.alignment_input import prepare
from samewise.features.alignment.alignment_state import STAGES, AlignmentState
from samewise.features.alignment.coverage import links
from samewise.features.base.sentences import Entity, PairBatch

from tests.conftest import ROOT

from .made_sentences import batch_of, one_way, parsed, plain, stages


@cache
def plain_aligner():
    path = ROOT / "benchmarks" / "plain_aligner.py"
    spec = importlib.util.spec_from_file_location("plain_aligner", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_stage_has_a_name():
    assert len(STAGES) == 9


vocabulary = "the a dog dogs cat runs running fast red-hot red hot U.S. US . , ! buy purchase NY".split()
sentences = st.lists(st.sampled_from(vocabulary), max_size=12)


@st.composite
def parses(draw):
    tokens = draw(sentences)
    tags = draw(st.tuples(*(st.sampled_from(["NN", "VB", "JJ", "RB", "DT", "CD"]) for _ in tokens)))
    heads = draw(st.tuples(*(st.integers(0, len(tokens) - 1) for _ in tokens)))
    kinds = ["nsubj", "obj", "det", "amod", "punct", "nmod", "conj", "case", "nsubj:pass"]
    relations = draw(st.tuples(*(st.sampled_from(kinds) for _ in tokens)))
    entities = draw(st.sampled_from([(), (Entity(0, 1, "PERSON"),), (Entity(0, 2, "ORG"),)])) if tokens[1:] else ()
    base = plain(" ".join(tokens))
    return base._replace(lemmas=base.stems, tags=tags, heads=heads, relations=relations, entities=entities)


@pytest.mark.slow
@given(parses(), parses())
def test_is_symmetric(a, b):
    there = align(a, b)
    back = align(b, a)
    assert sorted((link.j, link.i, link.stage, link.weight) for link in back) == [tuple(link) for link in there]


@given(parses())
def test_equal_sentences_align_word_by_word(a):
    assert {(place, place) for place, word in enumerate(a.words) if any(map(str.isalnum, word))} <= stages(a, a).keys()


@pytest.mark.slow
@given(parses(), parses())
def test_links_are_within_the_sentences_and_staged(a, b):
    for link in align(a, b):
        assert 0 <= link.i < len(a.tokens)
        assert 0 <= link.j < len(b.tokens)
        assert 1 <= link.stage <= 9
        assert link.weight in (0.5, 1.0)


@pytest.mark.parametrize("size", [100, 200, 400])
def test_work_grows_with_the_number_of_related_pairs(size, monkeypatch):
    ordered = []
    keys = AlignmentState.tie_keys
    monkeypatch.setattr(AlignmentState, "tie_keys", lambda self, cells: ordered.append(len(cells)) or keys(self, cells))
    worst = plain("the " * size)  # every pair of tokens is related
    assert len(align(worst, worst)) == size
    assert sum(ordered) <= 4 * size * size


# A pair whose links stand in two directions (mirrored candidates), others with hyphens, names and a parse, and none.
MIXED = [
    (plain("dogs run run dogs"), plain("run dogs dogs run")),
    (plain("a well-known singer"), plain("this singer is well known")),
    (
        parsed("Maria/NNP/2/compound Lopez/NNP/3/nsubj sang/sing/VBD/0/root", (0, 2, "PERSON")),
        parsed("Lopez/NNP/2/nsubj danced/dance/VBD/0/root", (0, 1, "PERSON")),
    ),
    (plain("rain fell here"), plain("here rain fell")),
    (plain("rain fell here"), plain("")),
    (parsed("dogs/dog/NNS/2/nsubj bark/VBP/0/root"), parsed("barking/bark/VBG/0/root dogs/dog/NNS/1/nsubj")),
]


def test_links_of_a_batch_are_those_of_its_pairs(monkeypatch):
    expected = [(row, *link) for row, pair in enumerate(MIXED) for link in align(*pair)]
    for limit in (1 << 19, 1):  # all rows at once, and one after the other
        monkeypatch.setattr("samewise.features.alignment.aligner._CELLS_AT_A_TIME", limit)
        found = zip(*(column.tolist() for column in links(batch_of(*MIXED))), strict=True)
        assert list(found) == expected


def test_a_window_does_not_reach_into_other_pairs():
    # Words near the end of one pair and near the beginning of the next: each stands alone.
    pair = plain("dogs"), plain("dogs")
    found = links(batch_of(pair, pair, pair))
    assert found.stage.tolist() == [1, 1, 1]
    state = one_way(plain("cat runs"), plain("runs the dog cat"))
    run_stages(state)
    assert sorted(state.links.values()) == [6, 6]


def test_no_pairs_have_no_links():
    nothing = PairBatch([], np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    found = link_pairs(prepare(nothing), nothing.left, nothing.right)
    assert [len(column) for column in found] == [0] * 5


def test_refuses_what_is_no_text():
    with pytest.raises(TypeError, match="got int; pass a string"):
        align(3, "three")


# ---- parity with the aligner written for reading


@pytest.mark.slow
@given(parses(), parses())
def test_equals_the_plain_aligner(a, b):
    state = one_way(a, b)
    run_stages(state)
    _, i, j, stage = (column.tolist() for column in state.link_table())
    assert dict(zip(zip(i, j, strict=True), stage, strict=True)) == plain_aligner().PlainAligner(a, b).run()


def in_both_directions(a, b):
    """Return the links of the plain aligner walked either way: stage, and 1/2 for a link of one direction alone."""
    there = plain_aligner().PlainAligner(a, b).run()
    back = {(i, j): stage for (j, i), stage in plain_aligner().PlainAligner(b, a).run().items()}
    return {
        at: (min(table[at] for table in (there, back) if at in table), 1.0 if at in there and at in back else 0.5)
        for at in there.keys() | back.keys()
    }


def test_links_of_one_direction_weigh_half():
    pairs = [(a, b) for a, b in MIXED] + [
        (plain("a b"), plain("b a b a")),
        (plain("dog cat dog"), plain("cat dog cat")),
    ]
    found = {}
    for a, b in pairs:
        expected = in_both_directions(a, b)
        assert {(link.i, link.j): (link.stage, link.weight) for link in align(a, b)} == expected
        found |= {weight: True for _, weight in expected.values()}
    assert found.keys() == {0.5, 1.0}
    # All of them as one batch: the rows with mirrored candidates are not those that stand first.
    batched = [[] for _ in pairs]
    for row, i, j, stage, weight in zip(*(column.tolist() for column in links(batch_of(*pairs))), strict=True):
        batched[row].append(((i, j), (stage, weight)))
    assert [dict(rows) for rows in batched] == [in_both_directions(a, b) for a, b in pairs]


@pytest.mark.slow
@given(parses(), parses())
def test_both_directions_equal_those_of_the_plain_aligner(a, b):
    assert {(link.i, link.j): (link.stage, link.weight) for link in align(a, b)} == in_both_directions(a, b)


WORDS = "dog dogs cat purchase buy acquire car automobile run running red near the the a of in to , .".split()
TAGS = {"run": "VB", "running": "VB", "red": "JJ", "near": "IN", "buy": "VB", "acquire": "VB", "the": "DT", "a": "DT"}
RELATIONS = ["nsubj", "obj", "det", "nmod", "acl", "nsubj:pass"]


FEW = "dog dogs car automobile buy purchase red the the of of to".split()


def made_up(rng, with_parse, few):
    """Return a sentence of up to nine words, or thirteen that recur more often, so that what is around them decides."""
    words = rng.choice(FEW if few else WORDS, int(rng.integers(1, 14 if few else 10))).tolist()
    if not with_parse:
        return plain(" ".join(words))
    heads = rng.integers(0, len(words) + 1, len(words)).tolist()
    kinds = rng.choice(RELATIONS, len(words)).tolist()
    return parsed(" ".join(f"{w}/{TAGS.get(w, 'NN')}/{h}/{k}" for w, h, k in zip(words, heads, kinds, strict=True)))


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("with_parse", [False, True])
def test_many_made_up_pairs_equal_the_plain_aligner(with_parse, few):
    rng = np.random.default_rng(1)
    pairs = [(made_up(rng, with_parse, few), made_up(rng, with_parse, few)) for _ in range(200)]
    found = [{} for _ in pairs]
    for row, i, j, stage, weight in zip(*(column.tolist() for column in links(batch_of(*pairs))), strict=True):
        found[row][i, j] = (stage, weight)
    assert found == [in_both_directions(a, b) for a, b in pairs]
    assert {stage for row in found for stage, _ in row.values()} >= ({1, 2, 5, 6, 8, 9} if with_parse else {1, 2, 6, 9})
