"""The matrices of an ablation, extracted once, as `SimilarityEnsemble` extracts them."""

from collections.abc import Sequence
from pathlib import Path

from ...features.analysis import analyse
from ...features.base import Feature, highest_level
from ...features.catalogue import resolve
from ...features.linguistics.annotator import load_annotator
from ...features.matrix import FeatureMatrix, extract
from ...features.resources import Resources, resources_of
from ...models.scorer import make
from ..similarity import SimilarityEnsemble


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
) -> tuple[FeatureMatrix, FeatureMatrix | None]:
    """Return the matrices of training and dev pairs; what is counted, such as frequencies, is of the training pairs.

    Parameters
    ----------
    train, dev
        Pairs of texts; no dev pairs for cross-validation.
    features, members, cache, pipeline, vectors, encoder
        As for `SimilarityEnsemble`.

    Raises
    ------
    ValueError
        If a setting is unknown, or a feature needs what is not given.
    """
    chosen, columns = resolve(features) if any(make(name).reads_columns for name in members) else ((), ())
    given = SimilarityEnsemble(features, members, vectors=vectors, encoder=encoder)._given(chosen)
    level = highest_level(chosen)
    annotator = None if level in ("text", "tokens") else load_annotator(pipeline)
    batch = analyse(train, level, annotator)
    needed = {need for value in chosen for need in value.needs}
    resources = Resources.fit(sorted(needed.union(resources_of(level))), batch.sentences, given)
    matrix = extract(batch, chosen, resources, columns=columns, cache=cache)
    if dev is None:
        return matrix, None
    return matrix, extract(analyse(dev, level, annotator), chosen, resources, columns=columns, cache=cache)
