"""Sentences in any supported language, or in two, by one encoder of all languages.

The features without an encoder compare signs that languages share: numbers, marks, lengths, and the letters of names
and cognates. A batch may hold sentences of several languages.
"""

import unicodedata

import numpy as np

from ..arrays.ragged import Ragged, f1, ngrams, ratio, share
from ..base.feature import PairBatch, feature
from ..base.token_sequences import characters, text_hash
from ..encoders import encoder_measures as measures
from ..encoders.contextual_words import matched_states
from ..encoders.multilingual import SpaceMeans, pair_scores, sentence_vectors, states_of_words, words_of
from ..lexicon.language_frequencies import COMMON, LanguageFrequencies
from ..linguistics.languages import ENGLISH
from ..word_similarity.vector_pooling import cosines, dots, weighted_sums

_LETTERS = (2, 3, 4)


def _information(pairs: PairBatch, frequencies: LanguageFrequencies) -> np.ndarray:
    # Information content of all words of all distinct sentences, flat.
    def compute() -> np.ndarray:
        values = [
            frequencies.information([word.text for word in words], sentence.language)
            for sentence, words in zip(pairs.sentences, words_of(pairs), strict=True)
        ]
        return np.concatenate([np.empty(0), *values])

    return pairs.memo(("information by language", frequencies.digest), compute)


@feature(
    "vectors", "centred", "words", "content", low=-1.0,
    needs=("language_frequencies", "space_means", "multilingual_encoder"), source="Reimers and Gurevych 2020",
    section="EMB3",
)  # fmt: skip
def cosine(pairs: PairBatch, language_frequencies: LanguageFrequencies, space_means: SpaceMeans) -> np.ndarray:
    """Cosine of the vectors of the sentences, of these less the mean of their language, and of sums of words.

    ``words``, ``content``: sums of the states of all words and of content words, each of unit length times its
    information content in its language. 0 where a sentence has no word.
    """
    states, information = states_of_words(pairs), _information(pairs, language_frequencies)
    weight = information[states.tokens] / states.lengths
    content = weight * (information[states.tokens] > -np.log(COMMON))
    rows = Ragged(np.arange(len(weight)), states.offsets)
    pooled = [sentence_vectors(pairs), *weighted_sums(states.codes, rows, [weight, content])]
    plain, words, named = (cosines(each[pairs.left], each[pairs.right]) for each in pooled)
    centred = space_means.centred(pairs)
    return np.stack([plain, cosines(centred[pairs.left], centred[pairs.right]), words, named], axis=1)


@feature(
    "euclidean", "manhattan", "chebyshev", high=2.0, needs=("multilingual_encoder",),
    source="Reimers and Gurevych 2020", section="EMB3",
)  # fmt: skip
def distance(pairs: PairBatch) -> np.ndarray:
    """Distances of the unit vectors of the sentences; Manhattan over the root of their dimension."""
    vectors = sentence_vectors(pairs)
    apart = np.abs(vectors[pairs.left].astype(np.float64) - vectors[pairs.right])
    columns = [np.sqrt(dots(apart, apart)), apart.sum(axis=1) / max(vectors.shape[1], 1) ** 0.5, apart.max(axis=1)]
    return np.minimum(np.stack(columns, axis=1), 2.0)


@feature(
    *measures.MATCH, high=np.inf, needs=("language_frequencies", "multilingual_encoder"),
    source="Zhang et al. 2020", section="EMB7",
)  # fmt: skip
def match(pairs: PairBatch, language_frequencies: LanguageFrequencies) -> np.ndarray:
    """Seventeen statistics of the best cosine of each word in context to a word of the other sentence.

    As in `user_contextual.match`, with information content in the word's language in place of idf.
    """
    states = states_of_words(pairs)
    information = _information(pairs, language_frequencies)[states.tokens]
    return measures.match_of(matched_states(pairs, states, information > -np.log(COMMON)), information)


@feature(
    "score", high=5.0, needs=("multilingual_encoder", "multilingual_cross_encoder"), source="Devlin et al. 2019",
)  # fmt: skip
def cross_encoder(pairs: PairBatch) -> np.ndarray:
    """Score of the cross-encoder of several languages, which reads both texts at once, the shorter one first."""
    return np.clip(pair_scores(pairs), 0.0, 5.0)[:, None]


