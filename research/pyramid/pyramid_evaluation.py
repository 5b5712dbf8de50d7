"""Evaluation of several subjects on both tests, and the table of their figures."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .pyramid_figures import Figure, binary_figure, published_figures, ranking_figures
from .pyramid_files import read_pyramids
from .pyramid_tests import DISTRACTORS, Step, Tests, distinct_pairs, make_tests
from .subjects import DEFAULT, Subject, find_subject

if TYPE_CHECKING:
    import pyarrow as pa

PUBLISHED = "Baumel et al. 2016"


@dataclass(frozen=True)
class SubjectFigures:
    """Figures of a subject; None for a test without enough pairs or questions.

    Attributes
    ----------
    name, signature
        Name and signature of the subject.
    binary_f
        F of the binary test, 0..1.
    threshold
        Least similarity of a pair that counts as the same fact.
    success, mrr
        Success rate and mean reciprocal rank of the ranking test, 0..1.
    """

    name: str
    signature: str
    binary_f: Figure | None
    threshold: float | None
    success: Figure | None
    mrr: Figure | None


@dataclass(frozen=True)
class PyramidResult:
    """Results of both tests.

    Attributes
    ----------
    facts
        Numbers of pyramids, content units, texts and distinct scored pairs; seed; flag for pairs across pyramids;
        version.
    steps
        Numbers of pairs and questions after each filter.
    subjects
        Figures, in the order of the named subjects.
    notes
        Notes for readers of the figures.
    """

    facts: dict[str, Any]
    steps: tuple[Step, ...]
    subjects: tuple[SubjectFigures, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, including the published table."""
        subjects = [
            {key: value._asdict() if isinstance(value, Figure) else value for key, value in vars(each).items()}
            for each in self.subjects
        ]
        return {
            **self.facts,
            "steps": [asdict(step) for step in self.steps],
            "subjects": subjects,
            "published": [
                {"name": row.embedding, "binary_f": row.binary_f, "success": row.success_rate, "mrr": row.mrr}
                for row in published_figures()
            ],
            "notes": list(self.notes),
        }

    def to_table(self) -> "pa.Table":
        """Return a row for each subject and each published embedding; rates are 0..1."""
        import pyarrow as pa

        rows = []
        for each in self.subjects:
            row: dict[str, Any] = {"source": "samewise", "subject": each.name, "signature": each.signature}
            for key in ("binary_f", "success", "mrr"):
                row |= {f"{key}{end}": value for end, value in _ends(getattr(each, key)).items()}
            rows.append({**row, "threshold": each.threshold})
        for published in published_figures():
            figures = {"binary_f": published.binary_f, "success": published.success_rate, "mrr": published.mrr}
            rows.append({"source": PUBLISHED, "subject": published.embedding, **figures})
        texts = ("source", "subject", "signature")
        numbers = [f"{key}{end}" for key in ("binary_f", "success", "mrr") for end in ("", "_low", "_high")]
        schema = [(key, pa.string()) for key in texts] + [(key, pa.float64()) for key in (*numbers, "threshold")]
        return pa.Table.from_pylist(rows, pa.schema(schema))


def _ends(figure: Figure | None) -> dict[str, float | None]:
    value, low, high = figure or (None, None, None)
    return {"": value, "_low": low, "_high": high}


def evaluate_pyramids(
    paths: Sequence[str | Path],
    subjects: Sequence[str | Subject] = DEFAULT,
    *,
    seed: int = 0,
    across: bool = False,
    progress: Callable[[int, int | None], None] | None = None,
) -> PyramidResult:
    """Run the binary and the ranking test of pyramid files on subjects.

    Parameters
    ----------
    paths
        Pyramid files; see `read_pyramid`. Their order does not matter.
    subjects
        Subjects, or names of `find_subject`.
    seed
        Seed of the subject ``random``, of the choice of tuning pairs, and of the intervals.
    across
        Also take negative pairs and distractors from different pyramids; see `make_tests`.
    progress
        Called with the number of finished subjects and of all subjects.

    Raises
    ------
    ValueError
        If a file or a subject cannot be read, or both tests have too few pairs and questions.
    """
    from importlib.metadata import version

    pyramids, notes = read_pyramids(paths)
    # Load all subjects before the first long run, so that errors appear at once.
    chosen = [each if isinstance(each, Subject) else find_subject(each, seed) for each in dict.fromkeys(subjects)]
    tests = make_tests(pyramids, across)
    pairs = distinct_pairs(tests)
    subject_figures, missing = [], list[str]()
    for done, subject in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        figures, missing = _figures(tests, pairs, subject, seed)
        subject_figures.append(figures)
    facts = {
        "samewise": version("samewise"),
        "pyramids": len(pyramids),
        "units": sum(len(pyramid.units) for pyramid in pyramids),
        "texts": len(tests.texts),
        "scored_pairs": len(pairs),
        "seed": seed,
        "across": across,
    }
    return PyramidResult(facts, tests.steps, tuple(subject_figures), (*notes, *missing))


def _figures(tests: Tests, pairs: np.ndarray, subject: Subject, seed: int) -> tuple[SubjectFigures, list[str]]:
    used, places = np.unique(pairs, return_inverse=True)
    scores = subject.similarity([tests.texts[k] for k in used.tolist()], places.reshape(-1, 2))
    size = len(tests.texts)
    codes = pairs[:, 0] * size + pairs[:, 1]

    def of(asked: np.ndarray) -> np.ndarray:
        ordered = np.sort(asked, axis=1)
        return scores[np.searchsorted(codes, ordered[:, 0] * size + ordered[:, 1])]

    binary = threshold = success = mrr = None
    missing = []
    try:
        binary, threshold = binary_figure(tests.binary, of(tests.binary.pairs), seed)
    except ValueError as error:
        missing.append(f"no binary test can be made: {error}")
    try:
        ranking, width = tests.ranking, 1 + DISTRACTORS
        asked = np.column_stack([np.repeat(ranking.queries, width), ranking.candidates.ravel()])
        success, mrr = ranking_figures(ranking, of(asked).reshape(-1, width), seed)
    except ValueError as error:
        missing.append(f"no ranking test can be made: {error}")
    if len(missing) == 2:
        raise ValueError("; ".join(missing))
    return SubjectFigures(subject.name, subject.signature, binary, threshold, success, mrr), missing
