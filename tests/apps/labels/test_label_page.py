"""The page on which a person labels pairs: its words, its answers on disk, its errors by threshold."""

import csv
import re
import subprocess
import sys
from contextlib import contextmanager
from urllib.request import urlopen

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.apps.labels.pair_answers import AskedPair, PairAnswers, read_asked
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.tables.labelled_pairs import read_labelled_pairs
from samewise.ensemble.tables.table_reader import TableError

pytest.importorskip("fastapi")

from samewise.apps.labels.error_chart import error_chart  # noqa: E402
from samewise.apps.labels.label_page import LabelPages, label_app, marked_words, scale_of  # noqa: E402
from starlette.testclient import TestClient  # noqa: E402

PAIRS = [
    AskedPair("The lamp in Mill Street is out.", "The lamp in Mill Street flickers.", 3.4, 2.1, 4.5, "unsure"),
    AskedPair("A pothole in Station Street.", "A big hole in Station Street.", 3.1),
    AskedPair("Pay 30 euros.", "Pay 40 euros.", 4.4, 3.9, 4.9, "number"),
]


def pages(folder, pairs=PAIRS, name="answers.csv"):
    return LabelPages(pairs, PairAnswers(folder / name), scale_of(pairs), "reports")


def client(made):
    return TestClient(label_app(made, "127.0.0.1"), base_url="http://localhost", follow_redirects=False)


def answer(asking, pair, label, **headers):
    return asking.post("/answer", data={"pair": pair.key, "label": label}, headers=headers)


def marked(a, b):
    return [[part for part, differs in side if differs] for side in marked_words(a, b)]


def test_words_that_the_other_text_lacks_are_marked():
    assert marked("The old dog barks.", "the DOG barked twice.") == [["old", "barks"], ["barked", "twice"]]
    assert marked("A dog bit a man.", "A man bit a dog.") == [[], []]
    assert marked("the the the", "the") == [["the", "the"], []]
    assert marked("", "new") == [[], ["new"]]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS)
def test_marks_change_no_text_and_none_are_in_equal_texts(a, b):
    assert ["".join(part for part, _ in side) for side in marked_words(a, b)] == [a, b]
    assert marked(a, a) == [[], []]


def test_the_pairs_for_review_are_read_once_each(tmp_path):
    rows = [
        (1, 2, "a b", "a c", 3.5, 3, 4, "unsure"),
        (4, 9, "a b", "a c", 3.5, 3, 4, "unsure"),
        (2, 3, "d", "e", "", "", "", ""),
    ]
    with (tmp_path / "clean.review.csv").open("w", newline="") as file:
        names = ("row1", "row2", "sentence1", "sentence2", "score", "low", "high", "reason")
        csv.writer(file).writerows([names, *rows])
    found = read_asked(str(tmp_path / "clean.review.csv"))
    assert found == [AskedPair("a b", "a c", 3.5, 3.0, 4.0, "unsure"), AskedPair("d", "e")]


def test_each_answer_is_on_disk_before_the_next_pair_is_shown(tmp_path):
    asking = client(pages(tmp_path))
    assert "Pair 1 of 3" in asking.get("/").text
    done = answer(asking, PAIRS[0], "different")
    assert (done.status_code, done.headers["location"]) == (303, "./?pair=2")
    with (tmp_path / "answers.csv").open(newline="") as file:
        assert list(csv.reader(file))[1:] == [[*PAIRS[0][:2], "different", "3.4"]]
    # Skipped: the third is answered first, and the second comes back.
    assert answer(asking, PAIRS[2], "same").headers["location"] == "./?pair=2"
    assert answer(asking, PAIRS[1], "same").headers["location"] == "end"
    assert asking.get("/").headers["location"] == "end"
    read = read_labelled_pairs(tmp_path / "answers.csv", "sentence1,sentence2,label")
    assert dict(zip(read.pairs, read.labels.tolist(), strict=True)) == {
        PAIRS[0][:2]: 0.0, PAIRS[1][:2]: 1.0, PAIRS[2][:2]: 1.0,
    }  # fmt: skip


def test_an_answer_is_replaced_and_another_run_goes_on(tmp_path):
    asking = client(pages(tmp_path))
    answer(asking, PAIRS[1], "same")
    answer(asking, PAIRS[1], "different")
    again = pages(tmp_path)
    assert again.labels == [None, "different", None]
    assert "Your answer to this pair is <b>different</b>" in client(again).get("/?pair=2").text
    # Another table takes its own answers, and those of the first stay.
    other = AskedPair("x", "y")
    answer(client(pages(tmp_path, [other])), other, "same")
    assert pages(tmp_path).labels == [None, "different", None]


ANSWERS = st.dictionaries(st.tuples(TEXTS, TEXTS), st.sampled_from(["same", "different"]), min_size=1, max_size=3)


# Few examples, because each answer waits for the disk.
@settings(deadline=None, max_examples=8)
@given(ANSWERS, st.sampled_from(["csv", "jsonl"]))
def test_answers_come_back_as_they_were_given(tmp_path_factory, labels, ending):
    path = tmp_path_factory.mktemp("answers") / f"answers.{ending}"
    answers = PairAnswers(path)
    for pair, label in labels.items():
        answers.add(AskedPair(*pair), label)
    again = PairAnswers(path)
    assert {pair: again.label(AskedPair(*pair)) for pair in labels} == labels


