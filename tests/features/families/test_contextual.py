"""Columns from sentence encoders, against plain Python on made-up states and against scikit-learn."""

import math

import numpy as np
import pytest
from samewise.features.arrays.ragged import Ragged
from samewise.features.base.word_tables import stop_words
from samewise.features.encoders import encoder_measures as measures
from samewise.features.encoders.contextual_words import encodings, matched, tokens_of, word_states
from samewise.features.encoders.encoder_measures import COUNT, EncoderDirections, coordinates
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.families import contextual, user_contextual
from samewise.features.pipeline.catalogue import all_features
from samewise.features.pipeline.registry import RESOURCES, Resources
from samewise.features.pipeline.user_supplied import GIVEN, UserEncoder
from samewise.features.statistics.counts import Idf

from ...conftest import HOSTILE, PAIRS, analysed
from ..made_up_encoders import made_up_encoder

ENCODER = made_up_encoder()
GIVE = UserEncoder(ENCODER)
SENTENCES = [
    ("The man can not run.", "A dog is sleeping, not the cat"),
    ("a ripe tomato", "the dogs do run"),
    ("the", "is the man"),
    ("cats", "cats"),
    ("...", "the dog"),
    ("", "the dog"),
]
"""Their words are pieces of the made-up vocabulary, or single characters of it."""


@pytest.fixture(scope="module")
def idf():
    return Idf.fit(analysed(PAIRS).sentences)


def named(feature, values):
    return dict(zip(feature.names, values.T, strict=True))


def test_tokens_are_found_where_they_stand():
    texts = [
        'He said "no" (twice), didn\'t he?', "cannot we've gonna", "don’t … “stop”", "``a'' \"b\"", "x", "",
        "1,000.5% -7",
    ]  # fmt: skip
    batch = analysed([(text, text) for text in texts], "tokens")
    places, expected = [], []
    for row, sentence in enumerate(batch.sentences):
        at = 0
        for k, token in enumerate(sentence.tokens):
            at += len(sentence.text[at:]) - len(sentence.text[at:].lstrip())
            if not sentence.text.startswith(token, at) and token in ("``", "''"):
                size = 1
            else:
                size = len(token)
            places += range(at, at + size)
            expected += [(row, k)] * size
            at += size
        assert at == len(sentence.text)
    rows = np.asarray([row for row, _ in expected])
    offsets = np.searchsorted(rows, np.arange(len(batch.sentences) + 1))
    starts = np.cumsum([0, *(len(sentence.tokens) for sentence in batch.sentences)])
    found = tokens_of(batch, Ragged(np.asarray(places), offsets))
    assert found.tolist() == [starts[row] + k for row, k in expected]


def plain_states(sentence):
    """Token index to the mean of the states of its pieces, by hand."""
    found, at = {}, 0
    [token] = ENCODER.tokens([sentence.text])
    coded = ENCODER.encode([sentence.text])
    assert len(token.ids) - 2 == len(coded.pieces)
    for k, word in enumerate(sentence.tokens):
        at = sentence.text.index(word, at)
        inside = [i for i, (start, _) in enumerate(coded.spans.tolist()) if at <= start < at + len(word)]
        if inside and any(character.isalnum() for character in word):
            found[k] = coded.states[inside].mean(axis=0)
        at += len(word)
    return found


def test_the_state_of_a_word_is_the_mean_of_its_pieces():
    batch = analysed(SENTENCES, "tokens")
    found = word_states(batch, ENCODER)
    first = 0
    for row, sentence in enumerate(batch.sentences):
        own = slice(*found.offsets[row : row + 2])
        expected = plain_states(sentence)
        assert (found.tokens[own] - first).tolist() == list(expected)
        for code, length, state in zip(found.codes[own], found.lengths[own], expected.values(), strict=True):
            assert length == pytest.approx(np.linalg.norm(code.astype(float)))
            assert code @ state / length / np.linalg.norm(state) > 0.9999
        first += len(sentence.tokens)


