"""Word pieces of multilingual-e5-small: those of the 250,002 that some languages need, and their files."""

import io
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import wordfreq
from multilingual_weights import Weights
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

_WORDS = 300_000  # of a list of wordfreq, at most
_LEAST = 1e-8  # share of running text of a piece
_MARKS = 4  # greatest length of a piece without letters that is kept whatever the language
_LAST_LETTER = "\u06ff"  # single letters up to those of Arabic script are kept


def tokenizer_of(weights: Weights, rows: Sequence[int]) -> Tokenizer:
    """Return the tokenizer of some of the word pieces, in this order."""
    pieces = [weights.pieces[row] for row in rows]
    names = {name: weights.pieces[row].text for name, row in weights.special.items()}
    places = {piece.text: place for place, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.Unigram(list(pieces), unk_id=places[names["unk"]], byte_fallback=False))
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    ends = [(names[name], places[names[name]]) for name in ("bos", "eos")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{ends[0][0]} $A {ends[1][0]}", special_tokens=ends
    )
    return tokenizer


def word_shares(language: str) -> dict[str, float]:
    """Return the share of running text of each word of a language in wordfreq."""
    words = wordfreq.top_n_list(language, _WORDS)
    return {word: wordfreq.word_frequency(word, language) for word in words}


def rows_of_language(tokenizer: Tokenizer, shares: Mapping[str, float], texts: Sequence[str]) -> set[int]:
    """Return the pieces that the words of a language and some texts in it are cut into.

    Parameters
    ----------
    tokenizer
        Tokenizer of all pieces.
    shares
        Share of running text of each word. Pieces that are rarer than one in a hundred million are left out.
    texts
        Sentences of the language.
    """
    counts: Counter[int] = Counter()
    for form in (str.lower, str.capitalize, str.upper, lambda word: f'"{word.capitalize()}'):
        for tokens, share in zip(tokenizer.encode_batch([*map(form, shares)]), shares.values(), strict=True):
            for row in set(tokens.ids):
                counts[row] += share
    common = {row for row, share in counts.items() if share > _LEAST}
    return common | {row for tokens in tokenizer.encode_batch(list(texts)) for row in tokens.ids}


def kept_rows(weights: Weights, languages: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[int]:
    """Return the rows of the pieces that languages need, and of all marks and numbers; special pieces come first.

    `sentences` has sentences of the languages, as far as there are any.
    """
    tokenizer = tokenizer_of(weights, range(len(weights.pieces)))
    kept = set[int]()
    for language in languages:
        kept |= rows_of_language(tokenizer, word_shares(language), sentences.get(language, ()))
    for row, piece in enumerate(weights.pieces):
        text = piece.text.replace("▁", "")
        letter = len(text) <= 1 and text <= _LAST_LETTER
        if letter or (text.isascii() and len(text) <= _MARKS and not any(map(str.isalpha, text))):
            kept.add(row)
    special = list(weights.special.values())
    return [*special, *sorted(kept - set(special))]


def piece_files(weights: Weights, rows: Sequence[int]) -> dict[str, bytes]:
    """Return the tokenizer and the table of pieces as files by name."""
    arrays = {"codes.npy": weights.codes[rows], "scales.npy": weights.scales[rows]}
    made = {name: _array(values) for name, values in arrays.items()}
    return {"tokenizer.json": tokenizer_of(weights, rows).to_str().encode(), **made}


def _array(values: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()
