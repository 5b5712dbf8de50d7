"""Pairs in English, Spanish, Turkish and Arabic, and of two of these, to fit the profile `multilingual` on.

The scores of STS Benchmark train are carried over to its translations into Spanish and Turkish, in one language and
with one sentence left in English, and in English too. For the profile `multilingual` only pairs that the encoders have
not learned from are used: a third of them, in all five ways. There are no scored Arabic pairs to learn from: Arabic and
four other languages have silver scores (`silver_pairs.py`), of sentences that encoders have not learned from.
Machine translations beside human ones (SemEval-2012 and 2016) have the human one in Spanish, as Apertium translates
it: like the question whether a translation means the same as its source. No row of the tracks of SemEval-2017 is among
them. With ``--translate`` the pairs are written in English, as they are translated when they are scored, for the
profile `translations`; pairs that need no translation are left out.
"""

import argparse
import csv
import gzip
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from multilingual_lessons import SILVER
from parallel_text import kept_back
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.multilingual import find_translator
from samewise.ensemble.multilingual.apertium import Apertium
from samewise.features.analysis.analysis import analyse, normalise
from silver_pairs import kept_back as kept_back_of
from silver_pairs import read_set, read_silver

WAYS = 3
"""Pairs of languages, at most, that silver scores of a pair of sentences are carried over to."""

TRANSLATIONS = 2
"""Of the sentences with silver scores one in so many stands beside a translation of itself, with the score 5."""

SPLITS = ("train", "dev")


class Scored(NamedTuple):
    """A pair, its score, its languages, those of its texts, its group, and its collection."""

    sentence1: str
    sentence2: str
    score: float
    source: str
    language1: str
    language2: str
    group: str
    collection: str


