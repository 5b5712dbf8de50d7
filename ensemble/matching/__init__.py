"""One against many: matches of two tables, duplicates of one, and an index that is searched again and again."""
