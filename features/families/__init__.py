"""The feature families: one file each, and nothing else."""
