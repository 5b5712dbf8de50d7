"""What ships with the package and decides a score beside the model: recorded with a model, and compared later."""

import hashlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from types import CodeType
from typing import Any, NamedTuple

from ...features.declaration import Feature, highest_level
from ...features.encoders.sentence_encoder import shipped_encoder
from ...features.encoders.shared_space_encoder import shared_space_encoder, shipped_languages
from ...features.lexicon.glosses import gloss_index
from ...features.lexicon.paragraph_models import paragraph_models
from ...features.lexicon.paraphrases import paraphrases
from ...features.lexicon.word_vectors import shipped_vectors
from ...features.lexicon.wordnet import wordnet
from ...features.linguistics.annotator import Annotator
from ...features.resources.registry import RESOURCES
from ...features.sentences import LEVELS


def text_digest(parts: Iterable[str]) -> str:
    """Return the hex digest of several texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class Table(NamedTuple):
    """Data that ship with the package and that features read without declaring it.

    Attributes
    ----------
    load
        The function that features get it from.
    digest
        Returns what identifies its content.
    """

    load: Callable[..., Any]
    digest: Callable[[], str]


TABLES = {
    "wordnet": Table(wordnet, lambda: wordnet().digest),
    "paraphrases": Table(paraphrases, lambda: paraphrases().digest),
    "distilled": Table(shipped_vectors, lambda: shipped_vectors("distilled").digest),
    "relational": Table(shipped_vectors, lambda: shipped_vectors("relational").digest),
    "glosses": Table(gloss_index, lambda: gloss_index().digest),
    "paragraphs": Table(paragraph_models, lambda: paragraph_models().digest),
    "encoder": Table(shipped_encoder, lambda: shipped_encoder().digest),
    "shared_space": Table(
        shared_space_encoder, lambda: text_digest(shared_space_encoder(code).digest for code in shipped_languages())
    ),
}
"""The tables by name. Their digests are recorded with a model that reads them, which is refused where they differ."""


def tables_read(features: Sequence[Feature]) -> list[str]:
    """Return the names of the `TABLES` that the features may read.

    Those are the tables whose `load` is named in the code of a feature or of a resource that it needs, or in what that
    code names, and so on; above the level ``tokens`` WordNet and the paraphrases anyway.
    """
    named = _named([*features, *(RESOURCES[need] for value in features for need in value.needs if need in RESOURCES)])
    found = {name for name, table in TABLES.items() if id(table.load) in named}
    if LEVELS.index(highest_level(features)) > LEVELS.index("tokens"):
        found |= {"wordnet", "paraphrases"}
    return [name for name in TABLES if name in found]


def _named(values: Iterable[Any]) -> set[int]:
    # The identities of what functions and classes of ours, and features of the user's, name in their code, and so on.
    # What is imported inside a function is not seen; a test compares this with what the catalogue reads.
    package = Feature.__module__.rpartition(".")[0]
    waiting = list(values)
    own = {value.compute.__module__ for value in waiting if isinstance(value, Feature)}
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
        elif inspect.isfunction(inner := inspect.unwrap(getattr(value, "__func__", value))):
            if inner.__module__ in own or str(inner.__module__).startswith(package):
                names = _names(inner.__code__)
                waiting += [inner.__globals__[name] for name in names if name in inner.__globals__]
        elif inspect.ismodule(value):
            continue
        elif inspect.isclass(value):
            waiting += vars(value).values() if value.__module__.startswith(package) else ()
        elif isinstance(value, property | cached_property):
            waiting.append(value.fget if isinstance(value, property) else value.func)
        elif type(value).__module__.startswith(package):
            waiting += [type(value), vars(value) if hasattr(value, "__dict__") else ()]
    return seen


def _names(code: CodeType) -> set[str]:
    # With those of the functions inside.
    return set(code.co_names).union(*(_names(value) for value in code.co_consts if isinstance(value, CodeType)))


def foundations(names: Iterable[str], annotator: Annotator | None) -> dict[str, Any]:
    """Return what identifies the pipeline, if there is one, and the named tables that are here."""
    pipeline = {} if annotator is None else {"pipeline": {"name": annotator.name, "digest": annotator.digest}}
    return pipeline | {name: TABLES[name].digest() for name in names if name in TABLES}
