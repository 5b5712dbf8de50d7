"""Micro-batching: requests that arrive during a batch are scored together in the next one."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from . import Pair

BATCH_PAIRS = 256
"""Largest number of pairs in a batch. Larger batches are faster because every call has a fixed cost: `fast` on one core
scores 450 pairs/s with 64 pairs a call, 760 with 256 and 950 with 512. But later requests wait for the whole batch."""

RATE_WEIGHT = 0.2
"""Weight of the latest batch in the mean speed."""

LONGEST_RETRY = 60
"""Seconds."""


class QueueFull(Exception):
    """Refusal of a request because too many pairs are waiting.

    Parameters
    ----------
    waiting
        Number of pairs in the queue.
    retry_after
        Estimated seconds until they are scored.
    """

    def __init__(self, waiting: int, retry_after: int) -> None:
        super().__init__(f"{waiting:,} pairs are waiting")
        self.waiting, self.retry_after = waiting, retry_after


@dataclass(eq=False)
class _Job:
    # One request: its pairs, the number taken into batches, and the results by position.
    pairs: Sequence[Pair]
    done: asyncio.Future[list[Any]]
    taken: int = 0
    results: dict[int, Any] = field(default_factory=dict)

    def deliver(self, begin: int, results: Sequence[Any]) -> None:
        self.results.update(enumerate(results, begin))
        if len(self.results) == len(self.pairs) and not self.done.done():
            self.done.set_result([self.results[place] for place in range(len(self.pairs))])

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Batcher:
    """Queue that collects the pairs of many requests into batches; an asynchronous context manager.

    A free slot takes all waiting pairs at once, up to the size of a batch, and never waits for more. Long requests are
    scored in parts and go to the end of the queue after each, so that short ones need not wait for all of them.

    Parameters
    ----------
    score
        Function that returns one result for each pair of a batch.
    slots
        Number of batches scored at the same time.
    waiting_pairs
        Largest number of waiting pairs. A request that finds the queue empty is always accepted.
    batch_pairs
        Largest number of pairs in a batch.
    observe
        Function called with the number of pairs of each scored batch.
    """

    def __init__(
        self,
        score: Callable[[Sequence[Pair]], Awaitable[Sequence[Any]]],
        *,
        slots: int,
        waiting_pairs: int,
        batch_pairs: int = BATCH_PAIRS,
        observe: Callable[[int], None] = lambda pairs: None,
    ) -> None:
        self._score, self._slots, self._limit, self._most = score, slots, waiting_pairs, batch_pairs
        self._observe = observe
        self._queue: deque[_Job] = deque()
        self._more = asyncio.Semaphore(0)
        self._tasks: list[asyncio.Task[None]] = []
        self._seconds_per_pair = 0.0
        self.waiting = 0
        """Number of pairs in the queue."""

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

    async def submit(self, pairs: Sequence[Pair]) -> list[Any]:
        """Return the results of pairs, in their order.

        Raises
        ------
        QueueFull
            If too many pairs are waiting.
        """
        if not pairs:
            return []
        if self.waiting and self.waiting + len(pairs) > self._limit:
            seconds = math.ceil(self.waiting * self._seconds_per_pair / self._slots)
            raise QueueFull(self.waiting, min(max(seconds, 1), LONGEST_RETRY))
        job = _Job(pairs, asyncio.get_running_loop().create_future())
        self.waiting += len(pairs)
        self._put(job)
        return await job.done

    def _put(self, job: _Job) -> None:
        self._queue.append(job)
        self._more.release()

    def _take(self, first: _Job) -> list[tuple[_Job, int, int]]:
        parts = []
        room, job = self._most, first
        while True:
            begin, job.taken = job.taken, min(job.taken + room, len(job.pairs))
            parts.append((job, begin, job.taken))
            room -= job.taken - begin
            if job.taken < len(job.pairs):
                self._put(job)
            if not room or not self._queue:
                return parts
            job = self._queue.popleft()

    async def _work(self) -> None:
        while True:
            await self._more.acquire()
            if not self._queue:
                continue  # taken with an earlier batch
            parts = self._take(self._queue.popleft())
            pairs = [pair for job, begin, end in parts for pair in job.pairs[begin:end]]
            self.waiting -= len(pairs)
            await self._deliver(parts, pairs)

    async def _deliver(self, parts: list[tuple[_Job, int, int]], pairs: list[Pair]) -> None:
        started = time.monotonic()
        try:
            results = await self._score(pairs)
        except Exception as error:
            for job, _, _ in parts:
                job.fail(error)
            return
        self._observe(len(pairs))
        each = (time.monotonic() - started) / len(pairs)
        self._seconds_per_pair += (each - self._seconds_per_pair) * (RATE_WEIGHT if self._seconds_per_pair else 1.0)
        place = 0
        for job, begin, end in parts:
            job.deliver(begin, results[place : place + end - begin])
            place += end - begin
