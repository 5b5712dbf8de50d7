import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewise.features.alignment.aligner import align
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.dense_kernels import K11, k11
from samewise.features.statistics.counts import LemmaIdf
from samewise.research.families import dependency

from ...features.golden import check
from ...features.sentences import sentence

words = st.sampled_from("a the dog dogs cat sees see not is 3 , . Berlin red runs".split())
texts = st.lists(words, max_size=9).map(" ".join)
quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def listed(one, with_relation):
    rows = []
    for lemma, head, relation, place in zip(one.lemmas, one.heads, one.relations, range(len(one.heads)), strict=True):
        if relation != "punct":
            ends = ("ROOT" if head == place else one.lemmas[head], lemma)
            rows.append((relation, *ends) if with_relation else ends)
    return rows


def overlaps(a, b):
    x, y, m = set(a), set(b), sum((Counter(a) & Counter(b)).values())
    shares = sorted(len(x & y) / len(side) if side else 0.0 for side in (x, y))
    f1 = 2 * m / (len(a) + len(b)) if a and b else 1.0
    jaccard = len(x & y) / len(x | y) if x | y else 0.0
    return [jaccard, 2 * len(x & y) / (len(x) + len(y)) if x | y else 0.0, *shares, f1]


def kernels(a, b, weight):
    size = len(a) + len(b)
    if not size:
        return k11(np.zeros((1, 1)), np.zeros((1, 1)))[0]
    index = {item: i for i, item in enumerate(dict.fromkeys(a + b))}
    vectors = np.zeros((2, size))
    for vector, side in zip(vectors, (a, b), strict=True):
        for item, count in Counter(side).items():
            vector[index[item]] = count * weight(item)
        vector /= math.sqrt((vector * vector).sum()) or 1.0
    return k11(vectors[:1], vectors[1:])[0]


@quick
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_columns_equal_those_of_whole_vectors(training, pairs):
    lemma_idf = training[1]["lemma_idf"]

    def idf(item):
        return sum(lemma_idf.ecnu("lemmas", [lemma])[0] for lemma in item[-2:] if lemma != "ROOT")

    batch = analyse(pairs, level="parsed")
    for value, with_relation, weight in (
        (dependency.triples_idf, True, idf),
        (dependency.triples_count, True, lambda item: 1.0),
        (dependency.pairs_idf, False, idf),
        (dependency.pairs_count, False, lambda item: 1.0),
    ):
        found = value(batch, lemma_idf=lemma_idf)
        for i, pair in enumerate(batch):
            sides = [listed(one, with_relation) for one in pair]
            np.testing.assert_allclose(found[i], [*overlaps(*sides), *kernels(*sides, weight)], atol=2e-5)


def test_columns_are_five_and_eleven():
    for value in (dependency.triples_idf, dependency.triples_count, dependency.pairs_idf, dependency.pairs_count):
        assert value.names == ("jaccard", "dice", "overlap_min", "overlap_max", "f1", *K11)


ACTIVE = sentence("cooks bake fresh bread", "cook bake fresh bread", "NNS VBP JJ NN", "1 1 3 1", "nsubj root amod obj")
PASSIVE = sentence(
    "fresh bread is baked by cooks",
    "fresh bread be bake by cook",
    "JJ NN VBZ VBN IN NNS",
    "1 3 3 3 5 3",
    "amod nsubj:pass aux:pass root case obl",
)
PARTICIPLES = sentence(
    "fresh bread baked by cooks baking bread",
    "fresh bread bake by cook bake bread",
    "JJ NN VBN IN NNS VBG NN",
    "1 1 1 4 2 4 5",
    "amod root acl case obl:agent acl obj",
)
TURNED = sentence("bread bakes fresh cooks", "bread bake fresh cook", "NN VBZ JJ NNS", "1 1 3 1", "nsubj root amod obj")


