"""Similarity by a built WordNet: values by hand on a tiny one, and a feature of a user's own file that reads it."""

import json
import math
import re

import numpy as np
import pytest
from samewise.ensemble.commands.cli import app
from samewise.features.catalogue import load_features
from samewise.features.lexicon.wordnet_builder import build_wordnet
from samewise.features.sentences import PairBatch
from samewise.features.word_similarity.built_wordnet_measure import BuiltWordNetMeasure, mean_best
from samewise.features.word_similarity.word_grids import terms
from typer.testing import CliRunner

from ...conftest import ROOT
from ..lexicon import tiny_wordnet
from ..sentences import sentence

PAGE = (ROOT / "docs" / "wordnet.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("database")
    for name, text in tiny_wordnet.database().items():
        (folder / name).write_bytes(text)
    return folder


@pytest.fixture(scope="module")
def built(database, tmp_path_factory):
    pytest.importorskip("nltk")
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


def alike(measure, one, other):
    pairs = batch(one, other)
    lemmas = terms(pairs).lemmas
    assert len(lemmas) == 2
    (value,) = measure(pairs, np.asarray([0]), np.asarray([1]))
    assert measure(pairs, np.asarray([1]), np.asarray([0])) == value
    return value


def test_values_by_hand(built):
    dog, cat, rex = "dogs/dog/NNS", "cat/cat/NN", "teacher/teacher/NN"
    # Dog, canine, animal, feline, cat: four steps.
    assert alike(BuiltWordNetMeasure(built, "path"), dog, cat) == 1 / 5
    shared, both = math.log(40 / 25), math.log(40 / 11.5) + math.log(40 / 5)
    lin = BuiltWordNetMeasure(built, "lin", information="ic-tiny")
    assert alike(lin, dog, cat) == pytest.approx(2 * shared / both)
    # The greatest content is that of heat, which is counted once; uncounted synsets do not matter.
    res = BuiltWordNetMeasure(built, "res", information="ic-tiny")
    assert alike(res, dog, cat) == pytest.approx(shared / math.log(40))
    assert 0 <= alike(res, dog, rex) <= 1
    assert alike(BuiltWordNetMeasure(built, "jcn", information="ic-tiny"), "dog/dog/NN", "pet/pet/NN") == 1


def test_words_that_are_not_compared(built):
    verbs = BuiltWordNetMeasure(built, "path", classes=(1,))
    assert alike(verbs, "dog/dog/NN", "cat/cat/NN") == 0
    assert alike(verbs, "run/run/VB", "walk/walk/VB") == 1 / 3
    path = BuiltWordNetMeasure(built, "path")
    assert alike(path, "dog/dog/NN", "run/run/VB") == 0
    assert alike(path, "xyzzy/xyzzy/NN", "dog/dog/NN") == 0
    assert alike(path, "xyzzies/xyzzy/NNS", "xyzzy/xyzzy/NN") == 1


def test_a_part_of_speech_that_is_not_counted_has_no_content(built):
    for name in ("res", "lin", "jcn"):
        measure = BuiltWordNetMeasure(built, name, information="ic-tiny")
        assert alike(measure, "hot/hot/JJ", "cold/cold/JJ") == 0


def test_the_mean_best_of_two_sentences(built):
    pairs = batch("dog/dog/NN runs/run/VBZ", "cat/cat/NN", "dog/dog/NN", "dog/dog/NN", "of/of/IN", "dog/dog/NN")
    # The dog has 1/5 by the cat and runs 0, the cat 1/5.
    expected = [(1 / 10 + 1 / 5) / 2, 1, 0]
    np.testing.assert_allclose(mean_best(pairs, BuiltWordNetMeasure(built, "path")), expected, rtol=1e-12)
    swapped = PairBatch(pairs.sentences, pairs.right, pairs.left)
    np.testing.assert_allclose(mean_best(swapped, BuiltWordNetMeasure(built, "path")), expected, rtol=1e-12)


def own_file(folder, database):
    """Write the feature of the page, with the digest of a WordNet that is built beside it."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    content = folder / "ic-brown-add1.dat"
    content.write_text(tiny_wordnet.content({key: count + 1 for key, count in tiny_wordnet.COUNTS.items()}))
    build = build_wordnet(folder / "my-wordnet", source=str(database), information_content=[str(content)])
    (folder / "lin.py").write_text(re.sub(r'digest="\w+"', f'digest="{build.wordnet.digest}"', code))
    return folder / "lin.py"


def test_a_feature_of_an_own_file_is_refused_with_other_arrays(database, tmp_path):
    pytest.importorskip("nltk")
    (value,) = load_features(own_file(tmp_path, database))
    expected = 2 * math.log(41 / 26) / (math.log(41 / 12.5) + math.log(41 / 6))
    assert value(batch("dog/dog/NN", "cat/cat/NN"))[0, 0] == pytest.approx(expected, rel=1e-6)
    (database.parent / "changed").mkdir(exist_ok=True)
    for name, text in tiny_wordnet.database().items():
        if name != "cntlist.rev":
            (database.parent / "changed" / name).write_bytes(text)
    build_wordnet(tmp_path / "my-wordnet", source=str(database.parent / "changed"))
    with pytest.raises(ValueError, match=r"got MappedError in .*lin.py: the WordNet in .* must have the digest"):
        load_features(tmp_path / "lin.py")


def test_a_model_trains_and_scores_with_a_feature_of_a_built_wordnet(database, tmp_path, monkeypatch):
    pytest.importorskip("nltk")
    own_file(tmp_path, database)
    rows = [f"A dog eats fish {i}.,{'A cat' if i % 2 else 'A teacher'} eats fish {i % 7}.,{i % 6}" for i in range(40)]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *rows]))

    monkeypatch.chdir(tmp_path)

    def run(*words):
        done = CliRunner().invoke(app, list(words))
        return done.exit_code, done.output

    status, shown = run("train", "pairs.csv", "--features", "length.*,lin.py", "--members", "gbm", "-o", "model")
    assert status == 0, shown
    score = ("score", "A dog sleeps.", "A cat sleeps.", "--model", "model", "--own", "lin.py", "--json")
    status, shown = run(*score)
    assert status == 0, shown
    assert 0 <= json.loads(shown)["score"] <= 5
    # The digest is part of the file, whose digest the model records.
    text = (tmp_path / "lin.py").read_text()
    (tmp_path / "lin.py").write_text(text.replace("digest=", "  digest=").replace('digest="', 'digest=None or "'))
    status, shown = run(*score)
    assert status == 1 and "the feature lin.similarity has changed since model was trained" in shown
