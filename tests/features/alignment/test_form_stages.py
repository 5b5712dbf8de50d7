"""Stages 1 to 4 and 7, worked by hand: final punctuation, runs, names and hyphenated words."""

from samewise.features.alignment.entity_names import acronym

from .made_sentences import parsed, plain, stages


def test_stage_1_links_final_punctuation():
    assert stages(plain("rain ."), plain("sun !")) == {(1, 1): 1}
    assert stages(plain("rain ?"), plain("sun ?")) == {(1, 1): 1}
    assert stages(plain("rain ?"), plain("sun .")) == {}
    assert stages(plain('rain . "'), plain("sun .")) == {(1, 1): 1}


def test_stage_2_links_identical_runs_the_longest_first():
    found = stages(plain("the old bridge collapsed"), plain("collapsed the old bridge"))
    assert {at for at, stage in found.items() if stage == 2} == {(0, 1), (1, 2), (2, 3)}


def test_stage_2_leaves_runs_of_function_words():
    a, b = plain("some of the cats"), plain("two of the dogs")
    assert 2 not in stages(a, b).values()


def test_stage_3_links_a_hyphenated_word_with_a_run():
    assert stages(plain("a well-known singer"), plain("this singer is well known")) == {(1, 3): 3, (1, 4): 3, (2, 1): 6}
    # The first word of a sentence, in either sentence of the pair; of two such words the parts stay apart.
    assert stages(plain("well-known singers came"), plain("he is well known")) == {(0, 2): 3, (0, 3): 3}
    assert stages(plain("he is well known"), plain("well-known singers came")) == {(2, 0): 3, (3, 0): 3}
    assert stages(plain("red-hot well-known"), plain("cold well known red hot")) == {
        (0, 3): 3, (0, 4): 3, (1, 1): 3, (1, 2): 3,
    }  # fmt: skip
    assert stages(plain("well-known-singer"), plain("a well known dog")) == {(0, 1): 7}


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


def test_stage_7_links_a_left_over_hyphenated_word():
    assert stages(plain("a gold-plated ring"), plain("rings of gold")) == {(1, 2): 7, (2, 0): 6}
