"""Strings of items and their metrics."""
