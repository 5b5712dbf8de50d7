"""Ablation of columns and members: the effect of leaving out, adding or shuffling each part, or of using it alone.

A part is a family of features, a column, or a member of the ensemble (Tian et al., 2017, Table 3, for families). The
whole and its variants are fitted on columns of one matrix, so that no feature is computed here.
"""

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import COLUMN_MEMBERS
from ..core.folds import grouped_folds
from ..evaluation.metrics import pearson
from ..evaluation.system_comparison import holm, pearson_difference, williams
from .ablation_result import MEAN, WHOLE, Ablation, AblationRow
from .experiment_matrices import checked_gold, checked_groups, checked_members
from .importance import REPEATS, Resamples, permuted
from .member_fits import Fits, Progress, Tally
from .variants import By, Study, Variant, VariantScores, mean_pearson, nested

Mode = Literal["drop", "only", "add", "permute"]
MODES: tuple[Mode, ...] = ("drop", "only", "add", "permute")
PARTS: tuple[By, ...] = ("family", "column", "member")

QUICK: dict[str, dict[str, Any]] = {
    "rf": {"n_estimators": 25, "min_samples_leaf": 5, "max_features": 0.15},
    "gbm": {"n_estimators": 100, "learning_rate": 0.1, "max_depth": 4, "max_features": 0.12},
    "xgb": {"n_estimators": 130, "learning_rate": 0.1, "max_depth": 4},
}
"""Settings for a first look: fewer trees with larger steps than the defaults."""


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
    """Measure the contribution of each part of a feature set or of an ensemble.

    Parameters
    ----------
    train
        The training pairs, with all columns.
    dev
        The pairs to measure on, with the same columns. With None, every training pair is scored by models that saw no
        pair of its group (five folds), and steps of ``add`` are chosen without it (nested cross-validation).
    y_train, y_dev
        Gold scores, 0..5; `y_dev` is None without `dev`.
    mode
        ``drop``: the whole without each part; ``only``: each part alone; ``add``: from nothing, the part that helps
        most (Pearson), then the one that helps most beside it, until none helps; ``permute``: the fitted whole,
        with the rows of each part shuffled among the pairs to measure on (Breiman, 2001).
    by
        Kind of part: a ``family`` of columns, a ``column``, or a ``member`` of the ensemble.
    members
        The ensemble, whose scores are averaged. Networks read the texts and not the columns: beside families they are
        fitted once for each seed and stay in every variant.
    seeds
        The models are fitted with the seeds 0 to ``seeds - 1``.
    repeats
        Of ``permute``, the number of orders in which each part is shuffled; their correlations are averaged.
    params
        Settings of each member that replace its own; see `QUICK`.
    jobs
        Number of processes, as in joblib.
    groups
        Shape (n,): training pairs of a group stay in one fold; None groups pairs linked by a sentence. Without `dev`
        only.
    progress
        Called with (finished fits, planned fits).
    folder
        Every finished fit is kept there under a digest of its inputs, and is not repeated.

    Raises
    ------
    ValueError
        If matrices and scores do not match, a setting is unknown, or there is only one part to leave out.
    """
    names = _checked(mode, by, members, seeds, repeats, params or {})
    gold = checked_gold(y_train, train, "y_train")
    if dev is None:
        groups = checked_groups(train, groups)
        parts = grouped_folds(groups)
        if not parts:
            raise ValueError("all training pairs are in one group, so there are no folds; give dev, or more pairs")
        target, truth = train, gold
    elif y_dev is None:
        raise ValueError("y_dev must hold the scores of dev, got None; give y_dev")
    else:
        target = FeatureMatrix(dev.reorder(train.columns), train.columns, dev.pairs)
        truth, parts = checked_gold(y_dev, dev, "y_dev"), [(np.arange(len(train)), np.arange(len(dev)))]
    fits = Fits(train, target, gold, parts, params=params, n_jobs=jobs, folder=folder, tally=Tally(progress))
    if not train.columns and any(fits.member(name, 0).reads_columns for name in names):
        raise ValueError("the matrix must have columns, got none; extract it with the features to ablate")
    items = _items(mode, by, names, train)
    study = Study(fits, Variant(WHOLE, train.columns, names), by, truth, range(seeds))
    rows = _rows(mode, truth, _variants(study, mode, items, repeats, train, groups if dev is None else None))
    notes = _notes(mode, dev is None, names, repeats)
    return Ablation(mode, by, names, tuple(range(seeds)), train.columns, rows, notes)


def _checked(
    mode: str, by: str, members: Sequence[str], seeds: int, repeats: int, params: Mapping[str, Any]
) -> tuple[str, ...]:
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {mode!r}; correct it")
    if by not in PARTS:
        raise ValueError(f"by must be one of {', '.join(PARTS)}, got {by!r}; correct it")
    if mode == "permute" and by == "member":
        raise ValueError('by must be "family" or "column" with mode="permute", got "member"; give by="family"')
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}; give a larger number")
    return checked_members(members, params, seeds)


