"""Block shifts of the translation edit rate (Snover et al., 2006), with the search of its reference code tercom."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

# The limits of tercom, the reference code of TER.
SHIFT_LENGTH, SHIFT_DISTANCE, SHIFTS_TRIED = 10, 50, 1000


class _Alignment(NamedTuple):
    """A cheapest edit script: place of each reference word, and bits for the edited words."""

    places: list[int]
    reference_errors: int
    hypothesis_errors: int


def _align(hypothesis: str, reference: str) -> _Alignment:
    """Align by Levenshtein, from the end preferring a match or substitution, then a deletion (as tercom does)."""
    equal = dict.fromkeys(reference, 0)
    for j, word in enumerate(reference):
        equal[word] |= 1 << j
    full = (1 << len(reference)) - 1
    up, down = full, 0
    off_diagonal, deletions = [], []
    for word in hypothesis:
        same = equal.get(word, 0)
        zero = (((same & up) + up) ^ up) | same | down
        more = (down | ~(zero | up)) & full
        off_diagonal.append(zero & ~same)
        deletions.append(more)
        more = (more << 1) | 1
        up, down = (((up & zero) << 1) | ~(zero | more)) & full, more & zero & full
    places = [0] * len(reference)
    reference_errors = hypothesis_errors = 0
    i, j = len(hypothesis) - 1, len(reference) - 1
    while i >= 0 or j >= 0:
        if i >= 0 and j >= 0 and not off_diagonal[i] >> j & 1:
            places[j] = i
            if hypothesis[i] != reference[j]:
                reference_errors |= 1 << j
                hypothesis_errors |= 1 << i
            i, j = i - 1, j - 1
        elif i >= 0 and (j < 0 or deletions[i] >> j & 1):
            hypothesis_errors |= 1 << i
            i -= 1
        else:
            places[j] = i
            reference_errors |= 1 << j
            j -= 1
    return _Alignment(places, reference_errors, hypothesis_errors)


def _moved(words: str, start: int, length: int, target: int) -> str:
    end = start + length
    block = words[start:end]
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    if target > end:
        return words[:start] + words[end:target] + block + words[target:]
    # A target inside the block counts in words behind it.
    return words[:start] + words[end : length + target] + block + words[length + target :]


def _shifts(hypothesis: str, reference: str) -> Iterator[tuple[int, int, list[int]]]:
    """Yield start and length of every block that tercom would shift, with the targets it tries."""
    places, reference_errors, hypothesis_errors = _align(hypothesis, reference)
    where: dict[str, list[int]] = defaultdict(list)
    for j, word in enumerate(reference):
        where[word].append(j)
    for i, word in enumerate(hypothesis):
        errors = hypothesis_errors >> i
        for j in where.get(word, ()):
            place = places[j]
            # A block is not shifted within itself, nor if it starts at its target, whatever its length.
            if place == i or abs(i - j) > SHIFT_DISTANCE:
                continue
            for length in range(1, min(SHIFT_LENGTH, len(hypothesis) - i, len(reference) - j) + 1):
                if hypothesis[i + length - 1] != reference[j + length - 1]:
                    break
                block = (1 << length) - 1
                if not errors & block or not reference_errors >> j & block or i <= place < i + length:
                    continue
                behind = [places[k] + 1 for k in range(max(j - 1, 0), j + length)]
                yield i, length, list(dict.fromkeys(behind if j else [0, *behind]))


def edits_with_shifts(hypothesis: str, reference: str, edits: int, misplaced: int) -> int:
    """Return the edits of TER: the shift that saves most, for one edit each, until no shift saves any."""
    shifts = tried = 0
    # A shift costs one edit, and their sum is at least `misplaced`: one last edit is not worth a search.
    while edits - misplaced > 1:
        best = (0, 0, 0, 0, hypothesis)
        for start, length, targets in _shifts(hypothesis, reference):
            for target in targets:
                words = _moved(hypothesis, start, length, target)
                best = max(best, (edits - Levenshtein.distance(words, reference), length, -start, -target, words))
            tried += len(targets)
            if tried >= SHIFTS_TRIED:
                break
        if best[0] <= 0 or tried >= SHIFTS_TRIED:
            break
        shifts += 1
        edits -= best[0]
        hypothesis = best[-1]
    return shifts + edits
