"""The family `shared_space` on sentences of several languages; the English encoder stands for those of the others."""

from types import SimpleNamespace

import numpy as np
import onnx
import pytest
from samewise.features import resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.base.caches import SentenceCache
from samewise.features.encoders import multilingual as spaces
from samewise.features.encoders.network_checks import Declared, Value
from samewise.features.encoders.onnx_transformer import Network
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.families import shared_space
from samewise.features.lexicon.language_frequencies import LanguageFrequencies
from samewise.features.linguistics.languages import SUPPORTED, Languages
from samewise.features.pipeline.matrix import extract
from samewise.features.pipeline.registry import Resources

PAIRS = [
    ("El perro Milo corre 3 km.", "The dog Milo runs 3 km."),
    ("Hotel Central", "El hotel central"),
    ("¿Dónde está Ankara?", "Ankara nerede?"),
    ("Köpek koşuyor.", "الكلب يجري."),
    ("الكلب يجري.", "The dog Milo runs 3 km."),
    ("The dog runs.", "The cat sleeps."),
    ("", "The cat sleeps."),
    ("...", "!"),
    ("", ""),
]
SIDES = ["es-en", "es-es", "es-tr", "tr-ar", "ar-en", "en-en", "en-en", "en-en", "en-en"]


def counting_cross_encoder():
    """A network that gives a fifth of the number of pieces of the second text, with the one at its end."""
    helper, whole = onnx.helper, onnx.TensorProto.INT64
    inputs = [
        helper.make_tensor_value_info("word_embeddings", onnx.TensorProto.FLOAT, ["n", "length", 384]),
        helper.make_tensor_value_info("token_type_ids", whole, ["n", "length"]),
    ]
    numbers = {"axis": np.asarray([1]), "five": np.float32(5)}
    constants = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
    nodes = [
        helper.make_node("Cast", ["token_type_ids"], ["kinds"], to=onnx.TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["kinds", "axis"], ["sum"], keepdims=0),
        helper.make_node("Div", ["sum", "five"], ["output"]),
    ]
    output = helper.make_tensor_value_info("output", onnx.TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "by hand", inputs, [output], constants)
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString()
    declared = Declared({"word_embeddings": Value("float32", 3, 384), "token_type_ids": Value("int64", 2)}, "output")
    return SimpleNamespace(network=Network(data, "by hand", declared))


def replace_networks(patch):
    patch.setattr(spaces, "multilingual_encoder", shipped_encoder)
    patch.setattr(spaces, "multilingual_cross_encoder", counting_cross_encoder)


@pytest.fixture(autouse=True)
def one_encoder(monkeypatch):
    replace_networks(monkeypatch)


@pytest.fixture(scope="module")
def resources():
    with pytest.MonkeyPatch.context() as patch:
        replace_networks(patch)
        sentences = [s for batch in map(batch_of, range(6)) for s in batch.sentences]
        return Resources.fit(["language_frequencies", "space_means"], sentences)


def batch_of(row, turned=False):
    pair, sides = PAIRS[row], SIDES[row]
    if turned:
        pair, sides = pair[::-1], "-".join(sides.split("-")[::-1])
    return analyse([pair], languages=Languages.parse(sides))


def mixed():
    return analyse(PAIRS[:6], languages=Languages())


def matrix(batch, resources):
    features, columns = resolve("multilingual")
    return extract(batch, features, resources, columns=columns)


def values(name, row, resources=None):
    family, _, column = name.partition(".")
    feature = next(f for f in resolve("multilingual")[0] if f.name == family)
    return feature(batch_of(row), **(resources or {}))[0][feature.names.index(column)]


@pytest.mark.slow
def test_turning_a_pair_round_changes_no_bit(resources):
    for row in range(len(PAIRS)):
        there, back = matrix(batch_of(row), resources), matrix(batch_of(row, turned=True), resources)
        assert there.values.tobytes() == back.values.tobytes(), PAIRS[row]
        assert np.isfinite(there.values).all()


