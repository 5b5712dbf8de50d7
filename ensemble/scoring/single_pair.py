"""Score of a single pair in Python, with models that are kept once they are loaded."""

from functools import lru_cache
from pathlib import Path

from ...models.bundle import MANIFEST
from ...models.profiles import DEFAULT_PROFILE, bundle_folder
from ..loading import Model, ModelLike, ModelRef, load

MOST_KEPT = 4
"""Models that are kept; the one that was used longest ago goes first."""


def score(first: str, second: str, model: ModelLike = DEFAULT_PROFILE) -> float:
    """Return the score of a pair of texts.

    The model is loaded at the first call and kept for the next ones; a bundle that was written again is loaded again.
    For many pairs, `load` a model once and let it `predict` all of them together, which is much faster.

    Parameters
    ----------
    first, second
        The texts; their order does not matter.
    model
        As for `load`.

    Returns
    -------
    float
        On the scale of the model: for the profiles from 0, unrelated, to 5, the same in meaning.

    Raises
    ------
    TypeError
        If a text is not a string, or `model` is something else.
    samewise.models.bundle.BundleError
        If the model does not exist or cannot be used here.
    """
    for name, text in (("first", first), ("second", second)):
        if not isinstance(text, str):
            raise TypeError(
                f"{name} must be a string, got {type(text).__name__}; for many pairs use load(...).predict(pairs)"
            )
    return float(kept_model(model).predict_pairs([(first, second)]).score[0])


def kept_model(model: ModelLike) -> Model:
    """Return a model by its name, loaded once and kept while it is one of the last `MOST_KEPT`."""
    if isinstance(model, str | Path):
        model = ModelRef(str(model))
    if not isinstance(model, ModelRef):
        return load(model)
    manifest = bundle_folder(model.model) / MANIFEST
    return _loaded_once(model, manifest.read_bytes() if manifest.is_file() else b"")


@lru_cache(MOST_KEPT)
def _loaded_once(ref: ModelRef, manifest: bytes) -> Model:
    # The manifest holds the hashes of all files of a bundle, so another manifest is another model.
    return ref.load()
