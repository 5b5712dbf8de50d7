"""Facts about words: WordNet, paraphrases, frequencies, vectors, dictionaries."""
