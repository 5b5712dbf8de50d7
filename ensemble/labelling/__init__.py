"""From chosen pairs to gold scores: tasks for annotators, their answers, whom to rely on, and what they agree on."""

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
