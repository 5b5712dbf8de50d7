"""Tables of docs/features.md, made when the site is built from what the features declare."""

import importlib

from samewise.features import FEATURE_SETS, all_features, resolve
from samewise.features.pipeline.catalogue import costs

COLUMNS = ("feature", "columns", "range", "level", "needs", "definition", "source", "µs/pair", "about")

DEFINITIONS = {
    "NG1": "F1 of word n-grams, stop words removed first",
    "NG2": "F1 of lemma or stem n-grams, stop words removed first",
    "NG3": "F1 of n-grams from which stop words are removed after the n-grams are built",
    "NG4": "F1 of n-grams weighted by idf, stop words kept",
    "NG5": "F1 of character n-grams",
    "NG6": "Jaccard index and containment of word n-grams",
    "NG7": "cosine of tf-idf vectors of character n-grams",
    "NG8": "n-grams of the stop words alone",
    "NG9": "Jaccard index and containment of part-of-speech n-grams",
    "SEQ1": "common prefix, suffix, substring, subsequence and edit distance of lemmas or stems",
    "SEQ2": "the same measures of the nouns",
    "SEQ3": "the same measures, sets and counts with synonyms counted as one word",
    "SEQ4": "common substring and subsequence, Jaro, Jaro-Winkler, Monge-Elkan and Levenshtein on characters",
    "SEQ5": "greedy string tiling",
    "SEQ6": "string metrics on sixteen views of the pair",
    "BOW1": "K11 of idf-weighted bags of words, stop words removed",
    "BOW2": "K11 of idf-weighted bags of words, stop words kept",
    "BOW3": "cosine of the sets of words, the baseline of the task",
    "POS1": "Jaccard and Dice index of the lemmas of each part of speech",
    "POS2": "K11 of pooled word vectors of the nouns",
    "POS3": "difference of the counts of each part of speech",
    "POS4": "ratio of the counts of each part of speech",
    "POS5": "alignment of the words of each part of speech and kind of named entity",
    "POS6": "named entities and proper names in common",
    "NUM1": "numbers in common",
    "NUM2": "capitalised words in common",
    "NUM3": "stock tickers in common",
    "NUM4": "difference of the sums of the numbers",
    "NUM5": "numbers or years that do not match",
    "VAL1": "values that both texts state, that contradict each other, or that one text lacks",
    "VAL2": "signs, bounds or units that conflict, and values that exchanged what they measure",
    "VAL3": "strongest contradiction of each kind of values",
    "ALN1": "aligned share of the tokens",
    "ALN2": "aligned share of the content words",
    "ALN3": "aligned share of the idf",
    "ALN4": "aligned share of the idf of each part of speech",
    "ALN5": "aligned share of either sentence",
    "ALN6": "one-to-one alignment by word similarity, with synonyms and antonyms",
    "ALN7": "words without a partner",
    "ALN8": "similarities times the aligned share",
    "ALN9": "alignment of phrases",
    "ALN10": "counts, moments and order of the links",
    "ALN11": "alignment of senses",
    "EMB1": "K11 of idf-weighted word vectors, pooled by mean, minimum and maximum",
    "EMB2": "the same for lemmas",
    "EMB3": "cosine of mean word vectors: plain, by idf, by smooth inverse frequency, common directions removed",
    "EMB4": "cosine of word vectors weighted by information content",
    "EMB5": "cosine of word vectors weighted by part of speech",
    "EMB6": "word mover's distance and its bounds",
    "EMB7": "best cosine of each word in the other sentence",
    "SYN1": "dependency triples in common, as sets and weighted by idf",
    "SYN2": "dependency triples in common, as sets and counted",
    "SYN3": "head and dependent in common, as sets and weighted by idf",
    "SYN4": "head and dependent in common, as sets and counted",
    "SYN5": "tree kernels",
    "MT1": "BLEU",
    "MT2": "NIST",
    "MT3": "GTM, matched runs",
    "MT4": "word error rate",
    "MT5": "position-independent error rate",
    "MT6": "lexical overlap",
    "MT7": "translation edit rate",
    "MT8": "METEOR with exact matches",
    "MT9": "ROUGE and other measures of subsequences",
    "KB1": "cosine of WordNet similarities over the joint words",
    "KB2": "best WordNet path similarity",
    "KB3": "overlap weighted by information content",
    "KB4": "difference of length and of information content",
    "KB5": "cosine of sums of latent word vectors",
    "KB6": "sentence information content in the WordNet hierarchy",
    "KB7": "best Resnik, Lin and Jiang-Conrath similarities",
    "KB8": "explicit semantic analysis",
    "KB9": "soft cardinality",
    "KB10": "WordNet rewards and penalties of word similarity",
    "KB11": "paraphrases and antonyms among unaligned words",
    "NEG": "negations on one side",
    "D2V1": "K11 of paragraph vectors",
    "CLP1": "cosine of character trigram counts",
    "CLP2": "overlap of the neighbourhoods of the words",
    "CLP3": "cosine of word vectors weighted by part of speech and idf",
    "IR1": "agreement of the texts that the sentences retrieve from a collection",
}
"""Meanings of the short names of definitions."""


def _range(low: float, high: float) -> str:
    return f"{low:g} to {high:g}".replace("inf", "∞")


def tables() -> str:
    """Return the tables of the page."""
    lines = ["## Sets\n", "| set | columns | patterns |", "|---|---|---|"]
    for name, patterns in FEATURE_SETS.items():
        lines.append(f"| `{name}` | {len(resolve(name)[1])} | {' '.join(f'`{pattern}`' for pattern in patterns)} |")
    lines += ["\n## Definitions\n", "| definition | meaning | features |", "|---|---|---|"]
    for section, meaning in DEFINITIONS.items():
        found = [f"`{value.full_name}`" for value in all_features() if section in value.section.split()]
        lines.append(f"| {section} | {meaning} | {' '.join(found)} |")
    families: dict[str, list[str]] = {}
    for value in all_features():
        if value.family not in families:
            module = importlib.import_module(value.compute.__module__)
            about = " ".join((module.__doc__ or "").split())
            heading = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
            families[value.family] = [f"\n## {value.family}\n", about, "", *heading]
        facts = [
            f"`{value.name}`",
            " ".join(f"`{name}`" for name in value.names),
            _range(value.low, value.high),
            value.level,
            " ".join(value.needs + value.tables) or "–",
            value.section or "–",
            value.source,
            f"{costs()[value.full_name]:g}" if value.full_name in costs() else "–",
            " ".join((value.compute.__doc__ or "").split()),
        ]
        families[value.family].append("| " + " | ".join(fact.replace("|", "\\|") for fact in facts) + " |")
    return "\n".join([*lines, *(line for family in families.values() for line in family)]) + "\n"


if __name__ == "__main__":
    print(tables(), end="")
