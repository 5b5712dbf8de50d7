"""Comparison of two sequences as strings: metrics, runs, edits, subsequences."""
