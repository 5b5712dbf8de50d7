"""Reproduction of the literature: published systems with their learners and networks, and pyramid tests."""
