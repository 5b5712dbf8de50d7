"""Words in context: encodings of the sentences of a batch, states of their words, and matched words of pairs.

The state of a word is the mean of the states of its pieces. States are whole numbers, so that inner products are exact
in any order of their sum and can be matrix products. `lexicon.word_vectors` does the same without context.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of
from ..base.caches import Packing
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import content_mask, vocabulary
from .onnx_transformer import LowerStates
from .sentence_encoder import Encoded, SentenceEncoder, whole

_QUOTES = ("``", "''")


def encodings(pairs: PairBatch, encoder: SentenceEncoder) -> Encoded:
    """Return the encodings of the distinct sentences of a batch."""

    def compute() -> Encoded:
        texts, cache = [sentence.text for sentence in pairs.sentences], pairs.sentence_cache
        if cache is None or not texts:
            # They take much memory: not computed for this alone.
            return encoder.encode(texts, pairs.kept(_lower_key(encoder)))
        packing = Packing(f"encoding {encoder.digest}", Encoded.pack, lambda _, data: Encoded.unpack(data), _size)
        return Encoded.join(cache.recall(packing, texts, lambda new: encoder.encode(new).split()))

    return pairs.memo(("sentence encodings", encoder.digest), compute)


def lower_states(pairs: PairBatch, encoder: SentenceEncoder) -> LowerStates:
    """Return the states of the distinct sentences of a batch after the first layers of an encoder."""
    return pairs.memo(
        _lower_key(encoder), lambda: encoder.lower_states([sentence.text for sentence in pairs.sentences])
    )


def _lower_key(encoder: SentenceEncoder) -> tuple[str, str]:
    return "lower states", encoder.digest


def _size(encoded: Encoded) -> int:
    return sum(array.nbytes + 120 for array in encoded)


class WordStates(NamedTuple):
    """The states of k words, sentence by sentence."""

    codes: np.ndarray  # shape (k, d), int8: whole numbers in the direction of the state
    lengths: np.ndarray  # float32: Euclidean lengths of the codes, above 0
    tokens: np.ndarray  # the token of each word, among the tokens of all distinct sentences
    offsets: np.ndarray  # shape (sentences + 1,)


def word_states(pairs: PairBatch, encoder: SentenceEncoder) -> WordStates:
    """Return the states of all tokens with a letter or a digit, as far as the encoder read the sentence."""

    def compute() -> WordStates:
        encoded, words = encodings(pairs, encoder), vocabulary(pairs, "words")
        token = tokens_of(pairs, Ragged(encoded.spans[:, 0], encoded.offsets))
        first = np.flatnonzero(np.diff(token, prepend=-1))
        size = np.diff(first, append=len(token))
        codes, several = encoded.codes[first], np.flatnonzero(size > 1)
        for count in np.unique(size[several]).tolist():
            rows = np.flatnonzero(size == count)
            total = np.zeros((len(rows), codes.shape[1]), dtype=np.float32)
            for k in range(count):
                piece = first[rows] + k
                total += encoded.codes[piece] * encoded.scales[piece][:, None]
            codes[rows], _ = whole(total)
        token = token[first]
        holds = np.fromiter((any(map(str.isalnum, item)) for item in words.items), bool, len(words.items))
        lengths = np.sqrt(np.einsum("ij,ij->i", codes, codes, dtype=np.float32))
        kept = np.flatnonzero(holds[words.ids.values[token]] & (lengths > 0))
        offsets = np.searchsorted(token[kept], words.ids.offsets)
        return WordStates(codes[kept], lengths[kept], token[kept], offsets)

    return pairs.memo(("word states", encoder.digest), compute)


def tokens_of(pairs: PairBatch, places: Ragged) -> np.ndarray:
    """Return the tokens at places in the texts of the distinct sentences."""
    # Apart from quotation marks, the characters of all tokens are, in order, those of the text other than blanks.
    tokens = vocabulary(pairs, "tokens")
    size = np.fromiter(map(len, tokens.items), np.int64, len(tokens.items))[tokens.ids.values]
    texts = [sentence.text for sentence in pairs.sentences]
    starts = offsets_of(np.fromiter(map(len, texts), np.int64, len(texts)))
    characters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    before = np.concatenate([[0], np.cumsum(characters != ord(" "))])
    of_text, of_tokens = np.diff(before[starts]), Ragged(size, tokens.ids.offsets).sums()
    for row in np.flatnonzero(of_text != of_tokens).tolist():
        part = slice(tokens.ids.offsets[row], tokens.ids.offsets[row + 1])
        size[part] = _sizes(pairs.sentences[row], int(of_text[row]))
    at = before[starts[places.rows] + places.values]
    return np.minimum(np.searchsorted(np.cumsum(size), at, side="right"), max(len(size) - 1, 0))


def _sizes(sentence: Sentence, total: int) -> list[int]:
    # Number of characters of the text for each token: a quotation mark of one character may have become two.
    text, sizes, at = sentence.text.replace(" ", ""), [], 0
    for token in sentence.tokens:
        size = 1 if token in _QUOTES and not text.startswith(token, at) else len(token)
        size = min(size, total - at)
        sizes.append(size)
        at += size
    if sizes:
        sizes[-1] += total - at
    return sizes


class Side(NamedTuple):
    """The words of one side of n pairs that have a state."""

    words: Ragged  # n rows of indices into `WordStates`
    content: np.ndarray  # mask of the content words; all words if a sentence has none
    best: np.ndarray  # best cosine to a word of the other sentence, in [0, 1], float64; 0 if that has no words
    mutual: np.ndarray  # best partner of its own best partner

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the values of the words of each row, shape (n,), float64."""
        return Ragged(values, self.words.offsets).sums()


