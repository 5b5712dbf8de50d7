"""What a part is worth: left out, alone, added in turn, or shuffled; an ablation of columns and members.

A part is a family of features, a column, or a member of the ensemble (Tian et al., 2017, Table 3, for families). The
whole and its variants are fitted on columns of one matrix, so that no feature is ever computed here.
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ...features.matrix import FeatureMatrix
from ...models.member import MEMBERS, REGRESSORS
from ..core.folds import grouped_folds
from ..evaluation.metrics import pearson
from ..evaluation.system_comparison import holm, pearson_difference, williams
from .ablation_result import MEAN, WHOLE, Ablation, AblationRow
from .importance import REPEATS, Resamples, permuted
from .member_fits import Fits, Progress, Tally
from .pair_checks import checked_gold, checked_groups
from .variants import By, Found, Study, Variant, mean_pearson, nested

Mode = Literal["drop", "only", "add", "permute"]
MODES: tuple[Mode, ...] = ("drop", "only", "add", "permute")
PARTS: tuple[By, ...] = ("family", "column", "member")

QUICK: dict[str, dict[str, Any]] = {
    "rf": {"n_estimators": 25, "min_samples_leaf": 5, "max_features": 0.15},
    "gbm": {"n_estimators": 100, "learning_rate": 0.1, "max_depth": 4, "max_features": 0.12},
    "xgb": {"n_estimators": 130, "learning_rate": 0.1, "max_depth": 4},
}
"""Settings for a first look: fewer trees with longer steps, in place of those that ship."""


def ablate(
    train: FeatureMatrix,
    dev: FeatureMatrix | None,
    y_train: Sequence[float] | np.ndarray,
    y_dev: Sequence[float] | np.ndarray | None,
    *,
    mode: Mode = "drop",
    by: By = "family",
    members: Sequence[str] = ("rf", "gbm", "xgb"),
    seeds: int = 3,
    repeats: int = REPEATS,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    jobs: int | None = None,
    groups: np.ndarray | None = None,
    progress: Progress | None = None,
    folder: str | Path | None = None,
) -> Ablation:
    """Measure what each part of a feature set or of an ensemble is worth.

    Parameters
    ----------
    train
        The training pairs, with all columns.
    dev
        The pairs to measure on, with the same columns. With None, every training pair is scored by models that saw no
        pair of its group (five folds), and steps of ``add`` that were chosen without them (nested cross-validation).
    y_train, y_dev
        Gold scores, 0..5; `y_dev` is None without `dev`.
    mode
        ``drop``: the whole without each part; ``only``: each part alone; ``add``: from nothing, the part that helps
        most (Pearson), then the one that helps most beside it, until none helps; ``permute``: the whole as it was
        fitted, with the rows of each part shuffled among the pairs to measure on (Breiman, 2001).
    by
        What a part is: a ``family`` of columns, a ``column``, or a ``member`` of the ensemble.
    members
        The ensemble, whose scores are averaged. Networks read the texts and not the columns: beside families they are
        fitted once a seed and stay in every variant.
    seeds
        The models are fitted with the seeds 0 to ``seeds - 1``.
    repeats
        Of ``permute``, in how many orders each part is shuffled; their correlations are averaged.
    params
        For a member's name, settings that replace its own; see `QUICK`.
    jobs
        Processes, as in joblib.
    groups
        Shape (n,): training pairs of a group stay in one fold; those linked by a sentence if None. Only without `dev`.
    progress
        Called with (fits done, fits known of).
    folder
        Every finished fit is kept there under a digest of all that it depends on, and is not done again.

    Raises
    ------
    ValueError
        If the matrices and scores do not fit each other, a setting is unknown, or nothing is left without a part.
    """
    names = _check(mode, by, members, seeds, params or {})
    if repeats < 1:
        raise ValueError(f"repeats={repeats} is no number of orders; give 1 or more")
    gold = checked_gold(y_train, train, "y_train")
    target, truth, parts = train, gold, [(np.arange(len(train)), np.arange(0 if dev is None else len(dev)))]
    if dev is None:
        groups = checked_groups(train, groups)
        parts = grouped_folds(groups)
        if not parts:
            raise ValueError("all training pairs are in one group, so there are no folds; give dev, or more pairs")
    elif y_dev is None:
        raise ValueError("dev comes without scores; give y_dev")
    else:
        target, truth = (
            FeatureMatrix(dev.reorder(train.columns), train.columns, dev.pairs),
            checked_gold(y_dev, dev, "y_dev"),
        )
    fits = Fits(train, target, gold, parts, params=params, n_jobs=jobs, folder=folder, tally=Tally(progress))
    whole = Variant(WHOLE, train.columns, names)
    if not train.columns and any(fits.member(name, 0).reads_columns for name in names):
        raise ValueError("the matrix has no columns; extract it with the features to ablate")
    items = list(names) if by == "member" else list(train.groups) if by == "family" else list(train.columns)
    if not items or (mode == "drop" and len(items) < 2):
        raise ValueError(f'there is one {by} only, so nothing is left without it; give more, or use the mode "only"')
    study = Study(fits, whole, by, truth, range(seeds))
    found: Iterable[Found]
    if mode == "permute":
        found = permuted(study, items, repeats)
    elif mode == "add":
        steps = study.greedy(items) if dev is not None or groups is None else nested(study, train, groups, items)
        found = [*study.run([whole]), *steps]
    else:
        kept = [{item} if mode == "only" else set(items) - {item} for item in items]
        found = study.run([whole, *(study.variant(item, rest) for item, rest in zip(items, kept, strict=True))])
    rows, notes = _rows(mode, truth, found), _notes(mode, dev is None, names, repeats)
    return Ablation(mode, by, names, tuple(range(seeds)), train.columns, rows, notes)


def _check(mode: str, by: str, members: Sequence[str], seeds: int, params: Mapping[str, Any]) -> tuple[str, ...]:
    if mode not in MODES:
        raise ValueError(f"mode={mode!r} is unknown; choose one of {', '.join(MODES)}")
    if by not in PARTS:
        raise ValueError(f"by={by!r} is unknown; choose one of {', '.join(PARTS)}")
    if mode == "permute" and by == "member":
        raise ValueError('mode="permute" shuffles columns, so a part is a family or a column; give by="family"')
    names = (members,) if isinstance(members, str) else tuple(members)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"members={members!r} must name at least one member, each once")
    unknown = [name for name in params if name not in MEMBERS]
    if unknown:
        raise ValueError(f"params has settings of {unknown[0]!r}; the members are {', '.join(MEMBERS)}")
    if seeds < 1:
        raise ValueError(f"seeds={seeds} is no number of seeds; give 1 or more")
    return names


def _rows(mode: Mode, truth: np.ndarray, found: Iterable[Found]) -> tuple[AblationRow, ...]:
    # One variant at a time: shuffled scores of many columns would fill the memory.
    variants = iter(found)
    whole = next(variants)
    base = whole.mean
    resamples = Resamples(truth, base) if mode == "permute" else None
    rows = _rows_of(whole, WHOLE, None, truth, None, None, {})
    before: Found | None = None
    for k, other in enumerate(variants):
        low, high, p = _compared(truth, other.mean, base) if resamples is None else resamples.compare(other.mean)
        tested = {"low": low, "high": high, "p": _known(p)}
        rows += _rows_of(other, mode, k + 1 if mode == "add" else None, truth, whole, before, tested)
        before = other if mode == "add" else None
    tests = {k: math.nan if row.p is None else row.p for k, row in enumerate(rows) if row.low is not None}
    for k, corrected in zip(tests, holm(list(tests.values())).tolist(), strict=True):
        rows[k] = replace(rows[k], p_holm=_known(corrected))
    return tuple(rows)


def _compared(truth: np.ndarray, score: np.ndarray, base: np.ndarray) -> tuple[float, float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a constant side, which the documentation of the row tells
        _, low, high = pearson_difference(truth, score, base)
    return low, high, _williams(truth, score, base)


def _rows_of(
    found: Found,
    change: str,
    step: int | None,
    truth: np.ndarray,
    whole: Found | None,
    before: Found | None,
    tested: Mapping[str, float | None],
) -> list[AblationRow]:
    rows = []
    for k in (None, *range(len(found.seeds))):
        mine, reference, last = (
            None if other is None else mean_pearson(truth, other.mean if k is None else other.seeds[k])
            for other in (found, whole, before)
        )
        assert mine is not None
        values = tested if k is None else {}
        rows.append(
            AblationRow(
                what=found.variant.what,
                change=change,
                step=step,
                seed=MEAN if k is None else str(k),
                n=len(truth),
                pearson=mine,
                delta=None if reference is None else mine - reference,
                gain=None if last is None else mine - last,
                low=values.get("low"),
                high=values.get("high"),
                p=values.get("p"),
                p_holm=None,
                columns=len(found.variant.columns),
                members=len(found.variant.members),
                seconds=sum(found.seconds) if k is None else found.seconds[k],
            )
        )
    return rows


def _williams(truth: np.ndarray, score: np.ndarray, base: np.ndarray) -> float:
    if any(np.ptp(side) == 0 for side in (truth, score, base)):
        return math.nan
    return williams(pearson(truth, score), pearson(truth, base), pearson(score, base), len(truth))[1]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _notes(mode: Mode, crossed: bool, members: Sequence[str], repeats: int) -> tuple[str, ...]:
    networks = [name for name in members if name not in REGRESSORS]
    notes = [
        f"the networks {', '.join(networks)} read the texts: no change of the columns changes them"
        if networks
        else f"the ensemble is the mean of {', '.join(members)}; networks are left out unless members names them"
    ]
    if crossed:
        notes.append("measured by cross-validation on the training pairs, those that share a sentence in one fold")
    if mode == "permute":
        notes.append(f"each part shuffled in {repeats} orders; a part can look small because others say the same")
    if mode == "add" and crossed:
        notes.append("nested: the pairs of a fold are scored by steps that were chosen without them")
    elif mode == "add":
        notes.append("the steps were chosen by the correlation that is shown, which is therefore too high")
    return tuple(notes)
