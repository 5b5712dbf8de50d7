"""HTML reports: one file each, which opens offline, asks no network and prints."""

from .duplicates_page import duplicates_report
from .evaluation_page import evaluation_report
from .experiment_pages import ablation_report, learning_curve_report
from .explanation_page import explanation_report
from .threshold_page import threshold_report

__all__ = [
    "ablation_report",
    "duplicates_report",
    "evaluation_report",
    "explanation_report",
    "learning_curve_report",
    "threshold_report",
]
