"""Scored pairs made by rule from the texts of training pairs, for members to be fitted on."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...features.analysis.analysis import analyse
from ...features.analysis.editable_sentence import EditableSentence
from ...features.base.sentences import Sentence
from .edit import BLENDED, SCORES
from .twins import changed_twins, kept_twins

UNLIKE = 1.5
"""Score up to which two texts are about different things, so that one can name the subject of the other in passing."""

_AT_A_TIME = 2_048
_SHARE_BLENDED = 13
"""One in so many pairs is blended: as many as of each of the twelve kinds that change the meaning."""

_ENGLISH = ("en", "und")


class RuleMadePair(NamedTuple):
    """Pair made by rule."""

    a: str
    b: str
    score: float  # of its kind by `guideline`, 0..5
    source: int  # the training pair that it was made from
    kind: str  # name of the edit


def pairs_by_rule(
    firsts: Sequence[Sentence],
    seconds: Sequence[Sentence],
    scores: Sequence[float],
    count: int,
    chance: random.Random,
) -> list[RuleMadePair]:
    """Return up to `count` pairs, kinds in equal numbers as far as they apply; the texts are drawn at random."""
    if count <= 0:
        return []
    blended_pairs = _blended_pairs(firsts, seconds, scores, count // _SHARE_BLENDED, chance)
    wanted = count - len(blended_pairs)
    sides = [(row, side[row]) for side in (firsts, seconds) for row in range(len(scores))]
    bases = [(row, sentence.text) for row, sentence in sides if sentence.language in _ENGLISH and sentence.text]
    chance.shuffle(bases)
    pairs: list[RuleMadePair] = []
    used: Counter[str] = Counter()
    seen: set[str] = set()
    # As many are analysed as are likely to be needed.
    size = min(max(wanted, 16), _AT_A_TIME)
    for start in range(0, len(bases), size):
        part = [(row, text) for row, text in bases[start : start + size] if text not in seen]
        seen.update(text for _, text in part)
        for (row, text), sentence in zip(part, _lexical([text for _, text in part]), strict=True):
            for twins in (changed_twins(sentence, chance), kept_twins(sentence, chance)):
                twin = min(twins, key=lambda twin: used[twin.kind], default=None)
                if twin is None:
                    break  # a text that cannot be changed needs no counterweight
                used[twin.kind] += 1
                pairs.append(RuleMadePair(text, twin.text, SCORES[twin.kind], row, twin.kind))
                if len(pairs) >= wanted:
                    return pairs + blended_pairs
    return pairs + blended_pairs


def _lexical(texts: Sequence[str]) -> list[Sentence]:
    batch = analyse([(text, text) for text in texts], "lexical")
    return [batch.sentences[i] for i in batch.left.tolist()]


def _blended_pairs(
    firsts: Sequence[Sentence],
    seconds: Sequence[Sentence],
    scores: Sequence[float],
    count: int,
    chance: random.Random,
) -> list[RuleMadePair]:
    rows = [
        row
        for row, score in enumerate(scores)
        if score <= UNLIKE and firsts[row].language in _ENGLISH and seconds[row].language in _ENGLISH
    ]
    chance.shuffle(rows)
    rows = rows[: 3 * count]
    analysed = _lexical([side[row].text for row in rows for side in (firsts, seconds)])
    pairs = []
    for k, row in enumerate(rows):
        text = blended(EditableSentence(analysed[2 * k]), EditableSentence(analysed[2 * k + 1]))
        if text is not None:
            pairs.append(RuleMadePair(firsts[row].text, text, scores[row] + BLENDED, row, "blended"))
    return pairs[:count]


def blended(first: EditableSentence, second: EditableSentence) -> str | None:
    """Return the second sentence with the first one's subject added to its own: "a man with a cat"; None without."""
    if not first.spans or not second.spans or not first.noun_phrases or not second.noun_phrases:
        return None
    (a, b), (c, d) = first.noun_phrases[0], second.noun_phrases[0]
    if first.tags[a] not in ("DT", "CD") or second.tags[c] not in ("DT", "CD") or first.words[b - 1] in second.words:
        return None
    guest = first.written(a, b)
    guest = guest if first.is_name(a) else guest[0].lower() + guest[1:]
    return second.composed([(0, d), "with", guest, (d, len(second))])
