"""Files of the benchmark twins of samewise's models, fitted on STS Benchmark train alone; there is no code in it."""
