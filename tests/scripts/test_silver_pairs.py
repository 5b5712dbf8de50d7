"""Silver scores of translated sentences: clauses that are left out, evenness over the scale, and the files."""

import gzip
import random
import sys

import numpy as np
import pytest

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)


@pytest.fixture
def silver(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)
    import silver_pairs

    yield silver_pairs
    for name in set(sys.modules) - before:
        if not name.startswith(("samewise", "numpy")) and "." not in name:
            sys.modules.pop(name)


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("When it rains, we stay at home, and read.", 0, "we stay at home, and read."),
        ("When it rains, we stay at home, and read.", 1, "When it rains, and read."),
        ("When it rains, we stay at home, and read.", 2, "When it rains, we stay at home"),
        ("عندما تمطر، نبقى في البيت.", 1, "عندما تمطر"),
        ("It costs 3,500 euros: too much.", 0, "too much."),
    ],
)
def test_a_clause_is_left_out(silver, text, number, expected):
    assert silver.without_clause(text, number) == expected


def test_numbers_and_times_are_no_clauses(silver):
    assert silver.clauses("At 10:30 it cost 3,500 euros.") == ["At 10:30 it cost 3,500 euros."]


def test_scores_are_even_over_the_scale(silver):
    pairs = [silver.Silver(k, k + 1, -1, 0.1) for k in range(100)]
    pairs += [silver.Silver(k, k + 1, -1, 0.5 * step + 0.6) for step in range(9) for k in range(5)]
    kept = silver.even(pairs, 0)
    low = sum(pair.score < 0.5 for pair in kept)
    assert low == 5
    assert len(kept) == 50
    assert kept == silver.even(pairs, 0)


def test_the_second_text_is_the_translation_without_its_clause(silver):
    german = ["Wenn es regnet, bleiben wir zu Hause.", "Es regnet."]
    assert silver.Silver(1, 0, -1, 2.0).second(german) == german[0]
    assert silver.Silver(0, 0, 0, 3.0).second(german) == "bleiben wir zu Hause."


def test_what_encoders_learn_from_is_never_what_regressors_learn_from(silver):
    names = [f"Sentence number {k} is here." for k in range(400)]
    assert all(silver.kept_back("pud", name) for name in names)
    share = sum(silver.kept_back("ntrex", name) for name in names) / len(names)
    assert 0.3 < share < 0.5
    arabic, turkish = ([silver.kept_back(name, text) for text in names] for name in ("tatoeba", "tatoeba-tr"))
    assert arabic == turkish
    assert 0.05 < sum(arabic) / len(names) < 0.3


@pytest.mark.parametrize("neighbours", [1, 2, 5])
def test_a_sentence_stands_beside_so_many_neighbours_the_nearest_among_them(silver, monkeypatch, neighbours):
    # Sentence k lies at the angle k / 60, so that those before and after it are nearest.
    class Circle:
        def vectors(self, texts):
            angles = np.asarray([int(text) / 60 for text in texts])
            return np.column_stack([np.cos(angles), np.sin(angles)])

    monkeypatch.setattr(silver, "shipped_encoder", Circle)
    sentences = {"en": [str(number) for number in range(60)]}
    found = list(silver.candidates(sentences, range(60), neighbours, random.Random(0)))
    assert len(found) == 60 * neighbours
    assert {abs(left - right) for left, right, _ in found[::neighbours]} == {1}
    assert len({(left, right) for left, right, _ in found}) == len(found)
    assert all(left != right and dropped == -1 for left, right, dropped in found)


def test_tatoeba_is_read_in_turkish_without_very_short_sentences(silver, tmp_path):
    (tmp_path / "parallel").mkdir()
    rows = "The red kite is high.\tK\u0131rm\u0131z\u0131 u\u00e7urtma y\u00fcksekte.\nIt flies.\tU\u00e7uyor.\n"
    (tmp_path / "parallel" / "eng-tur.tsv.gz").write_bytes(gzip.compress(rows.encode("utf-8")))
    expected = {"en": ["The red kite is high."], "tr": ["Kırmızı uçurtma yüksekte."]}
    assert silver.read_set(tmp_path, "tatoeba-tr") == expected


def test_translations_stand_beside_each_other_and_none_is_kept_back(silver, data):
    from multilingual_lessons import translated_pairs
    from parallel_text import read_parallel, text_kept_back

    pairs = translated_pairs(data, 50, 0)
    assert len(pairs) == 4 * 50
    assert {pair.score for pair in pairs} == {5.0}
    assert pairs == translated_pairs(data, 50, 0)
    english = {pair.english for pair in read_parallel(data / "parallel" / "eng-tur.tsv.gz", "tatoeba")}
    texts = {text for pair in pairs for text in pair[:2]} & english
    assert len(texts) > 40
    assert not any(map(text_kept_back, texts))


def test_a_file_is_read_as_it_was_written(silver, tmp_path):
    path = tmp_path / "pud.tsv"
    path.write_text("left\tright\tdropped\tscore\n1\t2\t-1\t3.250\n4\t4\t0\t4.125\n", encoding="utf-8")
    assert silver.read_silver(path) == [silver.Silver(1, 2, -1, 3.25), silver.Silver(4, 4, 0, 4.125)]


def test_an_unknown_set_is_named(silver, tmp_path):
    with pytest.raises(KeyError, match="the set must be one of ntrex, pud, tatoeba"):
        silver.read_set(tmp_path, "news")


def test_sentences_of_the_benchmark_are_those_that_encoders_learn_from(silver, data):
    from parallel_text import kept_back, scored

    sentences = silver.read_set(data, "benchmark")
    assert len(sentences["en"]) == len(set(sentences["en"])) > 5_000
    assert len(sentences["en"]) == len(sentences["es"]) == len(sentences["tr"])
    rows = scored(data, "en", "train")
    kept = kept_back([row.english for row in rows])
    seen = {silver.normalise(text) for row, back in zip(rows, kept, strict=True) if back for text in row.english}
    assert seen.isdisjoint(sentences["en"])
    assert not any(silver.kept_back("benchmark", text) for text in sentences["en"])
