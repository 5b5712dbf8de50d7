"""Unscored pairs of sentences of every degree of similarity, from which the reader of pairs learns.

Shared words mislead where a paraphrase has few of them, so many of the pairs are paraphrases of that kind: English
sentences that people gave one translation, definitions of one meaning, sentences with several words replaced, and
sentences that were translated to Spanish and back.
"""

import csv
import gzip
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from corpus import by_source, glosses
from make_vectors import read_partners, varied
from samewise.ensemble.multilingual.apertium import Apertium
from samewise.features.analysis.analysis import normalise
from samewise.research.wordnet.wordnet_files import folder_files, read_database
from sentence_encoder import SentenceEncoder

Pair = tuple[str, str]

RANKS = ((0, 3), (3, 10), (10, 50), (50, 499))
"""One neighbour is drawn from each of these ranks for every sentence of STS Benchmark train."""

OTHER_RANKS = ((0, 6),)
TEXTS, GLOSSES, PART = 24_000, 12_000, 18_000
"""So many other sentences and parts of glosses are drawn; neighbours are sought among so many of them at a time."""

VARIED, OTHERS_VARIED = 9_000, 5_000
PARAPHRASED, TRANSLATED, CUT = 24_000, 16_000, 12_000
_BLOCK, _FARTHEST = 512, 500
_REPLACED = 0.6  # of the words that have a partner
_CLAUSES = re.compile(r", (?:and |but |or )?| (?=(?:because|while|when|although|after|before|if|as|and|but) )")


def natural_pairs(data: Path, wordnet: Path, seed: int = 0) -> list[Pair]:
    """Return distinct pairs in random order; no pair has a text twice."""
    chance = random.Random(seed)
    sources = by_source(data, wordnet)
    benchmark, texts = sources["benchmark"], sources["texts"]
    longer = [text for text in sources["wordnet"] if text.count(" ") >= 3]
    others = sorted(chance.sample(texts, TEXTS) + chance.sample(longer, GLOSSES))
    chance.shuffle(others)
    sentences = [text for text in (*benchmark, *others) if 3 <= text.count(" ") <= 30]
    [table] = (data / "ppdb").glob("*.gz")
    partners = read_partners(table)
    synonyms = {word: known + partners.get(word, []) for word, known in _synonyms(wordnet).items()}
    paraphrases = {**partners, **synonyms}
    made = (
        scored_without_scores(data),
        _neighbours(benchmark, others, chance),
        ((text, chance.choice(benchmark)) for text in benchmark),
        _one_word_varied(benchmark, others, partners, chance),
        ((text, _paraphrased(text, paraphrases, chance)) for text in _some(sentences, PARAPHRASED, chance)),
        _of_one_translation(data),
        _of_one_meaning(wordnet),
        _there_and_back(_some(sentences, TRANSLATED, chance)),
        ((text, _rearranged(text, chance)) for text in _some(sentences, CUT, chance)),
    )
    pairs = {_ordered(a, b) for part in made for a, b in part if b and a != b}
    found = sorted(pairs)
    chance.shuffle(found)
    return found


def _ordered(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def _some(texts: Sequence[str], count: int, chance: random.Random) -> list[str]:
    return chance.sample(texts, min(count, len(texts)))


def scored_without_scores(data: Path) -> Iterator[Pair]:
    """Yield the pairs of STS Benchmark train."""
    with (data / "stsbenchmark" / "sts-train.csv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield normalise(row[5]), normalise(row[6])


def _neighbours(benchmark: Sequence[str], others: Sequence[str], chance: random.Random) -> Iterator[Pair]:
    # As all-MiniLM-L6-v2 sees them.
    encoder = SentenceEncoder()
    for texts, ranks in ((benchmark, RANKS), (others[:PART], OTHER_RANKS), (others[PART:], OTHER_RANKS)):
        vectors = encoder.encode(texts)
        for start in range(0, len(texts), _BLOCK):
            likeness = vectors[start : start + _BLOCK] @ vectors.T
            nearest = np.argpartition(-likeness, _FARTHEST, axis=1)[:, :_FARTHEST]
            for row in range(len(likeness)):
                order = nearest[row][np.argsort(-likeness[row, nearest[row]])]
                order = order[order != start + row]
                for low, high in ranks:
                    yield texts[start + row], texts[int(order[chance.randrange(low, high)])]


def _one_word_varied(
    benchmark: Sequence[str], others: Sequence[str], partners: dict[str, list[str]], chance: random.Random
) -> Iterator[Pair]:
    words = [word for text in benchmark for word in text.split() if word.isalpha() and len(word) > 3]
    some = _some([text for text in benchmark if 3 <= text.count(" ") <= 30], VARIED, chance)
    some += _some([text for text in others if 3 <= text.count(" ") <= 24], OTHERS_VARIED, chance)
    for text in some:
        yield text, varied(text.split(), partners, words, chance)


def _synonyms(wordnet: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for entry in read_database(folder_files(wordnet)).entries.values():
        words = [word.lower() for word in entry.words if word.isalpha()]
        for word in words:
            found[word] += [other for other in words if other != word]
    return found


def _paraphrased(text: str, partners: dict[str, list[str]], chance: random.Random) -> str:
    words = text.split()
    for place, word in enumerate(words):
        if known := partners.get(word.lower()):
            if len(word) > 3 and chance.random() < _REPLACED:
                words[place] = chance.choice(known)
    return " ".join(words)


def _of_one_translation(data: Path) -> Iterator[Pair]:
    for name in ("eng-ara", "eng-tur"):
        english: dict[str, set[str]] = defaultdict(set)
        with gzip.open(data / "parallel" / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
            for line in file:
                text, translation = line.rstrip("\n").split("\t")[:2]
                english[translation].add(normalise(text))
        for texts in english.values():
            yield from _few(combinations(sorted(texts), 2))


def _of_one_meaning(wordnet: Path) -> Iterator[Pair]:
    for _, gloss in glosses(wordnet):
        definitions = [normalise(part) for part in re.sub(r'"[^"]+"', "", gloss).split(";")]
        yield from _few(combinations([text for text in definitions if text.count(" ") >= 2], 2))


def _few(pairs: Iterable[Pair]) -> Iterator[Pair]:
    yield from (pair for pair, _ in zip(pairs, range(6), strict=False))


def _there_and_back(texts: list[str]) -> Iterator[Pair]:
    translator = Apertium()
    back = translator.translate(translator.translate(texts, "en", "es"), "es", "en")
    yield from zip(texts, map(normalise, back), strict=True)


def _rearranged(text: str, chance: random.Random) -> str:
    # Without a clause, or with the clauses in another order.
    parts = _CLAUSES.split(text.rstrip(" .!?"))
    if len(parts) < 2:
        return ""
    if chance.random() < 0.5:
        del parts[chance.randrange(len(parts))]
    else:
        parts = parts[1:] + parts[:1]
    return ", ".join(parts)
