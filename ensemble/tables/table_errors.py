"""The error of tables that cannot be read or written."""


class TableError(ValueError):
    """Error of a table that cannot be read or written; the message names the table, the reason and a remedy."""


class MissingColumnError(TableError):
    """A table that lacks a column."""
