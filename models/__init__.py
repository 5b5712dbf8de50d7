"""Members that map columns or pairs to a score on 0..5, and the bundles in which models are kept."""
