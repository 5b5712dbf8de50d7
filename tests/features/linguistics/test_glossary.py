"""The user's words that mean the same: files and lists of them, and texts that are rewritten by them."""

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse, normalise
from samewise.features.linguistics.glossary import MOST_SIZE, Glossary, Occurrence

SHOP = Glossary.of([["COD", "cash on delivery"], ["Bob", "Robert"], ["IT", "information technology"]])


def write(folder, content):
    path = folder / "words.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_file_is_read_line_by_line(tmp_path):
    path = write(
        tmp_path,
        "\ufeff# Our shop\r\nCOD = cash on  delivery # how people pay\n\n  Bob, Robert ,Rob\nC# = C sharp\n# A, B\n",
    )
    expected = (("COD", "cash on delivery"), ("Bob", "Robert", "Rob"), ("C#", "C sharp"))
    assert Glossary.read(path).groups == expected
    assert Glossary.of(str(path)) == Glossary.of(path) == Glossary.of(list(map(list, expected)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a, b\n\nCOD =\n", "a member must have a letter or a digit, got '' in line 3 of the glossary {}; correct"),
        ("a, , b", "a member must have a letter or a digit, got '' in line 1"),
        ("a = --", "a member must have a letter or a digit, got '--' in line 1"),
        ("# x\nCOD\n", "a group must have two members or more, got 'COD' in line 2 of the glossary {}; write one such"),
        ("Bob, bob", "a group must have two members or more, got 'Bob' in line 1"),
        ("PT = part time\nx, y\nPT = physical therapy", "got 'PT' in line 1 of the glossary {} and in line 3 of the"),
        ("a = b c d e f g h i j k l", "up to 10 words and 100 characters, got 11 and 21 in line 1"),
        (f"a = {'b' * 101}", "up to 10 words and 100 characters, got 1 and 101 in line 1"),
        ("a = b\n".encode("utf-16-le"), "a member must be plain text, got 'a\\x00 \\x00' in line 1 of the glossary"),
        (b"a = b\rc = \xff\n", "line 2 of the glossary {} must be UTF-8, got other bytes; convert it"),
        ("a, b\n" + "#" * MOST_SIZE, "the glossary {} must have up to 1,048,576 bytes, got more; leave groups out"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path, content, message):
    path = write(tmp_path, content)
    with pytest.raises(ValueError, match=re.escape(message.format(path))):
        Glossary.read(path)


def test_lists_with_faults_are_refused(tmp_path):
    with pytest.raises(ValueError, match="got 'Tax' in group 1 and in group 2"):
        Glossary.of([["VAT", "tax"], ["Tax", "levy"]])
    with pytest.raises(TypeError, match="a member must be text, got 7 in group 1; correct it"):
        Glossary.of([["seven", 7]])
    with pytest.raises(ValueError, match="a member must be plain text"):
        Glossary.of([["a", "b\ud800"]])
    with pytest.raises(ValueError, match="up to 1,048,576 characters, got"):
        Glossary.of([[f"{number} {letter * 90}" for letter in "xy"] for number in range(6_000)])
    for odd in (["COD", "cash on delivery"], 7, {"COD": "cash"}):
        with pytest.raises(TypeError, match="a glossary must be a file or a list of lists"):
            Glossary.of(odd)
    with pytest.raises(FileNotFoundError):
        Glossary.of(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ships COD.", "Ships cash on delivery."),
        ("Ships cash on delivery.", "Ships cash on delivery."),
        ("We sell cod.", "We sell cod."),  # a fish
        ("COD only. COD!", "Cash on delivery only. Cash on delivery!"),
        ("Cash on delivery only.", "Cash on delivery only."),
        ("bob, BOB and Bob", "Robert, Robert and Robert"),
        ("Bob's shop", "Robert's shop"),
        ("it is in IT", "it is in information technology"),
        ("pays (COD)", "pays (cash on delivery)"),
        # Parts of other words.
        ("Bobby, Bob-cat, O'Bob, bob@shop.org, @bob, x.bob", "Bobby, Bob-cat, O'Bob, bob@shop.org, @bob, x.bob"),
        ("Bob\u0301 waits", "Bob\u0301 waits"),
        ("", ""),
    ],
)
def test_whole_words_become_the_longest_member(text, expected):
    assert SHOP.rewrite(text) == expected


def test_members_are_read_as_texts_are():
    glossary = Glossary.of([["O’Reilly", "Oreilly media"], ["m²", "square metres"]])
    assert glossary.rewrite(normalise("O'Reilly sells 5 m².")) == "Oreilly media sells 5 square metres."


def test_the_longest_member_wins_and_of_equally_long_ones_that_in_capitals():
    glossary = Glossary.of(
        [["bank", "lender"], ["river bank", "waterside"], ["US", "United States"], ["us", "our team"]]
    )
    assert glossary.rewrite("the bank on the river bank") == "the lender on the river bank"
    assert glossary.rewrite("the waterside and the Bank") == "the river bank and the Lender"
    assert glossary.rewrite("US and us") == "United States and our team"


def test_of_equally_long_members_the_first_stays():
    assert Glossary.of([["sofa", "bed", "seat"]]).rewrite("a seat, a bed") == "a sofa, a sofa"


def test_members_may_have_marks_and_digits():
    glossary = Glossary.of([["w/", "with"], ["C++", "cpp"], ["1", "one"], ["Q1", "first quarter"]])
    assert glossary.rewrite("tea w/ milk, 1 of 1,000, 1/2, 1") == "tea with milk, one of 1,000, 1/2, one"
    assert glossary.rewrite("cpp and C++ in Q1") == "C++ and C++ in first quarter"


def test_occurrences_say_where_a_member_stood():
    assert list(SHOP.occurrences("bob pays COD")) == [Occurrence(0, 3, "Robert"), Occurrence(9, 12, "cash on delivery")]


def test_letters_that_two_letters_are_in_lower_case_keep_their_place():
    glossary = Glossary.of([["İstanbul", "Constantinople"]])
    assert glossary.rewrite("İİ İstanbul") == "İİ Constantinople"


def test_a_copy_in_another_process_is_equal():
    copy = pickle.loads(pickle.dumps(SHOP))
    assert (copy, hash(copy), copy.digest) == (SHOP, hash(SHOP), SHOP.digest)
    assert Glossary.of([["COD", "cash on delivery"]]).digest != SHOP.digest


WORDS = st.lists(st.sampled_from(["a", "Bob", "cod", "COD", "cash", "on", "delivery", "-", "it", "x.y", "don't"]))


@given(WORDS, st.text())
def test_without_a_member_in_it_a_text_stays_as_it_is(words, more):
    strange = Glossary.of([["zzqx", "qqvz wwjx"], ["QZX", "jjqk"]])
    for text in (" ".join(words), more):
        assert strange.rewrite(text) == text


@given(WORDS)
def test_what_is_rewritten_has_no_other_member(words):
    # True of these groups, of which no member stands in another.
    text = SHOP.rewrite(" ".join(words))
    assert SHOP.rewrite(text) == text
    assert all(text[found.start : found.end].lower() == found.new.lower() for found in SHOP.occurrences(text))


def test_texts_are_rewritten_before_they_are_analysed():
    pairs = [("Ships  COD.", "Ships cash on delivery."), ("Bob left.", "Ann left.")]
    own, expected = (
        analyse(pairs, glossary=SHOP),
        analyse([tuple(SHOP.rewrite(normalise(text)) for text in pair) for pair in pairs]),
    )
    assert own.sentences == expected.sentences
    assert own.left.tolist() == expected.left.tolist() == [0, 1]
    assert own.right.tolist() == [0, 2]
