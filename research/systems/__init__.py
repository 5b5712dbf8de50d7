"""Published systems, run by name and compared with their published scores."""

from .markdown_tables import markdown
from .scoreboard import Scoreboard
from .specification import System, check_published, read_system, shipped_systems
from .system_runs import Outcome, run_systems
from .systems_report import write_scoreboard
from .training_and_test_sets import Exercise, exercises

__all__ = [
    "Exercise",
    "Outcome",
    "Scoreboard",
    "System",
    "check_published",
    "exercises",
    "markdown",
    "read_system",
    "run_systems",
    "shipped_systems",
    "write_scoreboard",
]
