"""Sessions of ONNX Runtime, bounded in memory and in time, on one core, which report to nobody.

Networks from bundles are untrusted data: a run ends with an error of one sentence once it takes more than
`MEMORY` or `SECONDS`. The profile ``full`` needs 30 MB and a fifth of a second at most.
"""

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # imported late: runs without a network do not wait for it
    from onnxruntime import InferenceSession

MEMORY = 512 << 20
"""Bytes for all that sessions of this process compute at once, weights aside."""

AT_ONCE = 2
"""Networks from bundles that run at once in a process, so that each has enough of the memory."""

SECONDS = 5.0
"""Processor time of one run of a network from a bundle; it is stopped after the operator that it is in."""

_turns = threading.BoundedSemaphore(AT_ONCE)


@cache
def _runtime() -> Any:
    # Since 1.29 ONNX Runtime sends facts about networks and the machine to its maker, and keeps them in a file, unless
    # this variable is set before it is imported (Privacy.md of the package). A user's own value stands.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    # Sessions of others in this process do not use this allocator unless they ask for it.
    place = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(place, onnxruntime.OrtArenaCfg({"max_mem": MEMORY}))
    return onnxruntime


def open_session(network: bytes | Path, ours: bool) -> "InferenceSession":
    """Return a session of a network, whose products of whole numbers are exact on every processor.

    Parameters
    ----------
    network
        An ONNX file, or its path if it has tensors in files beside it.
    ours
        Whether its operators were checked. Such a network computes nothing while it is opened; a user-supplied one may.

    Raises
    ------
    Exception
        Of ONNX Runtime, if it cannot run the network. Its own exceptions share no base class.
    """
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised instead
    entries = {
        "session.x64quantprecision": "1",
        "session.use_env_allocators": "1",
        "session.use_device_allocator_for_initializers": "1",  # weights are as large as the file, not more
        "session.load_model_format": "ONNX",  # else a few bytes at the start could select another format
    }
    for key, value in entries.items():
        options.add_session_config_entry(key, value)
    # Values of constants alone would be computed while the network is opened, in unbounded memory.
    left_out = {"disabled_optimizers": ["ConstantFolding"]} if ours else {}
    session: InferenceSession = runtime.InferenceSession(
        network, options, providers=["CPUExecutionProvider"], **left_out
    )
    return session


def run_bounded(
    session: "InferenceSession", outputs: Sequence[str], inputs: Mapping[str, np.ndarray]
) -> Sequence[np.ndarray]:
    """Return outputs of a session that runs `SECONDS` at most.

    Raises
    ------
    TimeoutError
        If the run takes longer.
    Exception
        Of ONNX Runtime, such as one for too little memory.
    """
    options = _runtime().RunOptions()
    with _turns, _stopping(options):
        try:
            values: Sequence[np.ndarray] = session.run(outputs, inputs, options)
        except Exception:
            if options.terminate:
                raise TimeoutError from None
            raise
    return values


@contextmanager
def _stopping(options: Any) -> Iterator[None]:
    done, clock = threading.Event(), _clock()
    end = clock() + SECONDS

    def watch() -> None:
        # On a busy machine wall time passes faster.
        with suppress(OSError):  # the thread has ended, and its clock with it
            while not done.wait(max(end - clock(), 0.05)):
                if clock() >= end:
                    options.terminate = True
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _clock() -> Any:
    # Processor time of the calling thread, read from any thread; wall time where a system has no such clock.
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(threading.get_ident())
        return lambda: time.clock_gettime(number)
    return time.monotonic
