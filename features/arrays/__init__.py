"""Rows of unequal length, kernels, runs and shifts as array operations; nothing here knows what a word is."""