def test_match_is_bertscore(idf):
    batch = analysed(SENTENCES, "tokens")
    columns = named(user_contextual.match, user_contextual.match(batch, idf=idf, user_encoder=GIVE))
    for row, (a, b) in enumerate(batch):
        sides = []
        for own, other in ((a, b), (b, a)):
            mine, theirs = plain_states(own), list(plain_states(other).values())
            best = {
                k: max(0.0, max((u @ v / np.linalg.norm(u) / np.linalg.norm(v) for v in theirs), default=0.0))
                for k, u in mine.items()
            }
            content = {k: k in mine and own.words[k] not in stop_words("ecnu") for k in mine}
            if not any(content.values()):
                content = dict.fromkeys(mine, True)
            weight = dict(zip(mine, idf.smooth("words", [own.words[k] for k in mine]), strict=True))
            sides.append((best, content, weight))

        def mean(best, weight):
            total = sum(weight.values())
            return sum(best[k] * weight[k] for k in best) / total if total else 0.0

        every = [mean(best, weight) for best, _, weight in sides]
        of_content = [{k: w * content[k] for k, w in weight.items()} for _, content, weight in sides]
        inside = [mean(side[0], weight) for side, weight in zip(sides, of_content, strict=True)]
        total = sum(sum(weight.values()) for weight in of_content)
        far, near = (
            sum(w for side, weight in zip(sides, of_content, strict=True) for k, w in weight.items() if side[0][k] < at)
            for at in (measures.FAR, measures.NEAR)
        )
        lost = [
            sum(w * (1 - side[0][k]) for k, w in weight.items()) for side, weight in zip(sides, of_content, strict=True)
        ]
        expected = {
            "min": min(every), "max": max(every), "mean": sum(every) / 2,
            "content_min": min(inside), "content_max": max(inside), "content_mean": sum(inside) / 2,
            "far": far / total if total else 0.0, "near": near / total if total else 0.0,
            "lost_min": min(lost), "lost_max": max(lost),
        }  # fmt: skip
        if all(side[0] for side in sides):
            lowest = [min(best[k] for k in best if content[k]) for best, content, _ in sides]
            expected |= {"lowest_min": min(lowest), "lowest_max": max(lowest)}
        for name, value in expected.items():
            # The states are whole numbers of twelve coordinates.
            assert columns[name][row] == pytest.approx(value, abs=5e-3, rel=5e-3), (row, name)


def test_partners_are_mutual_where_each_is_the_others_best():
    batch = analysed([("the cat run", "run the dog"), ("cats", "cats")], "tokens")
    one, two = matched(batch, ENCODER)
    states = word_states(batch, ENCODER)
    u, v = (states.codes[side.words.values[:3]] / states.lengths[side.words.values[:3], None] for side in (one, two))
    grid = u @ v.T
    pairs = {(i, j) for i, j in np.ndindex(3, 3) if grid[i].argmax() == j and grid[:, j].argmax() == i}
    assert np.flatnonzero(one.mutual[:3]).tolist() == sorted(i for i, _ in pairs)
    assert np.flatnonzero(two.mutual[:3]).tolist() == sorted(j for _, j in pairs)
    assert one.mutual[3:].all() and two.best[3:] == pytest.approx(1)


def test_equal_sentences_and_empty_ones(idf):
    resources = {"idf": idf, "user_encoder": GIVE}
    batch = analysed([("The man can run.", "The man can run."), ("", "the dog"), ("", "")], "tokens")
    cosine = user_contextual.cosine(batch, **resources)
    np.testing.assert_allclose(cosine[0], 1, atol=1e-6)
    assert cosine[1:, 1:].tolist() == [[0.0, 0.0]] * 2
    assert user_contextual.distance(batch, **resources)[0].tolist() == [0.0] * 3
    match = named(user_contextual.match, user_contextual.match(batch, **resources))
    for name in ("min", "content_mean", "plain", "mutual", "lowest_min", "rarest_max", "alone"):
        assert match[name][0] == pytest.approx(1, abs=1e-6), name
    for name in ("far", "near"):
        assert match[name][0] == 0, name
    assert match["lost_max"][0] == pytest.approx(0, abs=1e-4)
    for name in ("min", "max", "lowest_max", "mutual", "alone"):
        assert match[name][1] == 0, name
    assert match["far"][1] == 1


def test_distances_and_cosine_of_the_vectors(idf):
    batch = analysed(PAIRS)
    u, v = (shipped_encoder().vectors([getattr(pair, side).text for pair in batch]) for side in "ab")
    found = named(contextual.distance, contextual.distance(batch))
    np.testing.assert_allclose(found["euclidean"], np.linalg.norm(u - v, axis=1), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["manhattan"] * math.sqrt(384), np.abs(u - v).sum(axis=1), rtol=1e-5)
    np.testing.assert_allclose(found["chebyshev"], np.abs(u - v).max(axis=1), rtol=1e-5)
    cosine = named(contextual.cosine, contextual.cosine(batch, idf=idf))
    np.testing.assert_allclose(cosine["vectors"], (u * v).sum(axis=1), atol=1e-6)


