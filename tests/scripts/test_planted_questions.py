"""Planted questions: the truth that comes with them is what their texts say."""

import csv
import re
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest

from ..conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
from planted_noise import with_noise  # noqa: E402
from planted_questions import VALUES, planted_questions, read_intents  # noqa: E402

COUNT = 5_000
INTENTS = read_intents()
PHRASINGS = [phrasing for intent in INTENTS for phrasing in intent.phrasings]
NEGATIVE = re.compile(r"n't\b|\b(not|no|against|avoid)\b")


@pytest.fixture(scope="module")
def questions():
    return planted_questions(COUNT, seed=3)


@pytest.fixture(scope="module")
def members(questions):
    rows = defaultdict(list)
    for row, group in enumerate(questions.groups.tolist()):
        rows[group].append(row)
    return rows


def pattern(phrasing, polarity):
    """A regular expression for the fillings of a phrasing in its positive (1) or negated (2) version."""
    chosen = re.sub(r"\[([^|]*)\|([^\]]*)\]", rf"\{polarity}", phrasing)
    parts = re.split(r"(?:\ba )?{(\w+)}", chosen)
    expression, met = "", set()
    for text, slot in zip(parts[::2], [*parts[1::2], None], strict=True):
        expression += re.escape(text)
        if slot:
            expression += "(?:an? )?" + (f"(?P={slot})" if slot in met else f"(?P<{slot}>.+?)")
            met.add(slot)
    return re.compile(expression)


PATTERNS = [
    (number, polarity, pattern(phrasing, polarity))
    for number, intent in enumerate(INTENTS)
    for phrasing in intent.phrasings
    for polarity in ((1, 2) if "[" in phrasing else (1,))
]


def readings(text):
    """Intent, polarity and slot values of a text without noise, once for each way of reading it."""
    for number, polarity, expression in PATTERNS:
        match = expression.fullmatch(text)
        if match and all(value in VALUES[slot.rstrip("2")] for slot, value in match.groupdict().items()):
            yield number, polarity, tuple(sorted(match.groupdict().items()))


def words_that_differ(first, second):
    """What is left of two texts between the words that they begin with and those that they end with."""
    a, b = first.split(), second.split()
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return " ".join(a), " ".join(b)


@pytest.mark.parametrize("count", [1, 2, 17, 1_000])
def test_there_are_as_many_distinct_questions_as_asked_for(count):
    questions = planted_questions(count)
    assert len(set(questions.texts)) == len(questions.texts) == len(questions.groups) == count


def test_groups_are_numbered_from_zero_without_gaps(questions):
    assert set(questions.groups.tolist()) == set(range(questions.groups.max() + 1))


def test_a_seed_gives_the_same_questions_and_another_gives_others(questions):
    again = planted_questions(COUNT, seed=3)
    assert again.texts == questions.texts and again.near_copies == questions.near_copies
    np.testing.assert_array_equal(again.groups, questions.groups)
    assert len(set(planted_questions(COUNT, seed=4).texts) & set(questions.texts)) < COUNT / 10


def test_rows_are_shuffled(questions, members):
    apart = [abs(a - b) for rows in members.values() for a, b in combinations(rows, 2)]
    assert np.mean(apart) > COUNT / 5


def test_no_slot_or_choice_is_left_open(questions):
    assert not [text for text in questions.texts if re.search(r"[{}\[\]|]", text)]


def test_about_three_rows_in_ten_have_a_duplicate(questions, members):
    sizes = np.array([len(members[group]) for group in questions.groups.tolist()])
    assert 0.25 < (sizes > 1).mean() < 0.33
    assert sizes.max() <= 5


def test_about_a_tenth_of_the_groups_has_a_near_copy_of_some_kind(questions, members):
    assert 0.07 < len(questions.near_copies) / len(members) < 0.12
    kinds = Counter(kind for _, _, kind in questions.near_copies)
    assert kinds.keys() == {"number", "name", "negation"}
    assert min(kinds.values()) > 0.1 * len(questions.near_copies)


def test_near_copies_are_in_different_groups_and_differ_in_one_place_of_their_kind(questions):
    for a, b, kind in questions.near_copies:
        first, second = questions.texts[a], questions.texts[b]
        assert questions.groups[a] != questions.groups[b]
        changed = words_that_differ(first, second)
        if kind == "number":
            assert all(re.search(r"\d", part) or part in VALUES["month"] for part in changed), (first, second)
        elif kind == "name":
            assert not set(changed) & set(map(str, range(100))), (first, second)
        else:
            assert bool(NEGATIVE.search(first)) or bool(NEGATIVE.search(second)), (first, second)
            assert len(" ".join(changed).split()) <= 5, (first, second)


