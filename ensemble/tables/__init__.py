"""Tables of sentence pairs: recognise, read and write them as streams, nothing lost."""