def _items(mode: Mode, by: By, members: tuple[str, ...], train: FeatureMatrix) -> tuple[str, ...]:
    """Return the names of the parts."""
    items = {"member": members, "family": tuple(train.groups), "column": train.columns}[by]
    if not items or (mode == "drop" and len(items) < 2):
        raise ValueError(
            f"mode={mode!r} must have at least {2 if mode == 'drop' else 1} parts by {by}, got {len(items)}; "
            'give more, or use the mode "only"'
        )
    return items


def _variants(
    study: Study, mode: Mode, items: Sequence[str], repeats: int, train: FeatureMatrix, groups: np.ndarray | None
) -> Iterator[VariantScores]:
    """Yield the scores of the whole, then those of the variants; `groups` is None with dev pairs."""
    if mode == "permute":
        yield from permuted(study, items, repeats)
        return
    if mode == "add":
        yield from study.run([study.whole])
        yield from study.greedy(items) if groups is None else nested(study, train, groups, items)
        return
    kept = [{item} if mode == "only" else set(items) - {item} for item in items]
    variants = [study.variant(item, rest) for item, rest in zip(items, kept, strict=True)]
    yield from study.run([study.whole, *variants])


def _rows(mode: Mode, truth: np.ndarray, scored: Iterable[VariantScores]) -> tuple[AblationRow, ...]:
    # One variant at a time: shuffled scores of many columns would fill the memory.
    variants = iter(scored)
    whole = next(variants)
    base = whole.mean
    resamples = Resamples(truth, base) if mode == "permute" else None
    rows = _rows_of(whole, WHOLE, None, truth, None, None, {})
    before: VariantScores | None = None
    for k, variant in enumerate(variants):
        low, high, p = _compared(truth, variant.mean, base) if resamples is None else resamples.compare(variant.mean)
        tested = {"low": low, "high": high, "p": _or_none(p)}
        rows += _rows_of(variant, mode, k + 1 if mode == "add" else None, truth, whole, before, tested)
        before = variant if mode == "add" else None
    tests = {k: math.nan if row.p is None else row.p for k, row in enumerate(rows) if row.low is not None}
    for k, corrected in zip(tests, holm(list(tests.values())).tolist(), strict=True):
        rows[k] = replace(rows[k], p_holm=_or_none(corrected))
    return tuple(rows)


def _compared(truth: np.ndarray, score: np.ndarray, base: np.ndarray) -> tuple[float, float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a constant side: `AblationRow` documents its figures
        _, low, high = pearson_difference(truth, score, base)
    if any(np.ptp(side) == 0 for side in (truth, score, base)):
        return low, high, math.nan
    return low, high, williams(pearson(truth, score), pearson(truth, base), pearson(score, base), len(truth))[1]


def _rows_of(
    scored: VariantScores,
    change: str,
    step: int | None,
    truth: np.ndarray,
    whole: VariantScores | None,
    before: VariantScores | None,
    tested: Mapping[str, float | None],
) -> list[AblationRow]:
    rows = []
    for k in (None, *range(len(scored.seeds))):
        figure, reference, last = (
            None if each is None else mean_pearson(truth, each.mean if k is None else each.seeds[k])
            for each in (scored, whole, before)
        )
        assert figure is not None
        values = tested if k is None else {}
        rows.append(
            AblationRow(
                what=scored.variant.what,
                change=change,
                step=step,
                seed=MEAN if k is None else str(k),
                n=len(truth),
                pearson=figure,
                delta=None if reference is None else figure - reference,
                gain=None if last is None else figure - last,
                low=values.get("low"),
                high=values.get("high"),
                p=values.get("p"),
                p_holm=None,
                columns=len(scored.variant.columns),
                members=len(scored.variant.members),
                seconds=sum(scored.seconds) if k is None else scored.seconds[k],
            )
        )
    return rows


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _notes(mode: Mode, crossed: bool, members: Sequence[str], repeats: int) -> tuple[str, ...]:
    networks = [name for name in members if name not in COLUMN_MEMBERS]
    notes = [
        f"the networks {', '.join(networks)} read the texts: no change of the columns changes them"
        if networks
        else f"the ensemble is the mean of {', '.join(members)}; networks are left out unless members names them"
    ]
    if crossed:
        notes.append("measured by cross-validation on the training pairs, those that share a sentence in one fold")
    if mode == "permute":
        notes.append(f"each part shuffled in {repeats} orders; a part can look small because others carry the same")
    if mode == "add" and crossed:
        notes.append("nested: the pairs of a fold are scored by steps that were chosen without them")
    elif mode == "add":
        notes.append("the steps were chosen by the correlation that is shown, which is therefore too high")
    return tuple(notes)
