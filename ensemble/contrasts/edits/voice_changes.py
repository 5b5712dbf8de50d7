"""Voice: a clause in the passive for one in the active, and back."""

import random

from ....features.analysis.editable_sentence import EditableSentence, Part
from ....features.analysis.inflection import verb_form
from ....features.analysis.simple_clauses import Clause, Span, as_object, as_subject, clauses, is_plural, present
from ..edit import Change

_NO_PASSIVE = frozenset(
    """be have become remain seem cost weigh resemble equal mean contain lack let fit suit get want like love hate need
    take go come last say tell ask give show think wish hope try keep do leave enter survive make help cause stay play
    turn run feel look call spend marry date wear join mind owe measure total involve concern sit stand walk""".split()
)
_TIMES = frozenset(
    """time day week month year morning night evening afternoon hour minute monday tuesday wednesday thursday friday
    saturday sunday today yesterday way lot mile meter kilometer bit moment something nothing anything everything
    while home dollar euro percent mistake""".split()
)
_REFLEXIVE = ("self", "selves")
_FOLLOWING = frozenset(
    ". ! , in on at for from with because when before after during and but by while as since".split()
)


def _passive(sentence: EditableSentence, chance: random.Random) -> str | None:
    if sentence.is_question:
        return None
    for clause in clauses(sentence):
        text = _to_active(sentence, clause) or _to_passive(sentence, clause)
        if text is not None:
            return text
    return None


def _be(sentence: EditableSentence, span: Span, past: bool) -> str:
    plural = is_plural(sentence, span) or sentence.words[span[0]] == "you"
    if past:
        return "were" if plural else "was"
    return present("be", "I" if sentence.words[span[0]] in ("me", "i") else "plural" if plural else "singular")


def _to_passive(sentence: EditableSentence, clause: Clause) -> str | None:
    words, tags, lemmas, size = sentence.words, sentence.tags, sentence.lemmas, len(sentence)
    target, verb = clause.object, clause.verb
    if target is None or lemmas[verb] in _NO_PASSIVE or clause.subject[0] not in (0, clause.subject[0]):
        return None
    last = lemmas[target[1] - 1]
    if last in _TIMES or words[target[0]].endswith(_REFLEXIVE) or tags[target[0]] in ("PRP$", "CD"):
        return None
    if not tags[target[1] - 1].startswith(("NN", "PRP")) or words[clause.subject[0]] in ("it", "there", "this", "that"):
        return None
    after = words[target[1]] if target[1] < size else "."
    if after not in _FOLLOWING or (after in ("and", ",", "but", "as") and target[1] < size):
        return None
    group = list(range(*clause.group))
    plain = [i for i in group if not tags[i].startswith("RB")]
    shape = [tags[i] for i in plain]
    participle = verb_form(lemmas[verb], "VBN")
    adverbs: list[Part] = [(i, i + 1) for i in group if tags[i].startswith("RB")]
    if any(words[i] in ("not", "n't", "never") for i in group):
        return None
    if shape in (["VBZ"], ["VBP"]):
        new = f"{_be(sentence, target, past=False)} {participle}"
    elif shape == ["VBD"]:
        new = f"{_be(sentence, target, past=True)} {participle}"
    elif shape == ["MD", "VB"]:
        modal = {"'ll": "will", "'d": "would"}.get(words[plain[0]], words[plain[0]])
        new = f"{modal} be {participle}"
    elif len(shape) == 2 and shape[1] == "VBG" and lemmas[plain[0]] == "be":
        new = f"{_be(sentence, target, past=words[plain[0]] in ('was', 'were'))} being {participle}"
    elif len(shape) == 2 and shape[1] == "VBN" and lemmas[plain[0]] == "have":
        have = (
            "had"
            if tags[plain[0]] == "VBD"
            else present("have", "plural" if is_plural(sentence, target) else "singular")
        )
        if words[target[0]] in ("me", "you"):
            have = "had" if tags[plain[0]] == "VBD" else "have"
        new = f"{have} been {participle}"
    else:
        return None
    first, _, rest = new.partition(" ")
    return sentence.composed(
        [
            (0, clause.subject[0]),
            as_subject(sentence, target),
            first,
            *adverbs,
            rest,
            "by",
            as_object(sentence, clause.subject),
            (target[1], size),
        ]
    )


def _to_active(sentence: EditableSentence, clause: Clause) -> str | None:
    words, tags, lemmas = sentence.words, sentence.tags, sentence.lemmas
    place = clause.verb + 1
    if tags[clause.verb] != "VBN" or words[place : place + 1] != ("by",):
        return None
    agent = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place + 1), None)
    if agent is None or lemmas[agent[1] - 1] in _NO_AGENT or tags[agent[0]] in ("CD", "VBG"):
        return None
    if tags[agent[0]] == "NN" or not tags[agent[1] - 1].startswith(("NN", "PRP")):
        return None  # "by car"
    if words[agent[1] : agent[1] + 1] in (("of",), ("and",), ("in",), ("who",), ("that",), ("'s",), (",",), ("with",)):
        return None
    plain = [i for i in range(*clause.group) if not tags[i].startswith("RB")]
    if len(plain) < clause.group[1] - clause.group[0]:
        return None
    lemma, shape, first = lemmas[clause.verb], [lemmas[i] for i in plain[:-1]], words[plain[0]]
    plural = is_plural(sentence, agent) or words[agent[0]] == "you"
    number = "I" if words[agent[0]] == "me" else "plural" if plural else "singular"
    if shape == ["be"] and first in ("was", "were"):
        new = verb_form(lemma, "VBD")
    elif shape == ["be"] and first in ("is", "are", "am", "'s", "'re"):
        new = present(lemma, number)
    elif shape == ["be", "be"] and first in ("was", "were"):
        new = f"{'were' if plural else 'was'} {verb_form(lemma, 'VBG')}"
    elif shape == ["be", "be"]:
        new = f"{present('be', number)} {verb_form(lemma, 'VBG')}"
    elif shape == ["have", "be"]:
        new = f"{'had' if first == 'had' else present('have', number)} {words[clause.verb]}"
    elif len(shape) == 2 and tags[plain[0]] == "MD" and shape[1] == "be":
        new = f"{first} {lemma}"
    else:
        return None
    return sentence.composed(
        [
            (0, clause.subject[0]),
            as_subject(sentence, agent),
            new,
            as_object(sentence, clause.subject),
            (agent[1], len(sentence)),
        ]
    )


_NO_AGENT = _TIMES | frozenset(
    "phone mail email hand side river road sea lake window law mistake accident number end beginning noon".split()
)

CHANGES = (Change("passive", True, _passive),)
