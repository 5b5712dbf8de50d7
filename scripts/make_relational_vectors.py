"""Make the word vectors ``relational`` from WordNet (Miller, 1995) and PPDB (Ganitkevitch et al., 2013).

A word is described by its stem, its lemmas, the synsets it can mean, their hypernyms and related synsets, the words of
their definitions, and its paraphrases. The vectors are the truncated singular value decomposition of this table (latent
semantic analysis, Deerwester et al., 1990), of unit length, times smooth inverse frequency (Arora et al., 2017). They
know nothing of running text, so their errors differ from those of the distilled ones. The same input gives the same
bytes.
"""

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import Stemmer
import wordfreq
from corpus import glosses
from samewise.features.analysis.analysis import analyse_texts
from samewise.features.analysis.annotator import FOLDER
from samewise.features.analysis.lemmas import LemmaRules
from samewise.features.base.word_tables import stop_words
from samewise.research.wordnet.wordnet_files import Place, folder_files, read_database
from scipy import sparse
from scipy.sparse.linalg import svds
from vector_folder import TARGET, write_vectors

KINDS = {
    "n": ("NN", "NNS"),
    "v": ("VB", "VBD", "VBG", "VBN", "VBZ"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}
"""For each part of speech the tags under which a word is looked up."""

SENSES, HEIGHT, RISE = 6, 4, 0.6
"""Senses of a lemma, steps up the hypernyms, and what each step costs."""

BESIDE = frozenset("& + = ^ \\".split())
"""Pointers to similar, derived, attributed, related and pertained synsets."""

SECOND_LEMMA, NEIGHBOUR, SYNONYM, PARAPHRASE = 0.7, 0.5, 0.5, 0.7

Fact = tuple[str, object]
"""The kind of a column of the table, and which."""


class Describer:
    """Facts about words, with weights."""

    def __init__(self, wordnet: Path, paraphrases: Path, words: list[str]) -> None:
        self._entries, self._senses, self._counts = read_database(folder_files(wordnet))
        self._lemma_of = LemmaRules(**json.loads((FOLDER / "lemmas.json").read_text(encoding="utf-8")))
        self._stem = Stemmer.Stemmer("english").stemWord
        described = set(words) - stop_words("ecnu")
        places, texts = zip(*glosses(wordnet), strict=True)
        self._gloss = {
            (place[0], int(place[1:])): [word for word in sentence.words if word in described and word.isalpha()]
            for place, sentence in zip(places, analyse_texts(texts), strict=True)
        }
        self._partners: dict[str, list[str]] = defaultdict(list)
        with gzip.open(paraphrases, "rt", encoding="utf-8") as file:
            for line in file:
                a, b = line.rstrip("\n").split("\t")[:2]
                self._partners[a].append(b)
                self._partners[b].append(a)

    def lemmas(self, word: str) -> list[tuple[str, str]]:
        """Return the lemmas and parts of speech that the word can have in WordNet, the word itself first."""
        found = {(self._lemma_of(word, tag), kind): None for kind, tags in KINDS.items() for tag in tags}
        own = [(word, kind) for kind in KINDS]
        return [key for key in dict.fromkeys([*own, *found]) if key in self._senses]

    def _above(self, place: Place) -> dict[Place, float]:
        found = {place: 1.0}
        edge = [place]
        for _ in range(HEIGHT):
            here, edge = edge, []
            for below in here:
                for symbol, above, _, _ in self._entries[below].pointers:
                    if symbol[0] == "@" and found.get(above, 0.0) < found[below] * RISE:
                        found[above] = found[below] * RISE
                        edge.append(above)
        return found

    def facts(self, word: str) -> Iterator[tuple[Fact, float]]:
        """Yield the facts about a word; a fact may come several times."""
        yield ("stem", self._stem(word)), 1.0
        yield ("word", word), 1.0
        for partner in self._partners.get(word, ()):
            yield ("word", partner), PARAPHRASE
        by_lemma: dict[str, list[Place]] = defaultdict(list)
        for lemma, kind in self.lemmas(word):
            by_lemma[lemma] += self._senses[lemma, kind]
        for lemma, share in zip(by_lemma, (1.0, SECOND_LEMMA), strict=False):
            yield ("word", lemma), 1.0
            used = sorted(((self._counts.get((lemma, place), 0) + 1, place) for place in by_lemma[lemma]), reverse=True)
            total = sum(count for count, _ in used[:SENSES])
            for count, place in used[:SENSES]:
                yield from self._of_sense(place, lemma, share * count / total)

    def _of_sense(self, place: Place, lemma: str, weight: float) -> Iterator[tuple[Fact, float]]:
        for above, nearness in self._above(place).items():
            yield ("synset", above), weight * nearness
        entry = self._entries[place]
        for symbol, other, _, _ in entry.pointers:
            if symbol in BESIDE:
                yield ("synset", other), weight * NEIGHBOUR
        words = self._gloss[place]
        for word in words:
            yield ("gloss", word), weight / len(words) ** 0.5
        for word in entry.words:
            if word != lemma:
                yield ("gloss", word), weight * SYNONYM


def decompose(words: list[str], describer: Describer, dimension: int, seed: int) -> np.ndarray:
    """Return a unit vector for each word, shape (n, dimension)."""
    columns: dict[Fact, int] = {}
    rows, places, weights = [], [], []
    for row, word in enumerate(words):
        for fact, weight in describer.facts(word):
            rows.append(row)
            places.append(columns.setdefault(fact, len(columns)))
            weights.append(weight)
    table = sparse.csr_matrix((weights, (rows, places)), shape=(len(words), len(columns)))
    table.sum_duplicates()
    documents = np.bincount(table.indices, minlength=len(columns))
    table = table[:, np.flatnonzero(documents > 1)].tocsr()
    idf = np.log(len(words) / documents[documents > 1])
    table.data = np.sqrt(table.data * idf[table.indices])
    norms = np.sqrt(np.bincount(np.repeat(np.arange(len(words)), np.diff(table.indptr)), table.data**2, len(words)))
    table = sparse.diags(1 / np.maximum(norms, 1e-9)) @ table
    left, values, _ = svds(table.astype(np.float64), k=dimension, rng=np.random.default_rng(seed))
    vectors: np.ndarray = left * values
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def main() -> None:
    """Describe the most frequent words, decompose, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--words", type=int, default=40_000, help="how many of the most frequent words to look up")
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=TARGET / "relational")
    options = parser.parse_args()
    paraphrases = options.data / "ppdb" / "ppdb-1.0-xxxl-lexical.synonym-pairs.gz"
    words = wordfreq.top_n_list("en", options.words)
    describer = Describer(options.wordnet, paraphrases, words)
    words = [word for word in words if describer.lemmas(word) or len(list(describer.facts(word))) > 2]
    frequency = np.asarray([wordfreq.word_frequency(word, "en") for word in words])
    vectors = decompose(words, describer, options.dimension, options.seed)
    write_vectors(options.out, words, vectors * (1e-3 / (1e-3 + frequency))[:, None])
    print(f"{len(words):,} words of {options.dimension} dimensions")


if __name__ == "__main__":
    main()
