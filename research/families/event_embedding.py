"""Events as vectors: verbs together with their arguments (Lee et al., 2017).

The authors learned vectors of events from raw text; here the vector of an event is composed of the vectors of its
words.
"""

from itertools import chain
from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import chunks
from ...features.arrays.ragged import Ragged, offsets_of, ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import WORD_CLASSES, vocabulary, word_classes
from ...features.lexicon.word_vectors import shipped_vectors
from ...features.word_similarity.vector_pooling import cosines, embedded, unit, weighted_sums

ARGUMENTS = ("nsubj", "csubj", "obj", "iobj")
"""Relations of a verb's arguments, with their subtypes."""

_NO_EVENT = ("aux", "cop")
_COMPARED_AT_A_TIME = 1 << 12


class _Events(NamedTuple):
    # Events of each distinct sentence; verb and arguments of each event, as flat tokens, and the weight of each.
    events: Ragged
    tokens: Ragged
    weights: np.ndarray


def _events(pairs: PairBatch) -> _Events:
    def compute() -> _Events:
        ids = vocabulary(pairs, "words").ids
        size = len(ids.values)
        heads = np.fromiter(chain.from_iterable(one.heads for one in pairs.sentences), dtype=np.int64, count=size)
        heads += np.repeat(ids.offsets[:-1], ids.lengths)
        relations = [name.partition(":")[0] for one in pairs.sentences for name in one.relations]

        def named(names: tuple[str, ...]) -> np.ndarray:
            return np.fromiter((name in names for name in relations), dtype=bool, count=size)

        places = np.arange(size)
        verb = (word_classes(pairs) == WORD_CLASSES.index("verb")) & ~named(_NO_EVENT)
        none = Ragged(verb, ids.offsets).sums() == 0
        verb |= (heads == places) & none[ids.rows]
        below = named(ARGUMENTS) & verb[heads] & (heads != places)
        # The noun that a participle modifies is one of its arguments.
        above = named(("acl",)) & verb
        event = np.concatenate([places[verb], heads[below], places[above]])
        token = np.concatenate([places[verb], places[below], heads[above]])
        number = np.cumsum(verb) - 1
        order = np.lexsort((token, event))
        event, token = number[event[order]], token[order]
        lengths = np.bincount(event, minlength=np.count_nonzero(verb))
        is_verb = token == np.flatnonzero(verb)[event]
        weights = np.where(is_verb, 1.0, 1.0 / np.maximum(lengths - 1, 1)[event])
        many = np.bincount(ids.rows[verb], minlength=len(pairs.sentences))
        events = Ragged(np.arange(len(lengths)), offsets_of(many))
        return _Events(events, Ragged(token, offsets_of(lengths)), weights)

    return pairs.memo("events", compute)


@feature("min", "max", "sum", low=-1.0, level="parsed", needs=("relational",), source="Lee et al. 2017", section="EMB3")
def relational(pairs: PairBatch) -> np.ndarray:
    """Mean over the events of a sentence of the best cosine to one of the other, both ways; cosine of their sums.

    An event is a verb, auxiliaries and copulas left out, with its subjects, its objects and the noun that it modifies;
    in a sentence without a verb, the root takes its place. Its vector is that of the verb plus the mean of those of its
    arguments, all of unit length. 0 where a sentence is empty.
    """
    events, word_vectors = _events(pairs), embedded(pairs, shipped_vectors("relational"))
    words = vocabulary(pairs, "words").ids.values[events.tokens.values]
    weight = unit(word_vectors, np.ones(len(word_vectors.norms)))[words] * events.weights
    (vectors,) = weighted_sums(word_vectors.codes, Ragged(words, events.tokens.offsets), [weight])
    (whole,) = weighted_sums(vectors, events.events, [np.ones(len(vectors))])
    a, b = events.events.take(pairs.left), events.events.take(pairs.right)
    best_a, best_b = np.full(len(a.values), -1.0), np.full(len(b.values), -1.0)
    facing = b.take(a.rows)
    for part in chunks(facing.lengths, _COMPARED_AT_A_TIME):
        i = np.repeat(np.arange(part.start, part.stop), facing.lengths[part])
        j = np.arange(len(i)) - np.repeat(offsets_of(facing.lengths[part])[:-1], facing.lengths[part])
        j += b.offsets[a.rows[i]]
        similarity = cosines(vectors[a.values[i]], vectors[b.values[j]])
        np.maximum.at(best_a, i, similarity)
        np.maximum.at(best_b, j, similarity)
    none = (a.lengths == 0) | (b.lengths == 0)
    means = [
        np.where(none, 0.0, ratio(Ragged(best, side.offsets).sums(), side.lengths.astype(np.float64)))
        for best, side in ((best_a, a), (best_b, b))
    ]
    columns = [np.minimum(*means), np.maximum(*means), cosines(whole[pairs.left], whole[pairs.right])]
    return np.clip(np.stack(columns, axis=1), -1.0, 1.0)
