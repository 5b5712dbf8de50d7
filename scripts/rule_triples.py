"""Scored triples made by rule: a sentence, a paraphrase of it by rules, and a near copy of another meaning.

A reader of pairs learns from them that one word can change the meaning, and that many words may not.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from samewise.ensemble.contrasts.edit import SCORES, SYNONYM
from samewise.ensemble.contrasts.twins import Twin, changed_twins, kept_texts
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import Sentence

_AT_A_TIME = 512
_MOST_EDITS = 3

ScoredPair = tuple[str, str, float]


class _Part(NamedTuple):
    texts: list[str]
    seed: int


def rule_triples(
    texts: Sequence[str], most: Mapping[str, int], chance: random.Random, jobs: int | None = None
) -> list[ScoredPair]:
    """Return the scored pairs of triples, up to `most` of each kind of change.

    A sentence is paired with its paraphrase, with its near copy, and the near copy with the paraphrase: the last two
    have the same score, though fewer words are shared by the last. Scores are those of the guideline; a paraphrase of
    several edits has that of a synonym. Few sentences allow some kinds (1 in 19 exchanged roles, 1 in 150 a unit), so
    all texts are read, and each is given to the kind that is furthest from its number.

    Parameters
    ----------
    texts
        The sentences.
    most
        Greatest number of triples of each kind.
    chance
        Draws the order of the sentences and their edits; the result is the same for any number of `jobs`.
    jobs
        Processes to use; all cores if None.
    """
    shuffled = list(texts)
    chance.shuffle(shuffled)
    used: Counter[str] = Counter()
    chosen: list[tuple[str, Twin]] = []
    with ProcessPoolExecutor(jobs) as pool:
        parts = _parts(shuffled, chance)
        for part, found in zip(parts, pool.map(_changed, parts), strict=True):
            for text, twins in zip(part.texts, found, strict=True):
                wanted = [twin for twin in twins if used[twin.kind] < most[twin.kind]]
                if wanted:
                    twin = min(wanted, key=lambda twin: used[twin.kind] / most[twin.kind])
                    used[twin.kind] += 1
                    chosen.append((text, twin))
        every_kept = [kept for part in pool.map(_kept, _parts([text for text, _ in chosen], chance)) for kept in part]
    pairs: list[ScoredPair] = []
    for (text, twin), kept in zip(chosen, every_kept, strict=True):
        pairs.append((text, twin.text, SCORES[twin.kind]))
        if kept is not None:
            pairs += [(text, kept, SYNONYM), (kept, twin.text, SCORES[twin.kind])]
    return pairs


def _parts(texts: Sequence[str], chance: random.Random) -> list[_Part]:
    return [
        _Part(list(texts[start : start + _AT_A_TIME]), chance.getrandbits(32))
        for start in range(0, len(texts), _AT_A_TIME)
    ]


def _changed(part: _Part) -> list[list[Twin]]:
    chance = random.Random(part.seed)
    return [changed_twins(sentence, chance) for sentence in _sentences(part.texts)]


def _kept(part: _Part) -> list[str | None]:
    return kept_texts(_sentences(part.texts), random.Random(part.seed), _MOST_EDITS)


def _sentences(texts: Sequence[str]) -> Iterator[Sentence]:
    batch = analyse([(text, text) for text in texts], "lexical")
    yield from (batch.sentences[row] for row in batch.left.tolist())


def near_copy(a: str, b: str) -> bool:
    """Return whether two texts have the same words except one of each.

    The teacher, which knows one text at a time, calls such texts similar whatever the word is; the rules decide what a
    word does to the meaning.
    """
    left, right = (Counter(text.lower().split()) for text in (a, b))
    return max((left - right).total(), (right - left).total()) <= 1
