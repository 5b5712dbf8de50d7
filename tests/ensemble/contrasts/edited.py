"""Edits of plain texts, for the tests of the kinds."""

import random

from samewise.ensemble.contrasts.edit import all_changes
from samewise.features.analysis.analysis import analyse
from samewise.features.analysis.editable_sentence import EditableSentence

SEEDS = 40


def editable(text):
    return EditableSentence(analyse([(text, text)], "lexical").sentences[0])


def edits(kind, text):
    """Return all texts that a kind makes of a text with many seeds."""
    sentence, edit = editable(text), all_changes()[kind].edit
    return {edit(sentence, random.Random(seed)) for seed in range(SEEDS)}
