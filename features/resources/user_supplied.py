"""User-supplied word vectors and sentence encoders: read from where they are, never stored with a model."""

from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ..encoders.sentence_encoder import SentenceEncoder
from ..lexicon.word_vectors import WordVectors
from .fitted import Resource


class UserVectors(Resource):
    """Word vectors of the user's: given, not fitted, and not stored with a model.

    Parameters
    ----------
    vectors
        The vectors.
    path
        Where they were read from.

    Attributes
    ----------
    title, family
        What messages call it, and the features that read it.
    """

    name = "user_vectors"
    keys = ()
    title: ClassVar[str] = "word vectors"
    family: ClassVar[str] = "user_embedding"

    def __init__(self, vectors: WordVectors, path: Path | None = None) -> None:
        super().__init__({})
        self.vectors, self.path = vectors, path

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> "UserVectors":
        """Return the vectors of a file or folder; see `vector_files.read_vectors`.

        Raises
        ------
        ValueError
            If they cannot be read, or have another digest than the one given.
        """
        from ..lexicon.vector_files import read_vectors

        read = cls(read_vectors(path), Path(path).resolve())
        if digest is not None and read.digest != digest:
            raise ValueError(f"{str(path)!r} holds other word vectors ({read.digest}) than those wanted ({digest})")
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the vectors."""
        return self.vectors.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Where they are, not what they hold.
        return UserVectors.read, (self.path, self.digest)


class UserEncoder(Resource):
    """A sentence encoder of the user's: given, not fitted, and not stored with a model.

    Parameters
    ----------
    encoder
        The encoder.
    path
        The folder that it was read from.

    Attributes
    ----------
    title, family
        As those of `UserVectors`.
    """

    name = "user_encoder"
    keys = ()
    title: ClassVar[str] = "sentence encoder"
    family: ClassVar[str] = "user_contextual"

    def __init__(self, encoder: SentenceEncoder, path: Path | None = None) -> None:
        super().__init__({})
        self.encoder, self.path = encoder, path

    @classmethod
    def read(cls, name: str | Path, digest: str | None = None) -> "UserEncoder":
        """Return the encoder of a folder, or of a name on the hub; see `encoding.folders.load_encoder`.

        Raises
        ------
        ValueError
            If it cannot be read, or has another digest than the one given.
        """
        from ..encoders.encoder_folders import find_encoder, load_encoder

        path = find_encoder(name)
        read = cls(load_encoder(path), path)
        if digest is not None and read.digest != digest:
            raise ValueError(f"{str(name)!r} holds another encoder ({read.digest}) than the one wanted ({digest})")
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the encoder."""
        return self.encoder.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Where it is, not what it holds.
        return UserEncoder.read, (self.path, self.digest)


GIVEN: dict[str, str] = {UserVectors.name: "--vectors", UserEncoder.name: "--encoder"}
"""Every resource that comes from the user and that a feature can declare in ``needs``, and the option that names it."""
