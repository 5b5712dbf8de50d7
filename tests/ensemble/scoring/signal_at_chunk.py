"""The command line in a process that sends itself a signal: ``signal_at_chunk.py SIGNAL CHUNK COMMAND...``.

The signal comes when so many chunks are in the journal. Before, the worker processes are printed.
"""

import os
import signal
import sys
from pathlib import Path

from samewise.ensemble.commands.cli import main
from samewise.ensemble.scoring import worker_processes as scoring
from samewise.ensemble.scoring.journal import Journal


def worker_processes():
    for task in Path("/proc/self/task").glob("*/children"):
        for child in task.read_text().split():
            if b"LokyProcess" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield child


def send_at(number, chunk):
    add, added = Journal.add, []

    def counting(journal, *arguments):
        add(journal, *arguments)
        added.append(journal)
        if len(added) == chunk:
            print(*worker_processes(), flush=True)
            os.kill(os.getpid(), number)

    Journal.add = counting


if __name__ == "__main__":
    scoring.WORTH_A_START = -1.0  # another process, however short the table is
    send_at(signal.Signals[sys.argv[1]], int(sys.argv[2]))
    sys.argv[:] = ["samewise", *sys.argv[3:]]
    main()
