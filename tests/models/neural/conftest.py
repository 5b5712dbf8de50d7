"""A tiny larger encoder with random weights, in place of the one that ships."""

import pytest
from samewise.features.encoders import base_encoder as encoder_module
from samewise.features.encoders.base_encoder import base_encoder

from ...features.encoders.test_base_encoder import made_by_script, tiny_weights


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
