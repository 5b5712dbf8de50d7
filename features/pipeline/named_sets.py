"""Named sets of features: those of the shipped models, and those of published systems."""

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
    # All features of strings and tokens.
    "strings": (*("bow", "length", "negation", "ngram", "number", "sequence", "style", "translation", "unmatched"),),
    # With tags, lemmas and lexical tables; no vectors.
    "lexical": (
        *("surface", "-bow", "-translation"),
        *("cardinality", "information", "lexical_alignment", "sentence_information"),
        *("part_of_speech", "-part_of_speech.tag_ngrams", "-part_of_speech.count_*"),
        *("soft_alignment.aligned", "soft_alignment.relatedness", "soft_alignment.shape"),
    ),
    # With word vectors, which replace the comparison of words by WordNet in `lexical`; no parser.
    "fast": (
        *("lexical", "-soft_alignment"),
        *("award_penalty", "neighbours", "transport", "embedding_match"),
        *("embedding_alignment", "-embedding_alignment.entity"),
        *("embedding", "-embedding.pooled*", "-embedding.nouns", "-*.*relational*"),
    ),
    # With a parse: the aligner reads dependencies, and so do two more families.
    "parsed": (*("fast", "-lexical_alignment"), *("alignment", "lexical_relations", "negation_scope")),
    # A sentence encoder in place of a parse, at about the same cost; it correlates better with the scores.
    "full": ("fast", "contextual.cosine", "contextual.distance", "contextual.isotropic"),
    # Features of sentences in any supported language, and of pairs in two languages.
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
