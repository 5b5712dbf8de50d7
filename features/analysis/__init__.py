"""Analysis of sentences: tags, lemmas, annotation, editing."""
