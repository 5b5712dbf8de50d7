"""Learn the tables of `LemmaRules` from treebank sentences: endings by tag, and the exceptions."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from samewise.features.analysis.lemmas import LemmaRules
from treebank import Tree

Rule = tuple[int, str]


def edit(word: str, lemma: str) -> Rule:
    """Return the number of characters to remove from the end of the word, and the ending to add."""
    n = 0
    while n < min(len(word), len(lemma)) and word[n] == lemma[n]:
        n += 1
    return len(word) - n, lemma[n:]


def learn_lemmas(trees: Iterable[Tree]) -> dict[str, dict[str, Any]]:
    """Return the arguments of `LemmaRules`, keys sorted; the known lemmas are those of verbs and adjectives.

    The lemma of a word and tag is the most frequent one. An ending has the edit that most distinct words with it have,
    counting words whose edit removes no more than the ending. Endings that agree with the next shorter one are left
    out. A word is listed when the endings give another lemma.
    """
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, tag, lemma in zip(tree.words, tree.tags, tree.lemmas, strict=True):
            seen[tag, word.lower()][lemma.lower()] += 1
    lemmas = {key: max(sorted(counts), key=counts.__getitem__) for key, counts in sorted(seen.items())}
    votes: dict[tuple[str, str], Counter[Rule]] = defaultdict(Counter)
    for (tag, word), lemma in lemmas.items():
        rule = edit(word, lemma)
        for length in range(min(len(word), LemmaRules.longest) + 1):
            if rule[0] <= length:
                votes[tag, word[len(word) - length :]][rule] += 1
    endings: dict[str, dict[str, Rule]] = defaultdict(dict)
    for tag, ending in sorted(votes, key=lambda key: (len(key[1]), key)):
        rule, count = max(sorted(votes[tag, ending].items()), key=lambda item: item[1])
        shorter = (endings[tag].get(ending[i:]) for i in range(1, len(ending) + 1))
        if (count > 1 or len(ending) < 3) and rule != next((found for found in shorter if found is not None), None):
            endings[tag][ending] = rule
    known = {
        kind: sorted({lemma for (tag, _), lemma in lemmas.items() if tag.startswith(kind)}) for kind in ("JJ", "VB")
    }
    rules = LemmaRules({}, endings, known)
    listed: dict[str, dict[str, str]] = defaultdict(dict)
    for (tag, word), lemma in lemmas.items():
        if rules(word, tag) != lemma:
            listed[tag][word] = lemma
    ordered = {tag: dict(sorted(found.items())) for tag, found in sorted(endings.items()) if found}
    return {"listed": dict(listed), "endings": ordered, "known": known}
