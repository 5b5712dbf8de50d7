"""Relations of dependency trees and their groups, worked by hand."""

import numpy as np
from samewise.features.word_alignment.alignment_input import prepare
from samewise.features.word_alignment.dependency_relations import GROUPS, LEGACY_GROUPS

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
    plainly = prepare(batch_of((sentence, sentence)), legacy=True).edges
    children = plainly.children.take(np.array([0])).values
    assert [plainly.names[relation] for relation in plainly.relation[children].tolist()] == ["nmod", "obl:tmod"]


def test_nominal_and_oblique_modifiers_with_one_preposition_are_one_relation():
    sentence = parsed("cups/NNS/2/nsubj fell/fall/VBD/0/root of/IN/4/case tea/NN/1/nmod of/IN/6/case age/NN/2/obl")
    relation = prepare(batch_of((sentence, sentence))).edges.relation
    assert relation[3] == relation[5]


def test_relation_groups_are_those_intended_and_those_in_effect():
    noun, verb = GROUPS[0], GROUPS[1]
    assert noun.parents["compound"] & noun.parents["prep:of"]
    assert verb.children["obj"] & verb.children["nsubj:pass"]
    assert not verb.children["obj"] & verb.children["nsubj"]
    assert "obj" not in LEGACY_GROUPS[1].children
    assert "compound" not in LEGACY_GROUPS[0].parents
