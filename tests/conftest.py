"""Sentences written for the tests, what is fitted on them once a session, and the two tiers of tests."""

import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import text_hash
from samewise.features.lexicon.word_vectors import WordVectors, quantised
from samewise.features.pipeline.registry import RESOURCES, Resources
from samewise.features.pipeline.user_supplied import UserVectors

from .browsers import BROWSER
from .features.made_up_encoders import user_encoder

# No deadline: the machines that run the tests are shared. `--hypothesis-profile thorough` looks longer.
settings.register_profile("default", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=3_000)
settings.load_profile("default")

SLOW_FOLDERS = ("browser", "fuzz", "pages", "processes", "research", "scripts", "service", "spark")
"""Folders of tests that `make test` leaves to `make test-all`, as it does single tests with the mark ``slow``."""

QUICK = 2.0
"""Most seconds of a processor that a test without the mark may take, one that does `_work` in 0.06 s.

`make test` runs a test that takes longer once more: what it loaded the first time the process keeps.
"""

HERE = Path(__file__).parent
ROOT = HERE.resolve().parent
DATA = ROOT.parent / "shared" / "data"

PAIRS = [
    ("A chef is slicing two ripe tomatoes.", "The cook cuts up some tomatoes."),
    ("A chef is slicing two ripe tomatoes.", "A girl is riding her horse on the beach."),
    ("The parliament rejected the bill on Tuesday.", "On Tuesday, the bill was voted down by parliament."),
    ("The parliament rejected the bill on Tuesday.", "The parliament passed the bill on Tuesday."),
    ("Profits rose 4.5% to $3,200 million in 2011.", "Profits fell by four percent in 2012."),
    ("He isn't going to the party.", "He is going to the party."),
    ("Nobody was hurt when the train left the rails.", "The train derailed; there were no injuries."),
    ("A dog chases a cat.", "A cat chases a dog."),
    ('"We will not give up," the coach said.', "The coach said they would never give up."),
    ("You could check the manual first.", "Have you looked in the manual?"),
    ("Three men play cards at a table outside.", "Some men are outside playing a card game."),
    ("The recipe needs flour, eggs, and milk.", "Flour, milk and eggs are needed for the recipe."),
    ("Oil prices hit a record high.", "A record number of visitors came to the museum."),
    ("She bought a small red car.", "She bought a small blue car."),
    ("Where can I find a good dentist?", "How do I repair a wooden chair?"),
]

HOSTILE = [
    ("", ""),
    ("", "A single sentence."),
    ("word", "word"),
    ("word", "Word."),
    ("...", "?!"),
    ("the of and to", "a an in on"),
    ("Привет, как дела?", "你好,世界"),
    ("مرحبا بالعالم", "hello world"),
    ("café naïve", "cafe\u0301 nai\u0308ve"),
    ("a\x00b", "a b"),
    ("\ud800 lone", "lone"),
    ("👩‍👩‍👧 family", "family 👩‍👩‍👧"),
    ("1,000.50 2/3 -7", "1000.5 0.67 7"),
    ("x" * 3_000, "x" * 2_999),
    ("same " * 10_000, "word " * 9_999),
    (" ".join(f"w{i}" for i in range(10_000)), " ".join(f"w{i}" for i in range(9_999, 0, -1))),
]


def _is_slow(path):
    return path.is_relative_to(HERE) and path.relative_to(HERE).parts[0] in SLOW_FOLDERS


def _only_quick(config):
    return config.option.markexpr == "not slow"


def pytest_configure(config):
    if _only_quick(config):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path, config):
    """Do not even import the slow folders where slow tests are left out."""
    return True if _only_quick(config) and _is_slow(collection_path) else None


def pytest_collection_modifyitems(items):
    for item in items:
        if _is_slow(item.path):
            item.add_marker("slow")
    # The longest file first, which one process runs while the other runs the rest.
    items.sort(key=lambda item: item.path.name != "test_pages.py")


_started = []
"""Programs that the running test has started."""


def _note_programs(event, arguments):
    # joblib asks lscpu for the number of cores.
    if event == "subprocess.Popen" and arguments[1][0] != "lscpu":
        _started.append(arguments[1])


sys.addaudithook(_note_programs)


def _work():
    return sum(number * number for number in range(1_000_000))


def _slowness():
    """Return by how much this processor, at this moment, is slower than the one of `QUICK`; at least 1."""
    begin = time.perf_counter()
    _work()
    return max(1.0, (time.perf_counter() - begin) / 0.06)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fail a test in `make test` if it takes too long or starts a program."""
    _started.clear()
    begin = time.perf_counter(), time.process_time()
    result = yield
    if _only_quick(item.config):
        seconds = min(time.perf_counter() - begin[0], time.process_time() - begin[1])
        assert seconds <= QUICK or seconds / _slowness() <= QUICK, (
            f"the test must take at most {QUICK} s, took {seconds:.1f}; mark it slow"
        )
        assert not _started, f"the test must not start a program, started {_started[0]}; mark it slow"
    return result


@cache
def _analysed(pairs, level):
    return analyse(pairs, level=level)


def analysed(pairs, level="parsed"):
    """Analyse pairs, every list of pairs once a session; the batch that is returned remembers nothing."""
    batch = _analysed(tuple(pairs), "tokens" if level == "text" else level)
    return PairBatch(batch.sentences, batch.left, batch.right)


def user_vectors(seed=0):
    """Made-up vectors of two words in three of `PAIRS`."""
    words = sorted({word.strip(".,;?").lower() for pair in PAIRS for text in pair for word in text.split()})
    words = sorted({"the", "man", "dog", *words[::3], *words[1::3]}, key=text_hash)
    codes, scales = quantised(np.random.default_rng(seed).normal(size=(len(words), 6)))
    hashes = np.asarray(list(map(text_hash, words)), dtype=np.uint64)
    return UserVectors(WordVectors(hashes, codes.astype(np.int8), scales, f"made up {seed}"))


def every_resource(sentences, seed=0):
    """Fit all resources on sentences of the level parsed, and make up those that a user gives."""
    given = {"user_vectors": user_vectors(seed), "user_encoder": user_encoder(seed)}
    return Resources.fit([*RESOURCES, *given], sentences, given)


@cache
def fitted():
    """Return the resources fitted on the sentences of `PAIRS`."""
    return every_resource(analysed(PAIRS).sentences)


@pytest.fixture
def other_processes(monkeypatch):
    """Start other processes for tables of any length, which they are not worth."""
    from samewise.ensemble.scoring import worker_processes

    monkeypatch.setattr(worker_processes, "WORTH_A_START", -1.0)


@pytest.fixture(scope="session")
def training():
    """A batch of ordinary pairs, and the resources fitted on their sentences, once a process."""
    return analysed(PAIRS), fitted()


@pytest.fixture(scope="session")
def data():
    """The folder of public data sets; tests that need it are skipped where it is absent."""
    if not DATA.exists():
        pytest.skip(f"the data sets are not at {DATA}")
    return DATA


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()
