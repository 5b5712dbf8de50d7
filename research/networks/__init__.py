"""The neural parts of published systems, fitted and read in one process."""
