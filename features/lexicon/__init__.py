"""What is known of English words: WordNet, paraphrases, frequencies."""
