"""Opposites and synonyms, from WordNet and a list of opposites that it lacks."""

from functools import cache, lru_cache

import numpy as np

from ...features.arrays.joins import by_first
from ...features.arrays.ragged import Ragged
from ...features.lexicon.wordnet import wordnet

_OPPOSITES = """
include exclude, import export, push pull, gain lose, love hate, arrive depart, encourage discourage, praise criticise,
praise criticize, strengthen weaken, improve worsen, improve deteriorate, support oppose, allow forbid, allow prohibit,
permit forbid, permit prohibit, allow ban, permit ban, allowed forbidden, allowed prohibited, permitted forbidden,
permitted prohibited, succeed fail, rise fall, rise drop, rose fell, climb fall, increase decrease, increase reduce,
increase decline, increase fall, raise lower, win lose, confirm deny, attract repel, trust distrust, agree disagree,
appear disappear, accept reject, accept refuse, accept decline, approve reject, grant refuse, buy sell, lend borrow,
bright dark, bright dim, loud quiet, polite rude, cheap expensive, wet dry, strong weak, young old, new old, big small,
large small, big little, tall short, long short, high low, deep shallow, wide narrow, thick thin, heavy light,
full empty, rich poor, early late, fast slow, quick slow, quickly slowly, hot cold, warm cool, easy hard,
easy difficult, safe dangerous, clean dirty, happy sad, happy unhappy, calm nervous, alive dead, awake asleep,
left right, upper lower, inner outer, front rear, front back, front behind, north south, east west, northern southern,
eastern western, inside outside, indoors outdoors, upstairs downstairs, above below, up down, into out, before after,
buyer seller, employer employee, landlord tenant, lender borrower, teacher student, debtor creditor, lessor lessee,
brother sister, son daughter, husband wife, boy girl, man woman, men women, mother father, uncle aunt, king queen,
gain loss, profit loss, victory defeat, success failure, war peace, friend enemy, entrance exit, beginning end,
start stop, start end, begin end, begin stop, start finish, open close, open shut, opened closed, lock unlock,
enable disable, connect disconnect, install uninstall, add remove, attach detach, subscribe unsubscribe, enter leave,
arrival departure, attack defend, lead trail, hire fire, hire dismiss, optimistic pessimistic, overvalue undervalue,
overestimate underestimate, valid invalid, acute chronic, malignant benign, positive negative, active inactive,
public private, legal illegal, major minor, maximum minimum, more less, most least, better worse, best worst, ascend
descend, expand contract, expand shrink, widen narrow, first last, same different, together apart, guilty innocent,
conviction acquittal, convict acquit, with without, worsen ease,
increase reduction, upgrade downgrade, rise sink, ease tighten, loosen tighten, maternal paternal, wake sleep, fast slowly, hot mild, cheap dear, in out, on off, onto off, to from,
into from, towards from, until from, until after, by after, before since, with minus, for against, within after,
within beyond, at within, inbound outbound, beneath above, under over, below over, beneath over, underneath over,
away towards, near far, early late, optional mandatory, optional compulsory, optional required, voluntary mandatory,
voluntary compulsory, suggested required, recommended required, recommended mandatory, crowded deserted, crowded empty,
busy empty, busy quiet, tight generous, tight loose, slack tight, slacken tighten, cautious bold, accept deny,
cheer boo, welcome mourn, avoid choose, keep discard, keep drop, keep lose, keep remove, store delete, save delete,
lift lower, lift impose, lift drop, arrive leave, come go, stay leave, remain leave, send receive, give take,
bring take, lend return, show hide, reveal hide, conceal reveal, whisper shout, mute unmute, muted live, grow shrink,
gain shed, build demolish, build destroy, create delete, create destroy, freeze thaw, melt freeze, heat cool, fill empty,
rude kind, rude courteous, polite impolite, poor good, poor excellent, bad good, badly well, great awful, great terrible,
good terrible, good awful, excellent terrible, brilliant mediocre, lovely horrible, delicious disgusting,
pleasure nightmare, dream nightmare, delighted unhappy, delighted disappointed, relieved disappointed, delight dismay,
hope fear, optimism pessimism, agreement disagreement, credit debit, credit arrears, surplus deficit, asset liability,
income expense, revenue cost, bonus penalty, reward punish, reward punishment, discount surcharge, refund charge,
free paid, free occupied, vacant occupied, available unavailable, available taken, working broken, broken intact,
fixed broken, damaged undamaged, full vacant, sharp blunt, smooth rough, soft hard, sweet sour, raw cooked, ripe unripe,
fresh stale, dry moist, dusty spotless, clean filthy, tidy messy, neat messy, straight crooked, simple complex,
simple complicated, temporary permanent, permanent provisional, common rare, frequent rare, rarely often, seldom often,
always never, everything nothing, everyone nobody, all none, former future, former current, past future, old current,
predecessor successor, ancestor descendant, parent child, adult child, senior junior, major minor, male female,
gentleman lady, groom bride, host guest, winner loser, plaintiff defendant, supply demand, supplier customer,
sender recipient, sender receiver, author reader, speaker listener, doctor patient, guest host, ally enemy,
majority minority, maximise minimise, maximize minimize, maximal minimal, upper bottom, top bottom, ceiling floor,
floor roof, head tail, head foot, front end, morning evening, morning night, dawn dusk, sunrise sunset, day night,
noon midnight, summer winter, spring autumn, spring fall, weekday weekend, yes no, true false, right wrong,
correct incorrect, guilty innocent, sober drunk, sick healthy, ill healthy, ill well, fat thin, obese slim,
fattening slimming, thick slim, blond dark, odd even, singular plural, vowel consonant, noun verb, liquid solid,
solid hollow, opaque transparent, urban rural, domestic foreign, domestic wild, native foreign, wild tame,
mandatory voluntary, formal informal, online offline, wired wireless, manual automatic, manually automatically,
analogue digital, analog digital, vegetarian meat, decaf caffeinated, salted unsalted, scented unscented,
sugared unsugared, begin finish, begun finished, start finish, resume pause, pause continue, continue stop, proceed stop,
postpone advance, delay advance, hasten delay, speed slow, accelerate decelerate, accelerate brake, protect expose,
protected exposed, protected susceptible, resistant susceptible, resistant sensitive, benign malignant, cure cause,
relieve cause, prevent cause, prevent promote, inhibit activate, inhibit promote, suppress promote, allow prevent,
enable prevent, block allow, block unblock, blocked allowed, cover exclude, covers excludes, covered excluded,
including excluding, inclusive exclusive, included excluded, plus minus, add subtract, multiply divide, deposit withdraw,
deposit withdrawal, earn spend, save spend, save waste, invest withdraw, hoard spend, borrow return, own rent,
owned rented, buy rent, forget remember, forget recall, know suspect, knew suspected, ignore notice, ignore heed,
obey disobey, follow ignore, follow lead, follow precede, comply violate, honour breach, observe break, respect violate,
fasten unfasten, tie untie, zip unzip, wrap unwrap, pack unpack, dress undress, plug unplug, load unload, fold unfold,
screw unscrew, cover uncover, bolt unbolt, undo redo, retain release, retain delete, catch release, capture release,
arrest release, imprison free, jail free, elect oust, appoint dismiss, promote demote, hire sack, upheld overturned,
uphold overturn, uphold reject, ratify reject, adopt reject, pass reject, back oppose, endorse oppose, defend prosecute,
until once, open closed, prior following, prior after, mr mrs, mr ms, sir madam, delayed punctual,
win lost, triumph defeat, victory loss, survive die, survived died, alive deceased, born died, birth death
"""
_LISTED = frozenset(
    frozenset(entry.split()) for entry in _OPPOSITES.replace("\n", " ").strip().split(",") if entry.strip()
)
FUNCTION_OPPOSITES = frozenset(
    """inside outside above below up down into out before after more less most least in on off onto to from towards
    until once by since with without for against within beneath under over beyond at""".split()
)
"""Words of the list that are also function words."""

