"""One fitted ensemble: estimator, predictor, combination, interval, explanation."""
