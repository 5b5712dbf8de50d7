"""The conversions of scripts/train_pipeline.py, on trees written here."""

import gzip
import sys
from random import Random

import pytest

from ..conftest import ROOT

SCRIPTS = ROOT / "scripts"
if not SCRIPTS.is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)
sys.path.insert(0, str(SCRIPTS))

import entities  # noqa: E402
import lemma_rules  # noqa: E402
import treebank  # noqa: E402
from treebank import Tree  # noqa: E402


def tree(text, *rows, spans=()):
    words, tags, lemmas, heads, relations = zip(*rows, strict=True)
    return Tree(words, tags, lemmas, heads, relations, spans, text)


KNOWN = tree(
    'A well-known cook said "Soup!"',
    ("A", "DT", "a", 4, "det"),
    ("well", "RB", "well", 3, "advmod"),
    ("-", "HYPH", "-", 3, "punct"),
    ("known", "VBN", "know", 4, "amod"),
    ("cook", "NN", "cook", 5, "nsubj"),
    ("said", "VBD", "say", 5, "root"),
    ('"', "``", '"', 7, "punct"),
    ("Soup", "NN", "soup", 5, "ccomp"),
    ("!", ".", "!", 7, "punct"),
    ('"', "''", '"', 7, "punct"),
    spans=((4, 5, "PERSON"),),
)
NEWS = tree(
    "The palace was sold in Rome.",
    ("The", "DT", "the", 1, "det"),
    ("palace", "NN", "palace", 3, "nsubj:pass"),
    ("was", "VBD", "be", 3, "aux:pass"),
    ("sold", "VBN", "sell", 3, "root"),
    ("in", "IN", "in", 5, "case"),
    ("Rome", "NNP", "Rome", 3, "obl"),
    (".", ".", ".", 3, "punct"),
    spans=((5, 6, "GPE"),),
)


def test_words_become_our_tokens():
    found = treebank.retokenised(KNOWN)
    assert found.words == ("A", "well-known", "cook", "said", "``", "Soup", "!", "''")
    assert found.tags == ("DT", "JJ", "NN", "VBD", "``", "NN", ".", "''")
    assert found.heads == (2, 2, 3, 3, 5, 3, 5, 5)
    assert found.relations == ("det", "amod", "nsubj", "root", "punct", "ccomp", "punct", "punct")
    assert found.lemmas[1] == "well-known"
    assert found.entities == ((2, 3, "PERSON"),)


def test_a_word_that_we_split_keeps_its_pieces_together():
    found = treebank.retokenised(
        tree("Write to x@y.org", ("Write", "VB", "write", 0, "root"), ("to", "IN", "to", 2, "case"),
             ("x@y.org", "ADD", "x@y.org", 0, "obl"))
    )  # fmt: skip
    assert found.words == ("Write", "to", "x", "@", "y.org")
    assert found.heads == (0, 2, 0, 2, 2)
    assert found.relations == ("root", "case", "obl", "goeswith", "goeswith")


def test_tokens_that_cross_words_are_left_out():
    assert treebank.retokenised(tree("so....I", ("so", "RB", "so", 0, "root"), ("....", ",", "....", 0, "punct"),
                                     ("I", "PRP", "I", 0, "nsubj"))) is None  # fmt: skip


def test_a_headline():
    found = treebank.headline(NEWS)
    assert found.words == ("palace", "sold", "in", "Rome")
    assert found.heads == (1, 1, 3, 1)
    assert found.relations == ("nsubj:pass", "root", "case", "obl")
    assert found.entities == ((3, 4, "GPE"),)


def test_without_final_stop():
    assert treebank.without_final_stop(NEWS).words == NEWS.words[:-1]
    assert treebank.without_final_stop(treebank.headline(NEWS)) == treebank.headline(NEWS)


def test_varied_sentences_stay_trees():
    random = Random(0)
    forms = [treebank.varied(made, random) for made in (KNOWN, NEWS) for _ in range(100)]
    assert len({form.words for form in forms}) > 10
    for form in forms:
        assert [form.heads[i] for i, label in enumerate(form.relations) if label == "root"] == [
            form.relations.index("root")
        ]
        assert all(0 <= head < len(form.words) for head in form.heads)
        assert [span[2] for span in form.entities] in (["PERSON"], ["GPE"])


def test_lemmas_are_learned():
    rows = [("jumped", "jump"), ("camped", "camp"), ("limped", "limp"), ("liked", "like"), ("hiked", "hike")]
    rows += [("went", "go")]
    rules = lemma_rules.learn_lemmas([tree("", *[(word, "VBD", lemma, 0, "root") for word, lemma in rows])])
    assert rules["listed"] == {"VBD": {"went": "go"}}
    lemma_of = lemma_rules.LemmaRules(**rules)
    assert lemma_of("stomped", "VBD") == "stomp"
    assert lemma_of("biked", "VBD") == "bike"


def test_only_the_allowed_genres_are_read(tmp_path):
    path = tmp_path / "x.conllu.gz"
    rows = [
        "# newdoc id = GUM_fiction_a", "# text = No", "1\tNo\tno\tX\tUH\t_\t0\troot\t_\t_", "",
        "# newdoc id = GUM_news_b", "# text = Ann left",
        "1\tAnn\tAnn\tX\tNNP\t_\t2\tnsubj\t_\tEntity=(1-person-new-cf1-1-coref-Ann_X)",
        "2\tleft\tleave\tX\tVBD\t_\t0\troot\t_\t_", "",
    ]  # fmt: skip
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    (found,) = treebank.read_conllu(path, treebank.GENRES, entities=True)
    assert found.words == ("Ann", "left")
    assert found.heads == (1, 1)
    assert found.entities == ((0, 1, "PERSON"),)


def test_names_and_numbers():
    words = "Mayor Ann Lee of Bern paid $ 5 million on Monday for three maps , 10 % of them".split()
    tags = "NNP NNP NNP IN NNP VBD $ CD CD IN NNP IN CD NNS , CD NN IN PRP".split()
    mentions = [
        entities.Mention(0, 5, "person", 0, ""),
        entities.Mention(4, 5, "place", 4, "Bern"),
        entities.Mention(10, 11, "time", 10, ""),
        entities.Mention(12, 14, "object", 13, ""),
    ]
    assert entities.name_spans(words, tags, [0] * len(words), mentions) == (
        (1, 3, "PERSON"),
        (4, 5, "GPE"),
        (6, 9, "MONEY"),
        (10, 11, "DATE"),
        (12, 13, "CARDINAL"),
        (15, 17, "PERCENT"),
    )
