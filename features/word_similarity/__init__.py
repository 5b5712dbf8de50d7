"""Similarity of the words of two sentences, and the pairing of words by it."""
