import json
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis import annotator as module
from samewise.features.analysis.analysis import analyse, analyse_texts, normalise
from samewise.features.analysis.annotator import Annotator, check_files, load_annotator, one_root
from samewise.features.analysis.tagger import shipped_tagger
from samewise.features.base.sentences import Entity, Sentence

from samewise import features

FOLDER = Path(features.__file__).parent / "data" / "pipeline"
WORDS = (
    "the a an old young three dogs dog boy girl man woman people runs running eats ate was is n't not has been in on "
    "under with by from Berlin Maria Monday 2019 7 $ % , . ? ! ( ) `` '' guitar well-known soup quickly red and or that"
).split()


def annotated(text, level="parsed"):
    return load_annotator().annotate(analyse_texts([normalise(text)]), level)[0]


def by_word(text):
    """{word: (lemma, tag, word of the head, relation)} of a sentence without repeated words."""
    s = annotated(text)
    heads = [s.words[head] for head in s.heads]
    return dict(zip(s.words, zip(s.lemmas, s.tags, heads, s.relations, strict=True), strict=True))


def drawn(n, seed=0, longest=30):
    choose = random.Random(seed)
    return analyse_texts([" ".join(choose.choices(WORDS, k=choose.randint(1, longest))) for _ in range(n)])


def test_contractions_and_a_negation():
    s = annotated("They didn't see that she'll leave and we're tired")
    assert s.tokens[1:3] == ("did", "n't")
    assert (
        dict(zip(s.words, s.lemmas, strict=True)).items()
        >= {
            "did": "do",
            "n't": "not",
            "'ll": "will",
            "'re": "be",
        }.items()
    )


def test_a_simple_sentence():
    found = by_word("A woman is slicing two onions.")
    assert found["woman"] == ("woman", "NN", "slicing", "nsubj")
    assert found["is"] == ("be", "VBZ", "slicing", "aux")
    assert found["slicing"] == ("slice", "VBG", "slicing", "root")
    assert found["onions"] == ("onion", "NNS", "slicing", "obj")
    assert found["two"][2:] == ("onions", "nummod")


def test_a_passive_with_an_agent_and_a_possessor():
    found = by_word("The ball was thrown by Anna's brother.")
    assert found["ball"][2:] == ("thrown", "nsubj:pass")
    assert found["was"][2:] == ("thrown", "aux:pass")
    assert found["brother"][2:] == ("thrown", "obl:agent")
    assert found["anna"][2:] == ("brother", "nmod:poss")
    assert found["thrown"][:2] == ("throw", "VBN")


def test_entities_cover_whole_names():
    s = annotated("Peter Miller flew to London on Monday.")
    assert Entity(0, 2, "PERSON") in s.entities
    assert Entity(4, 5, "GPE") in s.entities
    assert Entity(6, 7, "DATE") in s.entities


def test_lexical_leaves_the_tree_empty_and_agrees_with_parsed():
    sentences = drawn(50)
    lexical = load_annotator().annotate(sentences, "lexical")
    parsed = load_annotator().annotate(sentences, "parsed")
    assert all(s.level == "lexical" and not s.heads and not s.entities for s in lexical)
    assert all(s.level == "parsed" for s in parsed)
    assert [(s.tags, s.lemmas) for s in lexical] == [(s.tags, s.lemmas) for s in parsed]


@pytest.mark.slow
def test_lexical_does_without_spacy():
    code = (
        "import sys; from samewise.features.analysis.analysis import analyse; "
        "batch = analyse([('Dogs bark.', 'A dog barked.')], level='lexical'); "
        "assert batch[0].b.lemmas == ('a', 'dog', 'bark', '.'), batch[0]; "
        "sys.exit('spacy' in sys.modules or 'thinc' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_analyse_uses_the_shipped_pipeline():
    batch = analyse([("A boy sleeps.", "")], level="parsed")
    assert batch[0].a == annotated("A boy sleeps.")
    assert batch[0].b == Sentence("", (), (), ())


texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.text(max_size=40),
    st.sampled_from(["\x00", "a\x00b", "\u200b", "😀 😀", "\u2028", "привет мир", "你好", "\ud800", "́", "-" * 300]),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=6))
