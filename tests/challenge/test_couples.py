"""The sentence triples are well formed and unlike each other, and the benchmark counts them in the right order."""

import gzip
import json
import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from samewise.features.analysis.analysis import normalise
from samewise.features.base.word_tables import stop_words
from samewise.features.linguistics.stems import stem_function

HERE = Path(__file__).resolve().parent
BENCHMARKS = HERE.parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import discrimination as bench  # noqa: E402

CLASSES = {
    *("antonym", "co_hyponym", "number", "unit", "name", "quantifier"),
    *("modality", "time_order", "intent", "condition", "negation", "roles"),
}
TEXTS = {"support", "clinical", "contract", "finance", "student", "caption", "news", "forum"}
SENTENCES = ("base", "kept", "changed")

ROWS = bench.read_rows()


def plain(text):
    """Return the text without capitals, runs of blanks and outer punctuation."""
    return normalise(text).casefold().strip(" .!?\"'")


def texts(rows=ROWS):
    return [row[column] for row in rows for column in SENTENCES]


def content(text):
    stem, stops = stem_function("en"), stop_words("nltk")
    return {stem(word) for word in re.findall(r"[\w']+", text.casefold()) if word not in stops}


def overlap(one, other):
    """The share of the content words of both that are in both, 0..1 (Jaccard)."""
    one, other = content(one), content(other)
    return len(one & other) / len(one | other)


