"""Synonyms: one to three words replaced by words that mean the same in their frequent sense."""

import random

from ..change import Change
from ..editable_sentence import EditableSentence, Part
from ..inflection import inflected
from ..phrase_substitution import Substitutions
from ..related_words import synonyms, word_class

_NEVER = frozenset(
    """be have do go get make take one time thing people person here there not no now well very so too just more most
    man woman day year other same new old much many first last such own let can will know say see look think want use
    way back still even yet also only never ever always far long up down in out on off over then second two three
    four five six seven eight nine ten minute hour week month be like seem mean right left dead saturday sunday
    monday child kid boy girl state water earth world house home red chinese tv internet gas""".split()
)
_LISTED = Substitutions("""
~buy <=> ~purchase ; tag=VB
~begin <=> ~start ; tag=VB ; next=TO,VBG
~end <=> ~finish ; tag=VB
~big <=> ~large ; tag=JJ ; next=NN
~answer => ~reply ; tag=VB ; next=.
~shut <=> ~close ; tag=VB ; next=DT,PRP$
~repair <=> ~fix|~mend ; tag=VB
~permit <=> ~allow ; tag=VB ; next=PRP,DT
~choose <=> ~pick|~select ; tag=VB ; next=DT,PRP$
~require <=> ~need ; tag=VB ; next=DT,NN,JJ
~attempt to <=> ~try to ; tag=VB
~obtain <=> ~get ; tag=VB ; next=DT
~assist <=> ~help ; tag=VB
~discover => ~find ; tag=VB
~receive <=> ~get ; tag=VB ; next=DT
~reside => ~live
~depart => ~leave ; next=.
~show <=> ~display ; tag=VB ; next=DT
~inform => ~tell
~scream <=> ~yell ; tag=VB
~hurry => ~rush ; tag=VB
~vanish <=> ~disappear ; tag=VB
~complete <=> ~finish ; tag=VB ; next=DT
~postpone => ~put off|~delay
~cancel => ~call off ; tag=VB ; next=DT
~tolerate => ~put up with
~investigate => ~look into
~car <=> ~automobile ; tag=NN
~child <=> ~kid ; tag=NN
~couch <=> ~sofa ; tag=NN
~bicycle <=> ~bike ; tag=NN
~photo <=> ~picture ; tag=NN
~film <=> ~movie ; tag=NN
~physician <=> ~doctor ; tag=NN
~street <=> ~road ; tag=NN ; prev=DT
~mistake <=> ~error ; tag=NN ; before=a,the,this,my,his,her,no,many
~job => ~position ; tag=NN ; before=a,the,new
~gift <=> ~present ; tag=NN
~shop <=> ~store ; tag=NN
~lawyer <=> ~attorney ; tag=NN
~cellphone <=> ~mobile phone ; tag=NN
~airplane <=> ~plane ; tag=NN
~infant <=> ~baby ; tag=NN
~woman <=> ~lady ; tag=NN
happy <=> glad ; tag=JJ ; next=TO,IN,.
quick <=> fast ; tag=JJ ; next=NN
quickly <=> fast|rapidly ; tag=RB
difficult <=> hard ; tag=JJ ; next=TO,.
afraid <=> scared ; tag=JJ
angry <=> mad ; tag=JJ ; next=IN
sick <=> ill ; tag=JJ ; next=.,IN,RB ; before=is,was,are,were,got,'m,been
rich <=> wealthy ; tag=JJ
intelligent <=> smart|clever ; tag=JJ
correct <=> right ; tag=JJ ; next=.
wrong <=> incorrect ; tag=JJ ; next=.
beautiful <=> lovely ; tag=JJ
tired <=> weary ; tag=JJ ; next=.
silent <=> quiet ; tag=JJ ; next=.
enough <=> sufficient ; tag=JJ ; next=NN
ready => prepared ; tag=JJ ; next=TO,IN
often <=> frequently ; tag=RB
nearly <=> almost
maybe <=> perhaps
probably => most likely
completely <=> entirely|totally ; tag=RB
suddenly => all of a sudden
immediately <=> at once|right away
especially => particularly
anybody <=> anyone
everybody <=> everyone
somebody <=> someone
nobody <=> no one
sufficient => enough ; next=NN
many => a lot of|numerous ; tag=JJ ; next=NNS ; before=!how,so,too,as,many,the,very,not,these,that
""")


def _synonym(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[tuple[int, str]] = []
    for i, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True)):
        kind = word_class(tag)
        if kind > 3 or lemma in _NEVER or sentence.is_name(i) or (i == 0 and kind == 0) or _in_compound(sentence, i):
            continue
        options = [other for other in synonyms(lemma, kind) if other not in sentence.lemmas]
        if options:
            found.append((i, inflected(options[chance.randrange(len(options))], tag)))
    listed = list(_LISTED.matches(sentence))
    if not found and not listed:
        return None
    if listed and chance.random() * (len(found) + 2 * len(listed)) < 2 * len(listed):
        return _LISTED.edit(sentence, chance)
    if not found:
        return None
    chosen = sorted(chance.sample(found, min(len(found), chance.randint(1, 3))))
    parts: list[Part] = []
    start = 0
    for place, new in chosen:
        parts += [(start, place), new[:1].upper() + new[1:] if sentence.tokens[place][0].isupper() else new]
        start = place + 1
    return sentence.composed([*parts, (start, len(sentence))])


def _in_compound(sentence: EditableSentence, i: int) -> bool:
    after = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
    before = sentence.tags[i - 1] if i else ""
    tag = sentence.tags[i]
    if tag.startswith("NN"):
        return after.startswith("NN") or before.startswith("NN")
    return tag.startswith("VB") and after in ("RP", "IN", "TO", "RB")


CHANGES = (Change("synonym", True, _synonym),)
