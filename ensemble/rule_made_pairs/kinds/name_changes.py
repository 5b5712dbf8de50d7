"""Names: another person, place, nationality or company of a written list."""

import random

from ..change import Change
from ..editable_sentence import EditableSentence

_LISTS = """
James John Robert Michael William David Richard Joseph Thomas Charles Daniel Matthew Mark Paul Steven Andrew Kevin
Brian George Tom Ken Peter Henry Jack Adam Bill Bob Mike Jim Ben Sam Tim Ali Omar Ahmed Carlos Juan Pedro Ivan Hans
Oscar Leo Max

Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Nancy Lisa Betty Margaret Sandra Ashley Emily
Donna Michelle Carol Amanda Laura Anna Emma Alice Julia Maria Fatima Layla Rosa Ingrid Olga Nina Helen Jane Kate Lucy
Amy Rachel Ruth Claire

Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Wilson Anderson Taylor Moore Jackson
Thompson White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Baker Nelson Carter
Mitchell Roberts Turner Phillips Campbell Parker Evans Edwards Collins Bush Clinton Obama Hassan Schmidt Silva Rossi
Tanaka

London Paris Berlin Madrid Rome Vienna Athens Lisbon Dublin Oslo Stockholm Copenhagen Helsinki Warsaw Prague Budapest
Moscow Istanbul Cairo Tokyo Beijing Shanghai Delhi Mumbai Sydney Toronto Montreal Chicago Boston Dallas Houston
Seattle Denver Miami Atlanta Detroit Phoenix Baghdad Tehran Damascus Beirut Jerusalem Kabul Seoul Bangkok Singapore
Jakarta Manila Nairobi Lagos Osaka Kyoto Geneva Zurich Munich Hamburg Milan Naples Barcelona Brussels Amsterdam
Hiroshima

France Germany Spain Italy Greece Portugal Ireland Norway Sweden Denmark Finland Poland Hungary Austria Switzerland
Belgium Russia Ukraine Turkey Egypt Iran Iraq Syria Lebanon Israel Jordan Japan China India Pakistan Afghanistan
Thailand Vietnam Indonesia Malaysia Australia Canada Mexico Brazil Argentina Chile Peru Colombia Cuba Kenya Nigeria
Ethiopia Morocco Algeria England Scotland Britain

French German Spanish Italian Greek Portuguese Irish Norwegian Swedish Danish Finnish Polish Hungarian Austrian Swiss
Belgian Russian Ukrainian Turkish Egyptian Iranian Iraqi Syrian Lebanese Israeli Japanese Chinese Indian Pakistani
Thai Vietnamese Indonesian Australian Canadian Mexican Brazilian Chilean Cuban Kenyan Nigerian British American

Texas California Florida Ohio Georgia Virginia Michigan Oregon Utah Nevada Arizona Colorado Iowa Kansas Kentucky Maine
Montana Nebraska Oklahoma Tennessee Vermont Wisconsin Wyoming Alaska Hawaii Alabama Louisiana Minnesota

Europe Asia Africa Antarctica Oceania

Microsoft Apple Google Amazon IBM Intel Oracle Cisco Samsung Sony Nokia Siemens Toyota Honda Ford Volkswagen Boeing
Airbus Nestle Pfizer Walmart Starbucks Facebook Twitter Netflix Adobe Dell Nintendo Lenovo

Windows Linux Android Unix

Mercury Venus Mars Jupiter Saturn Uranus Neptune Pluto

Christmas Easter Thanksgiving Halloween

Democrats Republicans Liberals Conservatives
""".strip()
_ROWS = tuple(tuple(line.split()) for line in _LISTS.split("\n\n"))
_LIST = {name: row for row in reversed(_ROWS) for name in row}
_SURNAMES = frozenset(_ROWS[2])


def _name(sentence: EditableSentence, chance: random.Random) -> str | None:
    names = [i for i, token in enumerate(sentence.tokens) if token in _LIST and sentence.tags[i] in _NAMED]
    names = [i for i in names if _is_whole(sentence, i)]
    if not names:
        return None
    old = sentence.tokens[names[chance.randrange(len(names))]]
    others = [other for other in _LIST[old] if other not in sentence.tokens]
    if not others:
        return None
    new = others[chance.randrange(len(others))]
    # Everywhere in the sentence, so that it is about one other person.
    parts: list[str | tuple[int, int]] = []
    start = 0
    for i, token in enumerate(sentence.tokens):
        if token == old and i in names:
            parts += [(start, i), new]
            start = i + 1
    return sentence.composed([*parts, (start, len(sentence))])


_NAMED = frozenset({"NNP", "NNPS", "JJ", "NN"})


def _is_whole(sentence: EditableSentence, i: int) -> bool:
    # A surname stands after a name or a title; a word that is another word too has to be a proper noun.
    token, tag = sentence.tokens[i], sentence.tags[i]
    after = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
    if _LIST[token] == _ROWS[5] and after in ("NNP", "NNPS"):
        return False
    if tag in ("NNP", "NNPS"):
        return token not in _SURNAMES or (i > 0 and sentence.tags[i - 1] == "NNP")
    return tag == "JJ" and _LIST[token] == _ROWS[5]


CHANGES = (Change("name", False, _name),)
