"""Neural networks of published systems, fitted and used in one process."""
