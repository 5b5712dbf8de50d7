"""Records compared column by column: candidates by their codes, and the joint score of each pair with its evidence."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...features.analysis.analysis import normalise
from ..differences.facts import KEEP_APART
from ..loading import Model, main_part
from ..scoring.batches import deciding_kinds, prediction_of
from ..scoring.worker_processes import Workers
from ..tables.labelled_pairs import read_labelled_pairs
from .candidates import Candidates
from .compared_columns import CODE, TEXT, code_form, similarities
from .joint_decision import Evidence, weights_of_labels, weights_without_labels
from .pair_scores import ScoredPairs, differences_between, score_candidates
from .row_groups import cell_text
from .texts import TextRows

MOST_ROWS = 50
"""Rows that may have a code, if pairs of them are to be candidates: a code that more rows have names no thing."""

RANDOM_PAIRS = 20_000
"""Random pairs of rows, on which is counted how often values agree by chance."""

_READ_FROM = 0.4
"""Place on the scale from which differences of two texts are looked for, 2 of 0 to 5; below, they count as found."""

_SAME = 0.8
"""Place on the scale from which people call two texts the same: 4 of 0 to 5."""


def with_equal_codes(found: Candidates, sides: Sequence[TextRows], compare: Mapping[str, str]) -> Candidates:
    """Return candidates whose texts are those of rows, with the pairs of rows that have an equal code."""
    count, starts = len(found.texts.texts), [0, len(sides[0])]
    keys = [found.first * count + found.second]
    for column in (column for column, kind in compare.items() if kind == CODE):
        rows: dict[str, tuple[list[int], list[int]]] = {}
        for side, (of_side, start) in enumerate(zip(sides, starts, strict=False)):
            for row, value in enumerate(map(cell_text, of_side.values(column)), start):
                if value is not None and (code := code_form(value)):
                    rows.setdefault(code, ([], []))[side].append(row)
        for a, b in rows.values():
            if len(a) + len(b) <= MOST_ROWS:
                pairs = list(combinations(a, 2) if len(sides) == 1 else product(a, b))
                first, second = np.array(pairs, np.int64).reshape(-1, 2).T
                allowed = np.ones(len(first), np.bool_)
                if found.texts.within is not None:
                    allowed &= found.texts.within[first] == found.texts.within[second]
                if found.texts.apart is not None:
                    allowed &= found.texts.apart[first] != found.texts.apart[second]
                keys.append((first * count + second)[allowed])
    first, second = np.divmod(np.unique(np.concatenate(keys)), max(count, 1))
    return found._replace(first=first, second=second)


def record_scores(
    scores: ScoredPairs,
    sides: Sequence[TextRows],
    compare: Mapping[str, str],
    labels: str | Path | None,
    model: Model,
    pool: Workers,
) -> ScoredPairs:
    """Return pairs of rows with their joint scores, on the scale of the model.

    Its highest score stands for a probability of 1 that two rows are one thing: of 0 to 5, 4 stands for 80 %. Without
    labels the probability is only as good as the assumptions of `joint_decision`. It has no interval.

    Parameters
    ----------
    scores
        Pairs of rows with the scores of their texts.
    sides
        One table, or two, with the compared columns.
    compare
        Kind of each column; see `compared_columns`.
    labels
        Labelled pairs of texts, as for `read_labelled_pairs`; None for none.
    model, pool
        The model that scored the texts, and its processes.

    Raises
    ------
    TableError
        If the labels cannot be read.
    ValueError
        If the labels are all one, among pairs of texts that each stand in one row.
    """
    evidence = _evidence(scores, sides, compare, model, pool)
    if labels is None:
        others = {column: kind for column, kind in compare.items() if kind != TEXT}
        parts = weights_without_labels(evidence, list(others.values()), _chance(sides, others))
    else:
        places, same = _labelled_rows(scores.candidates, sides, labels)
        first, second = places.T
        pairs = score_candidates(scores.candidates._replace(first=first, second=second), pool)
        parts = weights_of_labels(evidence, _evidence(pairs, sides, compare, model, pool), same)
    probability = 1.0 / (1.0 + np.exp(-parts.sum(axis=1)))
    nothing = np.full(len(probability), np.nan)
    text = next(column for column, kind in compare.items() if kind == TEXT)
    names = [column for column in compare if column != text]
    columns = {f"{text}_score": pa.array(scores.score)}
    for column, agreement in zip(names, evidence.agreement.T[1:], strict=True):
        columns[f"{column}_score"] = pa.array(agreement, from_pandas=True)
    columns["evidence"] = pa.array(_named(parts, [text, "differences", *names]), pa.string())
    return scores._replace(
        score=model.scale.low + probability * (model.scale.high - model.scale.low),
        low=nothing,
        high=nothing,
        deviation=nothing,
        columns=pa.record_batch(columns),
    )


def _evidence(
    scores: ScoredPairs, sides: Sequence[TextRows], compare: Mapping[str, str], model: Model, pool: Workers
) -> Evidence:
    candidates, scale = scores.candidates, model.scale
    first, second, every = candidates.first, candidates.second, np.arange(len(scores.score))
    place = (scores.score - scale.low) / (scale.high - scale.low)
    read = np.flatnonzero(place >= _READ_FROM)
    kinds = deciding_kinds(differences_between(candidates.texts.arrow(), first[read], second[read], pool), KEEP_APART)
    alike = np.zeros(len(first))
    alike[read] = [kind is None for kind in kinds]
    columns = _similarities(sides, compare, first, second)
    at_least = scale.low + _SAME * (scale.high - scale.low)
    text = main_part(model).probability(prediction_of(scores.batch(every), scale), at_least)
    return Evidence(text, np.column_stack([alike, *columns]))


def _similarities(
    sides: Sequence[TextRows], compare: Mapping[str, str], first: np.ndarray, second: np.ndarray
) -> list[np.ndarray]:
    return [
        similarities(kind, [value for side in sides for value in side.values(column)], first, second)
        for column, kind in compare.items()
        if kind != TEXT
    ]


def _chance(sides: Sequence[TextRows], others: Mapping[str, str]) -> np.ndarray:
    """Return the similarities of random pairs of rows, always the same ones, shape (r, k)."""
    rng, start = np.random.default_rng(0), len(sides[0]) if len(sides) == 2 else 0
    first, second = (rng.integers(0, max(len(side), 1), RANDOM_PAIRS) for side in (sides[0], sides[-1]))
    apart = np.flatnonzero(first != second + start)
    return np.column_stack(_similarities(sides, others, first[apart], second[apart] + start))


def _labelled_rows(
    candidates: Candidates, sides: Sequence[TextRows], labels: str | Path
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of labelled pairs whose texts each stand in one row of their table, and whether they are same."""
    labelled = read_labelled_pairs(labels)
    start = 0
    tables: list[dict[str, int]] = []
    for side in sides:
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(side.texts, start):
            rows.setdefault(normalise(text), []).append(row)
        tables.append({text: places[0] for text, places in rows.items() if len(places) == 1})
        start += len(side)
    same = labelled.labels >= 0.5 if labelled.scale.binary else labelled.points >= 5 * _SAME
    pairs: list[tuple[int, int]] = []
    kept: list[bool] = []
    for (one, other), label in zip(labelled.pairs, same.tolist(), strict=True):
        a, b = normalise(one), normalise(other)
        ways = [(tables[0].get(a), tables[-1].get(b)), (tables[0].get(b), tables[-1].get(a))]
        found = next(((x, y) for x, y in ways if x is not None and y is not None and x != y), None)
        if found is not None:
            pairs.append((min(found), max(found)))
            kept.append(label)
    return np.array(pairs, np.int64).reshape(-1, 2), np.array(kept, np.bool_)


def _named(parts: np.ndarray, names: Sequence[str]) -> list[str]:
    """Return the parts of the log odds in bits, the largest first, without those that say nothing."""
    bits = np.round(parts / np.log(2.0), 1)
    orders = np.argsort(-np.abs(bits), axis=1, kind="stable")
    return [
        "; ".join(f"{names[place]} {row[place]:+.1f}" for place in order if row[place])
        for row, order in zip(bits, orders, strict=True)
    ]
