"""Tests of features/pipeline."""
