"""Why a pair has its score: what each family of features adds to the mean score, and which words are aligned.

Families are weighed by Shapley values (`models.tree_ensembles.attribution`), so that what they add, the members' shares
in the combination and the rules that follow it sum to the score.
"""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...features.matrix import BATCH, FeatureMatrix
from ...features.sentences import PairBatch
from ...features.word_alignment.coverage import links
from ...models.member import Member
from ..multilingual.multilingual_model import Polyglot

if TYPE_CHECKING:
    import pyarrow as pa

    from .predictor import Prediction, Predictor

RULES = "rules"
"""The contribution that is no feature's: what the ends of the scale and the rules for texts change."""

MEMBER_MEANS = "member_means"
"""Key of the manifest: the mean score of each network over the training pairs, by its name."""

PREFIX = "contribution."
"""How the columns of `explain_file` begin that hold contributions."""


class Explanation(NamedTuple):
    """Why a pair has its score: ``base`` and the contributions add up to ``score``.

    Attributes
    ----------
    score, low, high, flags
        As in `Prediction`, of this pair.
    base
        What the model expects of a pair that it has not read: about the mean score of the training pairs.
    contributions
        Points on the 0..5 scale by family of columns, by name of a network, and by `RULES`, the largest first.
    alignment
        Places ``(i, j)`` of aligned tokens, in order; see `features.families.alignment.align`.
    tokens
        The tokens of both texts, or of their translations.
    translations
        What was read instead of either text, if that was its translation into English; else None.
    """

    score: float
    low: float
    high: float
    flags: tuple[str, ...]
    base: float
    contributions: dict[str, float]
    alignment: list[tuple[int, int]]
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    translations: tuple[str | None, str | None] = (None, None)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        plain = {"flags": list(self.flags), "alignment": [list(link) for link in self.alignment]}
        tokens, translations = [list(side) for side in self.tokens], list(self.translations)
        return {**self._asdict(), **plain, "tokens": tokens, "translations": translations}


def explain_pairs(model: "Predictor", pairs: Sequence[tuple[str, str]]) -> list[Explanation]:
    """Explain the scores of pairs of texts; see `Predictor.explain`."""
    _check(model)
    names = _names([model])
    found: list[Explanation] = []
    for start in range(0, len(pairs), BATCH):
        batch = model.analyse(pairs[start : start + BATCH])
        base, table, prediction = _weighed(model, batch)
        aligned = alignments(batch, model.level)
        columns = (column.tolist() for column in prediction[:3])
        for score, low, high, flags, row, pair, linked in zip(
            *columns, prediction.flags, table.tolist(), batch, aligned, strict=True
        ):
            largest = sorted(zip(names, row, strict=True), key=lambda part: -abs(part[1]))
            tokens = (pair.a.tokens, pair.b.tokens)
            found.append(Explanation(score, low, high, flags, base, dict(largest), linked, tokens))
    return found


def contribution_names(model: "Predictor") -> tuple[str, ...]:
    """Return whose contributions `explain_pairs` tells, families first, in an order that depends on the model alone."""
    return _names(_parts(model))


def _names(models: "Sequence[Predictor]") -> tuple[str, ...]:
    families = [column.partition(".")[0] for model in models for column in model.columns]
    networks = [member.name for model in models for member in model.members if not member.reads_columns]
    return tuple(dict.fromkeys([*families, *networks, RULES]))


def _parts(model: "Predictor") -> "list[Predictor]":
    # Of a model that leaves some pairs to another, both.
    others = model.others if isinstance(model, Polyglot) else None
    return [model] if others is None else [model, others]


def averaged(parts: Sequence[Explanation], weights: Sequence[float], names: Sequence[str]) -> Explanation:
    """Return the explanation of a mean score by those of the scores, one at least; tokens are those of the last."""
    shares = np.asarray(weights) / sum(weights)
    weighed = list(zip(shares.tolist(), parts, strict=True))
    points = {name: sum(share * part.contributions.get(name, 0.0) for share, part in weighed) for name in names}
    largest = sorted(points.items(), key=lambda part: -abs(part[1]))
    return parts[-1]._replace(base=sum(share * part.base for share, part in weighed), contributions=dict(largest))


def member_means(members: Sequence[Member], scores: np.ndarray) -> dict[str, float]:
    """Return the mean of the scores of each network, shape (n, m); regressors keep what their means are made of."""
    columns = zip(members, scores.T, strict=True)
    return {member.name: float(column.mean()) for member, column in columns if not member.reads_columns}


