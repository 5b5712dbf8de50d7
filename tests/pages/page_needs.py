"""Needs of pages before their first block: files, names and stand-ins."""

import csv
import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..conftest import ROOT

SHELL = """
pip() { :; }  # the tests have what the pages install
python() { "$PYTHON" "$@"; }
samewise() { if [ "$1" = serve ]; then serve "$@"; else "${PYTHON%/*}/samewise" "$@"; fi; }
service=
stop() { if [ "$service" ]; then kill "$service"; wait "$service" || true; service=; fi; }
trap stop EXIT
serve() {  # beside what follows, on a free port, instead of the service before
    stop
    rm -f service.txt
    touch service.txt
    (exec "$PYTHON" -m samewise "$@" --workers 1 --port 0) > service.txt &
    service=$!
    until address=$(grep -o 'http://[^ ]*' service.txt); do kill -0 "$service"; sleep 0.1; done
}
curl() { command curl -sSf --noproxy '*' "${@/http:\\/\\/127.0.0.1:8000/$address}"; echo; }
"""
"""Lines before every block of the shell."""


class Needs(NamedTuple):
    """Needs of a page beside the files of docs/examples."""

    files: dict = {}
    """Contents by name: rows of a table, a text, or bytes."""

    python: str = ""
    """Python before the first block, or before each if these are run apart."""

    after: str = ""
    """Commands after the last block."""

    instead: dict = {}
    """Words of blocks, and what is run in their place: what is quick, where nothing that it prints is shown."""

    one_shell: bool = False
    """True if all commands run in one shell, in which a service goes on."""

    apart: bool = False
    """True if each block of Python runs in a process of its own."""

    modules: tuple = ()
    """Modules without which the page is skipped."""


def reports(count, first=0, best=5.0, alike=True, **more):
    """Return pairs of sentences with a score, in turn the same, alike if these are wanted, and of another matter."""
    pairs = []
    for k in range(first, first + count):
        thing, other = ("lift", "lamp", "heater", "door")[k % 4], ("printer", "sink", "window")[k % 3]
        text = f"The {thing} on floor {k} is broken."
        pairs.append((text, f"On floor {k} the {thing} is broken.", 0.96))
        if alike:
            pairs.append((text, f"The {thing} and the {other} on floor {k} were repaired.", 0.4))
        pairs.append((f"The {other} of house {k} leaks.", f"Lunch for {k} guests was served at noon.", 0.02))
    return [{"sentence1": a, "sentence2": b, "score": best * score} | more for a, b, score in pairs[:count]]


def texts(*rows):
    return [{"text": row} for row in rows]


def column(name, count):
    return "".join(f"{row[name]}\n" for row in reports(count))


def vectors():
    """Return made-up vectors of the words of some reports."""
    words = sorted(set(re.findall(r"\w+", (column("sentence1", 60) + column("sentence2", 60)).lower())))
    values = np.random.default_rng(0).normal(size=(len(words), 300)).round(3)
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, values, strict=True))


QUICK = "--members gbm --set gbm.n_estimators=20"
"""Options of a model that is fitted and saved at once."""

SPARK = """
import os
import sys

from pyspark.sql import SparkSession

os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
"""

NEEDS = {
    "README.md": Needs(
        {
            "fifty-labels.csv": reports(50, best=1.0),
            "labelled.csv": reports(600, first=50, best=1.0, alike=False),
            "new.csv": reports(9, first=300),
            "questions.csv": texts("Where is the lift?", "Where can I find the lift?", "When is lunch?"),
            "tickets.csv": texts("The lift is stuck.", "My lamp flickers."),
            "answers.csv": texts("A stuck lift is freed by the caretaker.", "Lamps are replaced on Monday."),
        },
        instead={"adapt full": "adapt small"},
    ),
    "adapting.md": Needs(
        {"fifty-labels.csv": reports(50, best=1.0)},
        instead={"adapt full": "adapt small", 'load("surface")': 'load("small")'},
    ),
    "evaluation.md": Needs(
        {
            "sts-dev.csv": reports(15, genre="news") + reports(15, first=50, genre="forums"),
            "sts-test.csv": reports(30, first=100),
            "test.csv": reports(30),
        },
        modules=("samewise_benchmark",),
    ),
    "extending.md": Needs(
        {"pairs.csv": reports(9)},
        instead={
            "surface,interrogative --members rf": f"length,interrogative {QUICK}",
            "surface,ending.py --members rf": f"length,ending.py {QUICK}",
            "surface --members rf,extra": "length --members rf,extra --set rf.n_estimators=20",
            "--model surface": "--model small",
        },
        after=f"python -m pytest -q -p no:cacheprovider --rootdir . '{ROOT}/tests/models/test_member.py' -k extra",
    ),
    "labels.md": Needs(
        {"pool.csv": reports(300, source="desk") + reports(300, first=300, source="phone"), "done.csv": reports(30)},
        instead={"--features full": "--features surface"},
    ),
    "languages.md": Needs(
        {"pairs.csv": [{"sentence1": "La comida está lista.", "sentence2": "Lunch is ready."}]},
        modules=("samewise_languages",),
    ),
    "research.md": Needs(
        {"mine.csv": reports(60)},
        after=f"samewise train mine.csv --features length.*,vowels.py {QUICK} -o own\n"
        "samewise predict mine.csv --model own --features-file vowels.py -o scored.csv\n",
    ),
    "serving.md": Needs(
        {"questions.csv": [{"key": "Q1", "question": "How can I return shoes?"}]},
        instead={"fast": "surface"},
        one_shell=True,
    ),
    "spark.md": Needs(python=SPARK, apart=True, modules=("pyspark",)),
    "tables.md": Needs(
        {
            "pairs.csv": b"sentence1,sentence2\nThe tea is cold.,A cold tea.\n",
            "pairs.parquet": reports(9),
            "old.csv": "sentence1,sentence2\nThe café is open.,The café opens.\n".encode("cp1252"),
        }
    ),
    "training.md": Needs(
        {
            "mine.csv": reports(60),
            "held-out.csv": reports(30, first=100),
            "test.csv": reports(30, first=200, source="desk"),
            "sts-train.csv": reports(210),
            "sts-dev.csv": reports(30, first=300),
        },
        instead={"--features surface --members rf,gbm,xgb": f"--features length {QUICK}"},
    ),
    "vectors.md": Needs(
        {"glove.6B.300d.txt": vectors(), "mine.csv": reports(60), "pairs.csv": reports(6)},
        instead={"/elsewhere/": "./", "full,user_embedding": f"length,user_embedding {QUICK}"},
    ),
}
"""Pages that need something, by name."""


def write(path, content):
    """Write a file: bytes, a text, or rows as a table."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(content), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, content[0])
            table.writeheader()
            table.writerows(content)
