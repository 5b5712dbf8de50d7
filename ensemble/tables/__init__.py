"""Tables of sentence pairs, recognised, read and written as streams without loss."""