def test_near_copies_share_the_intent_and_all_values_but_one(questions):
    checked = 0
    for a, b, kind in questions.near_copies[:60]:
        first, second = list(readings(questions.texts[a])), list(readings(questions.texts[b]))
        if len(first) == len(second) == 1:  # the others have noise
            (intent, polarity, slots), (other, other_polarity, other_slots) = first[0], second[0]
            assert intent == other
            changed = sum(x != y for x, y in zip(slots, other_slots, strict=True)) + (polarity != other_polarity)
            assert changed == 1 and (polarity != other_polarity) == (kind == "negation")
            checked += 1
    assert checked > 20


def test_members_of_a_group_share_the_intent_and_the_slot_values(questions, members):
    checked = 0
    for rows in [rows for rows in members.values() if len(rows) > 1][:80]:
        found = [tuple(readings(questions.texts[row])) for row in rows]
        without_noise = [read for read in found if read]
        assert len(set(without_noise)) <= 1, [questions.texts[row] for row in rows]
        checked += len(without_noise) > 1
    assert checked > 20


def test_intents_are_many_and_have_four_phrasings_with_the_same_slots():
    assert len(INTENTS) >= 120
    for intent in INTENTS:
        assert len(set(intent.phrasings)) >= 4
        assert len({tuple(sorted(re.findall(r"{\w+}", phrasing))) for phrasing in intent.phrasings}) == 1, intent
        assert len({"[" in phrasing for phrasing in intent.phrasings}) == 1, intent
    assert len(set(PHRASINGS)) == len(PHRASINGS)
    assert sum(intent.capacity for intent in INTENTS) > 100_000_000


def test_phrasings_of_an_intent_differ_in_more_than_a_word():
    for intent in INTENTS:
        for first, second in combinations(intent.phrasings, 2):
            a, b = (set(re.findall(r"\w+", re.sub(r"[{\[].*?[}\]]", "", text.lower()))) for text in (first, second))
            assert len(a ^ b) >= 3, (first, second)


def test_values_of_a_slot_are_distinct_and_all_are_used():
    used = {slot.rstrip("2") for phrasing in PHRASINGS for slot in re.findall(r"{(\w+)}", phrasing)}
    assert used == VALUES.keys()
    for slot, values in VALUES.items():
        assert len({value.casefold() for value in values}) == len(values), slot


def test_an_article_fits_the_value_after_it(questions):
    wrong = re.compile(r"\b(a (Arch|Ubuntu|Excel|Onwave|80|18|11|8|[aeio])|an (Ukr|Utr|Berlin|Python|12|100))\b")
    assert not [text for text in questions.texts if wrong.search(text)]


@pytest.mark.parametrize("phrasing", PHRASINGS[::40])
def test_noise_leaves_slots_and_negations_alone(phrasing):
    rng = np.random.default_rng(0)
    kept = re.findall(r"{\w+}|\[.*?\]", phrasing)
    noisy = [with_noise(phrasing, rng) for _ in range(40)]
    assert all(re.findall(r"{\w+}|\[.*?\]", text) == kept for text in noisy)
    assert len(set(noisy)) > 5


@pytest.mark.parametrize("count", [0, -3])
def test_a_count_below_one_is_refused(count):
    with pytest.raises(ValueError, match=f"count must be at least 1, got {count}; ask for"):
        planted_questions(count)


def test_the_script_writes_two_tables(tmp_path):
    path = tmp_path / "questions.csv"
    command = [sys.executable, str(BENCHMARKS / "planted_questions.py"), str(path), "--count", "300", "--seed", "3"]
    subprocess.run(command, check=True, capture_output=True)
    expected = planted_questions(300, seed=3)
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["id", "question", "group"]
    assert [(int(row), text, int(group)) for row, text, group in rows] == list(
        zip(range(300), expected.texts, expected.groups.tolist(), strict=True)
    )
    with (tmp_path / "questions_near_copies.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["id1", "id2", "kind"]
    assert [(int(a), int(b), kind) for a, b, kind in rows] == expected.near_copies
