"""Differences between the two texts of each pair of a batch."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...features.alignment.coverage import links
from ...features.base.sentences import PairBatch
from ...features.linguistics.closed_classes import has_free_word_order
from .comparison import Comparison
from .exchanges import compare_exchanges, compare_voices
from .fact_differences import compare_denials, compare_modals, compare_names, compare_quantifiers
from .facts import Difference
from .sentence_facts import batch_facts
from .small_words import compare_conditions, compare_exceptions, compare_joins, compare_questions
from .substitutions import compare_substitutions
from .value_differences import compare_amounts, compare_codes, compare_dates, compare_signs
from .words import compare_opposites, compare_rest, compare_roles

LEVEL = "lexical"
"""Level to which the sentences must be analysed; a parse is not used."""

_STEPS = (
    compare_exchanges,
    compare_dates,
    compare_amounts,
    compare_codes,
    compare_signs,
    compare_names,
    compare_questions,
    compare_exceptions,
    compare_conditions,
    compare_joins,
    compare_modals,
    compare_quantifiers,
    compare_denials,
    compare_roles,
    compare_voices,
    compare_opposites,
    Comparison.withdraw_unsure,
    compare_substitutions,
    compare_rest,
)
"""Comparisons from the most specific kind to the least; each leaves the words that it explains to no other."""


_BY_ORDER = frozenset({compare_exchanges, compare_roles, compare_voices})
"""Comparisons that take the order of words for their roles."""


Links = Mapping[int, Sequence[tuple[int, int]]]
"""Places ``(i, j)`` of words that mean the same, by row."""


def differences(batch: PairBatch, more_links: Links | None = None) -> list[list[Difference]]:
    """Return the differences between the two texts of each pair, in order of the text.

    The differences of a pair do not depend on the other pairs. Those of (b, a) are those of (a, b) with sides swapped.
    Texts of the same words have none, and a token is in one difference at most.

    Parameters
    ----------
    batch
        n pairs of English texts or interlinear sentences, of the level ``lexical`` or ``parsed``.
    more_links
        Links beside those of the word aligner, as between words of two languages.

    Raises
    ------
    ValueError
        If a sentence was not analysed to that level.
    """
    found: list[list[Difference]] = [[] for _ in range(len(batch))]
    for row, pair, turned in comparisons(batch, more_links):
        of_pair = [one.swapped() for one in pair.found] if turned else pair.found
        # In the order of the first text; then the words that only the second text has.
        found[row] = sorted(of_pair, key=lambda one: (not one.places_a, one.places_a, one.places_b))
    return found


def comparisons(batch: PairBatch, more_links: Links | None = None) -> Iterator[tuple[int, Comparison, bool]]:
    """Yield the row of each pair whose texts have other words, its finished comparison, and whether it is turned.

    In a turned comparison side 0 is the second text: each pair is read with its sides in the order of their texts.

    Raises
    ------
    ValueError
        As `differences`.
    """
    for sentence in batch.sentences:
        if sentence.level == "tokens":
            raise ValueError(
                f"sentences to compare must be of the level 'lexical', got 'tokens' for {sentence.text[:40]!r}; "
                "analyse the pairs to that level, as English"
            )
    apart = [row for row, (i, j) in enumerate(_sides(batch)) if batch.sentences[i].words != batch.sentences[j].words]
    rows = np.asarray(apart, dtype=np.int64)
    left, right = batch.left[rows], batch.right[rows]
    sides = zip(left.tolist(), right.tolist(), strict=True)
    turned = np.asarray([batch.sentences[i].text > batch.sentences[j].text for i, j in sides], dtype=bool)
    left, right = np.where(turned, right, left), np.where(turned, left, right)
    ordered = PairBatch(batch.sentences, left, right, batch.sentence_cache)
    linked, facts = links(ordered, parsed=False), batch_facts(ordered)
    ends = np.searchsorted(linked.row, np.arange(len(rows) + 1)).tolist()
    links_of_rows = list(zip(linked.i.tolist(), linked.j.tolist(), strict=True))
    for k, (i, j) in enumerate(_sides(ordered)):
        of_pair = links_of_rows[ends[k] : ends[k + 1]]
        if more_links:
            of_pair += [(q, p) if turned[k] else (p, q) for p, q in more_links.get(apart[k], ())]
        pair = Comparison((ordered.sentences[i], ordered.sentences[j]), (facts[i], facts[j]), of_pair)
        free = any(has_free_word_order(ordered.sentences[side].language) for side in (i, j))
        for step in _STEPS:
            if not (free and step in _BY_ORDER):
                step(pair)
        yield apart[k], pair, bool(turned[k])


def _sides(batch: PairBatch) -> list[tuple[int, int]]:
    return list(zip(batch.left.tolist(), batch.right.tolist(), strict=True))
