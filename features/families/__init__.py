"""Feature families, one file each."""
