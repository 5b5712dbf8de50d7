"""The catalogue of features, computed from the modules of this folder, and the named sets."""

import importlib
import importlib.util
import json
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from .declaration import Feature

FEATURE_SETS: dict[str, tuple[str, ...]] = {
    # Chosen by cross-validation on the training split; docs/training.md has the figures.
    "surface": (
        *("bow.empty", "bow.one_hot", "bow.smooth"),
        "negation",
        *("ngram.containment", "ngram.inside_words", "ngram.stems", "ngram.tokens", "ngram.words"),
        *("number", "sequence", "style"),
        *("translation", "-translation.ter", "-translation.rouge_*", "-translation.chrf"),
        "unmatched",
    ),
    # Everything that needs strings and tokens only.
    "strings": (*("bow", "length", "negation", "ngram", "number", "sequence", "style", "translation", "unmatched"),),
    # What needs tags, lemmas and lexical tables besides, but no vectors.
    "lexical": (
        *("surface", "-bow", "-translation"),
        *("cardinality", "information", "lexical_alignment", "sentence_information"),
        *("part_of_speech", "-part_of_speech.tag_ngrams", "-part_of_speech.count_*"),
        *("soft_alignment.aligned", "soft_alignment.relatedness", "soft_alignment.shape"),
    ),
    # No parser; the distilled vectors stand where `lexical` compares words by WordNet.
    "fast": (
        *("lexical", "-soft_alignment"),
        *("award_penalty", "neighbours", "transport", "embedding_match"),
        *("embedding_alignment", "-embedding_alignment.entity"),
        *("embedding", "-embedding.pooled*", "-embedding.nouns", "-*.*relational*"),
    ),
    # The aligner with a parse, and what looks at dependencies.
    "parsed": (*("fast", "-lexical_alignment"), *("alignment", "lexical_relations", "negation_scope")),
    # What a sentence encoder says, where `parsed` has a parse: it takes about as long and says more.
    "full": ("fast", "contextual.cosine", "contextual.distance", "contextual.isotropic"),
    # What can be said of sentences of any supported language, and of two.
    "multilingual": ("shared_space",),
    # The 230 columns of Tian et al. (2017), in the order of their definitions.
    "ecnu": (
        *("ngram.tokens", "lemma_ngram.lemmas.n?"),
        *("ngram.filtered.words_*", "lemma_ngram.filtered"),
        "lemma_ngram.characters_f1",
        *("ngram.idf_weighted.ecnu_words_*", "lemma_ngram.idf_weighted.ecnu_*"),
        "lemma_translation",
        *("lemma_sequence.lemmas", "-lemma_sequence.lemmas.similarity", "lemma_sequence.lemma_distance"),
        "lemma_bow.kept",
        "paragraph_vector.distributed_memory",
        *("alignment.share.all", "alignment.idf_coverage.ecnu", "alignment.class_coverage"),
        *("dependency.triples_idf", "dependency.triples_count", "dependency.pairs_idf", "dependency.pairs_count"),
        "negation.differs",
        "wordnet_overlap.li",
        *("part_of_speech.lemmas", "embedding.nouns"),
        *("lemma_sequence.nouns", "-lemma_sequence.nouns.similarity", "lemma_sequence.noun_distance"),
        "tree_kernel.constituency",
        *("embedding.pooled_distilled", "embedding.pooled_relational"),
        *("embedding.pooled_distilled_lemmas", "embedding.pooled_relational_lemmas"),
    ),
    # Saric et al. (2012), the 21 columns of their simple system.
    "takelab": (
        *("number.match.f1", "number.match.subset", "number.names", "number.log_count"),
        *("ngram.words", "lemma_ngram.lemmas.takelab_*"),
        "wordnet_overlap.path",
        *("information.words.overlap", "information.lemmas.overlap"),
        *("length.relative_difference.tokens", "information.words.difference"),
        "embedding.latent",
    ),
    # Bär et al. (2012) without a thesaurus and a translator.
    "ukp": (
        *("sequence.characters", "sequence.tiling", "sequence.monge_elkan"),
        *("ngram.jaccard", "ngram.containment"),
        *("ngram.characters_cosine", "-ngram.characters_cosine.counts_n3", "ngram.stop_word"),
        *("wordnet_overlap.mihalcea.res", "explicit_semantics.concepts"),
    ),
    # Wu et al. (2017): information content with alignment or with a cosine of vectors.
    "bit": ("sentence_information.overlap.ratio", "alignment.share.content", "embedding.by_information"),
    # Maharjan et al. (2017) but for their neural encoders.
    "dt_team": (
        "lemma_sequence.unified_overlap.f1",
        *("embedding_alignment.greedy", "embedding_alignment.optimal", "embedding_alignment.chunks"),
        *("embedding_alignment.unaligned", "embedding_alignment.penalised"),
        *("part_of_speech.count_difference", "part_of_speech.count_ratio"),
        "embedding.cosine_*",
    ),
    # Al-Natsheh et al. (2017).
    "udl": (
        *("embedding_alignment.part_of_speech", "embedding_alignment.entity"),
        *("number.difference", "ngram.inside_words", "length.size.characters_difference"),
    ),
    # Henderson et al. (2017), the 352 string metrics of one of their five models.
    "mitre_strings": ("string_metrics",),
    # Liu et al. (2017): ontology, word vectors, information content, alignment and surface.
    "itnlp": (
        *("wordnet_overlap.li", "wordnet_overlap.path", "sentence_information.overlap"),
        *("embedding.pooled_distilled", "embedding.pooled_relational"),
        *("embedding.cosine_distilled", "embedding.cosine_relational"),
        *("information.words.overlap", "information.lemmas.overlap"),
        *("alignment.share", "alignment.idf_coverage.ecnu", "alignment.class_coverage", "alignment.side_coverage"),
        *("ngram.tokens", "lemma_ngram.lemmas.n?", "ngram.filtered.words_*", "lemma_ngram.filtered"),
        *("ngram.idf_weighted.ecnu_words_*", "lemma_ngram.idf_weighted.ecnu_*", "lemma_ngram.characters_f1"),
        *("lemma_sequence.lemmas", "-lemma_sequence.lemmas.similarity", "lemma_sequence.lemma_distance"),
    ),
    # Kohail et al. (2017): similarity of dependency graphs, coverage and lexical similarity.
    "sts_uhh": (
        *("dependency.triples_idf", "dependency.pairs_idf", "dependency.aligned"),
        *("alignment.share", "alignment.side_coverage", "ngram.containment", "information.lemmas.cover_*"),
        *("ngram.words", "lemma_ngram.lemmas.n?", "bow.one_hot", "lemma_bow.smooth", "sequence.characters"),
        *("negation.differs", "number.match"),
    ),
    # Brychcín and Svoboda (2016): lexical, syntactic and semantic columns with an alignment weighted by idf.
    "uwb": (
        *("lemma_ngram.lemmas.n?", "lemma_ngram.characters_f1", "part_of_speech.tag_ngrams", "lemma_bow.smooth"),
        *("lemma_sequence.lemmas", "sequence.characters"),
        *("dependency.triples_count.f1", "dependency.pairs_count.f1", "dependency.relations"),
        *("alignment.share.content", "alignment.idf_coverage", "embedding.cosine_distilled"),
        *("embedding.cosine_relational", "paragraph_vector.bag_of_words"),
    ),
    # Fialho et al. (2017): from lexical to semantic; dependencies stand where they compare graphs of meaning.
    "l2f": (
        *("bow.one_hot", "ngram.jaccard", "ngram.containment", "ngram.characters_cosine", "lemma_ngram.lemmas.n?"),
        *("sequence", "length.relative_difference", "negation", "number.match", "number.names", "entity.overlap"),
        *("translation", "wordnet_overlap", "dependency.triples_count.f1", "dependency.pairs_count.f1"),
    ),
}
"""Set name to patterns on column names and names of sets; what begins with ``-`` takes columns away."""


