"""Array operations on rows of unequal length: joins, counts, kernels and block shifts, independent of words."""
