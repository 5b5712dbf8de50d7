"""Shipped tables: what features and resources declare is what a run loads, and what the shipped models record."""

import json

import pytest
from samewise.features import all_features, feature, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.analysis.annotator import load_annotator
from samewise.features.base.feature import highest_level
from samewise.features.base.sentences import PairBatch
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.linguistics.languages import Languages
from samewise.features.pipeline.catalogue import load_features
from samewise.features.pipeline.extraction import Extraction
from samewise.features.pipeline.registry import RESOURCES, SHIPPED_TABLES, check_needs, record_of_tables, tables_read

from ...conftest import PAIRS, ROOT, analysed

# The second pair has named entities on both sides.
TEXTS = [PAIRS[0], ("Mary Taylor met Peter Jones in Berlin.", "Mr Jones visited Ms Taylor in London."), *PAIRS[2:6]]
FOREIGN = [("El perro Milo corre 3 km.", "The dog Milo runs 3 km."), ("Köpek koşuyor.", "A dog is running.")]

FAST = {
    "distilled": "cc7cefc7b247a1bd",
    "paraphrases": "ccc76d58c4c39ec3",
    "pipeline": {"digest": "6680e1f0dae35567", "name": "samewise"},
    "wordnet": "23ed9caad3f9c892",
}
RECORDED = {
    "surface": {},
    "fast": FAST,
    "full": {**FAST, "encoder": "264d117a45807b96"},
    "translations": FAST,
    "multilingual": {"multilingual_encoder": "d7e3475bb17deaf4", "multilingual_cross_encoder": "9a7879bfe8141fcf"},
}
"""Tables that the shipped models record."""


def batch_of(level, foreign=False):
    """Pairs without anything that was computed for them before."""
    batch = analyse(FOREIGN, languages=Languages()) if foreign else analysed(TEXTS, level)
    return PairBatch(batch.sentences, batch.left, batch.right)


def loaded(run):
    """Return the names of the shipped tables that are loaded during a call; vectors are loaded by name."""
    shipped_vectors.cache_clear()
    before = {name: _calls(table) for name, table in SHIPPED_TABLES.items()}
    run()
    names = {name for name, table in SHIPPED_TABLES.items() if _calls(table) > before[name]}
    for name in names & {"distilled", "relational"}:
        misses = shipped_vectors.cache_info().misses
        shipped_vectors(name)
        if shipped_vectors.cache_info().misses > misses:
            names = names - {name}
    return names


def _calls(table):
    return sum(table.load.cache_info()[:2])


@pytest.mark.slow
@pytest.mark.parametrize("value", all_features(), ids=lambda value: value.full_name)
def test_a_feature_declares_the_tables_that_it_loads(value, training):
    batch = batch_of(value.level, foreign=value.family == "shared_space")
    assert loaded(lambda: value(batch, **training[1])) == set(value.tables)


@pytest.mark.slow
@pytest.mark.parametrize("kind", RESOURCES.values(), ids=RESOURCES)
def test_a_resource_declares_the_tables_that_it_loads(kind):
    sentences = batch_of("tokens" if kind.name == "space_means" else kind.level, kind.name == "space_means").sentences
    assert loaded(lambda: kind.fit(sentences)) == set(kind.tables)


def test_the_contract_notices_a_missing_and_a_superfluous_declaration():
    @feature("x", needs=("paraphrases",))
    def reads_another(pairs):
        wordnet()
        shipped_vectors("relational")
        return [[0.0] for _ in pairs]

    assert loaded(lambda: reads_another(batch_of("tokens"))) == {"wordnet", "relational"}
    assert set(reads_another.tables) == {"paraphrases"}


def tables(*patterns):
    return tables_read(resolve(patterns)[0])


def test_tables_are_those_declared():
    assert tables("bow", "ngram", "user_embedding") == []
    assert tables("embedding_match.distilled") == ["distilled"]
    assert tables("embedding.cosine_distilled") == ["distilled"]
    assert tables("embedding.cosine_relational") == ["relational"]
    assert tables("contextual.distance", "explicit_semantics") == ["encoder", "glosses"]


def test_above_tokens_wordnet_and_the_paraphrases_count():
    assert tables("cardinality.words") == []
    assert tables("cardinality.lemmas") == tables("alignment") == ["paraphrases", "wordnet"]


@pytest.mark.parametrize("profile", RECORDED)
def test_the_record_is_that_of_the_shipped_models(profile):
    folder = profile_folder(profile)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest.get("foundations", {}) == RECORDED[profile]
    features = resolve(manifest["columns"])[0]
    annotator = None if highest_level(features) == "tokens" else load_annotator()
    assert record_of_tables([*tables_read(features), "unknown"], annotator) == RECORDED[profile]


def profile_folder(profile):
    folder = ROOT / "models" / "pretrained" / profile
    return folder if folder.exists() else ROOT / "weights" / "languages" / "samewise_languages" / "profiles" / profile


@pytest.mark.parametrize(
    ("needs", "takes", "message"),
    [
        ("wordnett", "", r"needs 'wordnett', which is unknown; declare one of idf, .*user_vectors.*wordnet"),
        ("idf", "", "needs 'idf' and does not take it; add it as a parameter"),
        ("wordnet", ", wordnet", "takes the shipped table 'wordnet'; load it inside the function"),
    ],
)
def test_a_wrong_need_is_refused_before_anything_is_fitted(needs, takes, message, tmp_path):
    path = tmp_path / "mine.py"
    head = f"from samewise.features import feature\n\n@feature('x', needs=({needs!r},))\n"
    path.write_text(f"{head}def zero(pairs{takes}):\n    return [[0.0] for _ in pairs]\n")
    with pytest.raises(ValueError, match=f"mine.zero {message}"):
        Extraction.fit(PAIRS[:3], load_features(path))


def test_a_function_may_take_its_resources_by_any_keyword():
    @feature("x", needs=("idf", "frequencies"))
    def zero(pairs, **resources):
        return [[float(len(resources))] for _ in pairs]

    check_needs([zero])
    assert zero(analyse([("a", "b")]), idf=1, frequencies=2, other=3).tolist() == [[2.0]]