def test_rows_are_plain():
    header, *lines = (HERE / "couples.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "class\ttext\thalf\tbase\tkept\tchanged"
    assert len(lines) == len(ROWS)
    assert all(line.count("\t") == 5 and '"' not in line for line in lines)
    for text in texts():
        assert text == normalise(text) and text[-1] in ".?!", text
        assert text[0].isupper() or text[0].isdigit(), text
        assert 4 <= len(text.split()) <= 30, text


def test_every_class_text_and_half_has_its_rows():
    assert {row["half"] for row in ROWS} == {"choose", "held"}
    of_class = Counter((row["class"], row["half"]) for row in ROWS)
    assert set(of_class) == set(product(CLASSES, ("choose", "held")))
    assert min(of_class.values()) >= 20
    assert all(of_class[name, "choose"] == of_class[name, "held"] for name in CLASSES)
    of_text = Counter((row["text"], row["half"]) for row in ROWS)
    assert set(of_text) == set(product(TEXTS, ("choose", "held")))
    assert len(set(of_text.values())) == 1
    of_cell = Counter((row["class"], row["text"], row["half"]) for row in ROWS)
    assert len(of_cell) == 2 * len(CLASSES) * len(TEXTS)
    assert {min(of_cell.values()), max(of_cell.values())} <= {2, 3}


def test_no_sentence_stands_twice():
    counts = Counter(map(plain, texts()))
    assert [text for text, count in counts.items() if count > 1] == []


def test_no_sentence_is_in_the_other_suite():
    others = (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    known = {plain(cell) for line in others for cell in line.split("\t")}
    assert known & set(map(plain, texts())) == set()


def cells(path):
    """Yield the cells of a table, or the sentences of a treebank."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            if not path.name.endswith(".conllu.gz"):
                yield from line.split("\t")
            elif line.startswith("# text = "):
                yield line.removeprefix("# text = ")


def beginning(text):
    """Return a key that sentences with the same `plain` text share; it is cheaper than `plain`."""
    return text.lstrip(" .!?\"'")[:3].casefold()


@pytest.mark.slow
def test_no_sentence_is_in_a_data_set(data):
    ours = set(map(plain, texts()))
    begins, longest = {text[:3] for text in ours}, max(map(len, ours))
    endings = (".csv", ".tsv", ".txt", ".tsv.gz", ".conllu.gz")
    seen, shared = 0, []
    for path in sorted(path for path in data.rglob("*") if path.name.endswith(endings)):
        for cell in cells(path):
            seen += 1
            if len(cell) < 2 * longest and beginning(cell) in begins and plain(cell) in ours:
                shared.append((path.name, cell))
    if not seen:
        pytest.skip(f"no data set is at {data}")
    assert seen > 10_000
    assert shared == []


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_words_point_the_wrong_way(name):
    """A scorer that counts shared words must lose on every class."""
    rows = [row for row in ROWS if row["class"] == name]
    kept = [overlap(row["base"], row["kept"]) for row in rows]
    changed = [overlap(row["base"], row["changed"]) for row in rows]
    assert median(changed) - median(kept) >= 0.3
    assert sum(one > other for one, other in zip(kept, changed, strict=True)) <= 0.1 * len(rows)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_the_halves_are_alike(name):
    """Neither half of a class has all the long rows."""
    lengths = [
        np.mean([len(row["base"].split()) for row in ROWS if (row["class"], row["half"]) == (name, half)])
        for half in bench.HALVES
    ]
    assert 0.75 <= lengths[0] / lengths[1] <= 1 / 0.75


def test_the_order_of_scores_worked_by_hand():
    rows = [{"class": name, "text": "news"} for name in ("unit", "unit", "unit", "roles")]
    # Right, wrong and a tie in `unit`, right in `roles`: kept first, then changed.
    scores = np.array([4.0, 2.0, 3.0, 5.0, 1.0, 4.0, 3.0, 2.0])
    table = bench.by_group(rows, scores, "class")
    assert list(table) == ["unit", "roles", "overall"]
    assert (table["unit"].n, table["roles"].n, table["overall"].n) == (3, 1, 4)
    assert table["unit"].right == pytest.approx(1 / 3)
    assert (table["unit"].kept, table["unit"].changed) == pytest.approx((3.0, 8 / 3))
    assert table["overall"].right == 0.5
    # Wilson's interval of 2 in 4, z = 1.959964: the centre is 1/2, half the width z sqrt(n / 4 + z^2 / 4) / (n + z^2).
    z = 1.959964
    half = z * np.sqrt(1 + z * z / 4) / (4 + z * z)
    assert (table["overall"].low, table["overall"].high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)
    assert list(bench.by_group(rows, scores, "text")) == ["news", "overall"]


def test_pairs_stand_in_the_order_of_their_scores():
    first, last = ROWS[0], ROWS[-1]
    pairs = bench.couples(ROWS)
    assert len(pairs) == 2 * len(ROWS)
    assert pairs[0] == (first["base"], first["kept"])
    assert pairs[len(ROWS)] == (first["base"], first["changed"])
    assert pairs[-1] == (last["base"], last["changed"])


def test_systems_stand_side_by_side():
    rows = [{"class": "unit"}, {"class": "roles"}]
    one = bench.by_group(rows, np.array([4.0, 3.0, 2.0, 1.0]), "class")
    other = bench.by_group(rows, np.array([1.0, 3.0, 2.0, 1.0]), "class")
    blocks = bench.render({"some/folder/one": one, "cosine": other}).split("\n\n")
    assert len(blocks) == 3
    _, heads, unit, _, overall = blocks[0].splitlines()
    assert [cell.strip() for cell in heads.split("|")[1:]] == ["one", "cosine"]
    assert [cell.split()[0] for cell in unit.split("|")] == ["unit", "1.00", "0.00"]
    assert [cell.split()[0] for cell in overall.split("|")] == ["overall", "1.00", "0.50"]
    assert [cell.strip() for cell in blocks[1].splitlines()[2].split("|")[1:]] == ["4.00", "1.00"]


@pytest.mark.slow
def test_the_command_scores_the_half_to_choose_by(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["discrimination.py", "--profile", "surface", "--json"])
    bench.main()
    found = json.loads(capsys.readouterr().out)
    assert found["half"] == "choose"
    assert set(found["systems"]) == {"surface", "cosine x 5"}
    assert found["suite"] == bench.digest([row for row in ROWS if row["half"] == "choose"])
    for table in found["systems"].values():
        assert set(table) == CLASSES | {"overall"}
        assert table["overall"]["n"] == sum(row["half"] == "choose" for row in ROWS)
        assert all(0 <= one["low"] <= one["right"] <= one["high"] <= 1 for one in table.values())


def test_the_command_refuses_another_half(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["discrimination.py", "--half", "both"])
    with pytest.raises(SystemExit) as stopped:
        bench.main()
    assert stopped.value.code == 2
    assert "invalid choice: 'both'" in capsys.readouterr().err
