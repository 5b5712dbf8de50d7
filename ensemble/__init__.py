"""What people use and measure: the estimator, metrics, batch prediction, the command line."""
