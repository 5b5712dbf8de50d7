"""User-supplied word vectors, sentence encoders and WordNets: read from their place, and not stored with a model."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from ..declaration import Feature
from ..encoders.sentence_encoder import SentenceEncoder
from ..lexicon.word_vectors import WordVectors
from ..lexicon.wordnet import WordNet
from .fitted import Resource


class UserVectors(Resource):
    """User-supplied word vectors.

    Parameters
    ----------
    vectors
        The vectors.
    path
        The file or folder that they were read from.

    Attributes
    ----------
    title, option, family
        Its name in messages, the option of the command line that names its place, and the family that reads it.
    replaces
        The shipped table that it takes the place of; None if features read it only where they declare it.
    """

    name = "user_vectors"
    replaces: ClassVar[str | None] = None
    title: ClassVar[str] = "word vectors"
    option: ClassVar[str] = "--vectors"
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
            If they cannot be read, or have another digest than `digest`.
        """
        from ..lexicon.vector_files import read_vectors

        read = cls(read_vectors(path), Path(path).resolve())
        if digest is not None and read.digest != digest:
            raise ValueError(
                f"the word vectors {str(path)!r} must have the digest {digest}, got {read.digest}; pass those"
            )
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the vectors."""
        return self.vectors.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Pickled by place, not by content.
        return UserVectors.read, (self.path, self.digest)


class UserEncoder(Resource):
    """User-supplied sentence encoder.

    Parameters
    ----------
    encoder
        The encoder.
    path
        The folder that it was read from.

    Attributes
    ----------
    title, option, family, replaces
        As in `UserVectors`.
    """

    name = "user_encoder"
    replaces: ClassVar[str | None] = None
    title: ClassVar[str] = "sentence encoder"
    option: ClassVar[str] = "--encoder"
    family: ClassVar[str] = "user_contextual"

    def __init__(self, encoder: SentenceEncoder, path: Path | None = None) -> None:
        super().__init__({})
        self.encoder, self.path = encoder, path

    @classmethod
    def read(cls, name: str | Path, digest: str | None = None) -> "UserEncoder":
        """Return the encoder of a folder, or of a name on the hub; see `encoder_folders.load_encoder`.

        Raises
        ------
        ValueError
            If it cannot be read, or has another digest than `digest`.
        """
        from ..encoders.encoder_folders import find_encoder, load_encoder

        path = find_encoder(name)
        read = cls(load_encoder(path), path)
        if digest is not None and read.digest != digest:
            raise ValueError(
                f"the encoder {str(name)!r} must have the digest {digest}, got {read.digest}; pass that one"
            )
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the encoder."""
        return self.encoder.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Pickled by place, not by content.
        return UserEncoder.read, (self.path, self.digest)


class UserWordNet(Resource):
    """User-supplied WordNet, which every feature that reads WordNet reads instead of the shipped one.

    Parameters
    ----------
    wordnet
        The WordNet.
    path
        The folder that it was read from.

    Attributes
    ----------
    title, option, family, replaces
        As in `UserVectors`.
    """

    name = "user_wordnet"
    replaces: ClassVar[str | None] = "wordnet"
    title: ClassVar[str] = "WordNet"
    option: ClassVar[str] = "--wordnet"
    family: ClassVar[str] = "wordnet_overlap"

    def __init__(self, wordnet: WordNet, path: Path | None = None) -> None:
        super().__init__({})
        self.wordnet, self.path = wordnet, path

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> "UserWordNet":
        """Return the WordNet of a folder; see `built_wordnet.load_wordnet`.

        Raises
        ------
        ValueError
            If it cannot be read, or has another digest than `digest`.
        """
        from ..lexicon.built_wordnet import load_wordnet

        return cls(load_wordnet(path, digest), Path(path).resolve())

    @cached_property
    def digest(self) -> str:
        """Hex digest of the arrays."""
        return self.wordnet.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Pickled by place, not by content.
        return UserWordNet.read, (self.path, self.digest)


UserSupplied: TypeAlias = UserVectors | UserEncoder | UserWordNet

USER_SUPPLIED: dict[str, type[UserSupplied]] = {kind.name: kind for kind in (UserVectors, UserEncoder, UserWordNet)}
"""The user-supplied resources by name."""

GIVEN = {name: kind.option for name, kind in USER_SUPPLIED.items()}
"""The option of the command line for each of `USER_SUPPLIED`."""


def reader_of(kind: type[UserSupplied], features: Iterable[Feature]) -> str | None:
    """Return the full name of the first feature that reads a user-supplied resource; None if none does."""
    readers = (value.full_name for value in features if kind.name in value.needs or kind.replaces in value.tables)
    return next(readers, None)


def own_tables(resources: Mapping[str, Resource]) -> dict[str, Any]:
    """Return the user-supplied tables among resources by the name of the shipped table that they replace."""
    supplied = resources.get(UserWordNet.name)
    return {"wordnet": supplied.wordnet} if isinstance(supplied, UserWordNet) else {}
