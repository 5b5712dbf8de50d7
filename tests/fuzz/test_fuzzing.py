import csv

import pytest
from hypothesis import example
from hypothesis import strategies as st

from . import fuzzing
from .fuzzing import fuzzed


@pytest.fixture(autouse=True)
def unbounded(monkeypatch):
    """Memory of the process is no matter: tests before these have used it, too."""
    monkeypatch.setattr(fuzzing, "MEMORY", 1 << 50)


def test_run_for_some_seconds_is_logged_and_the_next_goes_on(tmp_path, monkeypatch):
    log = tmp_path / "log.csv"
    monkeypatch.setenv("FUZZ_LOG", str(log))
    monkeypatch.setenv("FUZZ_SECONDS", "0.01")
    monkeypatch.setattr(fuzzing, "PER_SEED", 7)
    seen = []

    @fuzzed(number=st.integers())
    def collects(number):
        seen.append(number)

    collects()
    first = len(seen)
    collects()
    with log.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["fuzzer"] for row in rows] == ["collects", "collects"]
    assert int(rows[0]["inputs"]) == first >= 7
    assert int(rows[1]["first_seed"]) == int(rows[0]["seeds"])
    assert seen[:7] != seen[first : first + 7]


def test_failing_input_is_raised_and_logged(tmp_path, monkeypatch):
    monkeypatch.setenv("FUZZ_LOG", str(tmp_path / "log.csv"))
    monkeypatch.setenv("FUZZ_SECONDS", "5")

    @fuzzed(number=st.integers(0, 1000))
    def refuses_large_numbers(number):
        assert number < 500

    with pytest.raises(AssertionError) as error:
        refuses_large_numbers()
    assert error.value.__notes__[0] == "the input was {'number': 500}"
    assert (tmp_path / "log.csv").read_text().rstrip().endswith("True")


def test_input_that_takes_too_long_fails(monkeypatch):
    monkeypatch.setattr(fuzzing, "CPU_SECONDS", 0.05)

    @fuzzed(number=st.just(0))
    def never_ends(number):
        while True:
            pass

    with pytest.raises(TimeoutError, match="processor time"):
        never_ends()


def test_examples_and_fixtures_reach_the_property(tmp_path):
    seen = []

    @fuzzed(number=st.integers(0, 9))
    @example(number=77)
    def collects(number, tmp_path):
        seen.append(number)

    collects(tmp_path=tmp_path)
    assert 77 in seen
