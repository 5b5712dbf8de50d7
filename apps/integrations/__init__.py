"""Use of samewise in the tools of others: a plugin of pytest, and metrics for tools that test language models."""
