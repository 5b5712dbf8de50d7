"""Features on a user-supplied WordNet: values by hand on a tiny one, and models that are trained with one."""

import json
import math
import re

import numpy as np
import pytest
from samewise.ensemble.commands.cli import app
from samewise.features.analysis.analysis import analyse
from samewise.features.analysis.annotator import load_annotator
from samewise.features.base.sentences import PairBatch
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.pipeline.catalogue import all_features, resolve
from samewise.features.pipeline.extraction import Extraction
from samewise.features.pipeline.matrix import extract
from samewise.features.pipeline.user_supplied import UserWordNet
from samewise.features.word_similarity.lexical_similarity import WordNetMeasure
from samewise.features.word_similarity.word_grids import terms
from samewise.research.wordnet.wordnet_builder import build_wordnet, write_wordnet
from typer.testing import CliRunner

from ...features.lexicon import tiny_wordnet
from ...features.sentences import sentence


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("database")
    for name, text in tiny_wordnet.database().items():
        (folder / name).write_bytes(text)
    return folder


@pytest.fixture(scope="module")
def built(database, tmp_path_factory):
    path = tmp_path_factory.mktemp("content") / "ic-tiny.dat"
    path.write_text(tiny_wordnet.content())
    target = tmp_path_factory.mktemp("net")
    return build_wordnet(target, source=str(database), information_content=[str(path)]).wordnet


def batch(*texts):
    sides = [
        sentence(*(" ".join(part) for part in zip(*(word.split("/") for word in text.split()), strict=True)))
        for text in texts
    ]
    places = np.arange(len(sides))
    return PairBatch([side for side in sides], places[::2], places[1::2])


def alike(net, measure, one, other):
    pairs = batch(one, other).with_tables({"wordnet": net})
    lemmas = terms(pairs).lemmas
    assert len(lemmas) == 2
    (value,) = measure(pairs, np.asarray([0]), np.asarray([1]))
    assert measure(pairs, np.asarray([1]), np.asarray([0])) == value
    return value


def test_values_by_hand(built):
    dog, cat, rex = "dogs/dog/NNS", "cat/cat/NN", "teacher/teacher/NN"
    # Dog, canine, animal, feline, cat: four steps.
    assert alike(built, WordNetMeasure("path"), dog, cat) == 1 / 5
    shared, both = math.log(40 / 25), math.log(40 / 11.5) + math.log(40 / 5)
    lin = WordNetMeasure("lin", information="ic-tiny")
    assert alike(built, lin, dog, cat) == pytest.approx(2 * shared / both)
    # The greatest content is that of heat, which is counted once; uncounted synsets do not matter.
    res = WordNetMeasure("res", information="ic-tiny")
    assert alike(built, res, dog, cat) == pytest.approx(shared / math.log(40))
    assert 0 <= alike(built, res, dog, rex) <= 1
    assert alike(built, WordNetMeasure("jcn", information="ic-tiny"), "dog/dog/NN", "pet/pet/NN") == 1


def test_words_that_are_not_compared(built):
    verbs = WordNetMeasure("path", classes=(1,))
    assert alike(built, verbs, "dog/dog/NN", "cat/cat/NN") == 0
    assert alike(built, verbs, "run/run/VB", "walk/walk/VB") == 1 / 3
    path = WordNetMeasure("path")
    assert alike(built, path, "dog/dog/NN", "run/run/VB") == 0
    assert alike(built, path, "xyzzy/xyzzy/NN", "dog/dog/NN") == 0
    assert alike(built, path, "xyzzies/xyzzy/NNS", "xyzzy/xyzzy/NN") == 1


def test_a_part_of_speech_that_is_not_counted_has_no_content(built):
    for name in ("res", "lin", "jcn"):
        measure = WordNetMeasure(name, information="ic-tiny")
        assert alike(built, measure, "hot/hot/JJ", "cold/cold/JJ") == 0


PAIRS = [
    ("The big dog chased a small cat through the garden.", "A large hound ran after a little kitten in the yard."),
    ("The physician bought a new car.", "A doctor purchased an automobile."),
    ("Prices rose sharply last year.", "Costs fell quickly in the previous year."),
    ("She is happy with the gift.", "The present made her glad."),
    ("The child is asleep on the sofa.", "A kid sleeps on the couch."),
    ("He repairs broken bicycles.", "He fixes damaged bikes."),
    ("The student answered the hard question.", "The teacher asked an easy question."),
    ("Two women are cooking meat.", "Two men are frying fish."),
]
READERS = [value for value in all_features() if "wordnet" in value.tables]


