"""The encoder of several languages: sentences alone and among others; skipped if it is not installed."""

import json
import shutil

import numpy as np
import pytest
from samewise.features.encoders import multilingual as module
from samewise.features.encoders.multilingual import (
    encoder_folder,
    encoder_languages,
    multilingual_encoder,
    read_multilingual_encoder,
)

from ...conftest import HOSTILE

KITCHEN = {
    "en": "A woman is slicing an onion.",
    "es": "Una mujer corta una cebolla.",
    "ar": "امرأة تقطع بصلة.",
    "tr": "Bir kadın soğan doğruyor.",
    "de": "Eine Frau schneidet eine Zwiebel.",
    "fr": "Une femme coupe un oignon.",
    "it": "Una donna taglia una cipolla.",
    "pt": "Uma mulher corta uma cebola.",
}
TRAIN = {
    "en": "The train to the coast leaves at noon.",
    "es": "El tren a la costa sale a mediodía.",
    "ar": "القطار إلى الساحل يغادر عند الظهر.",
    "tr": "Sahile giden tren öğlen kalkıyor.",
    "de": "Der Zug zur Küste fährt mittags ab.",
    "fr": "Le train pour la côte part à midi.",
    "it": "Il treno per la costa parte a mezzogiorno.",
    "pt": "O comboio para a costa parte ao meio-dia.",
}

needs_languages = pytest.mark.skipif(not encoder_languages(), reason="samewise-languages is not installed")


@needs_languages
def test_it_reads_eight_languages():
    assert set(encoder_languages()) == set(KITCHEN)


@needs_languages
def test_a_sentence_is_nearer_to_its_translations_than_to_another_sentence():
    encoder = multilingual_encoder()
    one, two = (encoder.vectors(list(texts.values())).astype(float) for texts in (KITCHEN, TRAIN))
    same, other = one @ one.T, one @ two.T
    assert same.min() > other.max()
    assert np.allclose(np.linalg.norm(one, axis=1), 1, atol=1e-6)


@needs_languages
def test_the_encoding_of_a_text_does_not_depend_on_the_others():
    encoder = multilingual_encoder()
    texts = [*KITCHEN.values(), *TRAIN.values(), *(text for pair in HOSTILE for text in pair), ""]
    together = encoder.encode(texts)
    assert together.vectors.dtype == np.float32
    for text, expected in zip(texts, together.split(), strict=True):
        alone = encoder.encode([text])
        assert alone.vectors.tobytes() == expected.vectors.tobytes(), text
        assert alone.codes.tobytes() == expected.codes.tobytes(), text
        assert alone.spans.tolist() == expected.spans.tolist()


@needs_languages
def test_pieces_stand_for_characters_of_the_text():
    text = "Ein Straßenname: Königsallee 12"
    encoded = multilingual_encoder().encode([text])
    covered = "".join(text[start:end] for start, end in encoded.spans.tolist())
    assert covered.replace(" ", "") == text.replace(" ", "")


def test_without_the_distribution_an_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "encoder_folder", lambda: tmp_path / "nothing")
    for function in (module.encoder_languages, module.multilingual_encoder):
        function.cache_clear()
    try:
        assert module.encoder_languages() == ()
        with pytest.raises(ValueError, match="must be installed, got none; install samewise-languages"):
            module.multilingual_encoder()
    finally:
        for function in (module.encoder_languages, module.multilingual_encoder):
            function.cache_clear()


@pytest.mark.parametrize("content", ["{", "{}", "[]", '{"languages": 3}'])
def test_a_damaged_manifest_is_named(monkeypatch, tmp_path, content):
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    monkeypatch.setattr(module, "encoder_folder", lambda: tmp_path)
    module.encoder_languages.cache_clear()
    try:
        with pytest.raises(
            ValueError, match=r"must be the manifest of the encoder of samewise-languages, got .*; install"
        ):
            module.encoder_languages()
    finally:
        module.encoder_languages.cache_clear()


@needs_languages
def test_files_are_the_ones_of_the_manifest(tmp_path):
    folder = encoder_folder()
    listed = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert {path.name for path in folder.iterdir()} == {"manifest.json", *listed}
    copy = shutil.copytree(folder, tmp_path / "encoder")
    codes = np.load(copy / "codes.npy")
    codes[0, 0] ^= 1
    np.save(copy / "codes.npy", codes)
    with pytest.raises(ValueError, match="is not the file that its manifest describes; install samewise-languages"):
        read_multilingual_encoder(copy)
