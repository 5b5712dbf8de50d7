"""Named sets of features: those of the shipped models, and those that extensions add."""

from ..base.extensions import Extended, added

_SETS: dict[str, tuple[str, ...]] = {
    # Chosen by cross-validation on the training split; docs/training.md has the figures.
    "surface": (
        *("bow.empty", "bow.one_hot", "bow.smooth"),
        "negation",
        *("ngram.containment", "ngram.inside_words", "ngram.stems", "ngram.tokens", "ngram.words"),
        *("number", "sequence", "style"),
        *("translation", "-translation.ter", "-translation.rouge_*", "-translation.chrf"),
        *("unmatched", "values"),
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
    # With word vectors, which replace the alignment of words by WordNet in `lexical`; no parser.
    "fast": (
        *("lexical", "-soft_alignment", "translation.bleu", "translation.meteor", "wordnet_overlap.mihalcea"),
        *("award_penalty", "neighbours", "transport", "embedding_match"),
        *("embedding_alignment", "-embedding_alignment.entity"),
        *("embedding", "-embedding.pooled*", "-embedding.nouns", "-*.*relational*"),
    ),
    # A sentence encoder in place of a parse, at about the same cost; it correlates better with the scores.
    "full": ("fast", "contextual.cosine", "contextual.distance", "contextual.isotropic"),
    # Features of sentences in any supported language, and of pairs in two languages.
    "multilingual": ("shared_space",),
}

FEATURE_SETS: Extended[tuple[str, ...]] = Extended(_SETS, added("FEATURE_SETS"))
"""Patterns on column names, or names of other sets, by name of the set; ``-pattern`` removes columns."""