def test_any_text_gets_one_tree_whatever_else_is_in_the_batch(batch):
    sentences = analyse_texts([normalise(text) for text in batch])
    together = load_annotator().annotate(sentences, "parsed")
    for before, s in zip(sentences, together, strict=True):
        assert s[:5] == before[:5]
        assert len(s.tags) == len(s.lemmas) == len(s.heads) == len(s.relations) == len(s.tokens)
        assert all(s.tags) and all(s.lemmas) and all(lemma == lemma.lower() for lemma in s.lemmas)
        assert s.relations.count("root") == bool(s.tokens) == sum(head == i for i, head in enumerate(s.heads))
        for i in range(len(s.heads)):
            for _ in s.heads:
                i = s.heads[i]
            assert s.heads[i] == i  # no cycle
        ends = [0]
        for entity in s.entities:
            assert ends[-1] <= entity.start < entity.end <= len(s.tokens)
            ends.append(entity.end)
    alone = [load_annotator().annotate([sentence], "parsed")[0] for sentence in sentences]
    assert alone == together


def test_vectors_are_the_same_bits_alone_and_in_a_batch():
    from spacy.tokens import Doc

    nlp = load_annotator()._nlp
    sentences = drawn(40)
    docs = [Doc(nlp.vocab, words=list(s.tokens)) for s in sentences]
    vectors = nlp.get_pipe("tok2vec")
    together = vectors.predict(docs)
    assert all((vectors.predict([doc])[0] == rows).all() for doc, rows in zip(docs, together, strict=True))


@pytest.mark.slow
def test_order_and_chunks_change_nothing(monkeypatch):
    sentences = drawn(200, seed=1)
    expected = load_annotator().annotate(sentences, "parsed")
    assert load_annotator().annotate(sentences[::-1], "parsed") == expected[::-1]
    monkeypatch.setattr(module, "CHUNK_TOKENS", 7)
    monkeypatch.setattr(module, "BATCH_SENTENCES", 2)
    assert load_annotator().annotate(sentences, "parsed") == expected


def test_threads_change_nothing():
    sentences = drawn(60, seed=2)
    expected = load_annotator().annotate(sentences, "parsed")
    found = [[] for _ in range(4)]

    def work(k):
        for _ in range(2):
            found[k].append(load_annotator().annotate(sentences[k * 15 : k * 15 + 15], "parsed"))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, results in enumerate(found):
        assert results == [expected[k * 15 : k * 15 + 15]] * 2


def test_a_thousand_tokens():
    s = annotated("I a " * 500)
    assert len(s.heads) == 1000
    assert sum(head == i for i, head in enumerate(s.heads)) == 1


def test_the_string_store_does_not_grow():
    choose = random.Random(3)
    strings = load_annotator()._nlp.vocab.strings
    sizes = []
    for _ in range(3):
        fresh = ["".join(choose.choices("bcdfghklmnprstaeiou", k=8)) for _ in range(400)]
        load_annotator().annotate(analyse_texts([" ".join(fresh[i : i + 8]) for i in range(0, 400, 8)]), "parsed")
        sizes.append(len(strings))
    assert len(set(sizes)) == 1


@pytest.mark.slow
def test_a_grown_vocabulary_is_dropped(monkeypatch):
    sentences = drawn(80, seed=5)
    expected = load_annotator().annotate(sentences, "parsed")
    pipeline = module._shipped()
    before = pipeline._nlp
    monkeypatch.setattr(module, "MOST_LEXEMES", len(before.vocab))
    monkeypatch.setattr(module, "CHUNK_TOKENS", 600)
    assert pipeline.annotate(sentences, "parsed") == expected
    assert pipeline._nlp is not before
    assert len(pipeline._nlp.vocab) <= module.MOST_LEXEMES + len(WORDS)


def test_a_vocabulary_that_grows_past_the_limit_in_a_chunk_ends_it_well(monkeypatch):
    sentences = drawn(80, seed=6)
    expected = load_annotator().annotate(sentences, "parsed")
    pipeline = module._shipped()
    monkeypatch.setattr(module, "MOST_LEXEMES", len(pipeline._nlp.vocab) + 5)
    assert pipeline.annotate(sentences, "parsed") == expected


