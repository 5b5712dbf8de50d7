"""Dependencies shared by two sentences: triples and pairs of words, as sets and as vectors (Tian et al., 2017)."""

from itertools import chain
from typing import NamedTuple

import numpy as np

from ...features.alignment.coverage import links
from ...features.arrays.dense_kernels import K11
from ...features.arrays.joins import ITEM_BITS, meet
from ...features.arrays.ragged import Ragged, f1, mix, ratio, share
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import content_mask, text_hash, token_ids, vocabulary
from ...features.statistics.counts import LemmaIdf
from ...features.strings.ngram_overlap import unit_kernels

_COLUMNS = ("jaccard", "dice", "overlap_min", "overlap_max", "f1", *K11)
_NO_GOVERNOR = np.uint64(text_hash("ROOT"))
_STEP = np.uint64(0x9E3779B97F4A7C15)


class _Dependencies(NamedTuple):
    # Dependencies of each distinct sentence: hashes; lemmas of both ends as indices into the vocabulary, flat, -1 for
    # the governor of a root; a mask of the subjects and objects.
    hashes: Ragged
    governors: np.ndarray
    dependents: np.ndarray
    core: np.ndarray


class _Read(NamedTuple):
    # Tokens of the distinct sentences, flat: place of the head (a root is its own head), index of the relation in
    # `names`, and lemma of the governor, -1 for a root.
    heads: np.ndarray
    relations: np.ndarray
    names: list[str]
    governors: np.ndarray


def _read(pairs: PairBatch) -> _Read:
    def compute() -> _Read:
        ids = vocabulary(pairs, "lemmas").ids
        heads = np.fromiter(chain.from_iterable(one.heads for one in pairs.sentences), np.int64, len(ids.values))
        heads += np.repeat(ids.offsets[:-1], ids.lengths)
        index: dict[str, int] = {}
        relations = chain.from_iterable(sentence.relations for sentence in pairs.sentences)
        codes = np.fromiter((index.setdefault(name, len(index)) for name in relations), np.int64, len(heads))
        return _Read(heads, codes, list(index), np.where(heads == np.arange(len(heads)), -1, ids.values[heads]))

    return pairs.memo("dependencies read", compute)


def _hashes(pairs: PairBatch, governors: np.ndarray, dependents: np.ndarray) -> np.ndarray:
    words = np.append(vocabulary(pairs, "lemmas").hashes, _NO_GOVERNOR)
    return mix(words[governors] * _STEP + words[dependents])


def _dependencies(pairs: PairBatch, kind: str) -> _Dependencies:
    # Punctuation is left out: with it, every column correlates less with the scores of STS Benchmark train (0.478
    # instead of 0.487 for the F1 of triples).
    def compute() -> _Dependencies:
        read, lemmas = _read(pairs), vocabulary(pairs, "lemmas").ids
        hashes = _hashes(pairs, read.governors, lemmas.values)
        if kind == "triples":
            hashes = mix(hashes + np.asarray([text_hash(name) for name in read.names], np.uint64)[read.relations])
        kept = np.asarray([name != "punct" for name in read.names], bool)[read.relations]
        kept_hashes = Ragged(hashes, lemmas.offsets).where(kept)
        core = np.zeros(len(kept_hashes.values), bool)
        return _Dependencies(kept_hashes, read.governors[kept], lemmas.values[kept], core)

    return _roles(pairs) if kind == "roles" else pairs.memo(("dependencies", kind), compute)


_SUBJECT, _OBJECT, _MODIFIER, _CONJUNCT, _OTHER, _NONE = range(6)
_ROLES = {
    **dict.fromkeys(("nsubj", "csubj"), _SUBJECT),
    **dict.fromkeys(("obj", "iobj", "nsubj:pass", "csubj:pass"), _OBJECT),
    **dict.fromkeys(("amod", "compound", "nmod", "nummod", "acl", "advmod", "appos"), _MODIFIER),
    **{"conj": _CONJUNCT, "punct": _NONE},
}


