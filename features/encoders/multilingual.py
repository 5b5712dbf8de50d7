"""The encoder and the reader of pairs in all languages, and the spaces of single languages.

The reader of pairs: it is a part of the distribution ``samewise-languages``, was made from its encoder, and reads the
word pieces of that.

The encoder: it is a part of the distribution ``samewise-languages``, which pairs in other languages than English need.
"""

import json
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from ..arrays.ragged import offsets_of
from ..base.sentences import PairBatch, Sentence
from ..linguistics.language import ENGLISH
from ..linguistics.languages import languages_folder
from ..linguistics.normalisation import Token, split_text
from ..statistics.fitted import Layout, Numbers, Resource, Words
from .contextual_words import WordStates, encodings
from .network_checks import Declared, Value
from .pair_reading import pair_outputs
from .sentence_encoder import DIMENSION, Encoded, SentenceEncoder, whole
from .shipped_files import ShippedNetwork, read_network, read_parts

NETWORK = "layers.onnx.gz"
"""File of the twelve layers of the encoder, and of those of the cross-encoder."""

MOST_PIECES = 128
"""Greatest number of pieces of a text, special ones included."""

_TITLE, _REMEDY = "the encoder of samewise-languages", "install samewise-languages again"


def encoder_folder() -> Path:
    """Return the folder of the encoder, which need not exist."""
    return languages_folder() / "encoder"


