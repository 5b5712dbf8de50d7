import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import TreebankWordTokenizer
from samewise.features.analysis.analysis import normalise
from samewise.features.linguistics.tokenizer import token_spans, tokenize

GOLDEN = [
    ("", []),
    ("Birds sing.", ["Birds", "sing", "."]),
    ("It cost $3.88, didn't it?", ["It", "cost", "$", "3.88", ",", "did", "n't", "it", "?"]),
    ('"Stop," she said.', ["``", "Stop", ",", "''", "she", "said", "."]),
    ("They'll come at 10:30 (or 11).", ["They", "'ll", "come", "at", "10:30", "(", "or", "11", ")", "."]),
    ("I cannot, and I'm gonna say so...", ["I", "can", "not", ",", "and", "I", "'m", "gon", "na", "say", "so", "..."]),
    ("Dr. No left. He ran.", ["Dr.", "No", "left.", "He", "ran", "."]),
    ("the dogs' bowls", ["the", "dogs", "'", "bowls"]),
    ("“Don’t”", ["``", "Do", "n't", "''"]),
]


@pytest.mark.parametrize(("text", "tokens"), GOLDEN)
def test_golden(text, tokens):
    assert tokenize(text) == tokens


pieces = st.sampled_from(
    "the dog cannot can't dogs' \" '' `` ' . ... , : ; ? ! -- ( ) [ ] <b> $5 3,5 10:30 'tis 'Twas d'ye more'n wanna "
    "gimme N'T we'll x. U.S. & @a %".split()
)


@given(st.lists(st.tuples(pieces, st.sampled_from(["", " "])), max_size=10))
def test_parity_with_nltk(parts):
    text = normalise("".join(piece + space for piece, space in parts))
    assert tokenize(text) == TreebankWordTokenizer().tokenize(text)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=30))
def test_parity_with_nltk_on_any_ascii(text):
    text = normalise(text)
    assert tokenize(text) == TreebankWordTokenizer().tokenize(text)


@pytest.mark.slow
def test_parity_with_nltk_on_the_benchmark(data):
    reference = TreebankWordTokenizer()
    for name in ("train", "dev", "test"):
        for line in (data / "stsbenchmark" / f"sts-{name}.csv").read_text(encoding="utf-8").split("\n")[:-1]:
            for text in line.split("\t")[5:7]:
                text = normalise(text)
                if text.isascii():
                    assert tokenize(text) == reference.tokenize(text)


def test_spans_are_those_of_the_tokens():
    text = "“Don’t wait”, she said: it’s 5kg (or 6)."
    tokens = tokenize(text)
    written = [text[slice(*span)] for span in token_spans(text, tokens)]
    assert written[:5] == ["“", "Do", "n’t", "wait", "”"]
    assert "".join(written) == text.replace(" ", "")
    assert token_spans("a lamp", ["a", "rug"]) == []
