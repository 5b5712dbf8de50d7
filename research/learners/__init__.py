"""The learners of the published systems: from columns to scores, fitted and used in one process."""

from .column_scaling import SCALES
from .learner import LEARNERS, ColumnLearner, Learner, make_learner

__all__ = ["LEARNERS", "SCALES", "ColumnLearner", "Learner", "make_learner"]
