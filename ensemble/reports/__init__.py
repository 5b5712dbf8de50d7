"""HTML reports: one file each, which opens offline, runs no script and prints."""

from .ablation_page import ablation_report
from .duplicates_page import duplicates_report
from .evaluation_page import evaluation_report
from .explanation_page import explanation_report
from .gold_page import gold_report
from .learning_curve_page import learning_curve_report

__all__ = [
    "ablation_report",
    "duplicates_report",
    "evaluation_report",
    "explanation_report",
    "gold_report",
    "learning_curve_report",
]
