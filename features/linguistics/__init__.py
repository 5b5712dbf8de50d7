"""Analysis of text: tokens, stop words, tags, lemmas, dependencies and names, and the facts about languages."""
