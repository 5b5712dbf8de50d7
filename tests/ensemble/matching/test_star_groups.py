"""Groups: every member is linked with its representative, and there are no chains."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.duplicates import star_groups


def groups(count, links, rank=None):
    first, second, scores = (np.array(column) for column in zip(*links, strict=True))
    return star_groups(count, first, second, scores, np.arange(count) if rank is None else np.array(rank)).tolist()


def test_a_chain_is_cut():
    # 0 - 1 - 2 - 3: 0 takes 1; 2 is not linked with 0, so it stands for itself and takes 3.
    assert groups(4, [(0, 1, 4.7), (1, 2, 4.6), (2, 3, 4.7)]) == [0, 0, 2, 2]


def test_a_member_joins_the_representative_with_the_higher_score():
    assert groups(3, [(0, 1, 4.1), (1, 2, 4.9)]) == [0, 2, 2]
    assert groups(3, [(0, 1, 4.5), (1, 2, 4.5)]) == [0, 0, 2]


def test_rank_says_who_stands_for_a_group():
    assert groups(3, [(0, 1, 4.5), (1, 2, 4.5)], rank=[1, 0, 2]) == [1, 1, 1]


@given(st.data())
def test_stars(data):
    count = data.draw(st.integers(1, 12))
    every = [(i, j) for i in range(count) for j in range(i + 1, count)]
    links = data.draw(st.lists(st.sampled_from(every), unique=True)) if every else []
    scores = data.draw(st.lists(st.sampled_from([4.0, 4.5, 5.0]), min_size=len(links), max_size=len(links)))
    rank = np.array(data.draw(st.permutations(range(count))))
    first, second = (np.array([link[side] for link in links], dtype=np.int64) for side in (0, 1))
    found = star_groups(count, first, second, np.array(scores, dtype=float), rank)
    linked = {*links, *((j, i) for i, j in links)}
    representatives = set(found.tolist())
    assert all(found[each] == each for each in representatives)
    assert all(member == own or (member, own) in linked for member, own in enumerate(found.tolist()))
    assert not any((i, j) in linked for i in representatives for j in representatives)
    order = data.draw(st.permutations(range(len(links))))
    again = star_groups(count, first[list(order)], second[list(order)], np.array(scores)[list(order)], rank)
    assert again.tolist() == found.tolist()


def one_by_one(count, links, scores, rank):
    """Return the representatives, found text by text as the definition says."""
    score = {frozenset(link): value for link, value in zip(links, scores, strict=True)}
    order = sorted(range(count), key=lambda text: rank[text])
    stars = []
    for text in order:
        if not any(frozenset((text, star)) in score for star in stars):
            stars.append(text)
    found = []
    for text in range(count):
        linked = [
            (-score[frozenset((text, star))], rank[star], star) for star in stars if frozenset((text, star)) in score
        ]
        found.append(text if text in stars else min(linked)[2])
    return found


@given(st.data())
def test_against_the_definition(data):
    count = data.draw(st.integers(2, 10))
    every = [(i, j) for i in range(count) for j in range(i + 1, count)]
    links = data.draw(st.lists(st.sampled_from(every), unique=True, min_size=1))
    scores = data.draw(st.lists(st.sampled_from([4.0, 4.5, 5.0]), min_size=len(links), max_size=len(links)))
    rank = data.draw(st.permutations(range(count)))
    found = groups(count, [(*link, score) for link, score in zip(links, scores, strict=True)], rank)
    assert found == one_by_one(count, links, scores, rank)


def test_no_links():
    nothing = np.empty(0, np.int64)
    assert star_groups(3, nothing, nothing, np.empty(0), np.array([2, 0, 1])).tolist() == [0, 1, 2]
    assert star_groups(0, nothing, nothing, np.empty(0), nothing).tolist() == []
