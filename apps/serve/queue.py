"""The queue of requests: fair between clients, and scored in batches."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from . import Pair
from .decisions import DecidedPair

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


def work_of(pair: Pair | DecidedPair) -> int:
    """Return the estimated work of scoring a pair: 1 for ordinary sentences, 161 for two texts of 2,000 characters."""
    a, b = pair[:2]
    return 1 + min(len(a), READ) * min(len(b), READ) // SQUARE


def room_of(pair: Pair | DecidedPair) -> int:
    """Return the room that a waiting pair takes: 1 for each two texts of `READ` characters that it holds."""
    a, b = pair[:2]
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


RATE_WEIGHT = 0.2
"""Weight of the latest batch in the mean speed."""

LONGEST_RETRY = 60
"""Seconds."""

TRIES_TOGETHER = 2
"""Times that a batch is scored if workers die of it, before it is halved: one death is chance."""

TRIES_ALONE = 3
"""Times that the pairs of one request are scored if workers die of them."""


class QueueFull(Exception):
    """Refusal of a request because too many pairs are waiting."""

    def __init__(self, waiting: int, retry_after: int, items: str = "pairs") -> None:
        super().__init__(f"{waiting:,} {items} are waiting")
        self.waiting, self.retry_after = waiting, retry_after


class WorkerDied(Exception):
    """Error of a worker process that ended during a call; the same pairs may be scored by another."""


class Batcher:
    """Queue that collects the pairs of many requests into batches; an asynchronous context manager.

    A free slot takes the waiting pairs without delay, up to the size of a batch, and never waits for more. Requests
    have their turns in each batch, see `FairQueue`. Pairs whose client has left are not scored. Scoring has no other
    effect, so a batch is scored again if the worker died; a batch whose workers die again is halved until the request
    that kills them is alone, and only that request fails.

    Parameters
    ----------
    score
        Function that returns one result for each pair of a batch; it raises `WorkerDied` if a batch may be tried again.
    slots
        Number of batches scored at the same time.
    waiting_pairs
        Largest number of waiting pairs, in which long pairs count more, see `room_of`. A request that finds the queue
        empty is always accepted.
    batch_work
        Largest work of a batch, see `work_of`.
    observe
        Function called with the number of pairs of each scored batch.
    costs
        Costs of a pair, or of whatever waits in place of pairs.
    """

    def __init__(
        self,
        score: Callable[[Sequence[Any]], Awaitable[Sequence[Any]]],
        *,
        slots: int,
        waiting_pairs: int,
        batch_work: int = BATCH_WORK,
        observe: Callable[[int], None] = lambda pairs: None,
        costs: Costs = PAIR_COSTS,
    ) -> None:
        self._score, self._slots, self._limit, self._observe = score, slots, waiting_pairs, observe
        self._costs = costs
        self._queue = FairQueue(batch_work, costs)
        self._more = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._seconds_per_work = 0.0

    @property
    def waiting(self) -> int:
        """Number of pairs in the queue."""
        return self._queue.pairs

    async def __aenter__(self) -> "Batcher":
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._slots)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # The server has answered or abandoned every request by now.
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def submit(self, pairs: Sequence[Any]) -> list[Any]:
        """Return the results of pairs, in their order; if it is cancelled, those that wait are not scored.

        Raises
        ------
        QueueFull
            If too many pairs are waiting.
        WorkerDied
            If workers die of these pairs.
        """
        if not pairs:
            return []
        job = Job(pairs, asyncio.get_running_loop().create_future(), self._costs)
        if self.waiting and self._queue.room + job.room > self._limit:
            seconds = math.ceil(self._queue.work * self._seconds_per_work / self._slots)
            raise QueueFull(self.waiting, min(max(seconds, 1), LONGEST_RETRY), self._costs.items)
        self._queue.put(job)
        self._more.set()
        try:
            return await job.done
        finally:
            self._queue.drop(job)  # of a client that left, or after an error of an earlier part

    async def _work(self) -> None:
        while True:
            if parts := self._queue.take():
                await self._deliver(parts)
            else:
                self._more.clear()
                await self._more.wait()

    async def _deliver(self, batch: list[Part]) -> None:
        tries = [(batch, TRIES_ALONE if len(batch) == 1 else TRIES_TOGETHER)]
        while tries:
            parts, left = tries.pop()
            parts = [part for part in parts if not part.job.done.done()]
            if not parts:
                continue
            try:
                await self._score_parts(parts)
            except WorkerDied as error:
                if left > 1:
                    tries.append((parts, left - 1))
                elif len(parts) == 1:
                    parts[0].job.fail(error)
                else:
                    middle = len(parts) // 2
                    halves = (parts[middle:], parts[:middle])
                    tries += [(half, TRIES_ALONE if len(half) == 1 else 1) for half in halves]
            except Exception as error:
                for part in parts:
                    part.job.fail(error)

    async def _score_parts(self, parts: list[Part]) -> None:
        pairs = [pair for job, begin, end in parts for pair in job.pairs[begin:end]]
        started = time.monotonic()
        results = await self._score(pairs)
        self._observe(len(pairs))
        each = (time.monotonic() - started) / sum(map(self._costs.work, pairs))
        self._seconds_per_work += (each - self._seconds_per_work) * (RATE_WEIGHT if self._seconds_per_work else 1.0)
        place = 0
        for job, begin, end in parts:
            job.deliver(begin, results[place : place + end - begin])
            place += end - begin
