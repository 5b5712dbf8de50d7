"""The check of the English of the pages finds what its rules name, and nothing where no prose stands."""

import importlib.util
import re

import pytest

from .conftest import ROOT

SPEC = importlib.util.spec_from_file_location("check_style", ROOT / "scripts" / "check_style.py")
style = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(style)

RULES = {
    "words": {"left away": "left out"},
    "sentences": {"words": 4, "per_page": 1, "more_on": {"docs/old.md": 2}},
}


@pytest.mark.parametrize("path", style.pages(), ids=lambda path: path.name)
def test_pages_keep_the_rules(path):
    page = path.relative_to(ROOT).as_posix()
    assert style.faults(page, path.read_text(encoding="utf-8"), style.load_rules()) == []


def test_a_wrong_word_is_found_over_the_end_of_a_line():
    page = "# Left away\n\nOne is Left\naway.\n\n`left away`\n\n```\nleft away\n```\n\n| left away |\n"
    assert style.faults("docs/a.md", page, RULES) == [style.Fault("docs/a.md", 3, "write left out, not 'Left away'")]


def test_long_sentences_are_faults_where_there_are_more_than_may_be():
    long = "One two three four five. "
    assert style.faults("docs/a.md", long, RULES) == []
    assert [fault.line for fault in style.faults("docs/a.md", f"{long}\n\n- {long}", RULES)] == [1, 3]
    assert style.faults("docs/old.md", long * 2, RULES) == []
    assert len(style.faults("docs/old.md", long * 3, RULES)) == 3


def test_a_link_counts_as_its_text_and_code_as_a_word():
    assert style.faults("docs/a.md", "See [the page](a-b-c.md) `a b c`. " * 2, RULES) == []


def test_comments_and_items_end_a_sentence():
    page = "<!-- one two\nthree four five -->\n- One two three\n- four five six\n"
    assert [text for _, text in style.paragraphs(page)] == ["One two three", "four five six"]


def test_excepted_pages_exist_and_patterns_compile():
    rules = style.load_rules()
    assert [page for page in rules["sentences"]["more_on"] if not (ROOT / page).exists()] == []
    for pattern in rules["words"]:
        re.compile(pattern)


def test_the_program_fails_on_a_fault(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(style, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text("It was left away.\n", encoding="utf-8")
    assert style.main([str(tmp_path / "page.md")]) == 1
    assert capsys.readouterr().out == "page.md:1: write omit or leave out, not 'left away'\n"
    (tmp_path / "page.md").write_text("It was left out.\n", encoding="utf-8")
    assert style.main([str(tmp_path / "page.md")]) == 0
