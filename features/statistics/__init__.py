"""Resources of features: statistics fitted on training text, shipped tables, user-supplied vectors and encoders."""