@feature("f1", "differ", "missing", source="Saric et al. 2012", section="NUM1 NUM5")
def number(pairs: PairBatch) -> np.ndarray:
    """F1 of the sets of numbers in figures; 1 where both sides have some and differ; 1 where one side alone has some.

    F1 is 1 where neither has a number.
    """
    sets = [frozenset(w.text for w in words if any(map(str.isdigit, w.text))) for words in words_of(pairs)]
    columns = np.zeros((len(pairs), 3))
    for row, (i, j) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        a, b = sets[i], sets[j]
        both = len(a) + len(b)
        columns[row] = (2 * len(a & b) / both if both else 1.0, bool(a) and bool(b) and a != b, bool(a) != bool(b))
    return columns


@feature("question", "exclamation", "quotation", source="Wu et al. 2017")
def mark(pairs: PairBatch) -> np.ndarray:
    """1 where one sentence alone has a question mark, an exclamation mark or a quotation mark."""
    signs = [[{"?", "؟"}, {"!"}, set('"«»“”„')][k] for k in range(3)]
    has = np.asarray([[any(sign in s.text for sign in kind) for kind in signs] for s in pairs.sentences], dtype=bool)
    has = has.reshape(len(pairs.sentences), 3)
    return (has[pairs.left] != has[pairs.right]).astype(np.float64)


@feature("words", "characters", "information", needs=("language_frequencies",), source="Bär et al. 2012", section="KB4")
def length(pairs: PairBatch, language_frequencies: LanguageFrequencies) -> np.ndarray:
    """Difference of the lengths of both sentences over the greater: in words, characters and information content."""
    words = [len(values) for values in words_of(pairs)]
    information = _information(pairs, language_frequencies)
    offsets = np.concatenate([[0], np.cumsum(words, dtype=np.int64)])
    total = Ragged(information, offsets).sums()
    sizes = np.stack([words, [len(sentence.text) for sentence in pairs.sentences], total], axis=1).astype(np.float64)
    a, b = sizes[pairs.left], sizes[pairs.right]
    return ratio(np.abs(a - b), np.maximum(a, b))


@feature("words", "information", *(f"letters_{n}" for n in _LETTERS), needs=("language_frequencies",),
         source="McNamee and Mayfield 2004", section="NG5")  # fmt: skip
def spelling(pairs: PairBatch, language_frequencies: LanguageFrequencies) -> np.ndarray:
    """F1 of equal spellings: of the words, also by information content, and of character 2-, 3- and 4-grams.

    Accents are removed, so that names and cognates of languages of one script match.
    """
    words, information = words_of(pairs), _information(pairs, language_frequencies)
    plain = [[_plain(word.text) for word in values if any(map(str.isalnum, word.text))] for values in words]
    weight: list[dict[str, float]] = []
    place = 0
    for values in words:
        word_weights: dict[str, float] = {}
        for word in values:
            word_weights[_plain(word.text)] = max(word_weights.get(_plain(word.text), 0.0), float(information[place]))
            place += 1
        weight.append(word_weights)
    columns = np.zeros((len(pairs), 2 + len(_LETTERS)))
    sets = [frozenset(values) for values in plain]
    for row, (i, j) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        both = sets[i] & sets[j]
        columns[row, 0] = 2 * len(both) / max(len(sets[i]) + len(sets[j]), 1)
        total = _total(weight[i], sets[i]) + _total(weight[j], sets[j])
        columns[row, 1] = min((_total(weight[i], both) + _total(weight[j], both)) / total, 1.0) if total else 0.0
    codes = characters([" ".join(values) for values in plain])
    for k, n in enumerate(_LETTERS):
        grams = ngrams(codes, n)
        columns[:, 2 + k] = f1(share(grams.take(pairs.left), grams.take(pairs.right)))
    empty = np.asarray([not values for values in plain], dtype=bool)
    columns[empty[pairs.left] | empty[pairs.right]] = 0.0
    return columns


def _total(weight: dict[str, float], words: frozenset[str]) -> float:
    # Sorted, because the order of a set of strings differs between processes.
    return sum(sorted(weight[word] for word in words))


def _plain(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word.replace("ı", "i")) if not unicodedata.combining(c))


@feature("two", "english", source="Cer et al. 2017")
def language(pairs: PairBatch) -> np.ndarray:
    """1 where the sentences are in two languages, and the share of them that is English."""
    codes = np.asarray([text_hash(sentence.language) for sentence in pairs.sentences], dtype=np.uint64)
    english = np.asarray([sentence.language == ENGLISH for sentence in pairs.sentences], dtype=np.float64)
    a, b = pairs.left, pairs.right
    return np.stack([codes[a] != codes[b], (english[a] + english[b]) / 2], axis=1)
