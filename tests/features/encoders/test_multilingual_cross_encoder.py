"""The cross-encoder of several languages: what ships, and what it says of pairs of several languages."""

import json
import shutil

import numpy as np
import pytest
from samewise.features.encoders import multilingual as module
from samewise.features.encoders.multilingual import (
    cross_encoder_folder,
    encoder_languages,
    multilingual_cross_encoder,
    multilingual_encoder,
)
from samewise.features.encoders.pair_reading import pair_outputs

from ...conftest import HOSTILE
from .test_multilingual_encoder import KITCHEN, TRAIN

pytestmark = pytest.mark.skipif(not encoder_languages(), reason="samewise-languages is not installed")


def scores(pairs):
    texts = sorted({text for pair in pairs for text in pair})
    sides = ([texts.index(pair[side]) for pair in pairs] for side in (0, 1))
    return pair_outputs(multilingual_cross_encoder().network, multilingual_encoder(), texts, *map(np.asarray, sides))


def test_another_sentence_scores_low_and_a_text_itself_high():
    every = [*KITCHEN.values(), *TRAIN.values()]
    assert scores([(text, text) for text in every]).min() > 4
    assert scores([(one, two) for one in KITCHEN.values() for two in TRAIN.values()]).max() < 1.5


def test_translations_score_above_another_sentence_in_the_languages_that_it_has_scores_of():
    for code in ("es", "tr"):
        same = scores([(KITCHEN[code], KITCHEN["en"]), (TRAIN[code], TRAIN["en"])])
        other = scores([(KITCHEN[code], TRAIN["en"]), (TRAIN[code], KITCHEN["en"])])
        assert same.min() > other.max() + 2


@pytest.mark.slow
def test_the_score_of_a_pair_does_not_depend_on_its_order_nor_on_the_others():
    pairs = [*zip(KITCHEN.values(), TRAIN.values(), strict=True), *HOSTILE, ("", KITCHEN["es"]), ("", "")]
    together = scores(pairs)
    assert np.isfinite(together).all()
    assert scores([pair[::-1] for pair in pairs]).tolist() == together.tolist()
    for pair, expected in zip(pairs, together.tolist(), strict=True):
        assert scores([pair]).tolist() == [expected], pair


def test_files_are_the_ones_of_the_manifest(tmp_path, monkeypatch):
    folder = cross_encoder_folder()
    listed = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert {path.name for path in folder.iterdir()} == {"manifest.json", *listed}
    copy = shutil.copytree(folder, tmp_path / "cross_encoder")
    monkeypatch.setattr(module, "cross_encoder_folder", lambda: copy)
    file = copy / "layers.onnx.gz"
    for content, rule in ((file.read_bytes()[:-5], "is not the file that its manifest describes"), (None, "missing")):
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
        with pytest.raises(ValueError, match=f"{rule}; install samewise-languages again"):
            multilingual_cross_encoder.__wrapped__()
