"""User-supplied word vectors, sentence encoders and WordNets: read from their place, and not stored with a model."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from ..base.feature import Feature
from ..encoders.sentence_encoder import SentenceEncoder
from ..lexicon.word_vectors import WordVectors
from ..lexicon.wordnet import WordNet
from ..statistics.fitted import Resource


class UserSupplied(Resource):
    """Resource that a user supplies and features read.

    Parameters
    ----------
    content
        The vectors, encoder or WordNet; it has a ``digest``.
    path
        The file or folder that it was read from.

    Attributes
    ----------
    title, option, family
        Its name in messages, the option of the command line that names its place, and a family that reads it.
    replaces
        The shipped table that it replaces; None if features read it only where they declare it.
    """

    title: ClassVar[str]
    option: ClassVar[str]
    family: ClassVar[str]
    replaces: ClassVar[str | None] = None

    def __init__(self, content: Any, path: Path | None = None) -> None:
        super().__init__({})
        self._content, self.path = content, path

    @classmethod
    @abstractmethod
    def read(cls, path: str | Path, digest: str | None = None) -> Self:
        """Return the resource at a place.

        Raises
        ------
        ValueError
            If it cannot be read, or has another digest than `digest`.
        """

    @classmethod
    def checked(cls, read: Self, place: str | Path, digest: str | None) -> Self:
        """Return the resource that was read; raise ValueError if it has another digest."""
        if digest is not None and read.digest != digest:
            raise ValueError(
                f"the {cls.title} {str(place)!r} must have the digest {digest}, got {read.digest}; name the place of "
                "the one with this digest"
            )
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the content."""
        return str(self._content.digest)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Pickled by place, not by content.
        return type(self).read, (self.path, self.digest)


class UserVectors(UserSupplied):
    """User-supplied word vectors."""

    name = "user_vectors"
    title = "word vectors"
    option = "--vectors"
    family = "user_embedding"

    @property
    def vectors(self) -> WordVectors:
        """The vectors."""
        vectors: WordVectors = self._content
        return vectors

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> Self:
        """Return the vectors of a file or folder; see `vector_files.read_vectors`. Raises as `UserSupplied.read`."""
        from ..lexicon.vector_files import read_vectors

        return cls.checked(cls(read_vectors(path), Path(path).resolve()), path, digest)


class UserEncoder(UserSupplied):
    """User-supplied sentence encoder."""

    name = "user_encoder"
    title = "sentence encoder"
    option = "--encoder"
    family = "user_contextual"

    @property
    def encoder(self) -> SentenceEncoder:
        """The encoder."""
        encoder: SentenceEncoder = self._content
        return encoder

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> Self:
        """Return the encoder of a folder, or of a name on the hub; see `encoder_folders.load_encoder`.

        Raises as `UserSupplied.read`.
        """
        from ..encoders.encoder_folders import find_encoder, load_encoder

        folder = find_encoder(path)
        return cls.checked(cls(load_encoder(folder), folder), path, digest)


class UserWordNet(UserSupplied):
    """User-supplied WordNet, which replaces the shipped one for every feature."""

    name = "user_wordnet"
    title = "WordNet"
    option = "--wordnet"
    family = "wordnet_overlap"
    replaces = "wordnet"

    @property
    def wordnet(self) -> WordNet:
        """The WordNet."""
        wordnet: WordNet = self._content
        return wordnet

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> Self:
        """Return the WordNet of a folder; see `wordnet_folder.load_wordnet`. Raises as `UserSupplied.read`."""
        from ..lexicon.wordnet_folder import load_wordnet

        return cls.checked(cls(load_wordnet(path), Path(path).resolve()), path, digest)


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
