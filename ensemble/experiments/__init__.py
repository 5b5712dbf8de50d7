"""Experiments on feature sets and ensembles: what each part is worth."""

from .ablation import QUICK, ablate
from .importance import Agreement, agreement
from .result import Ablation, AblationRow, read_rows

__all__ = ["QUICK", "Ablation", "AblationRow", "Agreement", "ablate", "agreement", "read_rows"]
