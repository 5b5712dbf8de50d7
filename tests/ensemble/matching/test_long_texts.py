"""Long texts by parts: what is covered on both sides, by hand, and never removed."""

import csv
import json

import numpy as np
import pytest
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.matching import long_texts
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.long_texts import compare_parts, parts_of
from samewise.ensemble.matching.pair_scores import ScoredPairs
from samewise.ensemble.matching.texts import TextCollection, TextRows, text_views
from samewise.features.analysis.analysis import MAX_CHARACTERS

import samewise

# 4, 6, 8 and 10 characters: the parts count by these.
A, B, C, D = "Hay.", "Moss x", "Heather.", "Heather x."
OF_PAIRS = {frozenset((C, D)): 4.0}


def scored(candidates):
    texts = candidates.texts.texts
    pairs = zip(candidates.first.tolist(), candidates.second.tolist(), strict=True)
    score = np.array([OF_PAIRS.get(frozenset((texts[one], texts[other])), 1.0) for one, other in pairs])
    return ScoredPairs(
        candidates, score, score - 1, score + 0.5, score * 0 + 0.2, np.zeros(len(score), np.int32), [()], 0
    )


def compared(texts, score=5.0, lowest=3.0, flags=("long", "truncated")):
    collection = TextCollection.of(texts)
    ends = sorted(collection.rows[0].tolist())
    candidates = Candidates(collection, np.array(ends[:1]), np.array(ends[1:]), {})
    one = np.array([score])
    scores = ScoredPairs(candidates, one, one, one, one * 0, np.zeros(1, np.int32), [flags], 0)
    return compare_parts(scores, TextRows(texts), lowest, POINTS, text_views()["characters"], scored)


def test_each_side_by_hand():
    one, other = f"{A}\n{B}\n{C}", f"{A}\n{B}\n{D}"
    found = compared([one, other])
    # 10 of 18 characters are equal, 8 have 4 points; on the other side 10 of 20, and 10.
    assert found.score[0] == pytest.approx(((10 * 5 + 8 * 4) / 18 + (10 * 5 + 10 * 4) / 20) / 2)
    assert found.low[0] == pytest.approx(((10 * 5 + 8 * 3) / 18 + (10 * 5 + 10 * 3) / 20) / 2)
    assert found.deviation[0] == pytest.approx((8 * 0.2 / 18 + 10 * 0.2 / 20) / 2)
    assert sorted(map(tuple, found.parts[0])) == [((D, C, 4.0),), ((C, D, 4.0),)]
    assert compared([other, one]).score.tolist() == found.score.tolist()


def test_a_text_within_a_longer_one_is_not_the_same():
    found = compared([f"{A}\n{B}", f"{A}\n{B}\n{C}\n{D}"])
    # All of the first is in the second, of whose 28 characters 18 are no part of the first, with a score of 1 or none.
    assert (5 + (10 * 5 + 18 * 0) / 28) / 2 <= found.score[0] <= (5 + (10 * 5 + 18 * 1) / 28) / 2
    assert [part.text for part in found.parts[0][1]] == [C, D]


def test_order_and_repeats_of_equal_parts_do_not_matter():
    assert compared([f"{A}\n{B}\n{A}", f"{B}\n{A.upper()}"]).score.tolist() == [5.0]


def test_what_is_not_compared_by_parts():
    texts = [f"{A}\n{C}", f"{A}\n{D}"]
    assert compared(texts, score=2.9).score.tolist() == [2.9]
    assert compared(texts, flags=("long",)).score.tolist() == [5.0]


def test_the_cost_of_a_pair_is_bounded(monkeypatch):
    monkeypatch.setattr(long_texts, "MOST_PARTS", 1)
    asked = []

    def counted(candidates):
        asked.append(len(candidates.first))
        return scored(candidates)

    texts = ["\n".join(f"{name} {k}" for k in range(9)) for name in ("fern", "larch")]
    collection = TextCollection.of(texts)
    one = np.array([4.0])
    candidates = Candidates(collection, np.array([0]), np.array([1]), {})
    scores = ScoredPairs(candidates, one, one, one, one * 0, np.zeros(1, np.int32), [("truncated",)], 0)
    found = compare_parts(scores, TextRows(texts), 3.0, POINTS, text_views()["characters"], counted)
    assert sum(asked) <= 2 * long_texts.PARTNERS
    assert [part.partner for part in found.parts[0][0]][1:] == [""] * 8  # not read, and so not covered


def test_sentences_lines_and_long_lines():
    text = "Pay Dr. smith now. Or leave! 数量は二。三です\n\n- no refunds\n" + "word " * 500
    parts = parts_of(text)
    assert parts[:5] == ["Pay Dr. smith now.", "Or leave!", "数量は二。", "三です", "- no refunds"]
    assert max(map(len, parts)) <= MAX_CHARACTERS
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert parts_of("x" * 5_000) == ["x" * 2_000, "x" * 2_000, "x" * 1_000]


RULES = [
    f"{who} must {what} the {thing} before the end of {month}."
    for who, what in (("The guest", "clean"), ("The owner", "repair"), ("The agent", "inspect"))
    for thing in ("terrace", "boiler", "cellar", "garage")
    for month in ("March", "June", "October")
]


def rows():
    contract = " ".join(RULES)
    assert len(contract) > MAX_CHARACTERS - 100
    contract += " The keys stay with the porter at night."
    return [
        f"{contract} The guest may keep a dog.",
        f"{contract} The guest may not keep a dog.",
        f"{contract.upper()}  The guest may keep a dog",
        "The terrace has a view of the sea.",
    ]


def test_two_contracts_with_opposite_last_clauses(tmp_path):
    with (tmp_path / "in.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text"], *([row] for row in rows())])
    summary = dedupe_file(tmp_path / "in.csv", tmp_path / "out.csv", model="fast", workers=1)
    assert (summary.kept, summary.removed, summary.equal, summary.review) == (3, 1, 1, {"long": 1})
    with (tmp_path / "out.review.csv").open(encoding="utf-8", newline="") as file:
        [pair] = csv.DictReader(file)
    assert (pair["row1"], pair["row2"], pair["reason"]) == ("1", "2", "long")
    assert json.loads(pair["differences"]) == [
        {"kind": "missing", "a": "The guest may keep a dog.", "b": ""},
        {"kind": "added", "a": "", "b": "The guest may not keep a dog."},
    ]
    assert 4.5 < float(pair["score"]) < 5.0


def test_parts_are_named_from_the_first_row_to_the_second_and_at_any_threshold():
    texts = rows()[:2]
    for order in (texts, texts[::-1]):
        found = samewise.dedupe(order, model="fast", workers=1)
        assert found.kept.tolist() == [0, 1]
        [pair] = found.rethreshold(3.5).review.to_pylist()
        assert [one["a"] or one["b"] for one in pair["differences"]] == [text.split("night. ")[1] for text in order]
