"""Labelling of pairs: tasks for annotators, their answers, screening of annotators, and gold scores."""

from .aggregation import Gold, GoldPair, gold
from .agreement import krippendorff_alpha
from .annotations import Annotation, Annotations, read_annotations
from .screening import Judgement, screen
from .tasks import Item, Pair, make_tasks

__all__ = [
    "Annotation",
    "Annotations",
    "Gold",
    "GoldPair",
    "Item",
    "Judgement",
    "Pair",
    "gold",
    "krippendorff_alpha",
    "make_tasks",
    "read_annotations",
    "screen",
]
