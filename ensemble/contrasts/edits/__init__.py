"""Kinds of edits: every module declares `Change` values in its tuple ``CHANGES``."""
