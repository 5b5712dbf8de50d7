from samewise.ensemble.tables.free_names import free_names


def test_a_taken_name_is_prefixed_until_it_is_free():
    assert free_names(["score", "low"], ["a", "b"]) == ["score", "low"]
    assert free_names(["score", "low"], ["score", "Low"]) == ["samewise_score", "low"]
    assert free_names(["score"], ["samewise_score", "score"]) == ["samewise_samewise_score"]


def test_new_names_differ_from_each_other():
    assert free_names(["score", "samewise_score"], ["score"]) == ["samewise_score", "samewise_samewise_score"]


def test_folded_case():
    assert free_names(["score", "low"], ["SCORE"], fold=str.lower) == ["samewise_score", "low"]


def test_labels_that_are_no_strings():
    assert free_names(["score"], [1, None, ("score", "x"), "score"]) == ["samewise_score"]
