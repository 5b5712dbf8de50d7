"""The data of training, and the search of settings on it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .console import progress, say, show
from .experiment_options import Pairs, Reading, need_two, say_detected, say_mapped

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..core.estimator import SimilarityEnsemble
    from ..core.scale import Scale
    from ..experiments.search_result import Search
    from ..tables.labelled_pairs import LabelledPairs


def search_settings(
    model: "SimilarityEnsemble", pairs: Pairs, gold: "np.ndarray", labels: list[Any] | None, draws: int, path: Path
) -> list[str]:
    """Search settings of regressors, write all candidates to a file, and return the best settings for ``--set``."""
    from ..core.folds import sentence_groups
    from ..experiments.experiment_matrices import matrices
    from ..experiments.random_search import SPACE, search

    names = list(model.members)
    networks = [name for name in names if name not in SPACE]
    if networks:
        say(f"samewise: networks are not searched, only {', '.join(SPACE)}; {', '.join(networks)} stays as set")
    resources: dict[str, Any] = {
        key: getattr(model, key) for key in ("cache", "pipeline", "vectors", "encoder", "wordnet")
    }
    with progress("extracting"):
        matrix, _ = matrices(pairs, None, model.features, names, **resources)
    assert matrix.pairs is not None
    with progress("searching") as bar:
        result = search(
            matrix,
            gold,
            sentence_groups(matrix.pairs, labels),
            members=names,
            draws=draws,
            params=model.member_params,
            seed=model.random_state or 0,
            jobs=model.n_jobs,
            progress=bar,
        )
    result.write(path)
    show_search(result)
    for member in result.members:
        if result.best(member).is_default:
            say(f"samewise: none of {draws} drawn settings is better than the default of {member}, which keeps it")
    say(f"samewise: all candidates are in {path}")
    return result.as_options()


def show_search(search: "Search") -> None:
    """Print the default and the best settings of each regressor, with the mean and deviation over the folds."""
    rows = []
    for member in search.members:
        default, best = search.default(member), search.best(member)
        figures = (f"{side.mean:.4f} (sd {side.std:.4f})" for side in (default, best))
        changes = ", ".join(f"{key} {value}" for key, value in search.settings.get(member, {}).items())
        rows.append((member, *figures, f"{best.mean - default.mean:+.4f}", changes or "the default"))
    show(rows, ("member", "default", "best", "gain", "settings"), numbers=(1, 2, 3))


class Marks(NamedTuple):
    """Arguments of `SimilarityEnsemble.fit` besides pairs and scores; None where no column is named."""

    groups: list[Any] | None
    unseen: "np.ndarray | None"
    sources: list[Any] | None
    weights: "np.ndarray | None"
    relative: "np.ndarray | None"


class HeldOutPairs(NamedTuple):
    """Pairs to measure on: name of their file, texts, and gold scores on 0..5."""

    name: str
    pairs: Pairs
    gold: "np.ndarray"


def read_training_pairs(
    path: str,
    reading: Reading,
    *,
    groups: str | None,
    unseen: str | None,
    sources: str | None,
    weights: str | None,
    relative: str | None,
) -> "tuple[LabelledPairs, Marks]":
    """Read training pairs and the columns that mark them; say a detected scale other than 0..5."""
    from ..tables.labelled_pairs import read_labelled_pairs

    data = read_labelled_pairs(path, reading.column, scale=reading.scale, **reading.text)
    say_detected(reading.scale, data.scale)
    named = (groups, unseen, sources, weights, relative)
    cells = {name: _column(data.table, name, path) for name in named if name is not None}
    return data, Marks(
        None if groups is None else cells[groups],
        None if unseen is None else _marks(cells[unseen], unseen, path),
        None if sources is None else cells[sources],
        None if weights is None else _weights(cells[weights], weights, path),
        None if relative is None else _marks(cells[relative], relative, path),
    )


def read_held_out_pairs(path: str, reading: Reading, scale: "Scale") -> HeldOutPairs:
    """Read pairs to measure on, with labels on the scale of the training pairs unless they are those of SICK."""
    from ..tables.labelled_pairs import read_labelled_pairs

    data = read_labelled_pairs(
        path, reading.column, scale=reading.scale, otherwise=lambda labels: scale, **reading.text
    )
    if data.scale.binary != scale.binary:
        raise ValueError(f"the scores in {path} must be on {scale}, as those of TRAIN, got {data.scale}; convert them")
    say_mapped(path, data.scale, scale)
    need_two(data.labels, path)
    return HeldOutPairs(Path(path).name, data.pairs, data.points)


def scale_to_record(named: str | None, scale: "Scale") -> str | None:
    """Return the scale as the recorded command names it; None for 0..5 that was detected."""
    from ..core.scale import POINTS

    return None if named is None and scale == POINTS else str(scale)


def _column(table: "pa.Table", name: str, path: str) -> list[Any]:
    if name not in table.column_names:
        from ..._messages import did_you_mean

        listed = ", ".join(table.column_names) + did_you_mean(name, table.column_names)
        raise ValueError(f"{path} has no column {name!r}; its columns are: {listed}")
    cells: list[Any] = table[name].to_pylist()
    return cells


def _weights(cells: list[Any], name: str, path: str) -> "np.ndarray":
    import numpy as np

    for row, cell in enumerate(cells, 1):
        try:
            sound = 0 < float(cell) < np.inf
        except (TypeError, ValueError):
            sound = False
        if not sound:
            raise ValueError(
                f"the {name} of pair {row} of {path} must be a positive number, got {cell!r}; correct it, or leave out "
                "the pair"
            )
    return np.asarray(cells, dtype=np.float64)


def _marks(cells: list[Any], name: str, path: str) -> "np.ndarray":
    import numpy as np

    from ..core.scale import YES_OR_NO

    marks = np.asarray([YES_OR_NO.number(cell) for cell in cells])
    fits = YES_OR_NO.contains(marks)
    if not fits.all():
        row = int(np.argmin(fits))
        raise ValueError(f"the {name} of pair {row + 1} of {path} must be 1 or 0, got {cells[row]!r}; correct it")
    if not marks.any():
        raise ValueError(
            f"{name} must be 1 for a pair of {path}, got 0 for all; mark some pairs, or leave out the option"
        )
    return marks > 0
