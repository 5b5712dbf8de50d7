"""Formats of word vectors, one module each; `vector_files` lists them."""
