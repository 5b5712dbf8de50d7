"""The published systems of the field, run by name and put beside what was published."""

from .exercises import Exercise, exercises
from .published import check_published
from .running import Outcome, run_systems
from .scoreboard import Scoreboard
from .specification import System, read_system, shipped_systems

__all__ = [
    "Exercise",
    "Outcome",
    "Scoreboard",
    "System",
    "check_published",
    "exercises",
    "read_system",
    "run_systems",
    "shipped_systems",
]
