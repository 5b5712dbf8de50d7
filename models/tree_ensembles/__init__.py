"""Regressors on the feature matrix: training, trees as plain arrays, prediction, attribution."""