def matched(pairs: PairBatch, encoder: SentenceEncoder) -> tuple[Side, Side]:
    """Return both sides of every pair with their words matched by the cosines of their states."""

    def compute() -> tuple[Side, Side]:
        states = word_states(pairs, encoder)
        return matched_states(pairs, states, content_mask(pairs)[states.tokens])

    return pairs.memo(("words matched", encoder.digest), compute)


def matched_states(pairs: PairBatch, states: WordStates, content: np.ndarray) -> tuple[Side, Side]:
    """Return both sides of every pair with their words matched by the cosines of states."""
    some = Ragged(content, states.offsets).sums() > 0
    content = content | ~np.repeat(some, np.diff(states.offsets))
    all_words = Ragged(np.arange(len(states.codes)), states.offsets)
    a, b = all_words.take(pairs.left), all_words.take(pairs.right)
    bests = [np.zeros(len(side.values), dtype=np.float32) for side in (a, b)]
    mutual = [np.zeros(len(side.values), dtype=bool) for side in (a, b)]
    ends = (states.offsets.tolist(), a.offsets.tolist(), b.offsets.tolist())
    lefts, rights = pairs.left.tolist(), pairs.right.tolist()
    places = np.arange(int(np.diff(states.offsets).max(initial=0)))
    for k, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        word_rows, other_rows = slice(ends[0][left], ends[0][left + 1]), slice(ends[0][right], ends[0][right + 1])
        if word_rows.start == word_rows.stop or other_rows.start == other_rows.stop:
            continue
        grid = states.codes[word_rows].astype(np.float32) @ states.codes[other_rows].astype(np.float32).T
        # The product of the lengths comes first: it is the same for both orders of the sentences.
        grid /= states.lengths[word_rows][:, None] * states.lengths[other_rows]
        here, there = slice(ends[1][k], ends[1][k + 1]), slice(ends[2][k], ends[2][k + 1])
        grid.max(axis=1, out=bests[0][here])
        grid.max(axis=0, out=bests[1][there])
        of_a, of_b = grid.argmax(axis=1), grid.argmax(axis=0)
        np.equal(of_b[of_a], places[: len(of_a)], out=mutual[0][here])
        np.equal(of_a[of_b], places[: len(of_b)], out=mutual[1][there])
    one, two = (
        Side(side, content[side.values], np.clip(best, 0.0, 1.0).astype(np.float64), mutual_words)
        for side, best, mutual_words in zip((a, b), bests, mutual, strict=True)
    )
    return one, two
