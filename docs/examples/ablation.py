"""Drop each family of features in turn, to see which carry a model; on a small table, as on data of SemEval."""

import csv
from pathlib import Path

import numpy as np
from samewise.ensemble.experiments import QUICK, ablate
from samewise.ensemble.experiments.experiment_matrices import matrices

with open(Path(__file__).with_name("library.csv"), encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
scores = np.array([float(row["score"]) for row in rows])
train, dev = matrices(pairs[::2], pairs[1::2], ["unmatched", "sequence", "bow", "negation"])
found = ablate(train, dev, scores[::2], scores[1::2], mode="drop", by="family", seeds=3, params=QUICK)
for row in found.means:
    print(f"{row.what:10} {row.pearson:.3f}" + (f"  {row.delta:+.3f}" if row.delta else ""))
