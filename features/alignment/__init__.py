"""The word aligner (Sultan et al., 2014): related words, dependency neighbours, names, nine stages, coverage."""
