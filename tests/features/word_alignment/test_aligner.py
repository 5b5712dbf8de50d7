"""The word aligner: every stage worked by hand, its symmetry, and its work on long input."""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.families.alignment import _completed, align
from samewise.features.sentences import Entity, PairBatch, Sentence
from samewise.features.word_alignment.aligner import STAGES, Aligner, link_pairs
from samewise.features.word_alignment.alignment_input import read
from samewise.features.word_alignment.coverage import links
from samewise.features.word_alignment.dependency_relations import GROUPS, LEGACY_GROUPS
from samewise.features.word_alignment.entity_names import acronym
from samewise.features.word_alignment.word_relatedness import PARAPHRASE


@cache
def plain_aligner():
    path = Path(__file__).parents[2] / "benchmarks" / "plain_aligner.py"
    spec = importlib.util.spec_from_file_location("plain_aligner", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STEM = Stemmer.Stemmer("english").stemWord


def parsed(text, *entities):
    """Make a sentence of tokens ``form/TAG/head/relation`` or ``form/lemma/TAG/head/relation``; heads count from 1."""
    rows = [token.split("/") for token in text.split()]
    rows = [row if len(row) == 5 else [row[0], row[0].lower(), *row[1:]] for row in rows]
    tokens, lemmas, tags, heads, relations = zip(*rows, strict=True)
    words = tuple(token.lower() for token in tokens)
    places = tuple(int(head) - 1 if head != "0" else place for place, head in enumerate(heads))
    stems = tuple(map(STEM, words))
    found = tuple(Entity(*entity) for entity in entities)
    return Sentence(" ".join(tokens), tokens, words, stems, False, lemmas, tags, places, relations, found)


def plain(text):
    """Make a sentence of the level ``tokens``."""
    tokens = tuple(text.split())
    words = tuple(token.lower() for token in tokens)
    return Sentence(text, tokens, words, tuple(map(STEM, words)))


def stages(a, b, **options):
    return {(link.i, link.j): link.stage for link in align(a, b, **options)}


def prepared(*pairs):
    """Return the batch of some pairs of sentences, distinct ones once, completed where they lack annotations."""
    rows = [tuple(map(_completed, pair)) for pair in pairs]
    distinct = list(dict.fromkeys(sentence for row in rows for sentence in row))
    sides = np.asarray([[distinct.index(sentence) for sentence in row] for row in rows], dtype=np.int64)
    return PairBatch(distinct, *sides.reshape(-1, 2).T)


def one_way(a, b):
    """Return the state of the alignment of one pair in one direction, nothing linked yet."""
    pair = prepared((a, b))
    return Aligner(read(pair), pair.left, pair.right)


def related(a, b):
    a, b = (plain(side) if isinstance(side, str) else side for side in (a, b))
    state = one_way(a, b)
    p, q = state.places(state.related)
    return dict(zip(zip(p.tolist(), q.tolist(), strict=True), state.value.tolist(), strict=True))


# ---- relatedness


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ("Car", "car", 1.0),
        ("U.S.", "US", 1.0),  # without . - ,
        ("co-operate", "cooperate", 1.0),
        ("connected", "connections", 1.0),  # the stem "connect"
        ("purchase", "buy", PARAPHRASE),
        ("buy", "purchase", PARAPHRASE),
        ("1999", "2001", 0.0),
        ("banana", "car", 0.0),
        (",", ".", 0.0),
        ("?", "?", 1.0),
    ],
)
def test_relatedness_of_two_words(a, b, value):
    assert related(a, b).get((0, 0), 0.0) == value


def test_a_function_word_is_no_paraphrase_of_a_content_word():
    # The table lists "both" and "conference" with "the".
    assert related("the", "conference") == {}
    assert related("the", "both") == {(0, 0): PARAPHRASE}


def test_two_numbers_are_never_paraphrases():
    two, couple = (parsed(f"{word}/CD/0/root") for word in ("two", "couple"))
    assert related(two, couple) == {}


def test_relatedness_is_the_greatest_over_form_and_lemma():
    assert related(parsed("went/go/VBD/0/root"), parsed("going/go/VBG/0/root")) == {(0, 0): 1.0}


# ---- stages


def test_stage_1_links_final_punctuation():
    assert stages(plain("rain ."), plain("sun !")) == {(1, 1): 1}
    assert stages(plain("rain ?"), plain("sun ?")) == {(1, 1): 1}
    assert stages(plain("rain ?"), plain("sun .")) == {}
    assert stages(plain('rain . "'), plain("sun .")) == {(1, 1): 1}


def test_stage_2_links_identical_runs_the_longest_first():
    found = stages(plain("the old bridge collapsed"), plain("collapsed the old bridge"))
    assert {at for at, stage in found.items() if stage == 2} == {(0, 1), (1, 2), (2, 3)}


