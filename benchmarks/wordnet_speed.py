"""Measure the best similarity over the senses of two words against NLTK, on the same pairs of frequent words.

NLTK has a head start: it has read every synset that it needs, and is handed the senses of the words. It is given the
first of the pairs only, as all of them would take it minutes.
"""

import argparse
import math
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from samewise.features.lexicon.sense_similarity import word_similarity
from samewise.features.lexicon.wordnet import CLASSES, WordNet, load

MEASURES = ("path", "wup", "lch", "res", "lin", "jcn", "li")
CONTENT = ("res", "lin", "jcn")
AT_LEAST = 0.5
"""Seconds over which a call is repeated; the fastest counts."""


def frequent(facts: WordNet, letter: str, size: int) -> np.ndarray:
    """Return the words of a part of speech that SemCor has most often."""
    every = np.arange(facts.size)
    counts = facts.sense_counts(every).sums() * (facts.word_classes(every) == CLASSES.index(letter))
    return np.argsort(-counts, kind="stable")[:size]


def reader(database: Path, folder: Path) -> Any:
    """Return NLTK's reader of the database files, or None where either is missing."""
    try:
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader
    except ImportError:
        return None
    if not (database / "data.noun").is_file():
        return None

    class Reader(WordNetCorpusReader):
        def map_wn(self, version: str = "wordnet") -> dict[str, str]:
            return {}

    for path in database.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    if not (folder / "lexnames").exists():
        (folder / "lexnames").write_text("".join(f"{i:02}\tfile{i}\t0\n" for i in range(45)))
    nltk.data.path.append(str(folder))
    return Reader(str(folder), omw_reader=object())


def content(facts: WordNet, synsets: dict[int, Any], letter: str) -> dict[str, dict[int, float]]:
    """Return our counts as a dictionary of NLTK's."""
    counts = facts.arrays["information_semcor"].astype(float).tolist()
    found = {synset.offset(): counts[number] for number, synset in synsets.items()}
    return {letter: {0: counts[len(facts.kinds) + CLASSES.index(letter)], **found}}


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of the fastest call, and its result."""
    fastest, started = math.inf, time.perf_counter()
    while time.perf_counter() - started < AT_LEAST:
        begun = time.perf_counter()
        result = function()
        fastest = min(fastest, time.perf_counter() - begun)
    return fastest, result


def best(measure: str, pairs: list[tuple[list[Any], list[Any]]], counts: Any) -> list[float]:
    """Return NLTK's best value over the senses of each pair."""
    more = [counts] if measure in CONTENT else []
    return [
        max((getattr(a, f"{measure}_similarity")(b, *more) or 0.0 for a in one for b in other), default=0.0)
        for one, other in pairs
    ]


def main() -> None:
    """Print one line a part of speech and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files")
    parser.add_argument("--pairs", type=int, default=20_000, help="about what 1,024 pairs of sentences need at once")
    parser.add_argument("--nltk-pairs", type=int, default=1_000, help="how many of them NLTK is given")
    parser.add_argument("--words", type=int, default=1_000, help="how many of the most frequent words to draw from")
    options = parser.parse_args()
    started = time.perf_counter()
    facts = load()
    print(f"loaded and checked in {1e3 * (time.perf_counter() - started):.1f} ms")
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        theirs = reader(options.wordnet, Path(folder))
        if theirs is None:
            print(f"NLTK is not compared: it is not installed, or {options.wordnet} has no database; see --wordnet")
        print("    measure   us a pair   us by NLTK   ratio")
        for letter in "nv":
            x, y = rng.choice(frequent(facts, letter, options.words), (2, options.pairs))
            if theirs is not None:
                some = x[: options.nltk_pairs], y[: options.nltk_pairs]
                senses = [facts.senses(np.asarray([word])).values for side in some for word in side]
                above = np.unique(facts.ancestors(np.concatenate(senses)).synsets.values)
                names = facts.names(above)
                synsets = {n: theirs.synset(name) for n, name in zip(above.tolist(), names, strict=True)}
                counts = content(facts, synsets, letter)
                lists = [[synsets[s] for s in row.tolist()] for row in senses]
                pairs = list(zip(lists[: len(some[0])], lists[len(some[0]) :], strict=True))
                best("lch", pairs[:1], None)
            for measure in MEASURES:
                word_similarity(facts, measure, x[:1], y[:1])
                ours, found = seconds(partial(word_similarity, facts, measure, x, y))
                ours /= len(x)
                line = f"{letter}   {measure:7}{1e6 * ours:12.2f}"
                if theirs is not None and measure != "li":
                    took, expected = seconds(partial(best, measure, pairs, counts))
                    took /= len(pairs)
                    assert measure == "wup" or all(map(math.isclose, found, expected)), measure
                    line += f"{1e6 * took:13.1f}{took / ours:8.0f}"
                print(line, flush=True)


if __name__ == "__main__":
    main()
