"""Formats of tables, one file each and nothing else."""
