"""English sentences that the word vectors are trained on; their text is not shipped."""

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from samewise.features.analysis.analysis import normalise
from samewise.research.wordnet.wordnet_files import CLASS_FILES
from treebank import read_conllu

FREE_GENRES = frozenset({"news", "interview", "bio", "voyage", "textbook", "vlog", "speech", "conversation"})
"""Genres of GUM under CC BY or in the public domain."""

LONGEST = 60
"""Longer texts, in blank-separated words, are left out."""


def glosses(wordnet: Path) -> Iterator[tuple[str, str]]:
    """Yield the place of every synset, as `wordnet_files` names it, and its definition and examples."""
    for letter, name in CLASS_FILES:
        with (wordnet / f"data.{name}").open(encoding="utf-8") as file:
            for line in file:
                if not line.startswith(" "):
                    yield f"{letter}{int(line[:8])}", line.partition("|")[2].strip()


def _parts(gloss: str) -> list[str]:
    examples = re.findall(r'"([^"]+)"', gloss)
    return [part.strip() for part in re.sub(r'"[^"]+"', "", gloss).split(";") if part.strip()] + examples


def _tatoeba(data: Path) -> Iterator[str]:
    for name in ("eng-ara", "eng-tur"):
        with gzip.open(data / "parallel" / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
            yield from (line.partition("\t")[0] for line in file)


def _treebanks(data: Path) -> Iterator[str]:
    ewt, gum = data / "ud" / "UD_English-EWT", data / "ud" / "UD_English-GUM"
    yield from (tree.text for tree in read_conllu(ewt / "en_ewt-ud-train.conllu.gz"))
    yield from (tree.text for tree in read_conllu(gum / "en_gum-ud-train.conllu.gz", FREE_GENRES))


def _benchmark(data: Path) -> Iterator[str]:
    with (data / "stsbenchmark" / "sts-train.csv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from row[5:7]


def by_source(data: Path, wordnet: Path) -> dict[str, list[str]]:
    """Return the distinct normalised sentences by source, sorted: STS Benchmark train, Tatoeba and treebanks, WordNet.

    The keys are ``benchmark``, ``texts`` and ``wordnet``; a sentence in two sources belongs to the first.
    """
    wordnet_parts = (part for _, gloss in glosses(wordnet) for part in _parts(gloss))
    sources = {
        "benchmark": _benchmark(data),
        "texts": (*_tatoeba(data), *_treebanks(data)),
        "wordnet": wordnet_parts,
    }
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for name, every in sources.items():
        new = {text for text in map(normalise, every) if 0 < text.count(" ") < LONGEST} - seen
        seen |= new
        found[name] = sorted(new)
    return found


def sentences(data: Path, wordnet: Path) -> list[str]:
    """Return the distinct normalised sentences of all sources, sorted."""
    return sorted(text for texts in by_source(data, wordnet).values() for text in texts)
