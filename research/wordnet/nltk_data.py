"""NLTK's packages of data (Bird et al., 2009): databases of WordNet, words of other languages, information content.

The only module that imports NLTK.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import nltk
import nltk.data
from nltk.corpus.reader import CorpusReader, WordNetCorpusReader
from nltk.corpus.reader.wordnet import WordNetICCorpusReader

from ...features.lexicon.wordnet import CLASSES
from .wordnet_files import COUNTS_FILE, DATABASE_FILES, Place
from .wordnet_lexicon import Word

ENGLISH = "eng"
"""The language of the database itself."""

_CONTENT = "wordnet_ic"
_LANGUAGES = ("omw-2.0", "omw-1.4")


class ForeignWords(NamedTuple):
    """Words that a language has for the synsets of a database.

    Attributes
    ----------
    senses
        Places by word, in sense order.
    licence
        The licence of the words.
    unplaced
        Number of lines of the data that name a synset that the database lacks; their words are left out.
    """

    senses: dict[Word, list[Place]]
    licence: str
    unplaced: int


class ListedContent(NamedTuple):
    """Counts of a file of information content by place, and of the roots by the letter of the part of speech."""

    counts: dict[Place, float]
    roots: dict[str, float]


def corpus_files(corpus: str, data: Path | None = None) -> dict[str, bytes]:
    """Return the database files of a package such as ``wordnet``, ``wordnet31`` or ``english_wordnet``."""
    with _searched(data):
        root = _root(corpus)
        files = {}
        for name in (*DATABASE_FILES, COUNTS_FILE):
            try:
                with root.join(name).open() as stream:
                    files[name] = stream.read()
            except OSError:
                if name != COUNTS_FILE:
                    raise ValueError(
                        f"the package {corpus!r} of NLTK must be a WordNet with the file {name}, got none; name another"
                    ) from None
        return files


def foreign_words(corpus: str, language: str, data: Path | None = None) -> ForeignWords:
    """Return the words that the Open Multilingual Wordnet (Bond and Paik, 2012) has for the synsets of a database."""
    with _searched(data), warnings.catch_warnings(record=True) as caught:
        # NLTK warns of each synset that the database lacks.
        warnings.simplefilter("always")
        reader = _reader(corpus)
        try:
            languages = sorted(name for name in reader.langs() if name != ENGLISH)
            if language not in languages:
                raise ValueError(f"the language must be one of {', '.join((ENGLISH, *languages))}, got {language!r}")
            senses = _foreign_senses(reader, language)
            unplaced = sum("offset" in str(warning.message) for warning in caught)
            return ForeignWords(senses, reader.license(lang=language), unplaced)
        finally:
            reader.close_all()


def listed_content(name: str, data: Path | None = None) -> ListedContent:
    """Return the counts of a file of information content, as NLTK reads it."""
    path = Path(name)
    is_file = path.is_file()
    with _searched(path.resolve().parent if is_file else data):
        root = str(path.resolve().parent) if is_file else _root(_CONTENT)
        try:
            listed = WordNetICCorpusReader(root, [path.name]).ic(path.name if is_file else name)
        except OSError:
            raise ValueError(
                f"information content must be a file, or the name of one in NLTK's package {_CONTENT}, got {name!r}; "
                "name another"
            ) from None
        except (ValueError, IndexError):
            raise ValueError(
                f"{name!r} must be a file of information content, with lines such as '1740n 128767 ROOT'; name another"
            ) from None
    counts = {(letter, offset): count for letter, rows in listed.items() for offset, count in rows.items() if offset}
    return ListedContent(counts, {letter: rows[0] for letter, rows in listed.items()})


def _foreign_senses(reader: Any, language: str) -> dict[Word, list[Place]]:
    senses: dict[Word, list[Place]] = {}
    for name in dict.fromkeys(name.lower() for name in reader.all_lemma_names(lang=language)):
        for synset in reader.synsets(name, lang=language):
            if synset is not None and name and "\n" not in name:
                letter = synset.pos().replace("s", "a")
                places = senses.setdefault((name, CLASSES.index(letter)), [])
                if (letter, synset.offset()) not in places:
                    places.append((letter, synset.offset()))
    return senses


@contextmanager
def _searched(folder: Path | None) -> Iterator[None]:
    # NLTK finds packages in, and opens files of, the folders of this list only.
    places = list(nltk.data.path)
    if folder is not None:
        nltk.data.path.insert(0, str(folder))
    try:
        yield
    finally:
        nltk.data.path[:] = places


def _root(package: str) -> Any:
    for name in (f"corpora/{package}", f"corpora/{package}.zip/{package}/"):
        try:
            return nltk.data.find(name)
        except LookupError:
            continue
    places = os.pathsep.join(nltk.data.path)
    raise ValueError(
        f"the package {package!r} of NLTK must be in the folder corpora of one of {places}, got none; fetch it on a "
        f"machine with a network: python -c \"import nltk; nltk.download('{package}')\""
    )


def _languages_root() -> Any:
    for package in _LANGUAGES[:-1]:
        try:
            return _root(package)
        except ValueError:
            continue
    return _root(_LANGUAGES[-1])


class _Reader(WordNetCorpusReader):
    """NLTK's reader of WordNet, which closes its files."""

    def __init__(self, *arguments: Any) -> None:
        self.streams: list[Any] = []
        super().__init__(*arguments)

    def open(self, file: str) -> Any:
        self.streams.append(super().open(file))
        return self.streams[-1]

    def close_all(self) -> None:
        for stream in self.streams:
            stream.close()


def _reader(corpus: str) -> _Reader:
    reader = _Reader(_root(corpus), CorpusReader(_languages_root(), r".*/wn-data-.*\.tab", encoding="utf8"))
    reader.add_omw()
    return reader
