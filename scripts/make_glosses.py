"""Turn the glosses of WordNet 3.0 (Miller, 1995) into the index of `research/lexicon/glosses.py`.

The same input gives the same bytes.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from corpus import glosses
from mapped_folder import write_mapped
from samewise.features.analysis.analysis import analyse_texts, normalise
from samewise.features.base.mapped_arrays import facts_of
from samewise.features.base.token_sequences import text_hash
from samewise.features.base.word_tables import stop_words
from samewise.research.lexicon.glosses import FOLDER, WEIGHT_BITS
from samewise.research.wordnet.wordnet_files import CLASS_FILES, folder_files, read_database

POSTINGS = 32
"""So many documents of a stem are kept: first those of the synsets that it names, then those in which it weighs most.

The fewer, the better the columns predict the scores of STS Benchmark train: the cosine of concepts by idf correlates by
0.73 with 32, 0.72 with 64, 0.70 with 128 and 0.64 with 1,024. Fewer still leave too few documents to rank.
"""

SATURATION, LENGTH = 1.2, 0.75
"""The constants k1 and b of BM25 (Robertson and Zaragoza, 2009)."""

WEIGHT_STEPS, IDF_STEPS = 10, 16
"""Whole-number weights and inverse document frequencies to one unit of either; the greatest fit in a byte."""


def _stems(texts: list[str]) -> list[Counter[str]]:
    stops = stop_words("ecnu")
    return [
        Counter(
            stem
            for stem, word in zip(sentence.stems, sentence.words, strict=True)
            if word not in stops and any(map(str.isalnum, word))
        )
        for sentence in analyse_texts(map(normalise, texts))
    ]


def documents(wordnet: Path) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """Return the counts of stems of content words in the definition and examples of each synset, and in its words."""
    entries, listed = read_database(folder_files(wordnet)).entries, list(glosses(wordnet))
    names = [f"{letter}{place}" for letter, place in entries]
    assert names == [name for name, _ in listed], "a gloss stands with another synset"
    words = [" ".join(entry.words).replace("_", " ") for entry in entries.values()]
    return _stems([gloss for _, gloss in listed]), _stems(words)


def build(described: list[Counter[str]], named: list[Counter[str]]) -> dict[str, np.ndarray]:
    """Return the arrays of `samewise.research.lexicon.glosses.GlossIndex`.

    The words of a synset are part of its document, but do not count for its length: many names for a thing are no
    evidence against any of them.
    """
    counts = [one + other for one, other in zip(described, named, strict=True)]
    stems = {stem: text_hash(stem) for stem in sorted({stem for row in counts for stem in row})}
    hashes = np.sort(np.fromiter(stems.values(), dtype=np.uint64))
    assert len(np.unique(hashes)) == len(hashes), "two stems have one hash"
    place = {stem: int(i) for stem, i in zip(stems, np.searchsorted(hashes, list(stems.values())), strict=True)}
    stem = np.asarray([place[item] for row in counts for item in row])
    count = np.asarray([value for row in counts for value in row.values()], dtype=np.float64)
    document = np.repeat(np.arange(len(counts)), [len(row) for row in counts])
    own = np.asarray([item in names for row, names in zip(counts, named, strict=True) for item in row])
    length = np.asarray([row.total() for row in described], dtype=np.float64)
    frequency = np.bincount(stem).astype(np.float64)
    rarity = np.log(1 + (len(counts) - frequency + 0.5) / (frequency + 0.5))
    norm = SATURATION * (1 - LENGTH + LENGTH * length / length.mean())
    exact = rarity[stem] * (SATURATION + 1) * count / (count + norm[document])
    weight = np.maximum(np.round(WEIGHT_STEPS * exact), 1).astype(np.int64)
    idf = np.maximum(np.round(IDF_STEPS * np.log(len(counts) / frequency)), 1).astype(np.int64)
    assert max(weight.max(), idf.max()) < 256, "a weight does not fit in a byte"
    order = np.lexsort((document, -weight, ~own, stem))
    kept = order[np.arange(len(order)) - np.searchsorted(stem[order], stem[order]) < POSTINGS]
    kept = kept[np.lexsort((document[kept], stem[kept]))]
    return {
        "hashes": hashes,
        "idf": idf.astype(np.uint8),
        "offsets": np.searchsorted(stem[kept], np.arange(len(hashes) + 1)).astype(np.uint32),
        "postings": (document[kept] << WEIGHT_BITS | weight[kept]).astype(np.uint32),
    }


def main() -> None:
    """Read the database, write the arrays, print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER)
    options = parser.parse_args()
    write_mapped(
        options.output,
        build(*documents(options.wordnet)),
        source={f"data.{name}": facts_of((options.wordnet / f"data.{name}").read_bytes()) for _, name in CLASS_FILES},
        options={"postings": POSTINGS, "k1": SATURATION, "b": LENGTH},
    )


if __name__ == "__main__":
    main()
