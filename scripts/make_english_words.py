"""Make the table of `features/analysis/lemmas.py` from wordfreq (Speer, 2022) and the WordNet 3.0 that ships.

The same version of wordfreq gives the same bytes. Measured: ``benchmarks/false_alarms.py``.
"""

import argparse
import json
import unicodedata
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np
from mapped_folder import write_mapped
from samewise.features.analysis.lemmas import FOLDER, FOREIGN, OWN, SHARED, LemmaRules, short_hashes
from samewise.features.base.token_sequences import text_hash
from samewise.features.lexicon.word_frequencies import CLITICS
from samewise.features.lexicon.wordnet import CLASSES, wordnet

COMMON_ZIPF = 3.5
"""Frequency from which a word is listed, whatever it is: 10**(3.5 - 9) of running text, or three in a million words."""

FORM_ZIPF = 2.0
"""Frequency from which an inflected form of a word of WordNet is listed."""

MOST_OF_ENGLISH, MOST_OF_SHARED = 2.0, 50.0
"""Greatest ratio of frequencies, another language over English, of an English word and of a shared one."""

LATIN = "ca cs da de es fi fil fr hu id is it lt lv ms nb nl pl pt ro sh sk sl sv tr vi".split()
"""The other languages of wordfreq that are written in Latin letters."""

TAGS = {"NNS": "n", "VBD": "v", "VBN": "v", "VBG": "v", "VBZ": "v", "JJR": "a", "JJS": "a", "RBR": "r", "RBS": "r"}
"""Tags of inflected forms, and the part of speech of their lemmas."""

PREFIXES = ("fore", "mis", "out", "over", "re", "un", "under", "up", "with")
"""Prefixes of listed words that make another: ``rewrote``, ``outran``."""

IRREGULAR = (
    "abode arose awoke bade besought bled bred cleft clove clung crept dealt dove dwelt fled flung forbade forbore "
    "forsook froze ground hewn hove knelt leapt mown rode rung shod shone shorn shrank shrunk slain slew slid slunk "
    "smote sown sprang sprung stank stove strewn stridden strode strove stunk swam swore swum swung thrown trod "
    "trodden wept woke wove woven wrung geese lice oxen indices matrices vertices"
).split()
"""Irregular forms that are rare, and that the rules for lemmas may not know."""


def frequencies(language: str) -> Mapping[str, float]:
    """Return the share of running text of each word of a language."""
    from wordfreq import available_languages, get_frequency_dict

    return get_frequency_dict(language, "large" if language in available_languages("large") else "small")


def words_of_wordnet() -> dict[str, set[str]]:
    """Return the single words of WordNet, in lower case, by part of speech."""
    table = wordnet()
    words = np.arange(table.size)
    known: dict[str, set[str]] = {name: set() for name in CLASSES}
    for name, code in zip(table.word_names(words), table.word_classes(words).tolist(), strict=True):
        if name.isalpha():
            known[CLASSES[code]].add(name)
    return known


def listed_words(english: Mapping[str, float]) -> set[str]:
    """Return frequent words of English text, words of WordNet, and the forms of both."""
    lemmas = words_of_wordnet()
    path = FOLDER.parent / "pipeline" / "lemmas.json"
    lemma_of = LemmaRules(**json.loads(path.read_text(encoding="utf-8")))
    rare = 10 ** (FORM_ZIPF - 9)
    forms = [word for word, share in english.items() if share >= rare and word.isalpha()]
    listed = set().union(*lemmas.values(), CLITICS, IRREGULAR)
    listed |= {word for word, share in english.items() if share >= 10 ** (COMMON_ZIPF - 9)}
    listed |= {word for word in forms if any(lemma_of(word, tag) in lemmas[kind] for tag, kind in TAGS.items())}
    derived = {word for word in forms for prefix in PREFIXES if word.removeprefix(prefix) in listed}
    accented = {word for word in forms if without_accents(word) in listed}
    return listed | derived | accented


def without_accents(word: str) -> str:
    """Return a word without accents on its letters."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def build(listed: Iterable[str], english: Mapping[str, float], foreign: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Return the arrays of `samewise.features.analysis.lemmas.EnglishWords`.

    Parameters
    ----------
    listed
        Lower-case words.
    english, foreign
        The share of running text of each word in English, and the greatest in any other language.
    """
    kinds: dict[int, int] = {}
    for word in sorted(listed):
        here, there = english.get(word, 0.0), foreign.get(word, 0.0)
        most = here if here > 0 else 10 ** (FORM_ZIPF - 9)  # a word of WordNet that is rarer than any counted one
        kind = OWN if there <= MOST_OF_ENGLISH * most else SHARED if there <= MOST_OF_SHARED * most else FOREIGN
        short = int(short_hashes(np.asarray([text_hash(word)], dtype=np.uint64))[0])
        kinds[short] = min(kind, kinds.get(short, kind))
    hashes = sorted(kinds)
    codes = np.asarray([kinds[value] for value in hashes], dtype=np.uint8)
    return {"hashes": np.asarray(hashes, dtype=np.uint32), "codes": codes}


def main() -> None:
    """Count, write the arrays, print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER)
    options = parser.parse_args()
    english = frequencies("en")
    foreign: dict[str, float] = {}
    for language in LATIN:
        for word, share in frequencies(language).items():
            foreign[word] = max(share, foreign.get(word, 0.0))
    write_mapped(options.output, build(listed_words(english), english, foreign), wordfreq=version("wordfreq"))


if __name__ == "__main__":
    main()
