"""Duplicates and matches by the user's own words, in memory, in files, with an index and in other processes."""

import csv
import json

import pyarrow as pa
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.loading import ModelRef
from samewise.ensemble.matching.candidates import find_candidates
from samewise.ensemble.matching.index import Index
from samewise.ensemble.matching.index_folder import MANIFEST, IndexFileError
from samewise.ensemble.matching.options import DedupeOptions, MatchOptions
from samewise.ensemble.matching.pipeline import Search, screening_source
from samewise.ensemble.matching.text_index import CandidateSettings
from samewise.ensemble.matching.texts import TextCollection
from samewise.ensemble.scoring.worker_processes import score_batches
from samewise.features.linguistics.glossary import Glossary
from typer.testing import CliRunner

import samewise

WORDS = [["COD", "cash on delivery"], ["Bob", "Robert"], ["PTO", "paid time off", "holiday"]]
TEXTS = [
    "Do you ship COD?",
    "Where is the lift?",
    "Do you ship cash on delivery?",
    "How much PTO do I have?",
    "How much paid time off do I have?",
    "Bob Miller repaired the lift.",
    "Robert Miller repaired the lift.",
    "Alice Miller repaired the lift.",
]
GROUPS = [0, 1, 0, 3, 3, 5, 5, 7]


@pytest.fixture(scope="module")
def own():
    return samewise.load("surface", glossary=WORDS)


def test_members_of_a_group_are_duplicates(own):
    assert samewise.dedupe(TEXTS, model="surface", workers=1).kept.tolist() == list(range(8))
    found = samewise.dedupe(TEXTS, model=own, workers=1, unsure_from=2)
    assert found.representatives.tolist() == GROUPS
    assert found.score.tolist() == [5.0] * 8
    # Names that differ keep texts apart, and are shown as they were written.
    [pair] = [row for row in found.review.to_pylist() if (row["row1"], row["row2"]) == (5, 7)]
    assert (pair["sentence1"], pair["differences"]) == (TEXTS[5], [{"kind": "name", "a": "Bob", "b": "Alice"}])


def test_views_find_what_shares_no_other_word(own):
    # One view at a time: each reads the rewritten texts.
    texts = TextCollection.of(["PTO", "paid time off", *(f"Nothing of {n}." for n in range(20))])
    pair = texts.rows[0][0], texts.rows[0][1]
    for view in ("words", "rare_words", "characters"):
        settings = CandidateSettings((view,), 3, 0.5)
        with_words = CandidateSettings((view,), 3, 0.5, glossary=own.glossary)
        none, some = (find_candidates(texts, each) for each in (settings, with_words))
        assert pair not in list(zip(none.first.tolist(), none.second.tolist(), strict=True))
        assert pair in list(zip(some.first.tolist(), some.second.tolist(), strict=True))


def test_matches_in_memory_and_of_an_index_are_the_same(own, tmp_path):
    asked = ["Do you ship COD?", "My holiday", "Bob"]
    expected = samewise.match(asked, TEXTS, model=own, workers=1, differences=True)
    assert expected.column("sentence2").to_pylist()[:2] == [TEXTS[0], TEXTS[2]]
    built = Index.build(TEXTS[:4], glossary=WORDS).appended(TEXTS[4:])
    built.save(tmp_path / "known")
    opened = Index.open(tmp_path / "known")
    assert opened.texts.glossary == own.glossary
    assert opened.signature == built.signature != Index.build(TEXTS).signature
    for index in (built, opened):
        found = samewise.match(asked, index, model=own, workers=1, differences=True)
        assert found.column("sentence2") == expected.column("sentence2")
        assert found.column("score") == expected.column("score")


def test_an_index_with_another_glossary_is_refused(own, tmp_path):
    for index, model in (
        (Index.build(TEXTS), own),
        (Index.build(TEXTS, glossary=WORDS), "surface"),
        (Index.build(TEXTS, glossary=WORDS[:2]), own),
    ):
        with pytest.raises(IndexFileError, match="the glossary must be that of the index, .*; build the index again"):
            samewise.match(["Bob"], index, model=model, workers=1)


def test_a_malformed_glossary_of_an_index_is_refused(tmp_path):
    Index.build(TEXTS, glossary=WORDS).save(tmp_path)
    facts = json.loads((tmp_path / MANIFEST).read_text())
    for groups in (str(tmp_path / MANIFEST), [["COD"]], 7):
        (tmp_path / MANIFEST).write_text(json.dumps({**facts, "glossary": groups}))
        with pytest.raises(IndexFileError, match="must describe an index, got other content"):
            Index.open(tmp_path)


def test_a_screening_model_reads_the_same_words(own):
    model = samewise.load("surface", glossary=WORDS)
    assert screening_source("fast", model) == ModelRef("fast", glossary=WORDS)
    assert screening_source("fast", samewise.load("surface")) == ModelRef("fast")


def test_a_run_with_another_glossary_is_not_the_same_run(own):
    facts = [
        Search(model, MatchOptions(), workers=1).facts()
        for model in ("surface", own, ModelRef("surface", glossary=WORDS), ModelRef("surface", glossary=WORDS[:2]))
    ]
    assert facts[1] == facts[2]
    assert len({json.dumps(each, default=str) for each in facts}) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("other_processes")
def test_two_processes_give_the_scores_of_one(own):
    pairs = [(TEXTS[i], TEXTS[j]) for i in range(8) for j in range(8)] * 20
    batch = pa.record_batch({"a": [a for a, _ in pairs], "b": [b for _, b in pairs]})
    for model in (own, own.with_statement({"note": "without a reference"})):
        [found] = score_batches([batch], "a", "b", model, workers=2)
        assert found.column("score").to_pylist() == own.predict(pairs).tolist()
    for workers in (1, 2):
        found = samewise.dedupe(TEXTS, model=own, workers=workers)
        assert found.representatives.tolist() == GROUPS


def run(*words):
    done = CliRunner().invoke(app, list(map(str, words)))
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.slow
def test_whole_runs_of_the_commands(tmp_path):
    words, table, asked = tmp_path / "words.txt", tmp_path / "t.csv", tmp_path / "a.csv"
    words.write_text("\n".join(", ".join(group) for group in WORDS))
    table.write_text("\n".join(["text", *TEXTS]))
    asked.write_text("text\nIs COD possible?\n")
    one = ("--model", "surface", "--workers", "1")
    code, out, err = run("dedupe", table, "-o", tmp_path / "clean.csv", *one, "--glossary", words, "--json")
    assert code == 0, err
    assert (json.loads(out)["kept"], json.loads(out)["removed"]) == (5, 3)
    assert "|glossary:3-" in json.loads(out)["signature"]
    with open(tmp_path / "clean.csv", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == [TEXTS[row] for row in (0, 1, 3, 5, 7)]
    code, _, err = run("index", table, "-o", tmp_path / "known", *one, "--glossary", words)
    assert code == 0, err
    code, _, err = run("match", asked, tmp_path / "known", "-o", tmp_path / "m.csv", *one)
    assert (code, err.count("\n")) == (1, 1)
    assert "the glossary must be that of the index" in err
    code, _, err = run("match", asked, tmp_path / "known", "-o", tmp_path / "m.csv", *one, "--glossary", words)
    assert code == 0, err
    code, _, err = run("index", table, "-o", tmp_path / "known", *one, "--append")
    assert code == 1
    assert "the glossary must be that of the index" in err


def test_options_give_the_glossary_of_the_model_to_the_search(own):
    assert DedupeOptions().settings(own).glossary == Glossary.of(WORDS)
    assert DedupeOptions().settings(samewise.load("surface")).glossary is None
