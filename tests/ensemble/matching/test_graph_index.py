"""Graphs: the same for any number of threads, and nearly all of the closest texts."""

import numpy as np
import pytest
from samewise.ensemble.matching import graph_index
from samewise.ensemble.matching.graph_index import GraphIndex
from samewise.ensemble.matching.search import exact_neighbours, text_codes

pytest.importorskip("usearch", reason="graphs are made with usearch, of the extra match")

RNG = np.random.default_rng(0)
CODES = text_codes(np.repeat(RNG.normal(size=(150, 32)), 6, axis=0) + 0.5 * RNG.normal(size=(900, 32)))


def links(found):
    return list(zip(*(column.tolist() for column in found), strict=True))


def test_threads_change_nothing():
    one, two = (GraphIndex.build(CODES, threads).neighbours(CODES[:200], 5, 0.3, threads) for threads in (1, 2))
    assert links(one) == links(two)


def test_nearly_all_are_found_with_exact_similarities():
    found = set(links(GraphIndex.build(CODES, 2).neighbours(CODES, 5, 0.3, 2)))
    exact = set(links(exact_neighbours(CODES, CODES, 5, 0.3)))
    assert len(found & exact) > 0.97 * len(exact)


def test_saved_and_opened(tmp_path):
    graphs = GraphIndex.build(CODES, 1)
    files = [tmp_path / str(number) for number in range(len(graphs.starts))]
    for file, write in zip(files, graphs.writers(), strict=True):
        with file.open("wb") as target:
            write(target)
    opened = GraphIndex.open(files, graphs.starts)
    assert links(opened.neighbours(CODES[:50], 4, 0.0, 1)) == links(graphs.neighbours(CODES[:50], 4, 0.0, 1))


def test_extended_graphs_find_what_was_added():
    graphs = GraphIndex.build(CODES[:600], 1).extended(CODES[600:], 1)
    found = graphs.neighbours(CODES[600:], 1, 0.9, 1)
    assert (found.texts == np.arange(600, 900)[found.queries]).mean() > 0.97


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_few_texts(count):
    found = GraphIndex.build(CODES[:count], 2).neighbours(CODES[:2], 4, -1.0, 2)
    assert len(found.queries) == 2 * count


def test_a_query_alone_finds_what_it_finds_among_others():
    graphs = GraphIndex.build(CODES, 1)
    together = links(graphs.neighbours(CODES[:20], 5, 0.3, 1))
    alone = [
        (row, *rest) for row in range(20) for _, *rest in links(graphs.neighbours(CODES[row : row + 1], 5, 0.3, 1))
    ]
    assert alone == together


def test_more_texts_than_a_graph_takes(monkeypatch):
    monkeypatch.setattr(graph_index, "LARGEST", 200)
    graphs = GraphIndex.build(CODES, 2)
    assert graphs.starts == [0, 180, 360, 540, 720]
    found = set(links(graphs.neighbours(CODES, 5, 0.3, 2)))
    assert len(found & set(links(exact_neighbours(CODES, CODES, 5, 0.3)))) > 0.97 * len(found)


def test_no_queries():
    assert len(GraphIndex.build(CODES, 1).neighbours(CODES[:0], 4, 0.0, 1).queries) == 0
