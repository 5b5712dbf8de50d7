"""Checks, matrices and the log of experiments."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ...features.base.feature import Feature
from ...features.pipeline.extraction import Extraction
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import MEMBERS, check_libraries, make_member
from ..core.folds import sentence_groups


def checked_members(members: str | Sequence[str], params: Collection[str], seeds: int) -> tuple[str, ...]:
    """Return the names of the members.

    Raises
    ------
    ValueError
        If no member or one member twice is named, `params` has settings of an unknown member, or `seeds` is below 1.
    """
    names = (members,) if isinstance(members, str) else tuple(members)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"members={members!r} must name at least one member, each once")
    unknown = [name for name in params if name not in MEMBERS]
    if unknown:
        raise ValueError(f"params must be for members among {', '.join(MEMBERS)}, got {unknown[0]!r}; correct the name")
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, got {seeds}; give a larger number")
    return names


def checked_gold(y: Sequence[float] | np.ndarray, matrix: FeatureMatrix, name: str) -> np.ndarray:
    """Return the gold scores of the n pairs of a matrix, shape (n,), float64.

    Raises
    ------
    ValueError
        If there are fewer than two scores, not one for each pair, or one is not between 0 and 5; `name` is the
        parameter for the message.
    """
    gold = np.asarray(y, dtype=np.float64)
    if gold.shape != (len(matrix),) or len(gold) < 2:
        raise ValueError(
            f"{name} must have one score for each of {len(matrix)} pairs, at least two, got shape {gold.shape}; "
            "give one score for each pair"
        )
    bad = np.flatnonzero(~((gold >= 0) & (gold <= 5)))
    if len(bad):
        raise ValueError(
            f"scores in {name} must be between 0 and 5, got {gold[bad[0]]} of pair {bad[0]}; rescale the scores"
        )
    return gold


def checked_groups(train: FeatureMatrix, groups: np.ndarray | None) -> np.ndarray:
    """Return the group of each of n training pairs, shape (n,): those given, or one for all pairs linked by a sentence.

    Raises
    ------
    ValueError
        If `groups` is None and the matrix holds no pairs, or there is not one group for each pair.
    """
    if groups is None:
        if train.pairs is None:
            raise ValueError("the matrix must hold its pairs to group them by sentence, got numbers alone; give groups")
        groups = sentence_groups(train.pairs)
    groups = np.asarray(groups)
    if groups.shape != (len(train),):
        raise ValueError(
            f"groups must have one value for each of {len(train)} pairs, got shape {groups.shape}; "
            "give one group for each pair"
        )
    return groups


def matrices(
    train: Sequence[tuple[str, str]],
    dev: Sequence[tuple[str, str]] | None,
    features: str | Sequence[str | Feature] = "full",
    members: Sequence[str] = ("rf", "gbm", "xgb"),
    *,
    cache: str | Path | None = None,
    pipeline: str | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    wordnet: str | Path | None = None,
) -> tuple[FeatureMatrix, FeatureMatrix | None]:
    """Return the matrices of training and dev pairs; statistics such as word frequencies come from training pairs only.

    Parameters
    ----------
    train, dev
        Pairs of texts; no dev pairs for cross-validation.
    features, members, cache, pipeline, vectors, encoder, wordnet
        As for `SimilarityEnsemble`.

    Raises
    ------
    ValueError
        If a setting is unknown, or a feature needs vectors or an encoder that are not given.
    ModuleNotFoundError
        If a library that fits a member is not installed.
    """
    unfitted = [make_member(name) for name in members]
    check_libraries(unfitted)
    selected = features if any(member.reads_columns for member in unfitted) else None
    extraction, batch = Extraction.fit(
        train, selected, cache=cache, pipeline=pipeline, vectors=vectors, encoder=encoder, wordnet=wordnet
    )
    matrix = extraction.matrix(batch)
    return matrix, None if dev is None else extraction.matrix(extraction.analyse(dev))


LOG = "log.jsonl"


def looks_like_test(paths: Iterable[str]) -> str | None:
    """Return the first path whose file name contains ``test``, or None."""
    return next((path for path in paths if "test" in Path(path).name.lower()), None)


def check_split(paths: Iterable[str], final: bool) -> None:
    """Refuse a test split unless the measurement is final.

    Raises
    ------
    ValueError
        If a file looks like a test split and `final` is not set.
    """
    test_path = looks_like_test(paths)
    if test_path is not None and not final:
        raise ValueError(
            f"the file must not be a test split, got {test_path}, because what is chosen on a test split cannot be "
            "tested on it; measure on a dev split or by cross-validation, or pass --final if all choices are made, "
            "which is logged"
        )


def log_final(folder: str | Path, facts: Mapping[str, Any]) -> None:
    """Append a line to the log of a folder: the time and facts of a final measurement."""
    line = {"event": "final", "time": datetime.now(UTC).isoformat(timespec="seconds"), **facts}
    Path(folder).mkdir(parents=True, exist_ok=True)
    with (Path(folder) / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
