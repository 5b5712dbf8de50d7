"""From text to annotated sentences: tokens, stop words, and what the spaCy pipeline adds."""
