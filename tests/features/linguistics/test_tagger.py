import json
import random
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from samewise.features.analysis import tagger as module
from samewise.features.analysis.tagger import (
    CONTEXT,
    HERE,
    HIGHEST,
    PAD,
    STEP,
    WINDOW,
    Tagger,
    Weights,
    shipped_tagger,
    word_features,
)
from samewise.features.base.mapped_arrays import MappedError
from samewise.features.lexicon.wordnet import wordnet

WORDS = (
    "the A an old young three dogs dog boy girl man Woman people runs running eats ate was is n't not has been in on "
    "under with by from Berlin Maria Monday 2019 7 $ % , . ? ! ( ) `` '' guitar well-known soup quickly and or that "
    "😀 привет x\x00y frobnicated glorping İ ß -- ... e-mail"
).split(" ")


def weights():
    return Weights(**{path.stem: np.load(path) for path in HERE.glob("*.npy")})


def drawn(n, seed=0, longest=25):
    choose = random.Random(seed)
    return [choose.choices(WORDS, k=choose.randint(0, longest)) for _ in range(n)]


def test_tags_of_simple_sentences():
    sentences = ["A woman is slicing two onions .", "The balls were n't thrown by Anna 's brother", "Run !"]
    tags = shipped_tagger().tag([sentence.split() for sentence in sentences])
    assert tags[:7] == "DT NN VBZ VBG CD NNS .".split()
    assert tags[7:15] == "DT NNS VBD RB VBN IN NNP POS".split()
    assert tags[15:] == "NN VB .".split()


def test_context_decides():
    tagger = shipped_tagger()
    assert tagger.tag(["They can fish".split()])[1] == "MD"
    assert tagger.tag(["They opened a can".split()])[3] == "NN"
    assert tagger.tag(["The dog that barked sleeps".split()])[2] == "WDT"
    assert tagger.tag(["I know that dogs bark".split()])[2] == "IN"


def test_unknown_words_go_by_their_form():
    tags = shipped_tagger().tag(["The glorpings frobnicated quirkily in Zorbania".split()])
    assert tags == ["DT", "NNS", "VBD", "RB", "IN", "NNP"]


