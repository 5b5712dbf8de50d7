import json
import pickle

import numpy as np
import pytest
from samewise.features.encoders.onnx_transformer import WordPieces, read_tokenizer
from samewise.features.encoders.sentence_encoder import MOST_PIECES, SentenceEncoder, shipped_encoder
from samewise.features.encoders.shared_space_encoder import (
    ENCODERS_HERE,
    SharedSpaceEncoder,
    SubwordTable,
    load_encoder_of,
    packed_codes,
    shared_space_encoder,
    shipped_languages,
    word_parts,
)
from samewise.features.token_sequences import text_hash

from ..made_up_encoders import PIECES, WORDS, tokenizer_json

needs_encoders = pytest.mark.skipif(
    not {"ar", "es", "tr"} <= set(shipped_languages()), reason="the encoders of other languages are not here"
)

KEYS = ["sol", "#<so", "#ol>", "mar", "#<ca", "#cas", "#asa", "~cant"]


class Mixing:
    """In place of a network: the vector of a piece and a little of those before and after it."""

    name = "a mixture"

    def __call__(self, word_embeddings, **others):
        around = np.pad(word_embeddings, ((0, 0), (1, 1), (0, 0)))
        return word_embeddings + np.float32(0.25) * (around[:, :-2] + around[:, 2:])


def codes_of(keys, dimension=6, most=7):
    codes = np.random.default_rng(3).integers(-most, most + 1, (len(keys), dimension)).astype(np.int8)
    return codes, np.linspace(0.01, 0.02, len(keys)).astype(np.float32) * (127 / most)


def made_table(keys=KEYS):
    codes, scales = codes_of(keys)
    hashes = np.asarray([text_hash(key) for key in keys], dtype=np.uint64)
    order = np.argsort(hashes)
    return SubwordTable(hashes[order], packed_codes(codes[order]), scales[order], "es")


def made_english(dimension=6):
    codes, scales = codes_of([*PIECES, *WORDS], dimension, most=127)
    return SentenceEncoder(Mixing(), read_tokenizer(tokenizer_json(), 32), WordPieces(codes, scales), digest="made up")


def made():
    return SharedSpaceEncoder(made_table(), made_english(), "x")


def row(key):
    codes, scales = codes_of(KEYS)
    return codes[KEYS.index(key)] * scales[KEYS.index(key)]


def test_parts_of_a_word():
    parts = word_parts("casas", "es")
    assert parts.word == "casas"
    assert parts.grams[:5] == ["#<ca", "#cas", "#asa", "#sas", "#as>"]
    assert parts.grams[-3:] == ["#<casa", "#casas", "#asas>"]
    assert parts.stems == ["~cas"]
    assert word_parts("y", "de") == ("y", ["#<y>"], [])
    assert {"~تسلق", "~لعب"} <= set(word_parts("يتسلق", "ar").stems + word_parts("سيلعب", "ar").stems)
    assert "~كلب" in word_parts("كلبان", "ar").stems and "~اسود" in word_parts("سوداء", "ar").stems


def test_a_word_is_its_row_and_the_mean_of_its_ngrams():
    table = made_table()
    np.testing.assert_allclose(table.vector("sol"), row("sol") + (row("#<so") + row("#ol>")) / 2, rtol=1e-6)
    np.testing.assert_allclose(table.vector("mar"), row("mar"), rtol=1e-6)
    np.testing.assert_allclose(table.vector("casa"), (row("#<ca") + row("#cas") + row("#asa")) / 3, rtol=1e-6)
    np.testing.assert_allclose(table.vector("cantos"), row("#<ca") + row("~cant"), rtol=1e-6)
    assert table.vector("cantos", share=1.0) is not None  # its stem is listed
    assert table.vector("pez") is None
    assert table.vector("casa", share=0.3) is not None  # three of nine n-grams
    assert table.vector("casa", share=0.4) is None
    assert table.vector("mar", share=1.0) is not None  # it is listed itself


def test_a_text_is_read_word_by_word_between_the_ends():
    encoder, english = made(), made_english()
    ids = [PIECES.index(piece) for piece in ("[CLS]", "2", "?", "[SEP]")]
    first, two, mark, last = english.words.rows(np.asarray(ids))
    rows = np.stack([first, encoder.table.vector("sol"), two, mark, last])
    expected = Mixing()(rows[None])[0].sum(axis=0)
    found = encoder.vectors(["¿Sol 2?"])[0]
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), rtol=1e-5)
    np.testing.assert_array_equal(encoder.vectors([["¿", "Sol", "2", "?"]])[0], found)  # a list of words


def test_what_is_not_known_is_read_as_english_or_left_out():
    encoder, english = made(), made_english()
    np.testing.assert_array_equal(encoder.vectors(["the cat"]), english.vectors(["the cat"]))
    np.testing.assert_array_equal(encoder.vectors(["çöğ cat"]), english.vectors(["cat"]))
    np.testing.assert_array_equal(encoder.vectors(["", "çöğ"]), english.vectors(["", ""]))


def test_states_stand_for_the_characters_of_their_words():
    text = "¡El SOL 2!"
    found = made().encode([text, ""])
    spans = found.spans[: found.offsets[1]].tolist()
    assert [text[a:b] for a, b in spans] == ["El", "SOL", "2", "!"]
    assert found.pieces.tolist() == [PIECES.index(piece) if piece else -1 for piece in ("[UNK]", None, "2", "!")]
    assert found.offsets.tolist() == [0, 4, 4]


def test_a_long_text_is_cut():
    encoder = made()
    tokens = encoder.tokens(["sol " * 500])[0]
    assert len(tokens) == MOST_PIECES
    np.testing.assert_array_equal(encoder.vectors(["sol " * 500]), encoder.vectors(["sol " * 126]))


