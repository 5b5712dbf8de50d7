"""Relations of dependency trees and their groups, worked by hand."""

import numpy as np
from samewise.features.alignment.alignment_input import prepare
from samewise.features.alignment.dependency_relations import GROUPS

from .made_sentences import batch_of, parsed


def test_collapsed_relations_name_prepositions_and_conjunctions():
    sentence = parsed(
        "cups/cup/NNS/0/root of/IN/3/case tea/NN/1/nmod or/CC/5/cc milk/NN/3/conj on/IN/7/case Monday/NNP/1/obl:tmod"
    )
    around = prepare(batch_of((sentence, sentence))).edges
    assert around.heads.tolist() == [-1, 2, 0, 4, 2, 6, 0]
    assert [around.names[relation] for relation in around.relation.tolist()] == [
        "root", "case", "prep:of", "cc", "conj:or", "case", "obl:tmod"
    ]  # fmt: skip


def test_nominal_and_oblique_modifiers_with_one_preposition_are_one_relation():
    sentence = parsed("cups/NNS/2/nsubj fell/fall/VBD/0/root of/IN/4/case tea/NN/1/nmod of/IN/6/case age/NN/2/obl")
    relation = prepare(batch_of((sentence, sentence))).edges.relation
    assert relation[3] == relation[5]


def test_relation_groups_are_those_intended():
    noun, verb = GROUPS[0], GROUPS[1]
    assert noun.parents["compound"] & noun.parents["prep:of"]
    assert verb.children["obj"] & verb.children["nsubj:pass"]
    assert not verb.children["obj"] & verb.children["nsubj"]


def related_names(masks, names):
    """Return the pairs of names that share a bit."""
    return {(x, y) for x in names for y in names if masks.get(x, 0) & masks.get(y, 0)}


def within(groups):
    return {(x, y) for group in groups for x in group.split() for y in group.split()}


# Equivalent relations of Sultan et al. (2014, table 1), in the names of Universal Dependencies.
MODIFIER = "nmod:poss compound prep:of prep:in prep:at prep:for"
SUBJECT, PATIENT = "obl:agent nsubj nsubj:xsubj", "ccomp obj nsubj:pass acl"
TIME, RECEIVER = "obl:tmod prep:in prep:at prep:on", "iobj prep:to"
CLAUSE, PURPOSE, ATTRIBUTE = "acl acl:relcl", "advcl xcomp", "amod acl:relcl"
AND_OR_NOR = [("conj:and", "conj:and"), ("conj:or", "conj:or"), ("conj:nor", "conj:nor")]

PARENTS = ([MODIFIER, SUBJECT, PATIENT, TIME, RECEIVER], [CLAUSE, PURPOSE], [ATTRIBUTE], [])
CHILDREN = ([MODIFIER, CLAUSE, ATTRIBUTE], [SUBJECT, PATIENT, TIME, RECEIVER, PURPOSE], [], [])
CROSSED = (
    [("nsubj", ATTRIBUTE), (PATIENT, CLAUSE), *AND_OR_NOR],
    [("cop csubj", "xcomp"), ("csubj", "csubj:pass"), *AND_OR_NOR],
    [(ATTRIBUTE, "nsubj"), ("xcomp", "cop csubj"), *AND_OR_NOR],
    AND_OR_NOR,
)


def test_equivalent_relations_of_each_word_class():
    names = {name for group in (MODIFIER, SUBJECT, PATIENT, TIME, RECEIVER, CLAUSE, PURPOSE) for name in group.split()}
    names |= {*ATTRIBUTE.split(), "cop", "csubj", "csubj:pass", "conj:and", "conj:or", "conj:nor", "conj:but", "det"}
    assert len(GROUPS) == 4
    for kind, groups in enumerate(GROUPS):
        assert related_names(groups.parents, names) == within(PARENTS[kind])
        assert related_names(groups.children, names) == within(CHILDREN[kind])
        crossed = {(x, y) for x in names for y in names if groups.upward.get(x, 0) & groups.downward.get(y, 0)}
        expected = {(x, y) for up, down in CROSSED[kind] for x in up.split() for y in down.split()}
        assert crossed == expected


def test_names_of_collapsed_relations():
    # Each token hangs from the first, whose own relation is nsubj:outer; "of" marks the nominal modifier only.
    kinds = (
        "nmod obl obl:tmod nmod:tmod obl:unmarked nmod:unmarked obl:npmod nmod:npmod conj nsubj:outer amod case punct"
    ).split()
    expected = (
        "prep prep obl:tmod obl:tmod obl:tmod obl:tmod obl:tmod obl:tmod conj:and nsubj amod case punct"
    ).split()
    sentence = parsed("go/VB/0/root " + " ".join(f"w{k}/NN/1/{kind}" for k, kind in enumerate(kinds)))
    around = prepare(batch_of((sentence, sentence))).edges
    assert [around.names[relation] for relation in around.relation.tolist()] == ["root", *expected]
    assert around.heads.tolist() == [-1, *[0] * (len(kinds) - 1), -1]  # no edge to punctuation
    assert around.children.take(np.array([0])).values.tolist() == list(range(1, len(kinds)))


def test_the_first_marker_names_the_relation():
    sentence = parsed(
        "cups/NNS/0/root out/IN/4/case of/IN/4/case tea/NN/1/nmod or/CC/6/cc milk/NN/4/conj big/JJ/4/amod"
    )
    around = prepare(batch_of((sentence, sentence))).edges
    names = [around.names[relation] for relation in around.relation.tolist()]
    assert names == ["root", "case", "case", "prep:out", "cc", "conj:or", "amod"]