CONVERSES = frozenset(map(frozenset, (("buy", "sell"), ("lend", "borrow"), ("win", "lose"), ("give", "receive"))))
"""Opposites that tell one event from two sides: they differ only if one subject does both."""

_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "un-", "anti", "anti-", "mal")
_SURE_PREFIXES = ("non", "non-", "un-", "anti-")
_PREFIX_PAIRS = tuple(
    pair
    for line in (
        "under over, pre post, pro anti, en de, in out, on off, up down, inter intra, hyper hypo, macro micro, ex im, "
        "as des, im ex, in ex, in de, as dis, con di, maxi mini, uni multi, mono poly, fore hind, fore after, endo exo, "
        "left right, north south, east west, front rear, half full"
    ).split(", ")
    for pair in (tuple(line.split()), tuple(line.split())[::-1])
)
_SUFFIX_PAIRS = (("ful", "less"),)
_SHORTEST_STEM = 4
_NO_OPPOSITES = frozenset("be have do go come get make take give one other well even just still there here say".split())
_CLASS_OF_TAG = {"N": 0, "V": 1, "J": 2, "R": 3}


@cache
def _antonyms() -> Ragged:
    base = wordnet()
    return by_first(base.arrays["antonyms"], base.size)


@cache
def _related() -> tuple[Ragged, Ragged]:
    base = wordnet()
    return by_first(base.arrays["derivations"], base.size), by_first(base.arrays["pertainyms"], base.size)


