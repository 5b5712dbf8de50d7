import pytest
from samewise.features.analysis.clearnlp_dependencies import is_clearnlp, to_universal


def converted(*rows):
    """Rows of (lemma, tag, head, relation); returns {lemma: (lemma of the head, relation)}."""
    lemmas, tags, heads, relations = zip(*rows, strict=True)
    heads, relations = to_universal(lemmas, tags, heads, relations)
    return {lemma: (lemmas[head], relation) for lemma, head, relation in zip(lemmas, heads, relations, strict=True)}


def test_prepositions_become_case():
    # The cook put soup of peas on tables
    found = converted(
        ("the", "DT", 1, "det"),
        ("cook", "NN", 2, "nsubj"),
        ("put", "VBD", 2, "ROOT"),
        ("soup", "NN", 2, "dobj"),
        ("of", "IN", 3, "prep"),
        ("pea", "NNS", 4, "pobj"),
        ("on", "IN", 2, "prep"),
        ("table", "NNS", 6, "pobj"),
    )
    assert found == {
        "the": ("cook", "det"),
        "cook": ("put", "nsubj"),
        "put": ("put", "root"),
        "soup": ("put", "obj"),
        "of": ("pea", "case"),
        "pea": ("soup", "nmod"),
        "on": ("table", "case"),
        "table": ("put", "obl"),
    }


def test_passive_with_an_agent():
    # Bread was not eaten by her brother
    found = converted(
        ("bread", "NN", 3, "nsubjpass"),
        ("be", "VBD", 3, "auxpass"),
        ("not", "RB", 3, "neg"),
        ("eat", "VBN", 3, "ROOT"),
        ("by", "IN", 3, "agent"),
        ("her", "PRP$", 6, "poss"),
        ("brother", "NN", 4, "pobj"),
    )
    assert found["bread"] == ("eat", "nsubj:pass")
    assert found["be"] == ("eat", "aux:pass")
    assert found["not"] == ("eat", "advmod")
    assert found["brother"] == ("eat", "obl:agent")
    assert found["by"] == ("brother", "case")
    assert found["her"] == ("brother", "nmod:poss")


def test_copula_hangs_from_its_complement():
    # He thinks that soup is good in winter
    found = converted(
        ("he", "PRP", 1, "nsubj"),
        ("think", "VBZ", 1, "ROOT"),
        ("that", "IN", 4, "mark"),
        ("soup", "NN", 4, "nsubj"),
        ("be", "VBZ", 1, "ccomp"),
        ("good", "JJ", 4, "acomp"),
        ("in", "IN", 4, "prep"),
        ("winter", "NN", 6, "pobj"),
    )
    assert found["good"] == ("think", "ccomp")
    assert found["be"] == ("good", "cop")
    assert found["soup"] == ("good", "nsubj")
    assert found["winter"] == ("good", "obl")


def test_copula_at_the_root():
    # She is a pilot
    found = converted(
        ("she", "PRP", 1, "nsubj"), ("be", "VBZ", 1, "ROOT"), ("a", "DT", 3, "det"), ("pilot", "NN", 1, "attr")
    )
    assert found == {
        "she": ("pilot", "nsubj"),
        "be": ("pilot", "cop"),
        "a": ("pilot", "det"),
        "pilot": ("pilot", "root"),
    }


def test_prepositions_inside_prepositions_and_clauses_under_them():
    # They ran out of sheds after eating
    found = converted(
        ("they", "PRP", 1, "nsubj"),
        ("run", "VBD", 1, "ROOT"),
        ("out", "IN", 1, "prep"),
        ("of", "IN", 2, "prep"),
        ("shed", "NNS", 3, "pobj"),
        ("after", "IN", 1, "prep"),
        ("eat", "VBG", 5, "pcomp"),
    )
    assert found["shed"] == ("run", "obl")
    assert found["of"] == ("shed", "case")
    assert found["out"] == ("shed", "case")
    assert found["eat"] == ("run", "advcl")
    assert found["after"] == ("eat", "mark")


@pytest.mark.parametrize(
    ("clearnlp", "universal"),
    [
        ("relcl", "acl:relcl"),
        ("prt", "compound:prt"),
        ("csubjpass", "csubj:pass"),
        ("oprd", "xcomp"),
        ("acomp", "xcomp"),
        ("dative", "iobj"),
        ("npadvmod", "obl:unmarked"),
        ("prep", "advmod"),
        ("amod", "amod"),
    ],
)
def test_labels(clearnlp, universal):
    assert to_universal(["see", "x"], ["VB", "NN"], [0, 0], ["ROOT", clearnlp]) == ([0, 0], ["root", universal])


def test_which_labels_are_clearnlp():
    assert is_clearnlp(["ROOT", "dobj", "pobj"])
    assert not is_clearnlp(["ROOT", "obj", "obl", "nsubj:pass", "case"])