@pytest.fixture(scope="module")
def matrices(built, tmp_path_factory):
    """Return the values of every feature that reads WordNet: with the shipped one, with its copy and with another."""
    folders = {"shipped": None, "copy": tmp_path_factory.mktemp("copy"), "other": tmp_path_factory.mktemp("other")}
    shipped = wordnet()
    names = shipped.names(np.arange(len(shipped.kinds)))
    write_wordnet(folders["copy"], shipped.arrays, names, {})
    # With other hashes, no word is found.
    other = {**shipped.arrays, "word_hashes": shipped.arrays["word_hashes"] // 3}
    write_wordnet(folders["other"], other, names, {})
    made = {}
    for name, folder in folders.items():
        extraction, batch = Extraction.fit(PAIRS, READERS, wordnet=folder)
        made[name] = extraction.matrix(batch)
    return made


@pytest.mark.slow
def test_equal_arrays_give_equal_values(matrices):
    np.testing.assert_array_equal(matrices["copy"].values, matrices["shipped"].values)


@pytest.mark.parametrize("family", sorted({value.family for value in READERS}))
def test_every_family_that_declares_wordnet_reads_the_supplied_one(family, matrices):
    chosen = [place for place, column in enumerate(matrices["shipped"].columns) if column.startswith(f"{family}.")]
    changed = matrices["other"].values[:, chosen] != matrices["shipped"].values[:, chosen]
    assert changed.any()


def test_kept_values_belong_to_one_wordnet(built, tmp_path):
    values = resolve("wordnet_overlap.path")[0]
    batch = analyse([("A dog sleeps.", "A pet sleeps.")], "lexical", load_annotator())
    own = {UserWordNet.name: UserWordNet(built)}
    plain, kept, again = (extract(batch, values, passed, cache=tmp_path).values for passed in ({}, own, {}))
    np.testing.assert_array_equal(kept, extract(batch, values, own).values)
    np.testing.assert_array_equal(plain, again)
    assert plain != kept


def run(*words):
    done = CliRunner().invoke(app, list(map(str, words)))
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_model_is_trained_and_scores_with_it(built, database, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert build_wordnet("mine", source=str(database)).wordnet.digest != built.digest
    rows = [f"A dog eats fish {i}.,{'A pet' if i % 2 else 'A teacher'} eats fish {i % 7}.,{i % 6}" for i in range(40)]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *rows]))
    common = ("pairs.csv", "--features", "wordnet_overlap", "--members", "gbm")
    status, shown = run("train", *common, "--wordnet", "mine", "-o", "model")
    assert status == 0, shown
    assert run("train", *common, "-o", "plain")[0] == 0

    def score(*options):
        return run("score", "A dog sleeps.", "A pet sleeps.", "--json", *options)

    # It is found where it was; where it has moved, its place is named.
    status, shown = score("--model", "model")
    assert status == 0, shown
    expected = json.loads(shown)["score"]
    status, shown = run("info", "model")
    assert status == 0 and re.search(r"^WordNet +mine [0-9a-f]{16} at .*/mine$", shown, re.MULTILINE)
    (tmp_path / "mine").rename(tmp_path / "moved")
    status, shown = score("--model", "model")
    assert status == 1 and "needs the WordNet 'mine', not found at" in shown and "--wordnet" in shown
    assert json.loads(score("--model", "model", "--wordnet", "moved")[1])["score"] == expected
    # Another one is refused, and one for a model that reads the shipped one.
    build_wordnet("other", source=str(database), language="eng")
    (database / "cntlist.rev").rename(tmp_path / "cntlist.rev")
    build_wordnet("other", source=str(database))
    status, shown = score("--model", "model", "--wordnet", "other")
    assert status == 1 and "must have the digest" in shown
    status, shown = score("--model", "plain", "--wordnet", "moved")
    assert status == 1 and "reads no user-supplied WordNet; leave 'moved' out" in shown
    status, shown = run("train", "pairs.csv", "--features", "length", "--wordnet", "moved", "-o", "none")
    assert status == 1 and "no feature reads the WordNet 'moved'; add wordnet_overlap to the features" in shown


def test_features_are_extracted_with_it_for_any_model(database, tmp_path):
    build_wordnet(tmp_path / "mine", source=str(database))
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2\nA dog sleeps.,A pet sleeps.\n")
    values = []
    for options in ((), ("--wordnet", tmp_path / "mine")):
        target = tmp_path / "out.csv"
        status, shown = run(
            *("features", "extract", tmp_path / "pairs.csv", "--features", "wordnet_overlap.path"),
            *("--model", "fast", "-o", target, *options),
        )
        assert status == 0, shown
        values.append(target.read_text())
    assert values[0] != values[1]