@lru_cache(maxsize=1)
def encoder_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose word pieces the installed encoder has; none if it is not installed."""
    manifest = encoder_folder() / "manifest.json"
    if not manifest.is_file():
        return ()
    try:
        return tuple(json.loads(manifest.read_bytes())["languages"])
    except (ValueError, LookupError, TypeError):
        raise ValueError(f"{str(manifest)!r} must be the manifest of {_TITLE}, got another file; {_REMEDY}") from None


@lru_cache(maxsize=1)
def multilingual_encoder() -> SentenceEncoder:
    """Return the encoder of the distribution ``samewise-languages``, checked against its manifest, once a process.

    Raises
    ------
    ValueError
        If the distribution is not installed, or a file is missing, cut or changed.
    """
    folder = encoder_folder()
    if not (folder / "manifest.json").is_file():
        raise ValueError(f"{_TITLE} must be installed, got none; install samewise-languages")
    return read_multilingual_encoder(folder)


def read_multilingual_encoder(folder: Path) -> SentenceEncoder:
    """Return the encoder of a folder that ``scripts/make_multilingual_encoder.py`` made; see `multilingual_encoder`."""
    parts = read_parts(folder, [NETWORK], MOST_PIECES, _TITLE, _REMEDY)
    [network] = parts.networks
    return SentenceEncoder(network, parts.tokenizer, parts.words, digest=parts.digest)


def cross_encoder_folder() -> Path:
    """Return the folder of the cross-encoder, which need not exist."""
    return languages_folder() / "cross_encoder"


@lru_cache(maxsize=1)
def multilingual_cross_encoder() -> ShippedNetwork:
    """Return the cross-encoder of ``samewise-languages``, checked against its manifest, once a process."""
    pieces = Value("float32", 3, DIMENSION)
    declared = Declared({"word_embeddings": pieces, "token_type_ids": Value("int64", 2)}, "output")
    title, remedy = "the cross-encoder of samewise-languages", "install samewise-languages again"
    return read_network(cross_encoder_folder(), NETWORK, declared, title, remedy)


def sentence_vectors(pairs: PairBatch) -> np.ndarray:
    """Return the unit vectors of the distinct sentences, shape (sentences, d), float32."""
    return encodings(pairs, multilingual_encoder()).vectors


def pair_scores(pairs: PairBatch) -> np.ndarray:
    """Return the score of each pair by the cross-encoder, shape (n,), on 0..5 but not clipped to it."""
    texts = [sentence.text for sentence in pairs.sentences]
    network, encoder = multilingual_cross_encoder().network, multilingual_encoder()
    return pair_outputs(network, encoder, texts, pairs.left, pairs.right)


def words_of(pairs: PairBatch) -> list[list[Token]]:
    """Return the words, numbers and marks of each distinct sentence."""
    return pairs.memo("words by language", lambda: [split_text(s.text, s.language) for s in pairs.sentences])


def states_of_words(pairs: PairBatch) -> WordStates:
    """Return the states of all words with a letter or a digit; ``tokens`` are places among all of `words_of`."""

    def compute() -> WordStates:
        codes, places, counts, before = [], [], [], 0
        encoder = multilingual_encoder()
        every = zip(encodings(pairs, encoder).split(), pairs.sentences, words_of(pairs), strict=True)
        for encoded, sentence, words in every:
            word_codes, place = _word_codes(encoded, sentence.text, words)
            codes.append(word_codes)
            places.append(place + before)
            counts.append(len(word_codes))
            before += len(words)
        all_codes = np.concatenate(codes) if codes else np.zeros((0, encoder.dimension), dtype=np.int8)
        lengths = np.sqrt(np.einsum("ij,ij->i", all_codes, all_codes, dtype=np.float32))
        token = np.concatenate([np.empty(0, dtype=np.int64), *places])
        return WordStates(all_codes, lengths, token, offsets_of(np.asarray(counts, dtype=np.int64)))

    return pairs.memo("states of words by language", compute)


def _word_codes(encoded: Encoded, text: str, words: list[Token]) -> tuple[np.ndarray, np.ndarray]:
    # Codes, each the mean of its pieces, and places of the words of a sentence that have a state.
    if not words or not len(encoded.codes):
        return encoded.codes[:0], np.empty(0, dtype=np.int64)
    spans = np.asarray([word.span for word in words], dtype=np.int64)
    # A piece that begins a word has the blank before it, too.
    blank = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    starts = encoded.spans[:, 0] + blank[np.minimum(encoded.spans[:, 0], len(text) - 1)]
    place = np.searchsorted(spans[:, 0], starts, side="right") - 1
    holds = np.fromiter((any(map(str.isalnum, word.text)) for word in words), dtype=bool, count=len(words))
    kept = np.flatnonzero((place >= 0) & (starts < spans[place, 1]) & holds[place])
    place = place[kept]
    first = np.flatnonzero(np.diff(place, prepend=-1))
    if not len(first):
        return encoded.codes[:0], place
    codes, _ = whole(np.add.reduceat(encoded.states[kept], first, axis=0))
    some = codes.any(axis=1)
    return codes[some], place[first][some]


class SpaceMeans(Resource):
    """Mean vector of the sentences of each language.

    ``languages`` are the codes, joined by blanks as bytes; ``means`` has shape (languages, d).
    """

    name = "space_means"
    layout: ClassVar[Layout] = {
        "languages": Words("languages", b" "),
        "means": Numbers(np.float32, ("languages", DIMENSION), -1.001, 1.001, longest=DIMENSION),
    }
    tables = ("multilingual_encoder",)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "SpaceMeans":
        """Return the means over distinct sentences."""
        nothing = np.empty(0, dtype=np.int64)
        languages, means = sorted({sentence.language for sentence in sentences}), []
        for language in languages:
            texts = [sentence for sentence in sentences if sentence.language == language]
            means.append(sentence_vectors(PairBatch(texts, nothing, nothing)).mean(axis=0, dtype=np.float64))
        return cls(
            {
                "languages": np.frombuffer(" ".join(languages).encode(), dtype=np.uint8),
                "means": np.asarray(means, dtype=np.float32).reshape(len(languages), -1),
            }
        )

    def centred(self, pairs: PairBatch) -> np.ndarray:
        """Return the vectors of the distinct sentences less the mean of their language, float64.

        The mean of English, or of the first language, stands for that of a language without one.
        """
        return pairs.memo(("centred by language", self.digest), partial(self._centred, pairs))

    def _centred(self, pairs: PairBatch) -> np.ndarray:
        text = self.arrays["languages"].tobytes().decode("utf-8", "surrogatepass")
        languages = text.split(" ") if text else []
        vectors = sentence_vectors(pairs).astype(np.float64)
        if not languages or not len(vectors):
            return vectors
        default = languages.index(ENGLISH) if ENGLISH in languages else 0
        rows = [languages.index(s.language) if s.language in languages else default for s in pairs.sentences]
        return vectors - self.arrays["means"][rows].astype(np.float64)