OLD = sentence("cooks bake old bread", "cook bake old bread", "NNS VBP JJ NN", "1 1 3 1", "nsubj root amod obj")
ARTICLES = sentence(
    "the cooks bake the fresh bread",
    "the cook bake the fresh bread",
    "DT NNS VBP DT JJ NN",
    "1 2 2 5 5 2",
    "det nsubj root det amod obj",
)
# (root, ROOT, chase), (nsubj, chase, dog), (obj, chase, cat) against the two arguments exchanged.
THERE = sentence("dogs chase cats", "dog chase cat", "NNS VBP NNS", "1 1 1", "nsubj root obj")
BACK = sentence("cats chase dogs", "cat chase dog", "NNS VBP NNS", "1 1 1", "nsubj root obj")
SING = sentence("birds sing", "bird sing", "NNS VBP", "1 1", "nsubj root")
SING_OUT = sentence("birds sing !", "bird sing !", "NNS VBP .", "1 1 1", "nsubj root punct")
CHASE = sentence("dog chases cat", tags="NN VBZ NN", heads="1 1 1", relations="nsubj root obj")
TODAY = sentence("dog chases cat today", tags="NN VBZ NN NN", heads="1 1 1 1", relations="nsubj root obj obl")
# The same words, all linked, hung from another of them: no governor is linked to a governor.
OTHER = sentence("cat chases dog", tags="NN VBZ NN", heads="2 2 2", relations="nsubj dep root")
FLAT = LemmaIdf.fit([])  # every lemma weighs 1
FIRST = dependency.triples_count.names[:6]

GOLDEN = [
    (dependency.triples_count, THERE, BACK, dict(zip(FIRST, [1 / 5, *[1 / 3] * 4, 2 / 3], strict=True))),
    (dependency.pairs_count, THERE, BACK, dict(zip(FIRST, [1, 1, 1, 1, 1, 0], strict=True))),
    (dependency.triples_count, SING, SING_OUT, {"jaccard": 1}),  # punctuation does not count
    # Roles agree across voice and not across arguments, and are those of content words.
    *((dependency.relations, ACTIVE, other, [1, 1]) for other in (PASSIVE, PARTICIPLES, ARTICLES)),
    (dependency.relations, ACTIVE, TURNED, [0, 0]),
    # Linked are dog, chases and cat; the dependencies of dog and cat on chases lie on each other, the root too, but not
    # that of today: two dependencies of two words and the root's of one, 5, and two more for today.
    (dependency.aligned, CHASE, TODAY, [10 / 12, 5 / 7, 1]),
    (dependency.aligned, CHASE, OTHER, [0, 0, 0]),
]


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected, **{need: FLAT for need in value.needs})


def test_roles_weigh_the_idf_of_both_words(training):
    lemma_idf = training[1]["lemma_idf"]
    cook, bake, fresh, old, bread = lemma_idf.smooth("lemmas", "cook bake fresh old bread".split())
    shared = (cook + bake) + (bake + bread)
    expected = 2 * shared / (2 * shared + (fresh + bread) + (old + bread))
    check(dependency.relations, ACTIVE, OLD, [expected, 1], lemma_idf=lemma_idf)


def laid(a, b, weight):
    """Return the linked and the whole weight of the dependencies of `a`, by plain loops over the links of `align`."""
    links = {(link.i, link.j): link.weight for link in align(a, b)}
    linked = whole = 0.0
    for i, (head, relation) in enumerate(zip(a.heads, a.relations, strict=True)):
        if relation == "punct":
            continue
        own = weight(a.lemmas[i]) + (weight(a.lemmas[head]) if head != i else 0)
        found = [min(links[i, j], links.get((head, b.heads[j]), 0)) for j in range(len(b.heads)) if (i, j) in links]
        whole += own
        linked += own * max(found, default=0)
    return linked, whole


def test_aligned_is_what_plain_loops_find(training):
    batch, resources = training
    idf = resources["lemma_idf"]

    def weight(lemma):
        return idf.smooth("lemmas", [lemma])[0]

    expected = []
    for a, b in batch:
        (x, all_x), (y, all_y) = laid(a, b, weight), laid(b, a, weight)
        expected.append([(x + y) / (all_x + all_y), *sorted([x / all_x, y / all_y])])
    np.testing.assert_allclose(dependency.aligned(batch, lemma_idf=idf), expected, rtol=1e-5)
    assert np.ptp(expected) > 0.5
