"""How alike two sentences are in meaning, from 0 to 5."""