@pytest.mark.slow
def test_a_row_does_not_depend_on_its_batch_nor_on_what_is_remembered(resources):
    batch, cache = mixed(), SentenceCache()
    every = matrix(batch, resources).values
    for row in range(6):
        alone = matrix(batch[row : row + 1], resources).values
        assert alone.tobytes() == every[row : row + 1].tobytes()
    for _ in range(2):
        again = analyse(PAIRS[:6], languages=Languages(), sentence_cache=cache)
        assert matrix(again, resources).values.tobytes() == every.tobytes()
    assert cache.known > 0


def test_values_are_in_their_ranges(resources):
    for value in resolve("multilingual")[0]:
        for row in range(len(PAIRS)):
            found = value(batch_of(row), **resources)
            assert (found >= value.low).all() and (found <= value.high).all(), (value.full_name, PAIRS[row])


def test_numbers_marks_and_languages():
    assert [values(f"number.{name}", 0) for name in ("f1", "differ", "missing")] == [1.0, 0.0, 0.0]
    assert values("number.f1", 4) == 0.0
    assert values("number.missing", 4) == 1.0
    assert [values("mark.question", row) for row in (0, 2, 4)] == [0.0, 0.0, 0.0]
    assert values("mark.exclamation", 7) == 1.0
    assert [values("language.two", row) for row in (0, 1, 3)] == [1.0, 0.0, 1.0]
    assert [values("language.english", row) for row in (0, 1, 5)] == [0.5, 0.0, 1.0]


def test_lengths(resources):
    # el perro milo corre 3 km . against the dog milo runs 3 km .; 25 and 23 characters
    assert values("length.words", 0, resources) == 0.0
    assert values("length.characters", 0, resources) == pytest.approx(2 / 25)
    assert values("length.words", 1, resources) == pytest.approx(1 / 3)


def test_what_is_spelt_alike(resources):
    # milo, 3 and km of six words each
    assert values("spelling.words", 0, resources) == pytest.approx(6 / 12)
    # hotel and central of two and of three words
    assert values("spelling.words", 1, resources) == pytest.approx(4 / 5)
    assert values("spelling.words", 3, resources) == 0.0
    assert values("spelling.letters_2", 7, resources) == 0.0
    one = analyse([("Işık İstanbul", "isik istanbul")], languages=Languages.parse("tr-es"))
    feature = next(f for f in resolve("multilingual")[0] if f.name == "spelling")
    assert feature(one, **resources)[0].tolist() == [1.0] * 5


def test_cosines_are_those_of_the_encoder(resources):
    a, b = shipped_encoder().vectors(list(PAIRS[0])).astype(float)
    assert values("cosine.vectors", 0, resources) == pytest.approx(a @ b, abs=1e-6)
    distances = [values(f"distance.{name}", 0) for name in ("euclidean", "manhattan", "chebyshev")]
    apart = np.abs(a - b)
    assert distances == pytest.approx([(apart**2).sum() ** 0.5, apart.sum() / 384**0.5, apart.max()], abs=1e-5)


def test_the_cross_encoder_reads_the_shorter_text_first():
    # the cat sleeps . and the end: five pieces; the dog runs . is as long and comes later in the alphabet
    assert values("cross_encoder.score", 6) == 1.0
    ids = [len(shipped_encoder().tokens([text])[0].ids) for text in PAIRS[0]]
    assert values("cross_encoder.score", 0) == pytest.approx((max(ids) - 1) / 5)
    long = analyse([("word " * 60, "A word.")], languages=Languages.parse("en-en"))
    feature = next(f for f in resolve("multilingual")[0] if f.name == "cross_encoder")
    assert feature(long).tolist() == [[5.0]]