def test_words_weigh_by_idf_in_sums_of_states(idf):
    batch = analysed([("the cat", "the dog")], "tokens")
    found = named(user_contextual.cosine, user_contextual.cosine(batch, idf=idf, user_encoder=GIVE))
    sums = []
    for sentence in batch[0]:
        states = [state / np.linalg.norm(state) for state in plain_states(sentence).values()]
        weight = idf.smooth("words", sentence.words)
        sums.append((states[0] * weight[0] + states[1] * weight[1], states[1]))

    def cosine(u, v):
        return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))

    assert found["idf"][0] == pytest.approx(cosine(sums[0][0], sums[1][0]), abs=1e-3)
    assert found["content"][0] == pytest.approx(cosine(sums[0][1], sums[1][1]), abs=1e-3)


def test_directions_are_principal_components():
    from sklearn.decomposition import PCA

    batch = analysed(PAIRS)
    fitted = EncoderDirections.fit(batch.sentences)
    vectors = encodings(batch, shipped_encoder()).vectors.astype(np.float64)
    rank = len(batch.sentences) - 1
    assert len(fitted.arrays["directions"]) == rank < COUNT
    reference = PCA(rank).fit(vectors)
    own = reference.transform(vectors)
    found = coordinates(batch, fitted)
    np.testing.assert_allclose(np.abs(found), np.abs(own), atol=1e-3)
    assert np.abs(np.abs(found) - np.abs(own)).mean() < 1e-4
    np.testing.assert_allclose(fitted.arrays["spread"], own.std(axis=0), rtol=1e-4)

    def cosine(rows):
        u, v = rows[batch.left], rows[batch.right]
        return (u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)

    columns = named(contextual.isotropic, contextual.isotropic(batch, encoder_directions=fitted))
    np.testing.assert_allclose(columns["centred"], cosine(own), atol=1e-4)
    np.testing.assert_allclose(columns["minus_1"], cosine(own[:, 1:]), atol=1e-3)
    np.testing.assert_allclose(columns["whitened"], cosine(own / own.std(axis=0)), atol=5e-3)


def test_few_sentences_have_few_directions():
    fitted = EncoderDirections.fit(analysed(PAIRS[:1]).sentences)
    assert fitted.arrays["directions"].shape == (1, 384)
    assert EncoderDirections.fit([]).arrays["directions"].shape == (0, 384)
    for few in (fitted, EncoderDirections.fit([])):
        assert np.isfinite(contextual.isotropic(analysed(PAIRS), encoder_directions=few)).all()


def test_meaning_in_context_tells_senses_apart(idf):
    batch = analysed([("He sat by the bank of the river.", "She sat at the bank of the stream."),
                      ("He sat by the bank of the river.", "She has money at the bank.")], "tokens")  # fmt: skip
    sides = matched(batch, shipped_encoder())
    states = word_states(batch, shipped_encoder())
    tokens = [token for sentence in batch.sentences for token in sentence.tokens]
    one, _ = sides
    best = [
        value for value, place in zip(one.best, one.words.values, strict=True) if tokens[states.tokens[place]] == "bank"
    ]
    assert best[0] > best[1] + 0.1


def test_long_texts_count_as_far_as_they_are_read(idf):
    batch = analysed([HOSTILE[-2]], "tokens")
    assert len(word_states(batch, shipped_encoder()).codes) == 2 * 126
    found = user_contextual.match(batch, idf=idf, user_encoder=UserEncoder(shipped_encoder()))
    assert np.isfinite(found).all()


def test_the_families_need_what_they_say():
    user = [value for value in all_features() if value.family == "user_contextual"]
    assert {value.name for value in user} == {"cosine", "distance", "match"}
    assert all("user_encoder" in value.needs and value.level == "tokens" for value in user)
    ours = [value for value in all_features() if value.family == "contextual"]
    assert not any(set(value.needs) & set(GIVEN) for value in ours)
    assert GIVEN["user_encoder"] == "--encoder"
    assert not GIVEN.keys() & RESOURCES.keys()
    sentences = analysed(PAIRS).sentences
    given = Resources.fit(["idf", "user_encoder"], sentences, {"user_encoder": GIVE})
    assert given["user_encoder"] is GIVE
    assert "user_encoder" not in given.stored
    with pytest.raises(ValueError, match="the resource 'user_encoder' is missing; pass --encoder"):
        Resources.fit(["user_encoder"], sentences)


def test_cosine_from_products_by_hand():
    # Squared lengths 0, 4 and 9: no cosine with the first; -5.4 / 6; 7 / 6, which rounding alone could make, is 1.
    left, right = np.array([0, 1, 1]), np.array([1, 2, 2])
    found = contextual._cosine(np.array([0.0, -5.4, 7.0]), np.array([0.0, 4.0, 9.0]), left, right)
    assert found.tolist() == pytest.approx([0, -0.9, 1])