@lru_cache(1 << 14)
def _word_ids(lemma: str) -> tuple[int, ...]:
    return tuple(wordnet().word_ids([lemma] * 4, np.arange(4)).tolist())


@lru_cache(1 << 14)
def _rows_of(lemma: str, kind: str) -> frozenset[int]:
    words = [word for word in _word_ids(lemma) if word >= 0]
    return frozenset(
        int(value)
        for rows in ((_antonyms(),) if kind == "antonyms" else _related())
        for word in words
        for value in rows.values[rows.offsets[word] : rows.offsets[word + 1]]
    )


@lru_cache(1 << 14)
def _senses(lemma: str, part: int) -> frozenset[int]:
    # Of one part of speech, or of all parts for others.
    ids = _word_ids(lemma)
    words = np.asarray([ids[part]] if part < len(ids) else ids)
    return frozenset(wordnet().senses(words).values.tolist())


def are_opposites(a: str, b: str) -> bool:
    """Return whether two lower-case lemmas are opposites: listed, antonyms in some sense, or apart by a prefix."""
    if a == b or a in _NO_OPPOSITES or b in _NO_OPPOSITES:
        return False
    if frozenset((a, b)) in _LISTED or _by_prefix(a, b) or _by_prefix(b, a):
        return True
    if _by_exchanged_prefix(a, b):
        return True
    if not _rows_of(a, "antonyms"):
        return False
    return not _rows_of(a, "antonyms").isdisjoint(_word_ids(b))


@lru_cache(1 << 12)
def positive_form(word: str, tag: str) -> str:
    """Return the positive of a comparative or superlative ("dimmer": "dim"), and other words as they are."""
    if tag[-1:] not in ("R", "S", "N"):
        return word
    for ending in ("er", "est"):
        stem = word.removesuffix(ending)
        forms = (stem, stem + "e", stem[:-1] + "y" if stem[-1:] == "i" else stem[:-1])
        if stem != word and len(stem) > 2:
            return next((form for form in forms if max(_word_ids(form)[2:]) >= 0), word)
    return word


def _by_exchanged_prefix(a: str, b: str) -> bool:
    # "encrypt" and "decrypt", "inbound" and "outbound", "careful" and "careless".
    for x, y in _PREFIX_PAIRS:
        if a.startswith(x) and b.startswith(y) and a[len(x) :].lstrip("-") == b[len(y) :].lstrip("-"):
            return len(a) - len(x) >= _SHORTEST_STEM
    return any(a.endswith(x) and b == a.removesuffix(x) + y or b.endswith(x) and a == b.removesuffix(x) + y
               for x, y in _SUFFIX_PAIRS)


def _by_prefix(a: str, b: str) -> bool:
    # Only adjectives and the like that WordNet has on both sides: "fair" and "unfair", not "come" and "income".
    if len(a) < 4 or not b.endswith(a) or b.removesuffix(a) not in _PREFIXES:
        return False
    if b.removesuffix(a) in _SURE_PREFIXES:
        return True
    adjective_or_verb = (_word_ids(a)[k] >= 0 and _word_ids(b)[k] >= 0 for k in (1, 2, 3))
    return any(adjective_or_verb) and b.removesuffix(a) != "in" or _word_ids(b)[2] >= 0 and _word_ids(a)[2] >= 0


def mean_the_same(a: str, tag_a: str, b: str, tag_b: str) -> bool:
    """Return whether two lower-case lemmas are synonyms in some sense of their tags, or one derives from the other."""
    part_a, part_b = (_CLASS_OF_TAG.get(tag[:1], 4) for tag in (tag_a, tag_b))
    if are_opposites(a, b):
        return False
    if part_a == part_b and not _senses(a, part_a).isdisjoint(_senses(b, part_b)):
        return True
    return not _rows_of(a, "derivations or pertainyms").isdisjoint(word for word in _word_ids(b) if word >= 0)