def test_stage_2_leaves_runs_of_function_words_but_for_legacy():
    a, b = plain("some of the cats"), plain("two of the dogs")
    assert 2 not in stages(a, b).values()
    assert {at for at, stage in stages(a, b, legacy=True).items() if stage == 2} == {(1, 1), (2, 2)}


def test_stage_3_links_a_hyphenated_word_with_a_run():
    assert stages(plain("a well-known singer"), plain("this singer is well known")) == {(1, 3): 3, (1, 4): 3, (2, 1): 6}


def test_stage_4_links_names_and_left_over_words():
    full = parsed("Maria/NNP/2/compound Lopez/NNP/3/nsubj sang/sing/VBD/0/root", (0, 2, "PERSON"))
    short = parsed("Lopez/NNP/2/nsubj danced/dance/VBD/0/root", (0, 1, "PERSON"))
    assert stages(full, short) == {(1, 0): 4, (0, 0): 4}
    unlabelled = short._replace(entities=())
    assert stages(full, unlabelled) == {(1, 0): 6}  # nothing says that Lopez alone is a name


def test_stage_4_links_an_acronym_and_projects_labels():
    full = parsed("the/DT/3/det World/NNP/3/compound Bank/NNP/4/nsubj said/say/VBD/0/root", (1, 3, "ORG"))
    short = parsed("WB/NNP/2/nsubj says/say/VBZ/0/root")
    assert acronym(("World", "Bank")) == "WB"
    assert {at for at, stage in stages(full, short).items() if stage == 4} == {(1, 0), (2, 0)}


def test_stage_4_leaves_a_name_that_stands_twice():
    twice = parsed("Lima/NNP/2/nsubj is/be/VBZ/0/root Lima/NNP/2/xcomp", (0, 1, "GPE"), (2, 3, "GPE"))
    once = parsed("see/VB/0/root Lima/NNP/1/obj", (1, 2, "GPE"))
    assert 4 not in stages(twice, once).values()


def test_stage_5_prefers_the_pair_with_dependency_evidence():
    # Two dogs in the first sentence: the one that barks is the one that barks in the second.
    a = parsed("dogs/dog/NNS/2/nsubj sleep/VBP/0/root while/IN/5/mark dogs/dog/NNS/5/nsubj bark/VBP/2/advcl")
    b = parsed("barking/bark/VBG/0/root dogs/dog/NNS/1/nsubj")
    found = stages(a, b)
    assert found[4, 0] == 5  # the verbs, by their subjects
    assert found[3, 1] == 5
    assert (0, 1) not in found


def test_stage_5_links_paraphrases_under_equivalent_relations():
    # "purchased a car" and "car that was bought": obj and nsubj:pass are one group.
    a = parsed("He/PRP/2/nsubj purchased/purchase/VBD/0/root a/DT/4/det car/NN/2/obj")
    b = parsed("the/DT/2/det car/NN/4/nsubj:pass was/be/VBD/4/aux:pass bought/buy/VBN/0/root")
    assert stages(a, b)[1, 3] == 5
    # The reference code, for want of a comma, has the two relations in no group; words in a row save the nouns alone.
    assert stages(a, b, legacy=True)[1, 3] == 6


def test_stage_5_takes_linked_neighbours_for_evidence_but_for_legacy():
    a = parsed("Rome/NNP/2/nsubj grew/grow/VBD/0/root fast/RB/2/advmod", (0, 1, "GPE"))
    b = parsed("R./NNP/2/nsubj grows/grow/VBZ/0/root slowly/RB/2/advmod")
    aligned = {(0, 0)}
    assert not aligned & stages(a, b).keys()
    named = parsed("New/NNP/2/compound York/NNP/3/nsubj grew/grow/VBD/0/root", (0, 2, "GPE"))
    short = parsed("NY/NNP/2/nsubj grows/grow/VBZ/0/root", (0, 1, "GPE"))
    assert stages(named, short) == {(0, 0): 4, (1, 0): 4, (2, 1): 5}
    assert stages(named, short, legacy=True)[2, 1] == 6


def test_stage_6_prefers_equal_neighbourhoods():
    # Without a parse: "red ball" and "red hat"; the second "red" stands near "hat".
    a, b = plain("red ball near red tall hat"), plain("hat red")
    found = stages(a, b)
    assert found[5, 0] == 6
    assert (3, 1) in found
    assert (0, 1) not in found


def test_stage_7_links_a_left_over_hyphenated_word():
    assert stages(plain("a gold-plated ring"), plain("rings of gold")) == {(1, 2): 7, (2, 0): 6}


