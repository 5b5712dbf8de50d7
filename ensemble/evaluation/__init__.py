"""Measures of scores against gold: correlation, ranking, calibration, comparison of systems."""
