"""What samewise needs for its profile `best`: a larger encoder of English; it holds files, no code."""
