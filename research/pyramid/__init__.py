"""Tests of embeddings without labels, from the pyramid annotation of summaries (Baumel et al., 2016)."""

from .pyramid_evaluation import PyramidResult, SubjectFigures, evaluate_pyramids
from .pyramid_figures import published_figures
from .pyramid_files import PyramidError, read_pyramid, read_pyramids
from .pyramid_tests import BinaryTest, RankingTest, Step, make_tests
from .pyramid_units import Contributor, Part, Pyramid, Unit, summary_score
from .subjects import Subject, find_subject

__all__ = [
    "BinaryTest",
    "Contributor",
    "Part",
    "Pyramid",
    "PyramidError",
    "PyramidResult",
    "RankingTest",
    "Step",
    "Subject",
    "SubjectFigures",
    "Unit",
    "evaluate_pyramids",
    "find_subject",
    "make_tests",
    "published_figures",
    "read_pyramid",
    "read_pyramids",
    "summary_score",
]
