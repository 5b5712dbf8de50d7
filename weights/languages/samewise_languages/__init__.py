"""What samewise needs to compare sentences in other languages than English; it holds files, no code."""
