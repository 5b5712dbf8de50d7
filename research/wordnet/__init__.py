"""WordNets of the user's own, made into arrays from a database or NLTK's data."""