def _features_in(module: ModuleType) -> list[Feature]:
    values = [value for value in vars(module).values() if isinstance(value, Feature)]
    return [value for value in values if value.compute.__module__ == module.__name__]


_FAMILIES = Path(__file__).parent / "families"


@lru_cache(maxsize=1)
def _modules() -> tuple[ModuleType, ...]:
    package = __package__ or ""
    names = sorted(info.name for info in pkgutil.iter_modules([str(_FAMILIES)]))
    return tuple(importlib.import_module(f"{package}.families.{name}") for name in names)


_COSTS = Path(__file__).parent / "data" / "costs.json"


@lru_cache(maxsize=1)
def all_features() -> tuple[Feature, ...]:
    """Return every feature of the folder, by module name and then in the order of definition."""
    return tuple(value for module in _modules() for value in _features_in(module))


@lru_cache(maxsize=1)
def costs() -> dict[str, float]:
    """Return what each feature costs, by full name: microseconds of one core a pair, computed alone.

    Measured by ``benchmarks/cost_by_feature.py``. A feature that was not measured, such as a user's, is missing.
    """
    measured: dict[str, float] = json.loads(_COSTS.read_text(encoding="utf-8"))["alone"]
    return measured


def load_features(path: str | Path) -> tuple[Feature, ...]:
    """Return the features that a user's Python file declares.

    The file is run: load only files that you trust.

    Raises
    ------
    ValueError
        If the file declares no feature.
    """
    path = Path(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file; give one that ends in .py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = tuple(_features_in(module))
    if not found:
        raise ValueError(f"{path} declares no feature; decorate a function with @samewise.feature(...)")
    return found


def _patterns(item: str) -> Iterator[str]:
    """Yield the patterns of a set, those of the sets that it names included, or the pattern itself."""
    for pattern in FEATURE_SETS.get(item, (item,)):
        yield from _patterns(pattern) if pattern in FEATURE_SETS and pattern != item else (pattern,)


def resolve(spec: str | Iterable[str | Feature]) -> tuple[tuple[Feature, ...], tuple[str, ...]]:
    """Return the features to compute and the columns to keep for a named set, patterns or features.

    Parameters
    ----------
    spec
        The name of a set (`FEATURE_SETS`), a pattern such as ``"ngram.*"``, or a list of these and of `Feature` values.
        Patterns match full column names, ``*`` any run of characters; ``-pattern`` takes columns away.

    Returns
    -------
    features
        In catalogue order.
    columns
        In the order of the patterns; what one pattern matches, in catalogue order.

    Raises
    ------
    ValueError
        If a pattern matches nothing, a name is used twice, or nothing is left.

    Examples
    --------
    >>> features, columns = resolve(["negation", "-negation.count.total"])
    >>> columns
    ('negation.differs.parity', 'negation.count.difference')
    """
    items: Sequence[str | Feature] = [spec] if isinstance(spec, str) else list(spec)
    patterns: list[str] = []
    known = list(all_features())
    for item in items:
        if isinstance(item, Feature):
            if item.full_name not in {value.full_name for value in known}:
                known.append(item)
            elif not any(item is value for value in known):
                raise ValueError(f"the feature name {item.full_name!r} is taken; rename the function or its file")
            patterns.append(f"{item.full_name}.*")
        else:
            patterns.extend(_patterns(item))
    columns = [column for value in known for column in value.columns]
    chosen: dict[str, None] = {}
    for pattern in patterns:
        glob = pattern.removeprefix("-")
        matched = [column for column in columns if fnmatchcase(column, glob) or fnmatchcase(column, f"{glob}.*")]
        if not matched:
            families = ", ".join(dict.fromkeys(value.family for value in known))
            raise ValueError(
                f"no feature matches {glob!r}; the sets are {', '.join(FEATURE_SETS)} and the families {families}"
            )
        if pattern.startswith("-"):
            chosen = {column: None for column in chosen if column not in matched}
        else:
            chosen |= dict.fromkeys(matched)
    if not chosen:
        raise ValueError(f"no column is left of {patterns!r}; take away less")
    wanted = tuple(value for value in known if not chosen.keys().isdisjoint(value.columns))
    return wanted, tuple(chosen)
