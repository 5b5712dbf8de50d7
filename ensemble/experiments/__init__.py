"""Experiments on feature sets and ensembles: what each part is worth."""

from .ablation import QUICK, ablate
from .result import Ablation, AblationRow

__all__ = ["QUICK", "Ablation", "AblationRow", "ablate"]
