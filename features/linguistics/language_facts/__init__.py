"""Facts about languages, one file each: a new file adds a language (``docs/extending.md``)."""
