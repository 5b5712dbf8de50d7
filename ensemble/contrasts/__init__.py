"""Sentences whose meaning one edit changes, and others that keep it, made by rule from analysed sentences."""