def test_means_of_languages_are_taken_away(resources):
    means = resources["space_means"]
    known = means.arrays["languages"].tobytes().decode().split()
    assert known == ["ar", "en", "es", "tr"]
    sentences = [s for batch in map(batch_of, range(6)) for s in batch.sentences if s.language == "tr"]
    mean = shipped_encoder().vectors([s.text for s in sentences]).astype(float).mean(axis=0)
    assert means.arrays["means"][3] == pytest.approx(mean, abs=1e-6)
    batch = batch_of(3)
    assert means.centred(batch)[0] == pytest.approx(shipped_encoder().vectors([PAIRS[3][0]])[0] - mean, abs=1e-6)
    # A language without a mean of its own is left as English is.
    other = analyse([("Zwei Kinder tanzen im Garten.", "")], languages=Languages())
    left = shipped_encoder().vectors([other.sentences[0].text])[0] - means.arrays["means"][1]
    assert means.centred(other)[0] == pytest.approx(left, abs=1e-6)


def test_words_are_matched_whole():
    batch = analyse([("unhappiness", "sadness")], languages=Languages.parse("en-en"))
    states = spaces.states_of_words(batch)
    encoded = shipped_encoder().encode(["unhappiness"])
    assert len(encoded.codes) > 1
    mean = encoded.states.mean(axis=0)
    row = states.codes[0].astype(float)
    assert row @ mean / np.linalg.norm(row) / np.linalg.norm(mean) == pytest.approx(1.0, abs=1e-4)
    assert states.offsets.tolist() == [0, 1, 2]


def test_marks_have_no_state():
    batch = analyse([("¿Dónde... está?", "")], languages=Languages.parse("es-es"))
    states = spaces.states_of_words(batch)
    words = [word.text for word in spaces.words_of(batch)[0]]
    assert [words[place] for place in states.tokens] == ["dónde", "está"]


@pytest.mark.slow
def test_frequencies_of_each_language():
    from wordfreq import word_frequency

    found = LanguageFrequencies.fit([])
    samples = {"en": "dog", "es": "perro", "tr": "köpek", "ar": "من"}
    for language, word in samples.items():
        assert found.probability([word], language)[0] == pytest.approx(word_frequency(word, language), rel=0.02)
    # The letters of alef are one word, whose shares add up.
    spellings = ["الأطفال", "الاطفال"]
    total = sum(word_frequency(word, "ar", "small") for word in spellings)
    assert found.probability(["الاطفال"], "ar")[0] == pytest.approx(total, rel=0.05)
    assert found.probability(["qqzzx", "."], "es").tolist() == [1e-6, 1.0]
    assert found.information(["."], "es").tolist() == [0.0]
    again = LanguageFrequencies(dict(found.arrays))
    assert again.digest == found.digest
    assert set(SUPPORTED) == {key.partition("_")[0] for key in found.arrays}


def test_no_pairs(resources):
    batch = analyse([], languages=Languages())
    assert matrix(batch, resources).values.shape == (0, len(resolve("multilingual")[1]))


def test_numbers_of_both_sides():
    # None on either side; one of two and one, 2 * 1 / 3; others; one side alone.
    pairs = analyse([("dogs run", "cats run"), ("3 of 7 dogs", "3 dogs"), ("3 dogs", "4 dogs"), ("3 dogs", "dogs")])
    expected = [[1, 0, 0], [2 / 3, 1, 0], [0, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(shared_space.number(pairs), expected, rtol=1e-6)


@pytest.mark.parametrize(("sign", "column"), [*zip("?؟!", (0, 0, 1), strict=True), *((sign, 2) for sign in '"«»“”„')])
def test_each_mark(sign, column):
    found = shared_space.mark(analyse([(f"so {sign} it is", "so it is"), (f"{sign} so", f"so {sign}"), ("a", "b")]))
    assert found.tolist() == [[float(k == column) for k in range(3)], [0, 0, 0], [0, 0, 0]]


def test_lengths_by_hand(resources):
    # 2 and 3 words, 9 and 13 characters; the information of "dog" is what the sentences differ by.
    frequencies = resources["language_frequencies"]
    found = shared_space.length(analyse([("red boats", "red boats dog")]), language_frequencies=frequencies)[0]
    red, boats, dog = frequencies.information(["red", "boats", "dog"], "en")
    assert found.tolist() == pytest.approx([1 / 3, 4 / 13, dog / (red + boats + dog)])