def test_later_roots_hang_from_the_first():
    heads = [1, 1, 3, 3, 4]
    assert one_root(heads, ["det", "ROOT", "det", "ROOT", "ROOT"]) == ["det", "root", "det", "parataxis", "parataxis"]
    assert heads == [1, 1, 3, 1, 1]


def test_the_same_word_and_tag_have_the_same_lemma():
    seen = {}
    for s in load_annotator().annotate(drawn(300, seed=4), "lexical"):
        for word, tag, lemma in zip(s.words, s.tags, s.lemmas, strict=True):
            assert seen.setdefault((word, tag), lemma) == lemma


def test_an_unknown_level_is_refused():
    with pytest.raises(ValueError, match="the annotation level must be 'lexical' or 'parsed', got 'tokens'"):
        load_annotator().annotate([], "tokens")


def test_loaded_once_a_process():
    assert load_annotator() is load_annotator()
    assert load_annotator().name == "samewise"


# ---- what ships


def test_a_changed_or_missing_file_is_refused(tmp_path):
    copy = tmp_path / "pipeline"
    shutil.copytree(FOLDER, copy)
    assert check_files(copy) == check_files(FOLDER)
    rules = json.loads((copy / "lemmas.json").read_text(encoding="utf-8"))
    (copy / "lemmas.json").write_text(json.dumps(rules | {"known": {}}), encoding="utf-8")
    with pytest.raises(ValueError, match="lemmas.json is missing or was changed"):
        check_files(copy)
    (copy / "lemmas.json").unlink()
    with pytest.raises(ValueError, match="lemmas.json is missing or was changed"):
        check_files(copy)


def test_the_digest_follows_the_pipeline_and_the_tagger(monkeypatch):
    digests = {load_annotator().digest, module._shipped().digest}
    assert len(digests) == 1
    monkeypatch.setattr(module, "check_files", lambda folder: "another")
    digests.add(module._shipped().digest)
    monkeypatch.undo()
    monkeypatch.setattr(shipped_tagger(), "digest", "another")
    digests.add(module._shipped().digest)
    assert len(digests) == 3


def test_the_card_meets_its_thresholds():
    card = json.loads((FOLDER / "card.json").read_text(encoding="utf-8"))
    test = card["scores"]["ewt_test"]
    assert test["tags"] >= 92 and test["las"] >= 80 and test["lemmas"] >= 97
    assert {"seed", "epochs", "command", "versions"} <= card.keys()
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{test['las']:.1f}" in readme and "CC BY-SA" in readme and "Attribution" in readme