def scores(net, w, sentence):
    """One token at a time in Python's whole numbers, but for the two scales."""
    names = w.features.tobytes().decode().split("\n")
    row = {name: i for i, name in enumerate(names)}
    units, second_units = len(w.window_bias), len(w.context_bias)
    tokens = [PAD] * WINDOW + list(sentence) + [PAD] * WINDOW
    window = w.window.astype(int).reshape(-1, 2 * WINDOW + 1, units)
    vectors = [
        sum((w.embeddings[row[name]].astype(int) for name in found if name in row), np.zeros(window.shape[0], int))
        for found in word_features(tokens, net)
    ]
    limit = (32_767 - STEP) // (2 * WINDOW + 1)

    def place(t, k):
        sums = [sum(int(a) * int(b) for a, b in zip(vectors[t], window[:, k, u], strict=True)) for u in range(units)]
        if k == WINDOW:
            sums = [value + int(bias) for value, bias in zip(sums, w.window_bias, strict=True)]
        return [max(-limit, min(limit, round(value * float(w.scales[0])))) for value in sums]

    first = []
    for t in range(len(sentence)):
        parts = [place(t + k, k) for k in range(2 * WINDOW + 1)]
        first.append([max(0, min(HIGHEST, (sum(values) + STEP // 2) // STEP)) for values in zip(*parts, strict=True)])
    nothing = [0] * units
    around = [nothing] * CONTEXT + first + [nothing] * CONTEXT
    context = w.context.astype(int).reshape(units, 2 * CONTEXT + 1, second_units)
    result = []
    for t in range(len(sentence)):
        sums = w.context_bias.astype(int)
        for k in range(2 * CONTEXT + 1):
            sums = sums + np.array(around[t + k]) @ context[:, k]
        second = np.clip(np.rint(sums.astype(np.float32) * np.float32(w.scales[1])), 0, HIGHEST).astype(int)
        result.append(np.array(first[t] + second.tolist()) @ w.output.astype(int) + w.output_bias)
    return np.array(result)


def test_parity_with_whole_numbers_of_python():
    net, w = wordnet(), weights()
    names = w.tags.tobytes().decode().split("\n")
    for sentence in ("A Well-known guitar was n't".split(), ["Soup"], "привет frobnicated 7 %".split()):
        assert shipped_tagger().tag([sentence]) == [names[i] for i in scores(net, w, sentence).argmax(axis=1)]


def test_every_sum_is_exact():
    w = weights()
    for matrix, bias in ((w.context, w.context_bias), (w.output, w.output_bias)):
        width = len(bias)
        sizes = np.abs(matrix.astype(np.int64)).sum(axis=0).reshape(-1, width).sum(axis=0)
        assert (sizes * HIGHEST + np.abs(bias)).max() < 2**24
    most_features = 40
    assert np.abs(w.window.astype(np.int64)).sum(axis=0).max() * 127 * most_features < 2**53
    assert max(map(len, word_features(["-unbelievable-1ies", "X-" * 30], wordnet()))) < most_features
    assert (w.window_bias == np.rint(w.window_bias)).all()


def test_nothing_else_in_the_batch_matters(monkeypatch):
    sentences = drawn(80)
    together = shipped_tagger().tag(sentences)
    fresh = Tagger(weights(), wordnet())
    assert [tag for sentence in sentences for tag in fresh.tag([sentence])] == together
    assert len(together) == sum(map(len, sentences))
    backwards = Tagger(weights(), wordnet()).tag(sentences[::-1])
    assert [tag for sentence in sentences for tag in fresh.tag([sentence])] == together
    start = 0
    for sentence in sentences[::-1]:
        assert backwards[start : start + len(sentence)] == fresh.tag([sentence])
        start += len(sentence)
    monkeypatch.setattr(module, "_BLOCK_WORDS", 3)
    monkeypatch.setattr(module, "_BLOCK_TOKENS", 7)
    assert Tagger(weights(), wordnet()).tag(sentences) == together


def test_words_are_forgotten_when_there_are_too_many(monkeypatch):
    sentences = drawn(40, seed=1)
    expected = shipped_tagger().tag(sentences)
    monkeypatch.setattr(module, "MOST_WORDS", 10)
    tagger = Tagger(weights(), wordnet())
    found = []
    for sentence in sentences:
        found += tagger.tag([sentence])
        assert len(tagger._rows) <= 10 + 25
    assert found == expected


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr(module, "MOST_WORDS", 10)
    tagger = Tagger(weights(), wordnet())
    sentences = drawn(60, seed=2)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda sentence: tagger.tag([sentence]), sentences))
    assert [tag for tags in found for tag in tags] == tagger.tag(sentences)


def test_no_tokens_no_tags():
    assert shipped_tagger().tag([]) == []
    assert shipped_tagger().tag([[], []]) == []
    assert len(shipped_tagger().tag([[], ["Hello"], [], ["x" * 2_000, "İ" * 500], []])) == 3


def test_features_of_a_word():
    found = set(word_features(["Re-Opened2"], wordnet())[0])
    assert {"word", "w=re-opened2", "x=Xx-Xxxd", "s=2", "s=ened2", "p=r", "p=re-o", "hyphen", "h=ned2"} <= found
    assert {"digit", "capital", "n0=0"} <= found
    assert "s=a" not in word_features(["a"], wordnet())[0]
    # Noun 1, verb 2, adjective 4, adverb 8: `dog` is a noun and a verb.
    assert {"n0=0", "n1=3"} <= set(word_features(["dogs"], wordnet())[0])
    assert word_features([PAD], wordnet()) == [["pad"]]


def test_a_changed_file_is_refused(tmp_path, monkeypatch):
    copy = tmp_path / "tagger"
    shutil.copytree(HERE, copy)
    bias = np.load(copy / "output_bias.npy")
    np.save(copy / "output_bias.npy", bias + 1)
    monkeypatch.setattr(module, "HERE", copy)
    with pytest.raises(MappedError, match="output_bias.npy' is not the file"):
        shipped_tagger.__wrapped__()


def test_the_card_meets_its_thresholds():
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["scores"]["ewt_test"]["tags"] >= 93.5 and manifest["scores"]["gum_test"]["tags"] >= 94.5
    assert {"seed", "epochs", "command", "versions"} <= manifest.keys()
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    assert f"{manifest['scores']['ewt_test']['tags']:.1f}" in readme and "CC BY-SA" in readme
    files = list(HERE.iterdir())
    assert {path.name for path in files} == {*manifest["files"], "manifest.json", "README.md"}
    assert sum(path.stat().st_size for path in files) < 3_000_000
