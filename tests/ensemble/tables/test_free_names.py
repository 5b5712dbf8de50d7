from samewise.ensemble.tables.table_writer import free_names


def test_a_taken_name_is_prefixed_until_it_is_free():
    assert free_names(["score", "low"], ["a", "b"]) == ["score", "low"]
    assert free_names(["row", "score", "low"], ["score", "Low"]) == ["row", "samewise_score", "samewise_low"]
    assert free_names(["score"], ["samewise_score", "score"]) == ["samewise_samewise_score"]


def test_new_names_differ_from_each_other():
    assert free_names(["score", "samewise_score"], ["score"]) == ["samewise_score", "samewise_samewise_score"]


def test_folded_case():
    assert free_names(["score", "low"], ["SCORE"], fold=str.lower) == ["samewise_score", "samewise_low"]


def test_labels_that_are_no_strings():
    assert free_names(["score"], [1, None, ("score", "x"), "score"]) == ["samewise_score"]


def test_a_score_and_its_interval_are_prefixed_together():
    assert free_names(["score", "low", "high", "flags"], ["high"]) == [
        "samewise_score",
        "samewise_low",
        "samewise_high",
        "flags",
    ]
    # As often as the last of them needs.
    taken = ["low", "samewise_high"]
    assert free_names(["score", "low", "high"], taken) == [
        f"samewise_samewise_{name}" for name in ("score", "low", "high")
    ]
    assert free_names(["flags"], ["flags", "score"]) == ["samewise_flags"]
