"""Catalogue of the features of the folder ``families`` and of extensions, and the columns that patterns choose.

Extensions are read only where the core lacks a name, or all features are listed.
"""

import importlib
import importlib.util
import json
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from types import ModuleType

from ..._messages import did_you_mean
from ..base.extensions import extensions
from ..base.feature import Feature
from .named_sets import FEATURE_SETS

_CORE = f"{(__package__ or '').rpartition('.')[0]}.families"
_COSTS = Path(__file__).parents[1] / "data" / "costs.json"


def _features_in(module: ModuleType) -> list[Feature]:
    values = [value for value in vars(module).values() if isinstance(value, Feature)]
    return [value for value in values if value.compute.__module__ == module.__name__]


def _names_in(package: str) -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__))


def _features_of(package: str) -> list[Feature]:
    modules = [importlib.import_module(f"{package}.{name}") for name in _names_in(package)]
    return [value for module in modules for value in _features_in(module)]


@cache
def core_features() -> tuple[Feature, ...]:
    """Return every feature of the folder ``families``, ordered by module name and then by definition."""
    return tuple(_features_of(_CORE))


@cache
def all_features() -> tuple[Feature, ...]:
    """Return every feature of the core and of extensions, ordered by module name and then by definition."""
    others = [value for each in extensions() for value in _features_of(each.FAMILIES)]
    return tuple(sorted((*core_features(), *others), key=lambda value: value.family))


def all_families() -> list[str]:
    """Return the names of all families by their files, because importing them takes a second."""
    return sorted(name for package in (_CORE, *(each.FAMILIES for each in extensions())) for name in _names_in(package))


@cache
def costs() -> dict[str, float]:
    """Return the cost of each feature by full name: microseconds of one core a pair, computed alone.

    The costs are measured by ``benchmarks/cost_by_feature.py``. A feature that was not measured is missing.
    """
    measured: dict[str, float] = json.loads(_COSTS.read_text(encoding="utf-8"))["alone"]
    return measured


def load_features(path: str | Path) -> tuple[Feature, ...]:
    """Return the features that a user-supplied Python file declares.

    The file is executed: load only files that you trust.

    Raises
    ------
    ValueError
        If the file does not exist, does not run, or declares no feature.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"a file of features must exist, got {path}; correct the path")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"a file of features must end in .py, got {path}; rename it")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # of any kind: the code is user-supplied
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"a file of features must run without an error, got {type(error).__name__} in {path}: {reason}; "
            "correct it (--debug shows where)"
        ) from error
    features = tuple(_features_in(module))
    if not features:
        raise ValueError(
            f"a file of features must declare a feature, got none in {path}; decorate a function with "
            "@samewise.feature(...)"
        )
    return features


def _patterns(item: str, sets: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the pattern itself, or the patterns of the set of this name and of the sets that it names."""
    for pattern in sets.get(item, (item,)):
        yield from _patterns(pattern, sets) if pattern in sets and pattern != item else (pattern,)


def _in_core(items: Sequence[str | Feature]) -> bool:
    """Return whether the items choose the same columns if extensions are not read."""
    core = core_features()
    families = {value.family for value in core}
    patterns = [p for item in items if isinstance(item, str) for p in _patterns(item, FEATURE_SETS.core)]
    others = [pattern for pattern in patterns if pattern.removeprefix("-").partition(".")[0] not in families]
    columns = [column for value in core for column in value.columns]
    return all(item in core for item in items if isinstance(item, Feature)) and all(
        pattern.startswith("-") and _matching(pattern[1:], columns) for pattern in others
    )


def _matching(glob: str, columns: Iterable[str]) -> list[str]:
    return [column for column in columns if fnmatchcase(column, glob) or fnmatchcase(column, f"{glob}.*")]


def _with_user_supplied(features: Iterable[Feature]) -> list[Feature]:
    """Return the catalogue extended by the features that it lacks."""
    available = list(all_features())
    for item in features:
        namesake = next((value for value in available if value.full_name == item.full_name), item)
        if namesake is not item:
            raise ValueError(
                f"a feature must have a name of its own, got {item.full_name!r} twice; rename the function or its file"
            )
        if item not in available:
            available.append(item)
    return available


def resolve(spec: str | Iterable[str | Feature]) -> tuple[tuple[Feature, ...], tuple[str, ...]]:
    """Return the features to compute and the columns to keep for a named set, patterns or features.

    Parameters
    ----------
    spec
        The name of a set (`FEATURE_SETS`), a pattern such as ``"ngram.*"``, or a list of these and of `Feature` values.
        A pattern matches full column names, ``*`` any run of characters; ``-pattern`` removes columns.

    Returns
    -------
    features
        In catalogue order.
    columns
        In the order of the patterns; the columns of one pattern in catalogue order.

    Raises
    ------
    ValueError
        If a pattern matches nothing, a name is used twice, or nothing is left.

    Examples
    --------
    >>> features, columns = resolve(["negation", "-negation.count.total"])
    >>> columns
    ('negation.differs.parity', 'negation.count.difference')
    """
    items: Sequence[str | Feature] = [spec] if isinstance(spec, str) else list(spec)
    in_core = _in_core(items)
    given = [item for item in items if isinstance(item, Feature)]
    available = list(core_features()) if in_core else _with_user_supplied(given)
    columns = [column for value in available for column in value.columns]
    sets = FEATURE_SETS.core if in_core else FEATURE_SETS
    patterns: list[str | Feature] = []
    for item in items:
        patterns.extend([item] if isinstance(item, Feature) else _patterns(item, sets))
    chosen: dict[str, None] = {}
    for pattern in patterns:
        if isinstance(pattern, Feature):
            chosen |= dict.fromkeys(pattern.columns)
            continue
        glob = pattern.removeprefix("-")
        matched = _matching(glob, columns)
        if not matched:
            columns = [column for value in _with_user_supplied(given) for column in value.columns]
            families = list(dict.fromkeys(column.partition(".")[0] for column in columns))
            raise ValueError(
                f"no feature matches {glob!r}; the sets are {', '.join(FEATURE_SETS)} and the families "
                f"{', '.join(families)}{did_you_mean(glob.removesuffix('.*'), [*FEATURE_SETS, *families, *columns])}"
            )
        if pattern.startswith("-"):
            chosen = {column: None for column in chosen if column not in matched}
        else:
            chosen |= dict.fromkeys(matched)
    if not chosen:
        raise ValueError(f"the patterns must leave at least one column, got {patterns!r}; remove fewer columns")
    features = tuple(value for value in available if not chosen.keys().isdisjoint(value.columns))
    return features, tuple(chosen)
