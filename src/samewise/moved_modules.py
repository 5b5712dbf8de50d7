"""Import of modules by the paths that they had in version 0.1.0, with a warning that names the new path."""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "ensemble.aggregates": "ensemble.evaluation.aggregates",
    "ensemble.assessment": "ensemble.evaluation.assessment",
    "ensemble.batch": "ensemble.scoring",
    "ensemble.calibration": "ensemble.evaluation.calibration",
    "ensemble.comparison": "ensemble.evaluation.system_comparison",
    "ensemble.experiments.matrices": "ensemble.experiments.experiment_matrices",
    "ensemble.folds": "ensemble.core.folds",
    "ensemble.frames": "ensemble.scoring.data_frames",
    "ensemble.labelling.simulation": "ensemble.labelling.simulated_annotators",
    "ensemble.metrics": "ensemble.evaluation.metrics",
    "ensemble.polyglot": "ensemble.multilingual.multilingual_model",
    "ensemble.predictor": "ensemble.core.predictor",
    "ensemble.pyramid": "research.pyramid",
    "ensemble.ranking": "ensemble.evaluation.ranking",
    "ensemble.selection": "ensemble.labelling.selection",
    "ensemble.similarity": "ensemble.core.estimator",
    "ensemble.spark": "ensemble.scoring.spark",
    "ensemble.systems": "research.systems",
    "ensemble.systems.exercises": "research.systems.training_and_test_sets",
    "ensemble.tables.reading": "ensemble.tables.opening",
    "ensemble.tables.sources": "ensemble.tables.table_source",
    "ensemble.tables.writing": "ensemble.tables.table_writer",
    "ensemble.transformer": "ensemble.core.pair_features",
    "features.alignment": "features.families.alignment",
    "features.base": "features.declaration",
    "features.encoding": "features.encoders",
    "features.encoding.sentence_encoder": "features.encoders.sentence_encoder",
    "features.pairs": "features.sentences",
    "models.learners": "research.learners",
    "models.networks": "research.networks",
    "models.networks.research": "research.networks.research_network",
    "models.scorer": "models.member",
    "models.trees": "models.tree_ensembles.tree_arrays",
}
"""Modules that the documentation of version 0.1.0 named, by their old paths inside ``samewise``."""

RENAMED = {
    "ensemble.batch": {"Model": "ensemble.scoring:PairScorer"},
    "ensemble.polyglot": {"Polyglot": "ensemble.multilingual.multilingual_model:MultilingualModel"},
    "ensemble.predictor": {
        "Prediction": "ensemble.core.prediction:Prediction",
        "load": "ensemble.multilingual.model_source:load",
        "PROFILES": "ensemble.core.profiles:PROFILES",
    },
    "models.scorer": {
        "Scorer": "models.member:Member",
        "load": "models.member:load_member",
        "make": "models.member:make_member",
    },
}
"""Names of these that now have another name or stand in another module."""


class _MovedModule(ModuleType):
    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        old = self.__name__.removeprefix("samewise.")
        place, _, renamed = RENAMED.get(old, {}).get(name, MOVED[old]).partition(":")
        return getattr(import_module(f"samewise.{place}"), renamed or name)


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        # A package, so that modules below it are looked for; the new path itself is never looked up here.
        return ModuleSpec(fullname, self, is_package=True) if fullname.removeprefix("samewise.") in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _MovedModule(spec.name, f"Moved to samewise.{MOVED[spec.name.removeprefix('samewise.')]}.")

    def exec_module(self, module: ModuleType) -> None:
        new = MOVED[module.__name__.removeprefix("samewise.")]
        warnings.warn(
            f"{module.__name__} moved to samewise.{new}; change the import, because the old path stops working in the "
            "next version",
            FutureWarning,
            stacklevel=2,
        )


def install() -> None:
    """Let the import system find the old paths, after all other places."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
