"""Scores of pairs made by rule, by what an edit does to the meaning on the scale of 0 to 5.

The scale is the one that the sentence pairs of the SemEval tasks are labelled by (Agirre et al., 2012): 5, the two mean
the same; 4, mostly equivalent, unimportant details differ; 3, roughly equivalent, an important detail differs or is
missing; 2, not equivalent, but they share some details; 1, not equivalent, but on one topic; 0, on different topics.
The scores here are set by that definition alone. None is taken from data, from a paper or from a development set.

- An edit that keeps the meaning gives 5. Where one word stands for another, two people seldom agree that every shade
  is the same, so a synonym gives 4.6. A converse, a moved phrase or a double negation gives 4.8: the same meaning
  with another emphasis.
- An edit after which both sentences cannot be true, or ask for opposite things, leaves them sharing details only: 2.
  These are opposites, negation, exchanged roles and exchanged intents.
- An edit that puts another person or thing in the place of one describes another event of the same kind: between "share
  some details" and "on one topic". Another thing of the same kind, or another name, gives 1.5.
- An edit that changes an important detail of one event is between "an important detail differs" and "share some
  details", and gives 2.5: a number, a unit, a quantity of a whole, a degree of duty or certainty, an order in time, a
  condition.
"""

SAME = 5.0
NEARLY_SAME = 4.8
SYNONYM = 4.6
DETAIL = 2.5
OPPOSITE = 2.0
OTHER_THING = 1.5

SCORES = {
    # kinds that keep the meaning
    "passive": SAME,
    "number_words": SAME,
    "unit_conversion": SAME,
    "abbreviation": SAME,
    "contraction": SAME,
    "equal_phrase": SAME,
    "clause_order": SAME,
    "moved_phrase": NEARLY_SAME,
    "converse": NEARLY_SAME,
    "double_negation": NEARLY_SAME,
    "synonym": SYNONYM,
    # kinds that change it
    "antonym": OPPOSITE,
    "negation": OPPOSITE,
    "intent": OPPOSITE,
    "roles": OPPOSITE,
    "co_hyponym": OTHER_THING,
    "name": OTHER_THING,
    "number": DETAIL,
    "unit": DETAIL,
    "quantifier": DETAIL,
    "modality": DETAIL,
    "time_order": DETAIL,
    "condition": DETAIL,
}
"""Score of a pair of a sentence and its edit, 0..5, by the name of the kind."""

BLENDED = 0.2
"""Points added to the score of a dissimilar pair when one side names the subject of the other in passing: one more
detail is shared, which is worth a fifth of a step of the scale."""
