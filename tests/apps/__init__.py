"""Tests of the apps."""