def _benchmark(data: Path, split: str) -> list[list[str]]:
    with (data / "stsbenchmark" / f"sts-{split}.csv").open(encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _spanish(data: Path, split: str) -> list[list[str]]:
    with (data / "stsb-multi-mt" / f"stsb-es-{split}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def _turkish(data: Path, split: str) -> list[list[str]]:
    with gzip.open(data / "parallel" / f"stsb-tr-{split}.tsv.gz", "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


def _linked(pairs: Sequence[tuple[str, str]]) -> list[int]:
    # A number for each pair; those that share an English sentence have one, and so have their translations.
    return sentence_groups(analyse(pairs, "text")).tolist()


def translated_benchmark(data: Path, split: str, *, every: bool, unseen: bool = False) -> Iterator[Scored]:
    """Yield the pairs of a split in English, Spanish and Turkish and across, without those of track 5.

    Each of them comes in all five ways if `every`, else in two or three by turns. With `unseen`, only pairs that
    encoders have not learned from are yielded.
    """
    rows = list(zip(_benchmark(data, split), _spanish(data, split), _turkish(data, split), strict=True))
    groups = _linked([(english[5], english[6]) for english, *_ in rows])
    left_out = (
        [not kept for kept in kept_back([(row[0][5], row[0][6]) for row in rows])] if unseen else [False] * len(rows)
    )
    for number, (english, spanish, turkish) in enumerate(rows):
        if english[1].startswith("track5") or left_out[number]:
            continue
        score = float(english[4])
        if float(spanish[2]) != score or float(turkish[4]) != score:
            raise ValueError(f"row {number + 1} of {split} has another score in translation; take files of one version")
        group, collection = f"benchmark {groups[number]}", english[1]
        texts = {"en": english[5:7], "es": spanish[:2], "tr": turkish[5:7]}
        if every or number % 3 == 0:
            yield Scored(*texts["en"], score, "en-en", "en", "en", group, collection)
        for turn, language in enumerate(("es", "tr")):
            a, b = texts[language]
            crossed = number % 2 == turn
            if every or not crossed:
                yield Scored(a, b, score, f"{language}-{language}", language, language, group, collection)
            if every or crossed:
                # Either sentence in English, by turns.
                if number // 2 % 2:
                    yield Scored(a, texts["en"][1], score, f"{language}-en", language, "en", group, collection)
                else:
                    yield Scored(texts["en"][0], b, score, f"{language}-en", "en", language, group, collection)


def silver_pairs(data: Path, silver: Path, seed: int, *, translations: bool) -> Iterator[Scored]:
    """Yield translated sentences that encoders have not learned from, with the silver scores of their originals.

    With `translations`, every other sentence also stands beside a translation of itself, with the score 5.
    """
    chance = random.Random(seed)
    for name, languages in SILVER.items():
        sentences = read_set(data, name)
        rows = [row for row in read_silver(silver / f"{name}.tsv") if kept_back_of(name, sentences["en"][row.left])]
        ways = [(one, two) for one in languages for two in languages if "en" not in (one, two) or one != two]
        for row in rows:
            for one, two in chance.sample(ways, min(WAYS, len(ways))):
                a, b = sentences[one][row.left], row.second(sentences[two])
                source = "-".join(sorted((one, two), key=lambda code: (code == "en", code)))
                if a and b:
                    yield Scored(a, b, row.score, source, one, two, f"{name} {min(row.left, row.right)}", name)
        for left in sorted({row.left for row in rows})[::TRANSLATIONS] if translations else ():
            one, two = chance.choice([way for way in ways if way[0] != way[1]])
            if sentences[one][left] and sentences[two][left]:
                group = f"{name} {left}"
                yield Scored(sentences[one][left], sentences[two][left], 5.0, f"{one}-{two}", one, two, group, name)


def machine_translations(data: Path) -> Iterator[Scored]:
    """Yield machine translations into English, each beside a human one that is translated into Spanish by Apertium."""
    with (data / "stscompanion" / "sts-mt.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    groups = _linked([(row[4], row[5]) for row in rows])
    spanish = Apertium().translate([row[4] for row in rows], "en", "es")
    for row, text, group in zip(rows, spanish, groups, strict=True):
        if text:
            yield Scored(text, row[5], float(row[3]), "es-en", "es", "en", f"machine {group}", "machine translation")


def in_english(pairs: Sequence[Scored], translate: str) -> list[Scored]:
    """Return the pairs with a text in another language, translated into English; leave out untranslated pairs."""
    translator = find_translator(translate)
    if translator is None:
        raise SystemExit("--translate none translates nothing; name apertium,dictionary")
    texts: dict[str, dict[str, None]] = {}
    for pair in pairs:
        for text, language in zip(pair[:2], pair[4:6], strict=True):
            texts.setdefault(language, {})[text] = None
    known = {("en", text): text for text in texts.pop("en", {})}
    for language, each in texts.items():
        if not translator.covers(language, "en"):
            continue
        found = translator.translate([normalise(text) for text in each], language, "en")
        known |= {(language, text): english for text, english in zip(each, found, strict=True)}
    result = []
    for pair in pairs:
        a, b = known.get((pair.language1, pair.sentence1)), known.get((pair.language2, pair.sentence2))
        if a and b and pair.source != "en-en":
            result.append(pair._replace(sentence1=a, sentence2=b))
    return result


def write(path: Path, pairs: Sequence[Scored]) -> None:
    """Write a table of pairs, tabs between the columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(Scored._fields) + "\n")
        for pair in pairs:
            texts = (normalise(text) for text in pair[:2])
            file.write("\t".join([*texts, f"{pair.score:.3f}", *pair[3:]]) + "\n")


def main() -> None:
    """Write ``train.tsv`` and ``dev.tsv``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stsb-multi-mt, stscompanion and parallel")
    parser.add_argument("--silver", type=Path, required=True, help="folder of silver_pairs.py")
    parser.add_argument("--translate", help="write translations by these, such as apertium,dictionary")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write to")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        every = split != "train" or not options.translate
        unseen = split == "train" and not options.translate
        pairs = list(translated_benchmark(options.data, split, every=every, unseen=unseen))
        if split == "train":
            # The profile `translations` is fitted without translations of the same sentence; with them was not tried.
            pairs += silver_pairs(options.data, options.silver, options.seed, translations=not options.translate)
            pairs += machine_translations(options.data)
        if options.translate:
            pairs = in_english(pairs, options.translate)
        write(options.output / f"{split}.tsv", pairs)
        print(f"{split}: {len(pairs):,} pairs", flush=True)


if __name__ == "__main__":
    main()
