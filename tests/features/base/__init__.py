"""Tests of features/base."""