def alignments(batch: PairBatch, level: str) -> list[list[tuple[int, int]]]:
    """Return the aligned tokens of each pair of a batch of that level, as far as its analysis goes."""
    if level in ("text", "tokens"):
        # Without lemmas and tags words stand for lemmas, as in `features.families.alignment.align`.
        words = [each._replace(lemmas=each.words, tags=("",) * len(each.words)) for each in batch.sentences]
        batch = PairBatch(words, batch.left, batch.right)
    found = links(batch, parsed=level == "parsed")
    ends = np.searchsorted(found.row, np.arange(len(batch) + 1)).tolist()
    pairs = list(zip(found.i.tolist(), found.j.tolist(), strict=True))
    return [sorted(pairs[ends[k] : ends[k + 1]]) for k in range(len(batch))]


def _weighed(model: "Predictor", batch: PairBatch) -> "tuple[float, np.ndarray, Prediction]":
    """Return the base, the contributions of shape (n, names), and the prediction of a batch."""
    matrix = model.extract(batch)
    scores = np.column_stack([member.predict(matrix) for member in model.members])
    prediction = model.combine(batch, scores)
    place = {name: k for k, name in enumerate(_names([model]))}
    combination, table = model.combination, np.zeros((len(batch), len(place)))
    base = combination.offset
    for member, weight, score in zip(model.members, combination.weights_of(len(model.members)), scores.T, strict=True):
        mean, added = _added(model, member, matrix, score)
        base += weight * mean
        for name, points in added.items():
            table[:, place[name]] += weight * points
    # The curve of a calibration bends all contributions of a pair alike: by its mean slope between base and score.
    total = table.sum(axis=1)
    bent, expected = combination.calibrated(base + total), float(combination.calibrated(np.asarray([base]))[0])
    table *= np.divide(bent - expected, total, out=np.ones_like(total), where=np.abs(total) > 1e-9)[:, None]
    table[:, place[RULES]] += prediction.score - combination.apply(scores, clip=False)
    return expected, table, prediction


def _added(
    model: "Predictor", member: Member, matrix: FeatureMatrix, score: np.ndarray
) -> tuple[float, dict[str, np.ndarray]]:
    contributions = member.contributions(matrix)
    if contributions is not None:
        return contributions
    mean = float(model.manifest[MEMBER_MEANS][member.name])
    return mean, {member.name: score - mean}


def _check(model: "Predictor") -> None:
    means = model.manifest.get(MEMBER_MEANS, {})
    for member in model.members:
        if member.reads_columns:
            able = member.explainable
        else:
            mean = means.get(member.name) if isinstance(means, dict) else None
            able = isinstance(mean, float) and math.isfinite(mean)
        if not able:
            raise ValueError(
                f"the model was trained before scores were explained, and its member {member.name} lacks what an "
                f"explanation needs; train the model again"
            )


def explain_file(
    source: str | Path,
    target: str | Path,
    *,
    model: "Predictor",
    columns: str | Sequence[str] | None = None,
    format: str | None = None,
) -> int:
    """Write a table with the reasons of its scores beside its columns, chunk by chunk; return the number of rows.

    What is added is ``score``, ``base`` and, for each of `contribution_names`, ``contribution.NAME``, all float64. A
    name that the table uses already is prefixed (``samewise_score``).

    Parameters
    ----------
    source, columns, format
        As for `open_table`.
    target
        The file to write, or ``-`` for standard output.
    model
        The fitted model.

    Raises
    ------
    TableError
        If a row is bad, or the format cannot hold it.
    ValueError
        If the model cannot explain its scores.
    """
    import pyarrow as pa

    from ..tables.opening import TableError, open_table
    from ..tables.table_writer import TableWriter

    for part in _parts(model):
        _check(part)
    names = contribution_names(model)
    rows = 0
    with ExitStack() as stack:
        reader = stack.enter_context(open_table(source, columns, format=format))
        writer = stack.enter_context(TableWriter(target, format or reader.format if str(target) == "-" else format))
        writer.write(_with_reasons(pa.RecordBatch.from_pylist([], schema=reader.schema), names, []))
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            found = model.explain(list(zip(chunk.a, chunk.b, strict=True)))
            for row in writer.write(_with_reasons(chunk.batch, names, found))[:1]:
                raise TableError(
                    f"line {chunk.lines[row]} of {reader.name} holds a tab or a break; write another format"
                )
            rows += len(found)
    return rows


def _with_reasons(batch: "pa.RecordBatch", names: Sequence[str], found: Sequence[Explanation]) -> "pa.RecordBatch":
    import pyarrow as pa

    added = {"score": [each.score for each in found], "base": [each.base for each in found]}
    added |= {f"{PREFIX}{name}": [each.contributions[name] for each in found] for name in names}
    schema = batch.schema
    for name in added:
        while name in schema.names:
            name = f"samewise_{name}"
        schema = schema.append(pa.field(name, pa.float64()))
    return pa.record_batch([*batch.columns, *(pa.array(values, pa.float64()) for values in added.values())], schema)
