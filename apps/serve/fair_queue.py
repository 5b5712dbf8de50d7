"""Queue of the pairs of many requests, which gives every request its turn however long the others are."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from . import Pair

BATCH_WORK = 256
"""Largest work of a batch, see `work_of`. Larger batches are faster because every call has a fixed cost: `fast` on one
core scores 450 pairs/s with 64 pairs a call, 760 with 256 and 950 with 512. But later requests wait for the whole
batch."""

TURN_WORK = 16
"""Work that one request puts into a batch before the next has its turn."""

READ = 2_000
"""Characters of a text that a model reads."""

SQUARE = 25_000
"""Product of the lengths of two texts that costs as much as an ordinary pair: `surface` takes 3.9 ms for a pair of 50
characters a text, 11 ms for 200, 51 ms for 500 and 550 ms for 2,000 (on a busy machine)."""


def work_of(pair: Pair) -> int:
    """Return the estimated work of scoring a pair: 1 for ordinary sentences, 161 for two texts of 2,000 characters."""
    a, b = pair
    return 1 + min(len(a), READ) * min(len(b), READ) // SQUARE


def room_of(pair: Pair) -> int:
    """Return the room that a waiting pair takes: 1 for each two texts of `READ` characters that it holds."""
    a, b = pair
    return 1 + (len(a) + len(b)) // (2 * READ + 1)


class Costs(NamedTuple):
    """Costs of the items that wait in a queue; by default those of pairs.

    Attributes
    ----------
    items
        Noun for the waiting items.
    work, room
        Functions of an item, as `work_of` and `room_of`.
    """

    items: str
    work: Callable[[Any], int]
    room: Callable[[Any], int]


PAIR_COSTS = Costs("pairs", work_of, room_of)


class Job:
    """Pairs of one request, and their results."""

    def __init__(self, pairs: Sequence[Any], done: asyncio.Future[list[Any]], costs: Costs = PAIR_COSTS) -> None:
        self.pairs, self.done = pairs, done
        self.room, self.work = sum(map(costs.room, pairs)), sum(map(costs.work, pairs))
        self.taken = 0
        self._results: dict[int, Any] = {}

    def deliver(self, begin: int, results: Sequence[Any]) -> None:
        """Add results of pairs from a position on."""
        self._results.update(enumerate(results, begin))
        if len(self._results) == len(self.pairs) and not self.done.done():
            self.done.set_result([self._results[place] for place in range(len(self.pairs))])

    def fail(self, error: BaseException) -> None:
        """Set the error of the request, unless it has one or its client has left."""
        if not self.done.done():
            self.done.set_exception(error)


class Part(NamedTuple):
    """Range of the pairs of a job in one batch."""

    job: Job
    begin: int
    end: int


class FairQueue:
    """Jobs that wait, taken in turns (deficit round robin, Shreedhar and Varghese 1996)."""

    def __init__(self, batch_work: int = BATCH_WORK, costs: Costs = PAIR_COSTS) -> None:
        self._batch_work, self._costs = batch_work, costs
        self._jobs: deque[Job] = deque()
        self.pairs = self.room = self.work = 0
        """Number of waiting pairs, and the sums of their costs."""

    def put(self, job: Job) -> None:
        """Add a job at the end."""
        self._jobs.append(job)
        self.pairs, self.room, self.work = self.pairs + len(job.pairs), self.room + job.room, self.work + job.work

    def drop(self, job: Job) -> None:
        """Remove the pairs of a job that were not taken."""
        if job.taken < len(job.pairs):
            self._jobs.remove(job)
            for pair in job.pairs[job.taken :]:
                self._leave(pair)
            job.taken = len(job.pairs)

    def take(self) -> list[Part]:
        """Remove and return the next batch; empty if nothing waits."""
        begins: dict[Job, int] = {}
        left = self._batch_work
        while self._jobs and left > 0:
            job = self._jobs.popleft()
            begins.setdefault(job, job.taken)
            turn = min(TURN_WORK, left)
            while turn > 0 and job.taken < len(job.pairs):
                work = self._leave(job.pairs[job.taken])
                turn, left, job.taken = turn - work, left - work, job.taken + 1
            if job.taken < len(job.pairs):
                self._jobs.append(job)
        return [Part(job, begin, job.taken) for job, begin in begins.items()]

    def _leave(self, pair: Any) -> int:
        work = self._costs.work(pair)
        self.pairs, self.room, self.work = self.pairs - 1, self.room - self._costs.room(pair), self.work - work
        return work
