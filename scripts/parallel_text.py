"""Sentences of other languages with their English translations, which encoders and dictionaries learn from."""

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import wordfreq
from emoji import EMOJI_DATA, config
from samewise.ensemble.core.folds import sentence_groups
from samewise.features.analysis.analysis import analyse
from samewise.features.base.token_sequences import text_hash
from samewise.research.wordnet.wordnet_files import folder_files, read_database

XQUAD = {"ar": 1, "tr": 2, "es": 3}
"""Columns of the questions of XQuAD; English is the first."""

_HELD_OUT = 20  # one English text in this number, with all its translations
_TEXTS_KEPT_BACK = 3  # number of these twentieths, including the held-out ones
_PAIRS_KEPT_BACK = 3  # one group of scored pairs in this number


class Pair(NamedTuple):
    """A text, its English translation, and where they are from."""

    text: str
    english: str
    source: str


class Scored(NamedTuple):
    """Two texts of a language, their English originals, and their similarity in meaning, 0..5."""

    texts: tuple[str, str]
    english: tuple[str, str]
    score: float


def _lines(path: Path) -> Iterator[list[str]]:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (line.rstrip("\n").split("\t") for line in file)
    else:
        with path.open(encoding="utf-8") as file:
            yield from (line.rstrip("\n").split("\t") for line in file)


def read_parallel(path: Path, source: str) -> list[Pair]:
    """Return the pairs of a file whose first two tab-separated columns are English and its translation.

    Raises
    ------
    SystemExit
        If a line has fewer columns.
    """
    found = []
    for number, fields in enumerate(_lines(path), 1):
        if len(fields) < 2:
            raise SystemExit(f"{path}, line {number}: expected English, a tab and its translation")
        found.append(Pair(fields[1], fields[0], source))
    return found


def scored(data: Path, language: str, split: str) -> list[Scored]:
    """Return the pairs of a split of STS Benchmark in a language, without those of SemEval-2017 track 5."""
    with (data / "stsbenchmark" / f"sts-{split}.csv").open(encoding="utf-8") as file:
        english = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    if language == "es":
        with (data / "stsb-multi-mt" / f"stsb-es-{split}.csv").open(encoding="utf-8", newline="") as file:
            sides = [(row[0], row[1]) for row in csv.reader(file)]
    elif language == "tr":
        rows = list(_lines(data / "parallel" / f"stsb-tr-{split}.tsv.gz"))[1:]
        sides = [(row[5], row[6]) for row in rows]
        if [row[1:4] for row in rows] != [row[1:4] for row in english]:
            raise SystemExit(f"STS Benchmark {split} in {language} is not in the order of the English file")
    elif language == "en":
        sides = [(row[5], row[6]) for row in english]
    else:
        return []
    if len(sides) != len(english):
        raise SystemExit(f"STS Benchmark {split} has {len(sides)} rows in {language} and {len(english)} in English")
    return [
        Scored(side, (row[5], row[6]), float(row[4]))
        for side, row in zip(sides, english, strict=True)
        if not row[1].startswith("track5")
    ]


def kept_back(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """Return whether a scored English pair is kept from encoders, as a third are, so that regressors can learn from it.

    The vectors of texts that an encoder learned from are better than those of others, so regressors would trust them
    too much. Pairs that share a sentence, directly or not, are all kept back or none is.
    """
    batch = analyse(pairs, "text")
    first: dict[int, int] = {}
    found = []
    for group, left in zip(sentence_groups(batch).tolist(), batch.left.tolist(), strict=True):
        chosen = first.setdefault(group, text_hash(batch.sentences[left].text))
        found.append(chosen % _PAIRS_KEPT_BACK == 0)
    return found


def text_kept_back(english: str) -> bool:
    """Return whether an English text of Tatoeba or XQuAD, with its translations, is kept from encoders."""
    return text_hash(english.lower()) % _HELD_OUT < _TEXTS_KEPT_BACK


def learned_from(data: Path, language: str) -> list[Scored]:
    """Return the pairs of STS Benchmark train that the encoder of a language may learn from."""
    rows = scored(data, language, "train")
    return [row for row, kept in zip(rows, kept_back([row.english for row in rows]), strict=True) if not kept]


def _held_out(english: str) -> bool:
    return text_hash(english.lower()) % _HELD_OUT == 0


def parallel_pairs(data: Path, language: str, *, encoder: bool = False) -> list[Pair]:
    """Return the distinct pairs to learn from: without one English text in twenty, and its translations.

    For an encoder, pairs that are kept back for regressors are left out, too.
    """
    found: list[Pair] = []
    tatoeba = {"ar": "eng-ara", "tr": "eng-tur"}.get(language)
    if tatoeba:
        found += read_parallel(data / "parallel" / f"{tatoeba}.tsv.gz", "tatoeba")
    if language in XQUAD:
        rows = _lines(data / "parallel" / "xquad-questions-eng-ara-tur-spa.tsv.gz")
        found += [Pair(row[XQUAD[language]], row[0], "xquad") for row in rows]
    barred = text_kept_back if encoder else _held_out
    kept = [pair for pair in found if not barred(pair.english)]
    for row in learned_from(data, language) if encoder else scored(data, language, "train"):
        kept += [Pair(text, english, "benchmark") for text, english in zip(row.texts, row.english, strict=True)]
    return list(dict.fromkeys(kept))


def wordnet_pairs(data: Path, wordnet: Path, most: int = 2) -> list[Pair]:
    """Return the lemmas of Arabic WordNet with English lemmas of their synsets, the most frequent first."""
    entries, _, counts = read_database(folder_files(wordnet))
    senses: dict[str, list[tuple[int, float, str]]] = defaultdict(list)
    for fields in _lines(data / "parallel" / "wn-arb.tab.gz"):
        if len(fields) < 3 or not fields[1].startswith("arb:lemma") or fields[1].endswith("root"):
            continue
        place = fields[0][-1].replace("s", "a"), int(fields[0][:8])
        if place in entries:
            for word in entries[place].words[:2]:
                plain = word.replace("_", " ")
                senses[fields[2]].append((counts.get((word, place), 0), wordfreq.zipf_frequency(plain, "en"), plain))
    pairs = []
    for lemma, each in senses.items():
        best = dict.fromkeys(word for *_, word in sorted(each, key=lambda sense: (-sense[0], -sense[1], sense[2])))
        pairs += [Pair(lemma.replace("_", " "), word, "wordnet") for word in list(best)[:most]]
    return list(dict.fromkeys(pairs))


def emoji_names(language: str) -> list[Pair]:
    """Return the names of emoji in a language and in English (Unicode CLDR), without those of a tone of skin."""
    config.load_language(language)
    names = [(name[language], name["en"]) for name in EMOJI_DATA.values() if language in name]
    plain = [[side.strip(":").replace("_", " ") for side in name] for name in names if "skin_tone" not in name[1]]
    return list(dict.fromkeys(Pair(text, english, "emoji") for text, english in plain))
