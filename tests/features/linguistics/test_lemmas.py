from samewise.features.analysis.lemmas import LemmaRules


def test_lemma_rules():
    rules = LemmaRules(
        listed={"VBD": {"went": "go"}},
        endings={"VBD": {"ed": (1, ""), "ied": (3, "y"), "ped": (3, ""), "mped": (2, "")}, "NNS": {"s": (1, "")}},
        known={"VB": ["help", "bike", "stop"]},
    )
    assert rules("went", "VBD") == "go"  # listed
    assert rules("tried", "VBD") == "try"  # the longest ending
    assert rules("stopped", "VBD") == "stop"
    assert rules("biked", "VBD") == "bike"
    assert rules("camped", "VBD") == "camp"
    assert rules("tables", "NNS") == "table"
    assert rules("is", "NNS") == "is"  # nothing shorter than two letters
    assert rules("red", "JJ") == "red"  # no rule
    assert LemmaRules({}, {"VBD": {"ed": (1, ""), "lked": (2, "k")}}, {"VB": ["balke"]})("balked", "VBD") == "balke"
