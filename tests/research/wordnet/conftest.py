"""The tiny WordNet as files."""

import pytest

from ...features.lexicon import tiny_wordnet


@pytest.fixture
def database(tmp_path):
    """A folder of the tiny database, to be changed."""
    folder = tmp_path / "database"
    folder.mkdir()
    for name, text in tiny_wordnet.database().items():
        (folder / name).write_bytes(text)
    return folder
