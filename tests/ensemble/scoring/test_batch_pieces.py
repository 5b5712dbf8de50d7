"""Batches that are cut for several processes: every row once, results in order, and work for all of them."""

import os
import time

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.scoring.batches import BatchPieces
from samewise.ensemble.scoring.worker_processes import Workers

from samewise import load


def batches_of(sizes):
    start = 0
    for size in sizes:
        yield pa.record_batch({"n": pa.array(range(start, start + size), pa.int64())})
        start += size


def numbers(batch):
    return batch.column(0).to_pylist()


@given(
    sizes=st.lists(st.integers(0, 300), max_size=8),
    most=st.integers(1, 5),
    processes=st.integers(1, 9),
    seconds_a_row=st.sampled_from([None, 1e-6, 0.004, 3.0]),
    data=st.data(),
)
def test_results_come_together_in_order_whoever_is_done_first(sizes, most, processes, seconds_a_row, data):
    pieces = BatchPieces(batches_of(sizes), most, seconds_a_row)
    waiting, found = [], []
    while pieces.read():
        if (results := pieces.complete()) is not None:
            found.append([number for result in results for number in result])
        elif (piece := pieces.take(processes)) is not None and len(waiting) < 6:
            waiting.append(piece)
        else:
            if piece is not None:
                waiting.append(piece)
            done = waiting.pop(data.draw(st.integers(0, len(waiting) - 1)))
            pieces.put(done, numbers(done.rows), data.draw(st.none() | st.floats(0, 10)))
    assert not waiting
    assert found == [numbers(batch) for batch in batches_of(sizes)]


def sizes_of_pieces(rows, processes, seconds_a_row):
    """The pieces of one batch if every row takes so long, whoever takes them."""
    pieces, sizes = BatchPieces(batches_of([rows]), 4), []
    while pieces.read():
        if pieces.complete() is None:
            piece = pieces.take(processes)
            sizes.append(piece.rows.num_rows)
            pieces.put(piece, None, seconds_a_row * piece.rows.num_rows)
    return sizes


def test_pieces_take_two_seconds_and_shrink_near_the_end():
    # 5 ms a row: 400 rows in two seconds. 8 rows load the tables, 16 tell how long a row takes. Two processes take a
    # quarter of the rest, and not less than 32 rows.
    sizes = sizes_of_pieces(2_100, 2, 0.005)
    assert sizes == [8, 16, 400, 400, 319, 239, 179, 134, 101, 76, 57, 42, 32, 32, 32, 33]
    assert sum(sizes) == 2_100
    assert sizes == sizes[:2] + sorted(sizes[2:-1], reverse=True) + sizes[-1:]
    assert max(sizes[-3:]) <= 64
    # Alone, there is nobody to wait for; and a batch that takes no second is not cut further.
    assert sizes_of_pieces(1_500, 1, 0.005)[-4:] == [400, 400, 400, 276]
    assert sizes_of_pieces(1_500, 1, 0.0001) == [8, 16, 1_476]


def test_how_long_the_rest_takes():
    pieces = BatchPieces(batches_of([100, 100, 100]), 2, 0.5)
    pieces.read()
    assert pieces.seconds_in_hand == 100.0
    assert pieces.worth(1_000.0)  # there are batches that nobody has read
    for _ in range(2):
        piece = pieces.take(1, 50.0)
        pieces.put(piece, None)
        assert pieces.complete() is not None
        pieces.read()
    assert pieces.seconds_in_hand == 50.0
    assert pieces.worth(49.0)
    assert not pieces.worth(50.0)
    assert not BatchPieces(batches_of([1_000]), 2).worth(0.0)


@pytest.fixture(scope="module")
def surface():
    return load("surface")


def test_this_process_and_others_share_a_batch(surface, other_processes):
    def who(batch, model):
        time.sleep(0.002 * batch.num_rows)
        return [os.getpid()] * batch.num_rows

    with Workers(surface, 3) as workers:
        [found] = workers.map(who, lambda parts: sum(parts, []), batches_of([900]))
    assert len(found) == 900
    assert os.getpid() in found
    assert len(set(found)) > 1


def test_short_work_starts_no_process(surface):
    with Workers(surface, 2) as workers:
        found = list(workers.map(lambda batch, model: os.getpid(), max, batches_of([50, 50, 50])))
        assert workers._pool is None
    assert found == [os.getpid()] * 3


def test_what_is_left_over_does_not_reach_the_next_batches(surface, other_processes):
    def take(batch, model):
        time.sleep(0.001 * batch.num_rows)
        return numbers(batch)

    def join(parts):
        return sum(parts, [])

    with Workers(surface, 2) as workers:
        given_up = workers.map(take, join, batches_of([200] * 6))
        assert next(given_up) == list(range(200))
        given_up.close()
        assert list(workers.map(take, join, batches_of([300, 70]))) == [list(range(300)), list(range(300, 370))]
