"""Differences of meaning between the two texts of a pair, as data."""
