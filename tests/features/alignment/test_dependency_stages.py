"""Stages 5 and 8, worked by hand: content words and function words by their dependencies."""

from .made_sentences import parsed, stages


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


def test_stage_5_takes_linked_neighbours_for_evidence():
    a = parsed("Rome/NNP/2/nsubj grew/grow/VBD/0/root fast/RB/2/advmod", (0, 1, "GPE"))
    b = parsed("R./NNP/2/nsubj grows/grow/VBZ/0/root slowly/RB/2/advmod")
    aligned = {(0, 0)}
    assert not aligned & stages(a, b).keys()
    named = parsed("New/NNP/2/compound York/NNP/3/nsubj grew/grow/VBD/0/root", (0, 2, "GPE"))
    short = parsed("NY/NNP/2/nsubj grows/grow/VBZ/0/root", (0, 1, "GPE"))
    assert stages(named, short) == {(0, 0): 4, (1, 0): 4, (2, 1): 5}


def test_stage_8_links_function_words_by_their_dependencies():
    a = parsed("the/DT/2/det cat/NN/3/nsubj sat/sit/VBD/0/root")
    b = parsed("there/EX/2/expl sat/sit/VBD/0/root the/DT/5/det big/JJ/5/amod cat/NN/2/nsubj")
    found = stages(a, b)
    assert found[0, 2] == 8
