"""Steps from a choice of features to a matrix: catalogue, sets, registry, extraction."""
