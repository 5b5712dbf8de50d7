"""The learners of the published systems: from columns to scores, fitted and used in one process."""

from .learner import LEARNERS, ColumnLearner, Learner, make_learner
from .scaling import SCALES

__all__ = ["LEARNERS", "SCALES", "ColumnLearner", "Learner", "make_learner"]
