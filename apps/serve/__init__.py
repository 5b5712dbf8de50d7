"""The scoring service: HTTP in front of worker processes; needs ``samewise[serve]``."""

Pair = tuple[str, str]