def _roles(pairs: PairBatch) -> _Dependencies:
    # Dependencies of content words, by role instead of relation: the subject of a passive is an object, its agent a
    # subject, and a noun is the subject of a present participle that modifies it and the object of a past one.
    def compute() -> _Dependencies:
        read, lemmas, content = _read(pairs), vocabulary(pairs, "lemmas"), content_mask(pairs)
        heads, dependents = read.heads, lemmas.ids.values

        def named(*names: str) -> np.ndarray:
            return np.asarray([name in names for name in read.names], bool)[read.relations]

        plain = [_ROLES.get(name, _ROLES.get(name.partition(":")[0], _OTHER)) for name in read.names]
        role = np.asarray(plain, np.int64)[read.relations]
        passive, by = np.zeros((2, len(heads)), dtype=bool)
        passive[heads[named("nsubj:pass", "csubj:pass", "aux:pass")]] = True
        marks = named("case") & np.asarray([item == "by" for item in lemmas.items], bool)[dependents]
        by[heads[marks]] = True
        role[named("obl:agent") | (named("obl") & by & passive[heads])] = _SUBJECT
        tags = list(chain.from_iterable(sentence.tags for sentence in pairs.sentences))
        participle = named("acl")
        for tag, noun_role in (("VBG", _SUBJECT), ("VBN", _OBJECT)):
            role[participle & np.fromiter(map(tag.__eq__, tags), bool, len(tags))] = noun_role
        turned = participle & (role != _MODIFIER)
        kept = content & content[heads] & (read.governors >= 0) & (role != _NONE)
        ends = np.where(turned, dependents, read.governors)[kept], np.where(turned, read.governors, dependents)[kept]
        role = role[kept]
        hashes = mix(_hashes(pairs, *ends) + role.astype(np.uint64))
        offsets = lemmas.ids.where(kept).offsets
        return _Dependencies(Ragged(hashes, offsets), *ends, role <= _OBJECT)

    return pairs.memo("roles", compute)


def _overlaps(pairs: PairBatch, kind: str) -> np.ndarray:
    # Jaccard and Dice index, shares of either side and F1, shape (n, 5).
    def compute() -> np.ndarray:
        hashes = _dependencies(pairs, kind).hashes
        shared = share(hashes.take(pairs.left), hashes.take(pairs.right))
        types = shared.types_a + shared.types_b
        sides = ratio(shared.common, shared.types_a), ratio(shared.common, shared.types_b)
        indices = ratio(shared.common, types - shared.common), ratio(2 * shared.common, types)
        return np.stack([*indices, np.minimum(*sides), np.maximum(*sides), f1(shared)], axis=1)

    return pairs.memo(("dependency overlaps", kind), compute)


class _Met(NamedTuple):
    # Distinct dependencies of the pairs: pair, count on either side, and one place; and the number of dependencies of
    # each pair.
    row: np.ndarray
    count_a: np.ndarray
    count_b: np.ndarray
    place: np.ndarray
    size: np.ndarray


def _met(pairs: PairBatch, kind: str) -> _Met:
    def compute() -> _Met:
        hashes = _dependencies(pairs, kind).hashes
        items = Ragged(hashes.values >> np.uint64(64 - ITEM_BITS), hashes.offsets)
        places = Ragged(np.arange(len(items.values)), items.offsets)
        a, b = places.take(pairs.left), places.take(pairs.right)
        met = meet(items.take(pairs.left), items.take(pairs.right), locate=True)
        place = np.concatenate([a.values, b.values])[met.place]
        return _Met(met.row, met.count_a, met.count_b, place, a.lengths + b.lengths)

    return pairs.memo(("dependencies met", kind), compute)


def _idf_of_ends(pairs: PairBatch, kind: str, idf: np.ndarray) -> np.ndarray:
    # Sum of the idf of governor and dependent of each distinct dependency.
    dependencies, place = _dependencies(pairs, kind), _met(pairs, kind).place
    idf = np.append(idf, 0.0)
    return idf[dependencies.governors[place]] + idf[dependencies.dependents[place]]


def _counted(pairs: PairBatch, kind: str) -> np.ndarray:
    met = _met(pairs, kind)
    kernels = unit_kernels(met.row, met.count_a, met.count_b, met.size)
    return np.concatenate([_overlaps(pairs, kind), kernels], axis=1)


def _weighted(pairs: PairBatch, kind: str, lemma_idf: LemmaIdf) -> np.ndarray:
    met = _met(pairs, kind)
    weight = _idf_of_ends(pairs, kind, lemma_idf.ecnu("lemmas", vocabulary(pairs, "lemmas").items))
    used = weight > 0
    row, weight = met.row[used], weight[used]
    kernels = unit_kernels(row, met.count_a[used] * weight, met.count_b[used] * weight, met.size)
    return np.concatenate([_overlaps(pairs, kind), kernels], axis=1)


