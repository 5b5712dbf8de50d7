"""Views by name, found in the folder of views, and those that a model is used with."""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from ...features.close_names import did_you_mean
from ..core.scale import Scale
from .rare_words import RARE_WORDS
from .text_view import TextView

_FOLDER = Path(__file__).parent / "views"


@lru_cache(maxsize=1)
def text_views() -> Mapping[str, TextView]:
    """Return every view of the folder by its name, in alphabetical order."""
    names = [info.name for info in pkgutil.iter_modules([str(_FOLDER)])]
    modules = [importlib.import_module(f"{__package__}.views.{name}") for name in names]
    views = [value for module in modules for value in vars(module).values() if isinstance(value, TextView)]
    return MappingProxyType({view.name: view for view in sorted(views, key=lambda view: view.name)})


def view_names() -> tuple[str, ...]:
    """Return the names that `chosen_views` knows."""
    return (*text_views(), RARE_WORDS)


def chosen_views(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of views, each once, in alphabetical order.

    Raises
    ------
    ValueError
        If there is none, or one is unknown.
    """
    known = view_names()
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None or not names:
        close = did_you_mean(unknown or "", known)
        raise ValueError(f"views must be among {', '.join(known)}, got {unknown or 'none'}; name one or more{close}")
    return tuple(sorted(set(names)))


def deciding_view(names: Sequence[str]) -> str | None:
    """Return the view whose cosine follows the score best; None if none of the views has vectors."""
    views = text_views()
    return max((name for name in names if name in views), key=lambda name: views[name].correlation, default=None)


def least_similarity(score: float, scale: Scale, names: Sequence[str]) -> float:
    """Return the cosine in the deciding view under which a candidate hardly ever reaches a score.

    Parameters
    ----------
    score
        The score that a candidate is to reach.
    scale
        Scale of the score.
    names
        Names of the views that are used.
    """
    view = deciding_view(names)
    return 0.0 if view is None else text_views()[view].least((score - scale.low) / (scale.high - scale.low))
