"""Scored triples made by rule: a sentence, a paraphrase of it by rules, and a near copy of another meaning.

A reader of pairs learns from them that one word can change the meaning, and that many words may not.
"""

import random
from collections import Counter
from collections.abc import Sequence

from samewise.ensemble.rule_made_pairs.guideline import SCORES, SYNONYM
from samewise.ensemble.rule_made_pairs.twins import changed_twins, kept_texts
from samewise.features.analysis import analyse

_AT_A_TIME = 2_048
_MOST_EDITS = 3

ScoredPair = tuple[str, str, float]


def rule_triples(texts: Sequence[str], count: int, chance: random.Random) -> list[ScoredPair]:
    """Return the scored pairs of up to `count` triples, kinds of change in about equal numbers.

    A sentence is paired with its paraphrase, with its near copy, and the near copy with the paraphrase: the last two
    have the same score, though fewer words are shared by the last. Scores are those of the guideline; a paraphrase of
    several edits has that of a synonym.
    """
    shuffled = list(texts)
    chance.shuffle(shuffled)
    used = dict.fromkeys(SCORES, 0)
    pairs: list[ScoredPair] = []
    made = 0
    for start in range(0, len(shuffled), _AT_A_TIME):
        part = shuffled[start : start + _AT_A_TIME]
        batch = analyse([(text, text) for text in part], "lexical")
        sentences = [batch.sentences[row] for row in batch.left.tolist()]
        for sentence, kept in zip(sentences, kept_texts(sentences, chance, _MOST_EDITS), strict=True):
            twins = changed_twins(sentence, chance)
            if not twins:
                continue
            twin = min(twins, key=lambda twin: used[twin.kind])
            used[twin.kind] += 1
            made += 1
            pairs.append((sentence.text, twin.text, SCORES[twin.kind]))
            if kept is not None:
                pairs += [(sentence.text, kept, SYNONYM), (kept, twin.text, SCORES[twin.kind])]
            if made >= count:
                return pairs
    return pairs


def near_copy(a: str, b: str) -> bool:
    """Return whether two texts have the same words except one of each.

    The teacher, which knows one text at a time, calls such texts similar whatever the word is; the rules decide what a
    word does to the meaning.
    """
    left, right = (Counter(text.lower().split()) for text in (a, b))
    return max((left - right).total(), (right - left).total()) <= 1