@feature(
    *_COLUMNS, low=-1.0, high=np.inf, level="parsed", needs=("lemma_idf",), source="Tian et al. 2017", section="SYN1"
)
def triples_idf(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Overlaps of the triples of relation, governor and dependent, and K11 of their vectors weighted by idf.

    Governors and dependents are lemmas; the root depends on ``ROOT``; punctuation is left out. The overlaps compare
    sets, but the F1 counts every occurrence, and so do the vectors, which have unit length.

    The authors compute the idf of triples from the scored file; here the weight of a triple is the sum of the ECNU idf
    of its governor and of its dependent. With it the cosine correlates by 0.517 with the scores of STS Benchmark train;
    with the smooth idf by 0.516, with the product of both by 0.502, and with the idf of the dependent alone by 0.484.
    The dimension is the number of dependencies of both sentences. With a large one, such as the size of a table, most
    columns are functions of the cosine.
    """
    return _weighted(pairs, "triples", lemma_idf)


@feature(*_COLUMNS, low=-1.0, high=np.inf, level="parsed", source="Tian et al. 2017", section="SYN2")
def triples_count(pairs: PairBatch) -> np.ndarray:
    """Overlaps and K11 as in `triples_idf`, with weight 1 for each triple."""
    return _counted(pairs, "triples")


@feature(
    *_COLUMNS, low=-1.0, high=np.inf, level="parsed", needs=("lemma_idf",), source="Tian et al. 2017", section="SYN3"
)
def pairs_idf(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Overlaps and K11 as in `triples_idf`, of pairs of governor and dependent."""
    return _weighted(pairs, "pairs", lemma_idf)


@feature(*_COLUMNS, low=-1.0, high=np.inf, level="parsed", source="Tian et al. 2017", section="SYN4")
def pairs_count(pairs: PairBatch) -> np.ndarray:
    """Overlaps and K11 as in `triples_count`, of pairs of governor and dependent."""
    return _counted(pairs, "pairs")


@feature("dice", "core", level="parsed", needs=("lemma_idf",), source="ours", section="SYN1")
def relations(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Dice index, by idf, of the dependencies between content words, and of subjects and objects among them.

    Relations are five roles (subject, object, modifier, conjunct, other), so that active and passive voice agree: "the
    cook bakes bread", "bread is baked by the cook" and "bread baked by the cook" have the same two relations.
    """
    met = _met(pairs, "roles")
    weight = _idf_of_ends(pairs, "roles", lemma_idf.smooth("lemmas", vocabulary(pairs, "lemmas").items))
    in_a, in_b = met.count_a > 0, met.count_b > 0
    columns = []
    for kept in (np.ones(len(weight), dtype=bool), _dependencies(pairs, "roles").core[met.place]):
        both, either = (
            np.bincount(met.row, weights=weight * (mask & kept), minlength=len(pairs))
            for mask in (in_a & in_b, in_a | in_b)
        )
        columns.append(ratio(2 * both, both + either))
    return np.stack(columns, axis=1)


def _covered(pairs: PairBatch) -> list[np.ndarray]:
    # Weight of the link of the dependency of each token, flat, for either side. A dependency is linked if its token is
    # linked to a token of the other sentence and its head to the head of that token; a root is its own head.
    word_links, read, ids = links(pairs), _read(pairs), vocabulary(pairs, "lemmas").ids
    starts = ids.offsets[pairs.left], ids.offsets[pairs.right]
    places = word_links.i + starts[0][word_links.row], word_links.j + starts[1][word_links.row]
    heads = [read.heads[place] - start[word_links.row] for place, start in zip(places, starts, strict=True)]
    size = int(ids.lengths.max(initial=0)) + 1
    codes = (word_links.row * size + word_links.i) * size + word_links.j
    order = np.argsort(codes)
    above = (word_links.row * size + heads[0]) * size + heads[1]
    at = np.minimum(np.searchsorted(codes[order], above), max(len(codes) - 1, 0))
    both = codes[order][at] == above
    value = np.where(both, np.minimum(word_links.weight, word_links.weight[order][at]), 0.0)
    sides = []
    for side, place in zip(token_ids(pairs), (word_links.i, word_links.j), strict=True):
        cover = np.zeros(len(side.values))
        np.maximum.at(cover, side.offsets[word_links.row] + place, value)
        sides.append(cover)
    return sides


@feature(
    "both", "min", "max", level="parsed", needs=("lemma_idf", "paraphrases"), source="Kohail et al. 2017",
    section="SYN3",
)  # fmt: skip
def aligned(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Share of the dependency graphs that word alignment maps onto each other: of both, and of either one.

    A dependency counts if its dependent and its governor are linked to those of a dependency of the other sentence. Its
    weight is the sum of the idf of both; the governor of a root adds nothing. Punctuation is left out, and relations
    are not compared.
    """
    read, lemmas, n = _read(pairs), vocabulary(pairs, "lemmas"), len(pairs)
    idf = np.append(lemma_idf.smooth("lemmas", lemmas.items), 0.0)
    kept = np.asarray([name != "punct" for name in read.names], bool)[read.relations]
    weight = (idf[lemmas.ids.values] + idf[read.governors]) * kept
    linked, whole = [], []
    for cover, side in zip(_covered(pairs), token_ids(pairs), strict=True):
        linked.append(np.bincount(side.rows, weights=weight[side.values] * cover, minlength=n))
        whole.append(np.bincount(side.rows, weights=weight[side.values], minlength=n))
    a, b = (ratio(*one) for one in zip(linked, whole, strict=True))
    return np.stack([ratio(linked[0] + linked[1], whole[0] + whole[1]), np.minimum(a, b), np.maximum(a, b)], axis=1)
