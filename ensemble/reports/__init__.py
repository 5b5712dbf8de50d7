"""HTML reports: one file each, which opens offline, runs no script and prints."""

from .ablation_report import ablation_report
from .evaluation_report import evaluation_report
from .explanation_report import explanation_report
from .learning_curve_report import learning_curve_report

__all__ = ["ablation_report", "evaluation_report", "explanation_report", "learning_curve_report"]
