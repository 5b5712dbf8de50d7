"""Share of English sentences flagged ``non_english`` or ``unknown_words``, and of those in other languages found.

Sentences are counted once a set. The sets of the part ``choose`` served to choose the thresholds of
``ensemble/core/english_text.py``; those of the part ``held`` did not.
"""

import argparse
import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

from samewise.ensemble.core.pair_inputs import flags_of_english
from samewise.features.analysis.analysis import analyse

AT_A_TIME = 2_000
TRANSLATED = ("ara", "spa", "tur", "deu", "fra", "ita", "por")
CHOSEN_BY = ("STSb train", "companion other", "EWT train", "Tatoeba", "NTREX")


def _rows(path: Path) -> list[list[str]]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as file:
        return [line.rstrip("\n").split("\t") for line in file]


def _sts(data: Path) -> Iterator[tuple[str, list[str]]]:
    for part in ("train", "dev", "test"):
        rows = _rows(data / "stsbenchmark" / f"sts-{part}.csv")
        yield f"STSb {part}, eng", [text for row in rows for text in row[5:7]]
    for part in ("other", "mt"):
        rows = _rows(data / "stscompanion" / f"sts-{part}.csv")
        yield f"companion {part}, eng", [text for row in rows for text in row[4:6]]
    rows = _rows(data / "sts2015" / "answers-students.tsv")
    yield "STS 2015, eng", [text for row in rows for text in row[1:3]]
    rows = [row for part in ("train", "trial") for row in _rows(data / "sick" / f"SICK_{part}.txt")[1:]]
    yield "SICK, eng", [text for row in rows for text in row[1:3]]
    with (data / "stsb-multi-mt" / "stsb-es-dev.csv").open(encoding="utf-8", newline="") as file:
        yield "STSb dev, spa", [text for row in csv.reader(file) for text in row[:2]]
    rows = _rows(data / "parallel" / "stsb-tr-dev.tsv.gz")[1:]
    yield "STSb dev, tur", [text for row in rows for text in row[5:7]]


def _treebank(data: Path) -> Iterator[tuple[str, list[str]]]:
    for part in ("train", "dev", "test"):
        rows = _rows(data / "ud" / "UD_English-EWT" / f"en_ewt-ud-{part}.conllu.gz")
        yield f"EWT {part}, eng", [row[0].removeprefix("# text = ") for row in rows if row[0].startswith("# text = ")]


def _parallel(data: Path) -> Iterator[tuple[str, list[str]]]:
    folder = data / "parallel"
    arabic, turkish = _rows(folder / "eng-ara.tsv.gz"), _rows(folder / "eng-tur.tsv.gz")
    yield "Tatoeba, eng", [row[0] for row in arabic + turkish]
    yield "Tatoeba, ara", [row[1] for row in arabic]
    yield "Tatoeba, tur", [row[1] for row in turkish]
    for name, file in (("NTREX", "ntrex.tsv.gz"), ("PUD", "pud.tsv.gz")):
        header, *rows = _rows(folder / file)
        for language in ("eng", *TRANSLATED):
            column = header.index(language)
            yield f"{name}, {language}", [row[column] for row in rows]
    rows = _rows(folder / "xquad-questions-eng-ara-tur-spa.tsv.gz")
    for column, language in enumerate(("eng", "ara", "tur", "spa")):
        yield f"XQuAD, {language}", [row[column] for row in rows]


def sets(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and language of each set, and its distinct sentences."""
    for read in (_sts, _treebank, _parallel):
        for name, texts in read(data):
            yield name, list(dict.fromkeys(text for text in texts if text.strip()))


def flagged(texts: list[str]) -> dict[str, list[str]]:
    """Return the texts that have each of the two flags."""
    found: dict[str, list[str]] = {"non_english": [], "unknown_words": []}
    for start in range(0, len(texts), AT_A_TIME):
        part = texts[start : start + AT_A_TIME]
        for text, flags in zip(part, flags_of_english(analyse([(text, text) for text in part])), strict=True):
            for flag in found.keys() & set(flags):
                found[flag].append(text)
    return found


def main() -> None:
    """Print one line a set, the English ones first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the public data sets")
    parser.add_argument("--part", choices=("choose", "held", "all"), default="all")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N flagged sentences of a set")
    options = parser.parse_args()
    print(f"{'set':22}{'part':8}{'sentences':>10}{'non_english':>16}{'unknown_words':>16}")
    for name, texts in sorted(sets(options.data), key=lambda one: not one[0].endswith("eng")):
        part = "choose" if name.rpartition(",")[0] in CHOSEN_BY else "held"
        if options.part not in (part, "all"):
            continue
        found = flagged(texts)
        columns = "".join(f"{len(some):>7}{len(some) / len(texts):>8.2%} " for some in found.values())
        print(f"{name:22}{part:8}{len(texts):>10}{columns}", flush=True)
        for flag, some in found.items():
            for text in some[: options.show]:
                print(f"    {flag}: {text[:100]}")


if __name__ == "__main__":
    main()