def test_a_table_that_another_program_changed_is_not_replaced(tmp_path):
    asking = client(pages(tmp_path))
    answer(asking, PAIRS[0], "same")
    path = tmp_path / "answers.csv"
    path.write_text(path.read_text() + "a,b,same,\n")
    refused = answer(asking, PAIRS[1], "same")
    assert refused.status_code == 500
    assert "The answer was not saved" in refused.text and "got a changed file" in refused.text
    assert path.read_text().endswith("a,b,same,\n")


def test_a_table_of_other_columns_is_not_continued(tmp_path):
    (tmp_path / "answers.csv").write_text("sentence1,sentence2,label\na,b,same\n")
    with pytest.raises(TableError, match="must be a table of earlier answers"):
        pages(tmp_path)
    (tmp_path / "answers.csv").write_text("sentence1,sentence2,label,score\na,b,perhaps,\n")
    with pytest.raises(TableError, match="line 2 .* must be same or different, got 'perhaps'"):
        pages(tmp_path)


@pytest.mark.parametrize(
    ("data", "headers", "status"),
    [
        ({"pair": "0" * 24, "label": "same"}, {}, 422),
        ({"pair": PAIRS[0].key, "label": "maybe"}, {}, 422),
        ({"label": "same"}, {}, 422),
        ({"pair": PAIRS[0].key, "label": "same" * 400}, {}, 413),
        ({"pair": PAIRS[0].key, "label": "same"}, {"Sec-Fetch-Site": "cross-site"}, 403),
        ({"pair": PAIRS[0].key, "label": "same"}, {"Sec-Fetch-Site": "same-site"}, 403),
        ({"pair": PAIRS[0].key, "label": "same"}, {"Host": "evil.example"}, 400),
    ],
)
def test_requests_of_others_save_nothing(tmp_path, data, headers, status):
    found = client(pages(tmp_path)).post("/answer", data=data, headers=headers)
    assert found.status_code == status
    assert not (tmp_path / "answers.csv").exists()


def test_an_answer_is_given_by_post_alone(tmp_path):
    asking = client(pages(tmp_path))
    assert asking.get(f"/answer?pair={PAIRS[0].key}&label=same").status_code == 405
    for number in ("0", "4", "x", "-1", "9" * 40, "\u0661"):
        assert asking.get("/", params={"pair": number}).headers["location"] == "end"


def test_texts_stay_texts_and_only_the_own_script_runs(tmp_path):
    hostile = AskedPair("</p><script>alert(1)</script>", "<img src=x> \u0001", 2.0)
    found = client(pages(tmp_path, [hostile])).get("/")
    assert "alert(1)</script>" not in found.text and "<img" not in found.text
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', found.text)
    assert "script-src &#39;sha256-" in policy and "unsafe" not in policy and "form-action &#39;self&#39;" in policy
    assert found.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert (found.headers["cache-control"], found.headers["referrer-policy"]) == ("no-store", "no-referrer")


def test_the_end_names_the_command_and_the_best_threshold(tmp_path):
    asking = client(pages(tmp_path))
    assert "needs a pair that is the same and one that is different" in asking.get("/end").text
    for pair, label in zip(PAIRS, ("same", "different", "same"), strict=True):
        answer(asking, pair, label)
    html = asking.get("/end").text
    assert "3 of 3 pairs have an answer: 2 same, 1 different." in html
    assert "answers.csv --column sentence1,sentence2,label --cost 1:1 -o decided-model" in html
    best = float(re.search(r"from score ([\d.]+) on makes the fewest errors: 0 in 3 answers", html)[1])
    assert 3.1 < best <= 3.4
    bare = client(pages(tmp_path, [AskedPair("a", "b")], "bare.csv"))
    assert "no curve of errors" in bare.get("/end").text


def test_the_curve_counts_errors_by_threshold():
    scores, same = np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True])
    chart, summary = error_chart(scores, same, POINTS)
    assert summary.endswith("the fewest errors: 1 in 4 answers.")
    for threshold, called, errors, false, missed in (map(float, row) for row in chart.rows):
        says = scores >= threshold - 0.005
        assert (called, false, missed) == (says.sum(), (says & ~same).sum(), (~says & same).sum())
        assert errors == false + missed
    assert chart.svg.count('class="errors series') == 3


def test_the_scale_is_the_usual_one_where_scores_fit_it():
    assert scale_of([AskedPair("a", "b", 0.5)]) == POINTS
    assert scale_of([AskedPair("a", "b")]) == POINTS
    assert scale_of([AskedPair("a", "b", 73.0)]) == Scale(0, 100)
    assert scale_of([AskedPair("a", "b", 0.5)], "0..1") == Scale(0, 1)
    with pytest.raises(ValueError, match="must be from 0 to 1, got 3"):
        scale_of([AskedPair("a", "b", 3.0)], "0..1")


@contextmanager
def started(folder):
    words = [sys.executable, "-m", "samewise", "label", "page", "pairs.csv", "-o", "answers.csv", "--port", "0"]
    with subprocess.Popen(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process, process.stdout.readline().split()[0]
        finally:
            process.kill()


@pytest.mark.slow
def test_the_command_goes_on_after_it_was_killed(tmp_path):
    with (tmp_path / "pairs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "score"), *(pair[:3] for pair in PAIRS)])
    with started(tmp_path) as (process, address):
        body = f"pair={PAIRS[0].key}&label=same".encode()
        with urlopen(f"{address}/answer", data=body, timeout=60) as found:
            assert found.url == f"{address}/?pair=2"
        process.kill()
    with started(tmp_path) as (process, address):
        with urlopen(address, timeout=60) as found:
            assert "Pair 2 of 3. 1 pair has an answer." in found.read().decode()
        process.terminate()
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "1 of 3 pairs have an answer in answers.csv\nnext: samewise threshold answers.csv" in said
