"""Items that two sentences share: n-grams, weighted bags, counts of translation metrics."""
