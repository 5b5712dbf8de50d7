"""Annotation of sentences with lemmas, tags, dependencies and entities, by the shipped pipeline or one of spaCy.

The shipped pipeline has a tagger and lemma tables of its own, which do not need spaCy, and a parser and an entity
recogniser of spaCy. Every sentence is one document with its tokens: nothing tokenises or splits sentences.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..._messages import from_extra
from ..base.sentences import Entity, Sentence
from .clearnlp_dependencies import is_clearnlp, to_universal
from .lemmas import LemmaRules
from .tagger import Tagger, shipped_tagger

if TYPE_CHECKING:
    from spacy.language import Language

SHIPPED = "samewise"
"""Name of the shipped pipeline."""

FOLDER = Path(__file__).parents[1] / "data" / "pipeline"
"""Folder of the shipped pipeline."""

CHECKSUMS = "SHA256SUMS"
"""File in the folder of the shipped pipeline with the SHA-256 of each loaded file."""

CHUNK_TOKENS = 16_384
"""Number of tokens that are documents at once, which bounds the memory."""

BATCH_SENTENCES = 128
"""Number of documents that go through a component at a time."""

MOST_LEXEMES = 500_000
"""Number of new words after which the pipeline is loaded again.

A memory zone frees words but not their places in spaCy's hash tables: 40 bytes for every distinct word, against 0.3 s
in about two minutes of parsing.
"""

_LEXICAL = frozenset(
    {"tok2vec", "transformer", "curated_transformer", "tagger", "attribute_ruler", "morphologizer"}
    | {"lemmatizer", "trainable_lemmatizer"}
)
_SYNTAX = frozenset({"tok2vec", "parser", "ner", "entity_ruler"})
_CONSTITUENCY = frozenset({"benepar"})
"""Factories whose component registers the extension ``parse_string`` of spans (Kitaev and Klein, 2018)."""


class Words(NamedTuple):
    """Tagger and lemma rules that do not need spaCy."""

    tagger: Tagger
    lemmas: LemmaRules


class Annotator:
    """Annotator of sentences with lemmas, tags, heads, relations and entities.

    Parameters
    ----------
    load
        Function that returns the spaCy pipeline; called when it is first needed, and again when its vocabulary has
        grown to `MOST_LEXEMES`.
    name
        ``samewise`` for the shipped pipeline, otherwise the name of the spaCy package.
    digest
        Hex digest of the pipeline.
    words
        Tagger and lemma rules for both levels; those of the pipeline unless given.

    Notes
    -----
    The annotations of a sentence do not depend on the other sentences, on threads or on processes: the tagger counts in
    whole numbers, documents are padded apart, and the matrix products of spaCy's numpy backend (BLIS, one thread) have
    the same bits in each row for any number of rows. The strings of a batch are in a spaCy memory zone, which frees
    them.
    """

    def __init__(self, load: Callable[[], "Language"], name: str, digest: str, words: Words | None = None) -> None:
        self.name, self.digest = name, digest
        self._load, self._words = load, words
        self._lock = threading.Lock()
        self._loaded: Language | None = None

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        # A lock and a loaded pipeline cannot be pickled, and one pipeline a process is enough.
        return _same_annotator, (self.name, self.digest)

    @property
    def _nlp(self) -> "Language":
        if self._loaded is None:
            self._loaded = self._load()
            self._describe(self._loaded)
        return self._loaded

    def _describe(self, nlp: "Language") -> None:
        syntax = _SYNTAX if self._words else _LEXICAL | _SYNTAX | _CONSTITUENCY
        self._components = {"lexical": _components(nlp, _LEXICAL), "parsed": _components(nlp, syntax)}
        self._bracketed = not self._words and bool(_components(nlp, _CONSTITUENCY))
        labels: Sequence[str] = getattr(nlp.get_pipe("parser"), "labels", ()) if "parser" in nlp.pipe_names else ()
        self._clearnlp = is_clearnlp(labels)

    def annotate(self, sentences: Sequence[Sentence], level: str) -> list[Sentence]:
        """Return the sentences with the annotations of a level.

        Parameters
        ----------
        sentences
            Sentences with tokens.
        level
            ``lexical``: tags and lemmas; ``parsed``: heads, relations and entities too, and constituents if the
            pipeline has a component for them.

        Raises
        ------
        ValueError
            If the level is unknown.
        """
        if level not in ("lexical", "parsed"):
            raise ValueError(f"the annotation level must be 'lexical' or 'parsed', got {level!r}")
        annotated = list(sentences)
        filled = [i for i, sentence in enumerate(annotated) if sentence.tokens]
        with self._lock:
            for chunk in _chunks(filled, annotated):
                part = [annotated[i] for i in chunk]
                if self._words:
                    part = _with_words(part, self._words)
                if level == "parsed" or not self._words:
                    if len(self._nlp.vocab) > MOST_LEXEMES:
                        self._loaded = None
                    with self._nlp.memory_zone():
                        part = self._run(part, level)
                for i, sentence in zip(chunk, part, strict=True):
                    annotated[i] = sentence
        return annotated

    def _run(self, sentences: Sequence[Sentence], level: str) -> list[Sentence]:
        from spacy.tokens import Doc

        vocab = self._nlp.vocab
        docs: Iterable[Doc] = [
            Doc(vocab, words=list(s.tokens), sent_starts=[i == 0 for i in range(len(s.tokens))]) for s in sentences
        ]
        for component in self._components[level]:
            pipe = getattr(component, "pipe", None)
            docs = map(component, docs) if pipe is None else pipe(docs, batch_size=BATCH_SENTENCES)
        names: list[int | str] = ["TAG", "LEMMA", "HEAD", "DEP", "ENT_IOB", "ENT_TYPE"]
        kept = list(docs)
        columns = np.concatenate([doc.to_array(names) for doc in kept]).T
        spans = _spans(sentences)
        annotated = list(sentences)
        if not self._words:
            tags, written = self._strings(columns[0]), self._strings(columns[1])
            words = chain.from_iterable(sentence.words for sentence in sentences)
            lemmas = [lemma.lower() or word for lemma, word in zip(written, words, strict=True)]
            annotated = [
                s._replace(lemmas=tuple(lemmas[a:b]), tags=tuple(tags[a:b]))
                for s, (a, b) in zip(annotated, spans, strict=True)
            ]
        if level == "lexical":
            return annotated
        shifts = columns[2].view(np.int64).tolist()
        labels = self._strings(columns[3])
        marks, kinds = columns[4].tolist(), self._strings(columns[5])
        for k, (s, (a, b)) in enumerate(zip(annotated, spans, strict=True)):
            heads, relations = self._tree(s, [i + shift for i, shift in enumerate(shifts[a:b])], labels[a:b])
            # A parser may find several roots; their trees follow one another.
            trees = [sentence._.parse_string for sentence in kept[k].sents] if self._bracketed else []
            annotated[k] = s._replace(
                heads=tuple(heads),
                relations=tuple(relations),
                entities=_entities(marks[a:b], kinds[a:b]),
                constituents=" ".join(trees),
            )
        return annotated

    def _strings(self, hashes: np.ndarray) -> list[str]:
        distinct, where = np.unique(hashes, return_inverse=True)
        texts = [self._nlp.vocab.strings[int(value)] for value in distinct]
        return [texts[i] for i in where.tolist()]

    def _tree(self, sentence: Sentence, heads: list[int], labels: list[str]) -> tuple[list[int], list[str]]:
        labels = one_root(heads, labels)
        if self._clearnlp:
            return to_universal(sentence.lemmas, sentence.tags, heads, labels)
        return heads, labels


def _with_words(sentences: Sequence[Sentence], words: Words) -> list[Sentence]:
    tags = words.tagger.tag([sentence.tokens for sentence in sentences])
    lemmas = words.lemmas.lemmas(list(chain.from_iterable(sentence.words for sentence in sentences)), tags)
    return [
        Sentence(*s[:5], tuple(lemmas[a:b]), tuple(tags[a:b]))
        for s, (a, b) in zip(sentences, _spans(sentences), strict=True)
    ]


def _spans(sentences: Sequence[Sentence]) -> list[tuple[int, int]]:
    ends = list(accumulate((len(sentence.tokens) for sentence in sentences), initial=0))
    return list(pairwise(ends))


def one_root(heads: list[int], labels: Sequence[str]) -> list[str]:
    """Attach every further root to the first, in place, and return the relations: ``root`` and ``parataxis``."""
    relations = list(labels)
    roots = [i for i, head in enumerate(heads) if head == i]
    for i in roots:
        heads[i], relations[i] = roots[0], "parataxis"
    relations[roots[0]] = "root"
    return relations


def _entities(marks: Sequence[int], labels: Sequence[str]) -> tuple[Entity, ...]:
    # spaCy's marks: 1 inside, 3 begins.
    if not any(mark == 3 for mark in marks):
        return ()
    entities = []
    for start, mark in enumerate(marks):
        if mark == 3:
            end = start + 1
            while end < len(marks) and marks[end] == 1:
                end += 1
            entities.append(Entity(start, end, labels[start]))
    return tuple(entities)


def _chunks(rows: Sequence[int], sentences: Sequence[Sentence]) -> Iterator[list[int]]:
    chunk: list[int] = []
    size = 0
    for i in rows:
        chunk.append(i)
        size += len(sentences[i].tokens)
        if size >= CHUNK_TOKENS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _components(nlp: "Language", kinds: frozenset[str]) -> list[Any]:
    return [component for name, component in nlp.pipeline if nlp.get_pipe_meta(name).factory in kinds]


# ---- loading


@cache
def load_annotator(name: str | None = None) -> Annotator:
    """Return the annotator of a pipeline, loaded once a process.

    Parameters
    ----------
    name
        An installed spaCy package such as ``en_core_web_sm``; None for the pipeline that ships with this package.

    Raises
    ------
    ValueError
        If the package is not installed or lacks a tagger, a parser or a lemmatizer, or a shipped file was changed.
    """
    return _shipped() if name is None or name == SHIPPED else _installed(name)


def _same_annotator(name: str, digest: str) -> Annotator:
    annotator = load_annotator(None if name == SHIPPED else name)
    if annotator.digest != digest:
        raise ValueError(
            f"the pipeline {name!r} must have the digest {digest}, got {annotator.digest}; install the "
            "pipeline with that digest"
        )
    return annotator


def _shipped() -> Annotator:
    tagger = shipped_tagger()
    digest = hashlib.sha256(f"{check_files(FOLDER)} {tagger.digest}".encode()).hexdigest()[:16]
    rules = json.loads((FOLDER / "lemmas.json").read_text(encoding="utf-8"))
    return Annotator(_load_shipped, SHIPPED, digest, Words(tagger, LemmaRules(**rules)))


def _load_shipped() -> "Language":
    with from_extra("parse", "parsing"):
        import spacy
        from spacy.attrs import IS_SPACE, NORM, PREFIX, SHAPE, SUFFIX

    nlp = spacy.load(FOLDER)
    # Only these attributes are read; each further one costs time for every new word of a chunk.
    vocab: Any = nlp.vocab
    vocab.lex_attr_getters = {key: vocab.lex_attr_getters[key] for key in (IS_SPACE, NORM, PREFIX, SHAPE, SUFFIX)}
    return nlp


def check_files(folder: Path) -> str:
    """Check the files of the shipped pipeline in a folder, and return its hex digest."""
    listing = (folder / CHECKSUMS).read_text(encoding="utf-8")
    for line in listing.splitlines():
        expected, path = line.split(maxsplit=1)
        file = folder / path
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != expected:
            raise ValueError(f"{file} is missing or was changed; install samewise again")
    return hashlib.sha256(listing.encode()).hexdigest()[:16]


def _installed(name: str) -> Annotator:
    from importlib.metadata import entry_points, version

    # Of the packages that call themselves pipelines: spaCy would import any other one, and a model may name it.
    if name not in {entry.name for entry in entry_points(group="spacy_models")}:
        raise ValueError(f"the spaCy package must be installed, got {name!r}; run: python -m spacy download {name}")

    with from_extra("parse", "parsing"):
        import spacy

    def load() -> "Language":
        nlp = spacy.load(name)
        kinds = {nlp.get_pipe_meta(component).factory for component in nlp.pipe_names}
        for needed in ({"tagger"}, {"lemmatizer", "trainable_lemmatizer"}, {"parser"}):
            if not needed & kinds:
                raise ValueError(
                    f"the spaCy package must tag, lemmatise and parse, got {name!r} without a {min(needed, key=len)}; "
                    "name another"
                )
        return nlp

    annotator = Annotator(load, name, "")
    versions = f"{name} {annotator._nlp.meta['version']} spaCy {version('spacy')}"
    annotator.digest = hashlib.sha256(versions.encode()).hexdigest()[:16]
    return annotator