def test_word_vectors_are_those_of_the_words_alone():
    encoder = made()
    found = encoder.word_vectors(["sol", "çöğ", "mar"])
    np.testing.assert_array_equal(found[[0, 2]], encoder.vectors(["sol", "mar"]))
    assert not found[1].any()
    assert encoder.word_vectors([]).shape == (0, 6)


def test_an_encoder_is_pickled():
    encoder = made()
    again = pickle.loads(pickle.dumps(encoder))
    np.testing.assert_array_equal(again.vectors(["sol y mar"]), encoder.vectors(["sol y mar"]))
    assert again.digest == encoder.digest


def test_tables_that_do_not_fit_are_refused():
    codes, scales = codes_of(KEYS)
    with pytest.raises(ValueError, match="2 hashes, 8 scales and uint8 codes"):
        SubwordTable(np.arange(2, dtype=np.uint64), packed_codes(codes), scales, "es")
    with pytest.raises(ValueError, match="int8 codes"):
        SubwordTable(np.arange(8, dtype=np.uint64), codes, scales, "es")
    with pytest.raises(ValueError, match="must have as many coordinates as the pieces of the encoder, got 6 and 12"):
        SharedSpaceEncoder(made_table(), made_english(12), "es")


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="must have an encoder, got 'xx' .* install samewise-languages"):
        shared_space_encoder("xx")


def test_a_changed_file_is_refused(tmp_path):
    for name in ("hashes", "scales", "codes"):
        np.save(tmp_path / f"{name}.npy", np.zeros(1))
    listed = {f"{name}.npy": {"sha256": "0" * 64} for name in ("codes", "hashes", "scales")}
    (tmp_path / "manifest.json").write_text(json.dumps({"files": listed, "language": "es"}))
    with pytest.raises(ValueError, match=r"codes\.npy' is not the file that its manifest describes"):
        load_encoder_of(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {}, "language": "es"}))
    with pytest.raises(ValueError, match=r"must list hashes\.npy"):
        load_encoder_of(tmp_path)


SENTENCES = {
    "ar": [
        ("ولد صغير يلعب بالكرة في الحديقة", "A little boy plays with a ball in the park"),
        ("هل تريد أن تشرب القهوة؟", "Do you want to drink coffee?"),
        ("أمي تطبخ الطعام في المطبخ", "My mother is cooking food in the kitchen"),
        ("القطار يصل غدا في الصباح", "The train arrives tomorrow morning"),
        ("لا أعرف كيف أتكلم الإنجليزية", "I do not know how to speak English"),
    ],
    "es": [
        ("Un perro negro corre por la playa", "A black dog is running on the beach"),
        ("Dos mujeres están cortando verduras en la cocina", "Two women are cutting vegetables in the kitchen"),
        ("El presidente anunció nuevas leyes el lunes", "The president announced new laws on Monday"),
        ("Un hombre toca la guitarra en el escenario", "A man plays the guitar on stage"),
        ("¿Cuándo terminó la guerra?", "When did the war end?"),
    ],
    "tr": [
        ("Küçük bir kız bahçede şarkı söylüyor", "A little girl is singing in the garden"),
        ("Siyah bir köpek suda yüzüyor", "A black dog is swimming in the water"),
        ("Yarın doktora gitmek zorundayım", "I have to go to the doctor tomorrow"),
        ("Bu kitabı dün kütüphaneden aldım", "I got this book from the library yesterday"),
        ("Başbakan yeni yasayı onayladı", "The prime minister approved the new law"),
    ],
}


@needs_encoders
@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_shipped_sentences_stand_next_to_their_translations(language):
    encoder = shared_space_encoder(language)
    texts, english = zip(*SENTENCES[language], strict=True)
    own, other = encoder.vectors(texts), shipped_encoder().vectors(english)
    np.testing.assert_allclose(np.linalg.norm(own, axis=1), 1, rtol=1e-5)
    grid = own @ other.T
    assert grid.argmax(axis=0).tolist() == grid.argmax(axis=1).tolist() == list(range(len(texts)))
    assert np.diag(grid).mean() > 0.5
    assert grid[~np.eye(len(texts), dtype=bool)].mean() < 0.25


@needs_encoders
@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_shipped_vectors_do_not_depend_on_other_texts(language):
    encoder = shared_space_encoder(language)
    texts = [text for text, _ in SENTENCES[language]] + ["", "!?", "Zyxgh"]
    together = encoder.vectors(texts * 3)
    for k, text in enumerate(texts):
        np.testing.assert_array_equal(encoder.vectors([text])[0], together[k])
    np.testing.assert_array_equal(encoder.encode(texts).vectors, together[: len(texts)])


@needs_encoders
@pytest.mark.parametrize(
    ("language", "word", "english"), [("ar", "كلب", "dog"), ("es", "perro", "dog"), ("tr", "köpek", "dog")]
)
def test_shipped_words_stand_next_to_their_translations(language, word, english):
    others = ["dog", "house", "water", "music", "red"]
    cosines = shipped_encoder().vectors(others) @ shared_space_encoder(language).word_vectors([word])[0]
    assert others[int(cosines.argmax())] == english


@needs_encoders
def test_what_ships_is_small_and_was_made_for_the_encoder_that_ships():
    assert set(shipped_languages()) >= {"ar", "es", "tr"}
    for language in shipped_languages():
        folder = ENCODERS_HERE / language
        facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        assert facts["encoder"] == shipped_encoder().digest
        assert sum(path.stat().st_size for path in folder.iterdir()) < 12e6
