"""Files of a larger encoder of English, for the profile `best` of samewise; there is no code in it."""
