"""Regressors on the feature matrix, one a file: the file's name is the member's, its value `REGRESSOR` the member."""
