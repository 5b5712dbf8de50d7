"""Values that all of features reads: sentences, features, sequences of tokens, caches."""
