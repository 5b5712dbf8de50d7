"""Pool of worker processes that ends with its parent, and settings of a process: few collections of garbage.

The one module that uses a private name of loky.

`ProcessPoolExecutor._work_ids` was read in loky 3.4 to 3.6, which joblib 1.4 to 1.6 carries.
"""

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty
from typing import Any

# A batch makes many small tuples that live as long as it does: frequent garbage collection finds none among them and
# takes 9 % of the time of the profile full, 5 % of surface.
_RARE = 100_000, 50, 50


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect garbage less often while a batch is scored in this process."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARE)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def one_thread() -> Any:
    """Return a context in which linear algebra uses one thread: other processes have the other cores."""
    return _controller().limit(limits=1)


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def new_pool(count: int) -> Any:
    """Return an executor of `count` processes with one thread each, which end when this process does."""
    from joblib.externals.loky import ProcessPoolExecutor

    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return ProcessPoolExecutor(count, initializer=_prepare, initargs=(os.getpid(),), env=one_thread)


def stop_pool(pool: Any) -> None:
    """End the processes of a pool at once, whatever they are doing."""
    # At a stop loky forgets the calls that wait in its first queue, but then still reads that queue and fails
    # (KeyError). An interrupt during a submission leaves a call there for which nobody holds a future.
    with suppress(Empty):
        while True:
            pool._work_ids.get_nowait()
    pool.shutdown(wait=True, kill_workers=True)


def _prepare(parent: int) -> None:
    # Both signals reach the whole process group; the parent decides what follows.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    gc.set_threshold(*_RARE)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    # A killed parent sends no message: its workers would wait for it for ever.
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
