"""Features of published systems, which the core finds by the entry point group ``samewise.features``."""

from ..features.base.extensions import ShippedTable
from ..features.statistics.fitted import Resource
from .families.lemma_translation import LemmaNgramCounts
from .lexicon.glosses import gloss_index
from .lexicon.paragraph_models import paragraph_models

FAMILIES = f"{__package__}.families"
"""The package of the families."""

SHIPPED_TABLES = {
    "glosses": ShippedTable(gloss_index, lambda: gloss_index().digest),
    "paragraphs": ShippedTable(paragraph_models, lambda: paragraph_models().digest),
}
"""The tables that only these families read, by name."""

RESOURCES: dict[str, type[Resource]] = {LemmaNgramCounts.name: LemmaNgramCounts}
"""The fitted resources that only these families read, by name."""

FEATURE_SETS: dict[str, tuple[str, ...]] = {
    # With a parse: the aligner reads dependencies, and so do two more families.
    "parsed": (*("fast", "-lexical_alignment"), *("alignment", "lexical_relations", "negation_scope")),
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
        *("embedding.latent", "embedding.latent_relational"),
    ),
    # Bär et al. (2012) without a thesaurus and a translator.
    "ukp": (
        *("sequence.characters", "sequence.tiling", "sequence.monge_elkan"),
        *("ngram.jaccard", "ngram.containment"),
        *("ngram.characters_cosine", "-ngram.characters_cosine.counts_n3", "ngram.stop_word"),
        *("wordnet_overlap.mihalcea.res", "explicit_semantics.concepts"),
    ),
    # Wu et al. (2017): information content with alignment or with a cosine of vectors.
    "bit": ("sentence_information.overlap.ratio", "alignment.share.content", "embedding.by_information*"),
    # Maharjan et al. (2017) without their neural encoders.
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
    # Fialho et al. (2017): from lexical to semantic; dependencies replace their graphs of meaning.
    "l2f": (
        *("bow.one_hot", "ngram.jaccard", "ngram.containment", "ngram.characters_cosine", "lemma_ngram.lemmas.n?"),
        *("sequence", "length.relative_difference", "negation", "number.match", "number.names", "entity.overlap"),
        *("translation", "wordnet_overlap", "dependency.triples_count.f1", "dependency.pairs_count.f1"),
    ),
}
"""Patterns on column names, or names of other sets, by name of the set; ``-pattern`` removes columns."""
