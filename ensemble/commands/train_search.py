"""Random search of settings for `samewise train --search`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import progress, say, show
from .experiment_options import Pairs

if TYPE_CHECKING:
    import numpy as np

    from ..core.estimator import SimilarityEnsemble
    from ..experiments.search_result import Search


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
