"""Experiments on feature sets and ensembles: what each part is worth."""

from .ablation import QUICK, ablate
from .ablation_result import Ablation, AblationRow, read_rows
from .importance import Agreement, agreement

__all__ = ["QUICK", "Ablation", "AblationRow", "Agreement", "ablate", "agreement", "read_rows"]