def test_the_folder_is_small_and_runs_no_code():
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 15_000_000
    assert not [path for path in files if path.suffix in (".py", ".pkl", ".pickle", ".so")]
    listed = {line.split(maxsplit=1)[1] for line in (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()}
    assert listed == {path.relative_to(FOLDER).as_posix() for path in files} - {"SHA256SUMS", "README.md", "card.json"}


# ---- other pipelines


@pytest.fixture(scope="module")
def foreign():
    """A pipeline built here that labels as spaCy's English packages do: it repeats the three sentences it learned."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example
    from thinc.api import fix_random_seed

    fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    ruler = nlp.add_pipe("attribute_ruler")
    nlp.add_pipe("trainable_lemmatizer", config={"min_tree_freq": 1})
    trees = [
        ("She is a pilot", "PRP VBZ DT NN", "she be a pilot", [1, 1, 3, 1], "nsubj ROOT det attr"),
        ("Boys ran in parks", "NNS VBD IN NNS", "Boy run in park", [1, 1, 1, 2], "nsubj ROOT prep pobj"),
        ("He saw red dogs", "PRP VBD JJ NNS", "he see red dog", [1, 1, 3, 1], "nsubj ROOT amod dobj"),
    ]
    examples = []
    for text, tags, lemmas, heads, deps in trees:
        words = text.split()
        gold = Doc(nlp.vocab, words=words, tags=tags.split(), lemmas=lemmas.split(), heads=heads, deps=deps.split())
        examples.append(Example(Doc(nlp.vocab, words=words), gold))
    optimizer = nlp.initialize(lambda: examples)
    ruler.add([[{"TAG": "NNS"}]], {"POS": "NOUN", "MORPH": "Number=Plur"})
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    return nlp


@pytest.mark.slow
def test_another_pipeline_is_converted(foreign):
    pipeline = Annotator(lambda: foreign, "foreign", "0")
    for _ in range(3):
        pilot, boys = pipeline.annotate(analyse_texts(["She is a pilot", "Boys ran in parks"]), "parsed")
        assert pilot.relations == ("nsubj", "cop", "det", "root")
        assert pilot.heads == (3, 3, 3, 3)
        assert boys.relations == ("nsubj", "root", "case", "obl")
        assert boys.heads == (1, 1, 3, 1)
        assert boys.lemmas == ("boy", "run", "in", "park")
        assert boys.tags == ("NNS", "VBD", "IN", "NNS")
        assert boys.entities == ()


@pytest.fixture
def constituency():
    """What benepar registers, with flat trees in place of parsed ones."""
    from spacy.language import Language
    from spacy.tokens import Doc, Span

    def flat(span):
        assert span.doc.user_data["parsed"]
        return f"(S {' '.join(f'({token.tag_} {token.text})' for token in span)})"

    class Flat:
        def __call__(self, doc: Doc) -> Doc:
            doc.user_data["parsed"] = True
            return doc

    Language.factory("benepar", func=lambda nlp, name: Flat())
    Span.set_extension("parse_string", getter=flat)
    yield
    Span.remove_extension("parse_string")


@pytest.mark.slow
def test_constituents_where_the_pipeline_has_them(foreign, constituency):
    foreign.add_pipe("benepar")
    try:
        pipeline = Annotator(lambda: foreign, "foreign", "0")
        sentences = analyse_texts(["She is a pilot", "", "He saw red dogs"])
        parsed = pipeline.annotate(sentences, "parsed")
        assert parsed[0].constituents == "(S (PRP She) (VBZ is) (DT a) (NN pilot))"
        assert parsed[1].constituents == ""
        assert parsed[2].constituents == "(S (PRP He) (VBD saw) (JJ red) (NNS dogs))"
        assert [s.constituents for s in pipeline.annotate(sentences, "lexical")] == ["", "", ""]
        # The shipped pipeline never ran that component: what is registered is not asked.
        assert annotated("She is a pilot").constituents == ""
    finally:
        foreign.remove_pipe("benepar")


def installed(monkeypatch, nlp):
    from importlib import metadata

    import spacy

    monkeypatch.setattr(metadata, "entry_points", lambda group: [SimpleNamespace(name="en_of_ours")])
    monkeypatch.setattr(spacy, "load", lambda name: nlp)
    return module._installed("en_of_ours")


def test_another_pipeline_has_a_name_and_a_digest(foreign, monkeypatch):
    found = installed(monkeypatch, foreign)
    assert found.name == "en_of_ours"
    assert found.digest != load_annotator().digest


def test_a_pipeline_that_lacks_a_part_is_refused(monkeypatch):
    import spacy

    nlp = spacy.blank("en")
    with pytest.raises(
        ValueError, match="must tag, lemmatise and parse, got 'en_of_ours' without a tagger; name another"
    ):
        installed(monkeypatch, nlp)
    nlp.add_pipe("tagger")
    with pytest.raises(ValueError, match="without a lemmatizer"):
        installed(monkeypatch, nlp)


def test_a_package_that_is_not_installed_is_named():
    with pytest.raises(
        ValueError, match="must be installed, got 'en_no_such'; run: python -m spacy download en_no_such"
    ):
        load_annotator("en_no_such")


def test_a_package_that_is_no_pipeline_is_not_imported():
    # joblib is installed and has a function `load`, which spaCy would call with the words of a pipeline.
    with pytest.raises(ValueError, match="the spaCy package must be installed, got 'joblib'"):
        load_annotator("joblib")
