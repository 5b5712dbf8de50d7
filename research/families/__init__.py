"""Families of features that published systems read, one a file."""
