"""From numbers to a score on 0..5: regressors, and the bundles in which models are kept."""
