"""Fuzzers: properties that a few made-up inputs check in the ordinary suite and very many in ``make fuzz``.

A fuzzer is a test under ``tests/fuzz`` with the decorator `fuzzed`::

    @fuzzed(pair=st.tuples(texts(), texts()))
    def test_scores_of_any_text_are_finite(pair, tmp_path_factory):
        ...

With ``FUZZ_SECONDS`` set, it runs that long, with one Hypothesis seed after the other, each for `PER_SEED` inputs. Each
input may take `CPU_SECONDS` of processor time and the whole process `MEMORY` bytes. `FUZZ_LOG` names the file that gets
a line a run, with the seeds, the number of inputs and the worst of them; a run goes on after the last seed in it.

An input that fails is printed in its smallest form; it becomes an ``@example`` of the fuzzer, or a test
of its own beside the code that it broke.
"""

import csv
import faulthandler
import functools
import inspect
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

IN_THE_SUITE = 20
"""Inputs of a fuzzer in the ordinary suite, the same in each run."""

PER_SEED = 500
"""Inputs from one seed."""

LEAST_SECONDS = 5.0
"""Time that even a shorter run has for its first seed."""

CPU_SECONDS = 10.0
"""Processor time that one input may take, so that a busy machine fails no input."""

MEMORY = 2 << 30
"""Most memory that the process may ever have taken, in bytes."""

COLUMNS = ("date", "fuzzer", "first_seed", "seeds", "inputs", "seconds", "slowest_cpu_seconds", "peak_mb", "failed")


def fuzzed(inputs_per_call: int = 1, **strategies: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that makes a property a fuzzer; arguments without a strategy are fixtures of pytest.

    Parameters
    ----------
    inputs_per_call
        How many inputs one call of the property tries, where it tries a batch of them.
    **strategies
        A Hypothesis strategy for each argument that is made up.
    """

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(check)
        fixtures = [value for name, value in signature.parameters.items() if name not in strategies]
        tally = Tally(check.__name__)

        @functools.wraps(check)
        def counted(*arguments: Any, **named: Any) -> None:
            if time.monotonic() >= tally.end:
                return  # the rest of a seed whose inputs are costly
            try:
                with tally.one(inputs_per_call):
                    check(*arguments, **named)
            except Exception as error:
                made_up = {name: value for name, value in named.items() if name in strategies}
                error.add_note(f"the input was {made_up!r:.2000}")
                raise

        def run(**fixtures: Any) -> None:
            budget = float(os.environ.get("FUZZ_SECONDS", 0))
            if not budget:
                _property(counted, strategies, IN_THE_SUITE, derandomize=True)(**fixtures)
                return
            log = Path(os.environ.get("FUZZ_LOG", "fuzz-log.csv"))
            first = following_seed(log, check.__name__)
            begin, number = time.monotonic(), first
            tally.end = begin + max(budget, LEAST_SECONDS)
            try:
                while time.monotonic() - begin < budget:
                    seed(number)(_property(counted, strategies, PER_SEED))(**fixtures)
                    number += 1
            except BaseException:
                tally.failed = True
                raise
            finally:
                tally.write(log, first, number - first + tally.failed, time.monotonic() - begin)

        functools.update_wrapper(run, check)
        run.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


def _property(check: Callable[..., None], strategies: dict[str, Any], inputs: int, **more: Any) -> Callable[..., None]:
    chosen = settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        **more,
    )
    return chosen(given(**strategies)(check))


def following_seed(log: Path, fuzzer: str) -> int:
    """Return the first seed that no run of the fuzzer in the log used; 0 without such a run."""
    if "FUZZ_SEED" in os.environ:
        return int(os.environ["FUZZ_SEED"])
    if not log.exists():
        return 0
    with log.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["fuzzer"] == fuzzer]
    return max((int(row["first_seed"]) + int(row["seeds"]) for row in rows), default=0)


class Tally:
    """Count of the inputs that a fuzzer tried, with the processor time of the slowest."""

    def __init__(self, name: str) -> None:
        self.name, self.inputs, self.slowest, self.failed, self.end = name, 0, 0.0, False, float("inf")

    @contextmanager
    def one(self, inputs: int) -> Iterator[None]:
        """Bound the time and the memory of one call."""
        begin = time.process_time()
        with _bounded_time():
            yield
        self.inputs += inputs
        self.slowest = max(self.slowest, time.process_time() - begin)
        if "FUZZ_SECONDS" in os.environ:  # else other tests of this process count too
            assert peak_memory() <= MEMORY, f"the process took {peak_memory() >> 20} MB"

    def write(self, log: Path, first: int, seeds: int, seconds: float) -> None:
        """Add a line to the log."""
        new = not log.exists()
        with log.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(COLUMNS)
            slowest, peak = f"{self.slowest:.2f}", peak_memory() >> 20
            row = (date.today(), self.name, first, seeds, self.inputs, f"{seconds:.0f}", slowest, peak, self.failed)
            writer.writerow(row)


def peak_memory() -> int:
    """Return the most memory that this process has ever had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@contextmanager
def _bounded_time() -> Iterator[None]:
    # A signal ends what runs in Python; what hangs in a library ends the process, with a traceback of where it hung.
    def too_long(number: int, frame: object) -> None:
        raise TimeoutError(f"an input took more than {CPU_SECONDS:.0f} s of processor time")

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    if "FUZZ_SECONDS" in os.environ:
        faulthandler.dump_traceback_later(30 * CPU_SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
