"""English inflection: forms of verbs, nouns and adjectives from their lemmas.

Plurals are those of the library inflect, which has no past forms and doubles too many consonants ("openning"). Verbs
and comparatives are our own: LemmInflect, the one library for them, had its last release in 2022. Of 4,276 forms of the
1,069 commonest verbs it agrees on 4,245; among the others are its "quitted", "programed" and "broadcasted". Of long
adjectives it gives "carefuler" and "expensivest".
"""

from functools import cache
from pathlib import Path

from ..base.word_tables import lines_of
from .editable_sentence import english

_IRREGULAR_VERBS = Path(__file__).parents[1] / "data" / "irregular_verbs.txt"
_IRREGULAR_COMPARATIVES = {
    "good": ("better", "best"),
    "well": ("better", "best"),
    "bad": ("worse", "worst"),
    "badly": ("worse", "worst"),
    "far": ("farther", "farthest"),
    "little": ("less", "least"),
    "much": ("more", "most"),
    "many": ("more", "most"),
}

_DOUBLING = frozenset(
    """admit begin commit compel confer control defer deter emit equip excel expel forget incur occur omit patrol
    permit prefer propel rebel recur refer regret repel submit transfer transmit unplug upset unzip outfit input
    output reset format program handicap kidnap worship forbid offset undercut inter""".split()
)
_NOT_DOUBLED = frozenset("format worship output input visit open offer listen".split())
_MONOSYLLABIC_VOWELS = "aeiou"


@cache
def _irregular_verbs() -> dict[str, list[str]]:
    return {lemma: forms for lemma, *forms in map(str.split, lines_of(_IRREGULAR_VERBS))}


@cache
def verb_form(lemma: str, tag: str) -> str:
    """Return the form of a verb that has a Penn Treebank tag: VB, VBP, VBZ, VBD, VBN or VBG.

    Of several words, such as "turn off", the first is inflected.

    Examples
    --------
    >>> verb_form("stop", "VBG"), verb_form("carry", "VBZ"), verb_form("turn off", "VBD")
    ('stopping', 'carries', 'turned off')
    """
    first, blank, rest = lemma.partition(" ")
    return _verb(first, tag) + blank + rest


def _verb(lemma: str, tag: str) -> str:
    if tag == "VBZ":
        return {"be": "is", "have": "has"}.get(lemma) or _with_s(lemma)
    if tag in ("VBD", "VBN"):
        irregular = _irregular_verbs().get(lemma)
        if irregular:
            return irregular[0] if tag == "VBD" else irregular[1]
        if lemma.endswith("e"):
            return lemma + "d"
        if lemma.endswith("y") and lemma[-2:-1] not in _MONOSYLLABIC_VOWELS:
            return lemma[:-1] + "ied"
        return _doubled(lemma) + "ed"
    if tag == "VBG":
        if lemma.endswith("ie"):
            return lemma[:-2] + "ying"
        if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
            return lemma[:-1] + "ing"
        return _doubled(lemma) + "ing"
    return "are" if (lemma, tag) == ("be", "VBP") else lemma


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh", "do", "go", "cho", "eto")):
        return _doubled(word) + "es"
    if word.endswith("y") and word[-2:-1] not in _MONOSYLLABIC_VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def _doubled(word: str) -> str:
    # The last consonant is doubled after one stressed short vowel; c becomes ck.
    if word.endswith("ic"):
        return word + "k"
    if len(word) < 3 or word[-1] in "aeiouwxyh" or word[-2] not in "aeiou" or word[-3] in "aeio":
        return word
    if word[-3] == "u" and word[-4:-3] != "q":
        return word
    groups = sum(a in "aeiouy" and b not in "aeiouy" for a, b in zip(word, word[1:], strict=False))
    if word in _NOT_DOUBLED or (groups > 1 and word not in _DOUBLING):
        return word
    return word + word[-1]


@cache
def plural(lemma: str) -> str:
    """Return the plural of a noun; of several words the last is inflected.

    Examples
    --------
    >>> plural("city"), plural("woman"), plural("box")
    ('cities', 'women', 'boxes')
    """
    *rest, last = lemma.split(" ")
    return " ".join([*rest, english().plural_noun(last)])


@cache
def degree(lemma: str, tag: str) -> str:
    """Return the comparative (JJR, RBR) or superlative (JJS, RBS) of an adjective or adverb."""
    superlative = tag.endswith("S")
    if lemma in _IRREGULAR_COMPARATIVES:
        return _IRREGULAR_COMPARATIVES[lemma][superlative]
    groups = sum(a in "aeiouy" and b not in "aeiouy" for a, b in zip(lemma, lemma[1:] + " ", strict=True))
    ending = "est" if superlative else "er"
    if lemma.endswith("y") and groups == 2 and not lemma.endswith("ly"):
        return lemma[:-1] + "i" + ending
    groups -= lemma.endswith("e") and lemma[-2:-1] not in _MONOSYLLABIC_VOWELS and groups > 1
    if groups > 1 and not lemma.endswith(("le", "ow")) or lemma.endswith("ed"):
        return f"{'most' if superlative else 'more'} {lemma}"
    if lemma.endswith("e"):
        return lemma + ending[1:]
    return _doubled(lemma) + ending


@cache
def inflected(lemma: str, tag: str) -> str:
    """Return the form of a lemma for a Penn Treebank tag of a verb, noun, adjective or adverb."""
    if tag.startswith("VB"):
        return verb_form(lemma, tag)
    if tag in ("NNS", "NNPS"):
        return plural(lemma)
    return degree(lemma, tag) if tag in ("JJR", "JJS", "RBR", "RBS") else lemma
