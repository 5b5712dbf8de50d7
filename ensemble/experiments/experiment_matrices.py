"""Feature matrices of an experiment, extracted once, as `SimilarityEnsemble` extracts them."""

from collections.abc import Sequence
from pathlib import Path

from ...features.declaration import Feature
from ...features.extraction import Extraction
from ...features.matrix import FeatureMatrix
from ...models.member import check_libraries, make_member


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
