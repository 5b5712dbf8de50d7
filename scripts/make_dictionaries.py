"""Learn the usual English word for each word of another language, from sentences and their translations.

Words are linked as `word_alignment` does. The candidates for a word are the English words that it is linked with, and
those that Arabic WordNet gives for it. The chosen one is near to it in the space of the encoder and often linked with
it: a few links are often wrong, and the encoder has seen more of a rare word than its links. A word that mostly has no
links has no English word. A stem has the English word of the greatest sum of the links of its words.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import wordfreq
from mapped_folder import write_mapped
from parallel_text import Pair, emoji_names, parallel_pairs, wordnet_pairs
from samewise.features.encoders.multilingual import multilingual_encoder
from samewise.features.lexicon.dictionaries import HERE, pack_words
from samewise.features.linguistics.normalisation import split_text
from samewise.features.linguistics.stems import stem
from word_alignment import align

LEAST = 0.1
"""A word whose best English word gets less of a link each time has none."""
FUNCTION_WORDS = 5.5
"""What is this common, on the Zipf scale, has links enough, and a vector that says little outside a sentence."""
CANDIDATES = 6
"""So many English words with the greatest sums of links are compared with a word."""
UNSEEN = 4
"""Links count as if a word had occurred so many times more, without any: the rarer, the more its vector says."""
SHORT_STEM = 3
"""Stems of two letters stand for too much."""


def linked(pairs: Sequence[Pair], language: str) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """Return the sums of the links of each word by English word, and the number of its occurrences."""
    sides = [
        [[token.text for token in split_text(text, code)] for text in texts]
        for texts, code in (([pair.text for pair in pairs], language), ([pair.english for pair in pairs], "en"))
    ]
    names: list[list[str]] = []
    rows = []
    for side in sides:
        known: dict[str, int] = {}
        rows.append([[known.setdefault(word, len(known)) for word in text] for text in side])
        names.append(list(known))
    links = align(*rows)
    both, where = np.unique(links.word * len(names[1]) + links.english, return_inverse=True)
    sums = np.bincount(where, links.chance)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for key, total in zip(both.tolist(), sums.tolist(), strict=True):
        found[names[0][key // len(names[1])]][names[1][key % len(names[1])]] = total
    return found, Counter(word for text in sides[0] for word in text)


def best(sums: Counter[str], count: int) -> str:
    """Return the English word of the greatest sum, or nothing."""
    if not sums:
        return ""
    word, total = min(sums.items(), key=lambda item: (-item[1], item[0]))
    return word if total >= LEAST * count else ""


def chosen(options: dict[str, list[str]], shares: dict[str, dict[str, float]]) -> dict[str, str]:
    """Return for each word the English candidate with the greatest sum of cosine and share of links."""
    english = sorted({one for each in options.values() for one in each})
    place = {one: row for row, one in enumerate(english)}
    own, other = (multilingual_encoder().vectors(words) for words in (list(options), english))
    found = {}
    for row, (word, each) in enumerate(options.items()):
        rows = [place[one] for one in each]
        scores = other[rows] @ own[row] + [shares[word].get(one, 0.0) for one in each]
        found[word] = each[int(np.argmax(scores))]
    return found


def make(pairs: Sequence[Pair], more: Sequence[Pair], language: str) -> dict[str, str]:
    """Return the English word of each word and of each stem, the latter with ``#`` before it."""
    sums, counts = linked(pairs, language)
    of_stem: dict[str, Counter[str]] = defaultdict(Counter)
    size: Counter[str] = Counter()
    found = {}
    for word, links in sums.items():
        if any(map(str.isalpha, word)):
            found[word] = best(links, counts[word])
            of_stem[f"#{stem(word, language)}"].update(links)
            size[f"#{stem(word, language)}"] += counts[word]
    stems = {key: best(links, size[key]) for key, links in of_stem.items()}
    options = {
        word: [one for one, _ in links.most_common(CANDIDATES) if any(map(str.isalpha, one))]
        for word, links in sums.items()
        if found.get(word)
    }
    for pair in more:
        words = [token.text for token in split_text(pair.text, language)]
        if len(words) != 1:
            continue
        english, key = pair.english.lower(), f"#{stem(words[0], language)}"
        options.setdefault(words[0], []).append(english)
        if len(key) > SHORT_STEM:
            stems[key] = stems.get(key) or english
    options = {
        word: each
        for word, each in options.items()
        if each and wordfreq.zipf_frequency(word, language) < FUNCTION_WORDS
    }
    shares = {
        word: {one: total / (counts[word] + UNSEEN) for one, total in sums.get(word, {}).items()} for word in options
    }
    found |= chosen(options, shares)
    return found | {key: word for key, word in stems.items() if found.get(key[1:]) != word}


def main() -> None:
    """Write a folder a language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stsb-multi-mt and parallel")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--languages", default="ar,es,tr")
    options = parser.parse_args()
    for language in options.languages.split(","):
        pairs = parallel_pairs(options.data, language)
        pairs += emoji_names(language)
        more = wordnet_pairs(options.data, options.wordnet) if language == "ar" else []
        found = make(pairs, more, language)
        words, text = pack_words(found)
        english = np.frombuffer("\n".join(found[word] for word in words).encode(), dtype=np.uint8)
        sources = dict(Counter(pair.source for pair in [*pairs, *more]))
        write_mapped(HERE / language, {"words": text, "english": english}, language=language, sources=sources)


if __name__ == "__main__":
    main()