def test_stage_8_links_function_words_by_their_dependencies():
    a = parsed("the/DT/2/det cat/NN/3/nsubj sat/sit/VBD/0/root")
    b = parsed("there/EX/2/expl sat/sit/VBD/0/root the/DT/5/det big/JJ/5/amod cat/NN/2/nsubj")
    found = stages(a, b)
    assert found[0, 2] == 8


def test_stage_9_links_function_words_beside_linked_words():
    a, b = plain("cats of a kind"), plain("kinds of a stone")
    assert stages(a, b) == {(3, 0): 6}
    a, b = plain("cats sleep on an old mat"), plain("dogs rest on an older mat")
    found = stages(a, b)
    assert found[3, 3] == 9  # beside "old" and "older" ...
    assert found[2, 2] == 9  # ... and then beside "an"


def test_every_stage_has_a_name():
    assert len(STAGES) == 9


# ---- relations


def test_collapsed_relations_name_prepositions_and_conjunctions():
    sentence = parsed(
        "cups/cup/NNS/0/root of/IN/3/case tea/NN/1/nmod or/CC/5/cc milk/NN/3/conj on/IN/7/case Monday/NNP/1/obl:tmod"
    )
    around = read(prepared((sentence, sentence))).edges
    assert around.heads.tolist() == [-1, 2, 0, 4, 2, 6, 0]
    assert [around.names[relation] for relation in around.relation.tolist()] == [
        "root", "case", "prep:of", "cc", "conj:or", "case", "obl:tmod"
    ]  # fmt: skip
    plainly = read(prepared((sentence, sentence)), legacy=True).edges
    children = plainly.children.take(np.array([0])).values
    assert [plainly.names[relation] for relation in plainly.relation[children].tolist()] == ["nmod", "obl:tmod"]


def test_nominal_and_oblique_modifiers_with_one_preposition_are_one_relation():
    sentence = parsed("cups/NNS/2/nsubj fell/fall/VBD/0/root of/IN/4/case tea/NN/1/nmod of/IN/6/case age/NN/2/obl")
    relation = read(prepared((sentence, sentence))).edges.relation
    assert relation[3] == relation[5]


def test_relation_groups_are_those_intended_and_those_in_effect():
    noun, verb = GROUPS[0], GROUPS[1]
    assert noun.parents["compound"] & noun.parents["prep:of"]
    assert verb.children["obj"] & verb.children["nsubj:pass"]
    assert not verb.children["obj"] & verb.children["nsubj"]
    assert "obj" not in LEGACY_GROUPS[1].children
    assert "compound" not in LEGACY_GROUPS[0].parents


# ---- promises

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


@given(parses(), parses(), st.booleans())
def test_is_symmetric(a, b, legacy):
    there = align(a, b, legacy=legacy)
    back = align(b, a, legacy=legacy)
    assert sorted((link.j, link.i, link.stage, link.weight) for link in back) == [tuple(link) for link in there]


@given(parses())
def test_equal_sentences_align_word_by_word(a):
    assert {(place, place) for place, word in enumerate(a.words) if any(map(str.isalnum, word))} <= stages(a, a).keys()


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
    keys = Aligner.keys
    monkeypatch.setattr(Aligner, "keys", lambda self, cells: ordered.append(len(cells)) or keys(self, cells))
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
        monkeypatch.setattr("samewise.features.word_alignment.aligner._CELLS_AT_A_TIME", limit)
        found = zip(*(column.tolist() for column in links(prepared(*MIXED))), strict=True)
        assert list(found) == expected


def test_a_window_does_not_reach_into_other_pairs():
    # Words near the end of one pair and near the beginning of the next: each stands alone.
    pair = plain("dogs"), plain("dogs")
    found = links(prepared(pair, pair, pair))
    assert found.stage.tolist() == [1, 1, 1]
    aligner = one_way(plain("cat runs"), plain("runs the dog cat"))
    aligner.run()
    assert sorted(aligner.links.values()) == [6, 6]


def test_no_pairs_have_no_links():
    nothing = PairBatch([], np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    found = link_pairs(read(nothing), nothing.left, nothing.right)
    assert [len(column) for column in found] == [0] * 5


def test_refuses_what_is_no_text():
    with pytest.raises(TypeError, match="got int; pass a string"):
        align(3, "three")


# ---- parity with the aligner written for reading


@given(parses(), parses())
def test_equals_the_plain_aligner(a, b):
    aligner = one_way(a, b)
    aligner.run()
    _, i, j, stage = (column.tolist() for column in aligner.found())
    assert dict(zip(zip(i, j, strict=True), stage, strict=True)) == plain_aligner().PlainAligner(a, b).run()
