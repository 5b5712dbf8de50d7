"""Tables and synsets of WordNet that published systems read."""
