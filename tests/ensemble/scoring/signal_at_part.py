"""The command line in a process that sends itself a signal: ``signal_at_part.py SIGNAL PART COMMAND...``.

The signal comes when so many parts of the journal are on disk. Before, the worker processes are printed.
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


def send_at(number, part):
    write, written = Journal._write, []

    def counting(journal):
        write(journal)
        written.append(journal)
        if len(written) == part:
            print(*worker_processes(), flush=True)
            os.kill(os.getpid(), number)

    Journal._write = counting


if __name__ == "__main__":
    scoring.WORTH_A_START = -1.0  # another process, however short the table is
    send_at(signal.Signals[sys.argv[1]], int(sys.argv[2]))
    sys.argv[:] = ["samewise", *sys.argv[3:]]
    main()
