"""Turn the database files of WordNet 3.0 (Miller, 1995) into the arrays of `features/lexicon/wordnet.py`.

The same input gives the same bytes. Word frequencies come from the package wordfreq, which only this script needs.
"""

import argparse
import functools
import re
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from mapped_folder import facts_of, write_mapped
from samewise.features.arrays.joins import pair_keys
from samewise.features.arrays.ragged import Ragged
from samewise.features.lexicon.wordnet import word_hashes
from samewise.features.linguistics.stopwords import stop_words
from samewise.features.token_sequences import text_hash
from wordnet_database import FILES, KINDS, SOURCES, Entry, Place, name_of, read_counts, read_entries, read_senses

TARGET = Path(__file__).resolve().parent.parent / "features" / "data" / "wordnet-3.0"
RAREST = 1e-9
"""The frequency of a lemma that wordfreq does not list; the rarest that it lists have 1e-8."""


def flat(rows: list[list[int]], dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return rows as one array and their offsets."""
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    return np.asarray([value for row in rows for value in row], dtype=dtype), offsets


def closure(parents: list[list[int]]) -> dict[str, np.ndarray]:
    """Return the proper ancestors with their shortest distances, and the depths of every synset.

    Synsets with the same parents have the same proper ancestors, so that a row is stored once for all of them.
    """

    @functools.cache
    def above(synset: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for parent in parents[synset]:
            for ancestor, distance in [(parent, 0), *above(parent).items()]:
                found[ancestor] = min(found.get(ancestor, 255), distance + 1)
        return found

    @functools.cache
    def depth(synset: int, choose: Any) -> int:
        return 1 + choose(depth(parent, choose) for parent in parents[synset]) if parents[synset] else 0

    def crossing(row: tuple[tuple[int, int], ...]) -> list[int]:
        # The way to a hypernym may be shorter over another hypernym of both.
        steps = dict(row)
        return [min([up, *(steps[other] + down for other, down in above(ancestor).items())]) for ancestor, up in row]

    rows = [tuple(sorted(above(synset).items())) for synset in range(len(parents))]
    distinct = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    ancestors, offsets = flat([[ancestor for ancestor, _ in row] for row in distinct], np.int32)
    distances, _ = flat([[distance for _, distance in row] for row in distinct], np.uint8)
    crossings, _ = flat([crossing(row) for row in distinct], np.uint8)
    return {
        "ancestors": ancestors,
        "ancestor_offsets": offsets,
        "ancestor_distances": distances,
        "ancestor_crossings": crossings,
        "ancestor_rows": np.asarray([distinct[row] for row in rows], dtype=np.int32),
        "max_depth": np.asarray([depth(synset, max) for synset in range(len(parents))], dtype=np.uint8),
        "min_depth": np.asarray([depth(synset, min) for synset in range(len(parents))], dtype=np.uint8),
    }


def paths(parents: list[list[int]]) -> dict[str, np.ndarray]:
    """Return the hypernym paths as a tree in pre-order: one node a path, 0 above all roots; and the nodes by synset."""
    children: list[list[int]] = [[] for _ in parents]
    for synset, above in enumerate(parents):
        for parent in above:
            children[parent].append(synset)
    synsets, tree, depths = [-1], [0], [0]
    todo = [(synset, 0) for synset in range(len(parents) - 1, -1, -1) if not parents[synset]]
    while todo:
        synset, parent = todo.pop()
        todo += [(child, len(tree)) for child in reversed(children[synset])]
        synsets.append(synset)
        tree.append(parent)
        depths.append(depths[parent] + 1)
    nodes: list[list[int]] = [[] for _ in parents]
    for node, synset in enumerate(synsets[1:], 1):
        nodes[synset].append(node)
    node_values, node_offsets = flat(nodes, np.int32)
    return {
        "path_synsets": np.asarray(synsets, dtype=np.int32),
        "path_parents": np.asarray(tree, dtype=np.int32),
        "path_depths": np.asarray(depths, dtype=np.uint8),
        "paths": node_values,
        "path_offsets": node_offsets,
    }


def frequencies(lemmas: list[str]) -> np.ndarray:
    """Return the share of running text of each lemma by wordfreq, inflected forms apart.

    For a phrase wordfreq gives the harmonic mean of its words over their number, which suits words that mostly stand
    together. Each break divides it by ten, as wordfreq itself does where it has to guess the breaks of a text: without
    that, phrases make up more than half of the nouns of a text.
    """
    from wordfreq import word_frequency

    of_text = {
        lemma: word_frequency(lemma.replace("_", " "), "en") / 10.0 ** len(re.findall("[_-]", lemma))
        for lemma in lemmas
    }
    return np.asarray([max(of_text[lemma], RAREST) for lemma in lemmas])


def sense_frequencies(arrays: dict[str, np.ndarray], lemmas: list[str], word_classes: np.ndarray) -> np.ndarray:
    """Return the frequency of each lemma split over its senses of any part of speech in proportion to count + 1.

    Nouns that are written like a function word (a, in, it: angstrom, inch, information technology) count as unlisted:
    nearly every use is that of the function word, which WordNet does not describe.
    """
    words = np.repeat(np.arange(len(lemmas)), np.diff(arrays["sense_offsets"]))
    lemma = np.unique(lemmas, return_inverse=True)[1][words]
    weights = arrays["sense_counts"].astype(np.float64) + 1
    frequency = frequencies(lemmas)[words] * weights / np.bincount(lemma, weights=weights)[lemma]
    stops = stop_words("nltk")
    function = np.asarray([name in stops for name in lemmas]) & (word_classes == 0)
    return np.where(function[words], np.minimum(frequency, RAREST), frequency)


def information(arrays: dict[str, np.ndarray], classes: np.ndarray, used: np.ndarray) -> dict[str, np.ndarray]:
    """Return how often each synset or what is below it is used, by three counts; the four last entries are the roots.

    ``semcor``: counts of senses with 1 added to each synset (`WordNetCorpusReader.ic` of NLTK, which counts a hypernym
    once more for every other way up to it that is as long; here it counts once); ``senses``: the frequencies of the
    senses; ``words``: the summed frequency of the distinct words of the synset and those below (Wu et al., 2017).

    Parameters
    ----------
    arrays
        Senses, members and ancestors.
    classes
        Part of speech of each synset.
    used
        Frequency of each sense.
    """
    n, senses, offsets = len(classes), arrays["senses"], arrays["sense_offsets"]
    proper = Ragged(arrays["ancestors"], arrays["ancestor_offsets"]).take(arrays["ancestor_rows"])
    below = np.concatenate([np.arange(n), proper.rows])
    ancestors = np.concatenate([np.arange(n), proper.values])

    def spread(own: np.ndarray) -> np.ndarray:
        total = np.bincount(ancestors, weights=own[below], minlength=n)
        return np.concatenate([total, np.bincount(classes, weights=own, minlength=4)])

    frequency = np.add.reduceat(used, offsets[:-1])
    members = Ragged(arrays["members"], arrays["member_offsets"]).take(below)
    distinct = np.unique(np.repeat(ancestors, members.lengths) * len(frequency) + members.values)
    by_word = np.bincount(distinct // len(frequency), weights=frequency[distinct % len(frequency)], minlength=n)
    roots = np.bincount(classes[senses[offsets[:-1]]], weights=frequency, minlength=4)
    counts = spread(np.bincount(senses, weights=arrays["sense_counts"], minlength=n)) + 1
    return {
        "information_semcor": counts.astype(np.int32),
        "information_senses": spread(np.bincount(senses, weights=used, minlength=n)).astype(np.float32),
        "information_words": np.concatenate([by_word, roots]).astype(np.float32),
    }


def relations(
    entries: dict[Place, Entry], numbers: dict[Place, int], words: dict[tuple[str, str], int]
) -> dict[str, np.ndarray]:
    """Return the symmetric relations between words or synsets as sorted keys."""
    found: dict[str, set[tuple[int, int]]] = defaultdict(set)
    lexical = {"!": "antonyms", "+": "derivations", "\\": "pertainyms"}
    for place, entry in entries.items():
        for symbol, target, source_word, target_word in entry.pointers:
            if symbol == "&":
                found["similar"].add((numbers[place], numbers[target]))
            if symbol == "!":
                found["opposites"].add((numbers[place], numbers[target]))
            if symbol in lexical and source_word:
                source = words[entry.words[source_word - 1], place[0]]
                found[lexical[symbol]].add((source, words[entries[target].words[target_word - 1], target[0]]))
    arrays = {}
    for name, pairs in sorted(found.items()):
        both = np.asarray(sorted(pairs | {(b, a) for a, b in pairs}), dtype=np.int64)
        arrays[name] = np.unique(pair_keys(both[:, 0], both[:, 1]))
    return arrays


def build(folder: Path) -> dict[str, np.ndarray]:
    """Return all arrays by name."""
    entries, senses = read_entries(folder), read_senses(folder)
    letters = [letter for letter, _ in FILES]
    # By part of speech and name: the order in which NLTK chooses among hypernyms that are equally deep.
    places = sorted(entries, key=lambda place: (letters.index(place[0]), name_of(place, entries, senses)))
    numbers = {place: i for i, place in enumerate(places)}
    keys = list(senses)
    hashes = word_hashes(
        np.asarray([text_hash(lemma) for lemma, _ in keys], dtype=np.uint64),
        np.asarray([letters.index(letter) for _, letter in keys]),
    )
    order = np.argsort(hashes)
    assert len(np.unique(hashes)) == len(hashes), "two words have one hash"
    keys = [keys[i] for i in order.tolist()]
    words = {key: i for i, key in enumerate(keys)}
    counts = read_counts(folder, entries)
    flat_senses, sense_offsets = flat([[numbers[place] for place in senses[key]] for key in keys], np.int32)
    members, member_offsets = flat(
        [[words[word, place[0]] for word in dict.fromkeys(entries[place].words)] for place in places], np.int32
    )
    parents = [
        [numbers[target] for symbol, target, _, _ in entries[place].pointers if symbol in ("@", "@i")]
        for place in places
    ]
    names = [lemma for lemma, _ in keys]
    arrays = {
        "word_hashes": hashes[order],
        "word_texts": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        "senses": flat_senses,
        "sense_offsets": sense_offsets,
        "sense_counts": np.asarray([counts[key[0], p] for key in keys for p in senses[key]], dtype=np.uint16),
        "members": members,
        "member_offsets": member_offsets,
        "kinds": np.asarray([KINDS.index(entries[place].kind) for place in places], dtype=np.uint8),
        **closure(parents),
        **paths(parents),
        **relations(entries, numbers, words),
    }
    classes = np.asarray([letters.index(place[0]) for place in places])
    word_classes = np.asarray([letters.index(letter) for _, letter in keys])
    arrays |= information(arrays, classes, sense_frequencies(arrays, names, word_classes))
    return arrays


def licence(folder: Path) -> str:
    """Return the licence that heads the data files."""
    with (folder / "data.noun").open(encoding="utf-8") as file:
        head = [re.sub(r"^ +\d+ ?", "", line).rstrip() for line in file if line.startswith(" ")]
    return "\n".join(head).strip() + "\n"


def main() -> None:
    """Read the database, write the arrays, print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files")
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    options = parser.parse_args()
    source = {name: facts_of((options.wordnet / name).read_bytes()) for name in SOURCES}
    write_mapped(options.output, build(options.wordnet), source=source, wordfreq=version("wordfreq"))
    (options.output / "LICENSE").write_text(licence(options.wordnet), encoding="utf-8")


if __name__ == "__main__":
    main()
