"""Ways to compare two sequences of words that several families share."""
