"""Values that a text states: numbers, quantities, dates, codes and signs."""
