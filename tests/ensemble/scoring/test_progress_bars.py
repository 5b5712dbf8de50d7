import sys

import pyarrow as pa
import pytest
from samewise.ensemble.scoring.progress_bars import shown_steps

import samewise

TEXTS = [f"The ferry to island {k} leaves at {k} o'clock." for k in range(12)]


@pytest.fixture(scope="module")
def model():
    return samewise.load("surface")


@pytest.fixture
def steps():
    """Steps that keep what they are called with, as (title, done, total)."""

    class Steps(list):
        def __call__(self, title):
            return lambda done, total: self.append((title, done, total))

    return Steps()


def test_without_progress_nothing_is_shown(capsys):
    with shown_steps(False) as step:
        assert step("scoring") is None
    assert capsys.readouterr() == ("", "")


def test_the_steps_of_the_caller_are_used_as_they_are(steps):
    with shown_steps(steps) as step:
        assert step is steps


def test_bars_show_title_and_count(capsys):
    pytest.importorskip("tqdm", reason="the bars are those of tqdm, which is not installed")
    with shown_steps(True) as step:
        advance = step("scoring")
        advance(3, 12)
        advance(12, 12)
    shown = capsys.readouterr().err
    assert "scoring" in shown and "100%" in shown and "12/12" in shown
    assert shown.endswith("\n")  # closed, so that what is printed next has a line of its own


def test_a_bar_without_a_total_counts(capsys):
    pytest.importorskip("tqdm", reason="the bars are those of tqdm, which is not installed")
    with shown_steps(True) as step:
        step("scoring")(7, None)
    assert "7it" in capsys.readouterr().err


def test_bars_need_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ModuleNotFoundError, match=r"samewise\[notebook\]"), shown_steps(True):
        pass


@pytest.mark.parametrize("progress", ["yes", 1, None])
def test_progress_must_be_a_choice_or_a_function(progress):
    with pytest.raises(TypeError, match="progress must be True, False or a function"), shown_steps(progress):
        pass


def test_score_table_reports_its_rows(model, steps):
    table = pa.table({"sentence1": [*TEXTS, None], "sentence2": [*TEXTS[::-1], "Alone."]})
    scored = samewise.score_table(table, model=model, progress=steps)
    assert steps == [("scoring", 13, 13)]
    assert scored.equals(samewise.score_table(table, model=model))


def test_a_stream_is_reported_as_it_is_read(model, steps):
    table = pa.table({"sentence1": TEXTS, "sentence2": TEXTS[::-1]})
    stream = samewise.score_table(table.to_reader(), model=model, progress=steps)
    assert steps == []
    assert stream.read_all().num_rows == 12
    assert steps == [("scoring", 12, None)]


def test_match_and_dedupe_report_their_pairs(model, steps):
    matched = samewise.match(TEXTS[:4], TEXTS[4:], model=model, workers=1, progress=steps)
    assert [title for title, *_ in steps] == ["scoring"]
    assert steps[-1][1] == steps[-1][2] > 0
    assert matched.equals(samewise.match(TEXTS[:4], TEXTS[4:], model=model, workers=1))
    steps.clear()
    found = samewise.dedupe(TEXTS, model=model, workers=1, same_from=1.0, progress=steps)
    assert {title for title, *_ in steps} == {"scoring", "comparing"}
    assert all(done == total for _, done, total in steps)
    assert found.kept.tolist() == samewise.dedupe(TEXTS, model=model, workers=1, same_from=1.0).kept.tolist()
