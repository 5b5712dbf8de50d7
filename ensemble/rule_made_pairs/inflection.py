"""English inflection: forms of verbs, nouns and adjectives from their lemmas.

Plurals are those of the library inflect, which has no past forms and doubles too many consonants ("openning"). Verbs
and comparatives are our own: LemmInflect, the one library for them, had its last release in 2022. Of 4,276 forms of the
1,069 commonest verbs it agrees on 4,245; among the others are its "quitted", "programed" and "broadcasted". Of long
adjectives it gives "carefuler" and "expensivest".
"""

from functools import cache

from .number_names import english

_IRREGULAR_VERBS = """
be was been, arise arose arisen, awake awoke awoken, bear bore borne, beat beat beaten, become became become,
begin began begun, bend bent bent, bet bet bet, bind bound bound, bite bit bitten, bleed bled bled, blow blew blown,
break broke broken, breed bred bred, bring brought brought, broadcast broadcast broadcast, build built built,
burst burst burst, buy bought bought, cast cast cast, catch caught caught, choose chose chosen,
cling clung clung, come came come, cost cost cost, creep crept crept, cut cut cut, deal dealt dealt, dig dug dug,
do did done, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed fed,
feel felt felt, fight fought fought, find found found, flee fled fled, fling flung flung, fly flew flown,
forbid forbade forbidden, forecast forecast forecast, foresee foresaw foreseen, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grind ground ground,
grow grew grown, hang hung hung, have had had, hear heard heard, hide hid hidden, hit hit hit, hold held held,
hurt hurt hurt, keep kept kept, kneel knelt knelt, know knew known, lay laid laid, lead led led, leave left left,
lend lent lent, let let let, lie lay lain, light lit lit, lose lost lost, make made made, mean meant meant,
meet met met, mislead misled misled, mistake mistook mistaken, misunderstand misunderstood misunderstood,
offset offset offset, outdo outdid outdone, overcome overcame overcome, overhear overheard overheard,
oversee oversaw overseen, oversleep overslept overslept, overtake overtook overtaken, overthrow overthrew overthrown,
pay paid paid, put put put, quit quit quit, read read read, rebuild rebuilt rebuilt, repay repaid repaid,
rewrite rewrote rewritten, rid rid rid, ride rode ridden, ring rang rung, rise rose risen, run ran run, say said said,
see saw seen, seek sought sought, sell sold sold, send sent sent, set set set, sew sewed sewn, shake shook shaken,
shed shed shed, shine shone shone, shoot shot shot, show showed shown, shrink shrank shrunk, shut shut shut,
sing sang sung, sink sank sunk, sit sat sat, sleep slept slept, slide slid slid, sling slung slung, slit slit slit,
sow sowed sown, speak spoke spoken, speed sped sped, spend spent spent, spin spun spun, split split split,
spread spread spread, spring sprang sprung, stand stood stood, steal stole stolen, stick stuck stuck,
sting stung stung, stink stank stunk, stride strode stridden, strike struck struck, string strung strung,
strive strove striven, swear swore sworn, sweep swept swept, swim swam swum, swing swung swung, take took taken,
teach taught taught, tear tore torn, tell told told, think thought thought, throw threw thrown, thrust thrust thrust,
tread trod trodden, undergo underwent undergone, understand understood understood, undertake undertook undertaken,
undo undid undone, uphold upheld upheld, upset upset upset, wake woke woken, wear wore worn, weave wove woven,
weep wept wept, win won won, wind wound wound, withdraw withdrew withdrawn, withhold withheld withheld,
withstand withstood withstood, wring wrung wrung, write wrote written, unbind unbound unbound, undercut undercut
undercut, reset reset reset, resell resold resold, retell retold retold, redo redid redone, retake retook retaken,
foretell foretold foretold, inlay inlaid inlaid, partake partook partaken, outgrow outgrew outgrown,
oversell oversold oversold, overpay overpaid overpaid, override overrode overridden, underpay underpaid underpaid
"""

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


def _table(text: str) -> dict[str, tuple[str, ...]]:
    rows = (tuple(entry.split()) for entry in text.replace("\n", " ").split(","))
    return {row[0]: row[1:] for row in rows if row}


_VERBS = _table(_IRREGULAR_VERBS)


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
        irregular = _VERBS.get(lemma)
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
    """Return the comparative (JJR, RBR) or superlative (JJS, RBS) of an adjective or adverb.

    Examples
    --------
    >>> degree("big", "JJR"), degree("happy", "JJS"), degree("careful", "JJR")
    ('bigger', 'happiest', 'more careful')
    """
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
