"""A model of several languages that is told which ones pairs are in, where they were found before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...features.linguistics.languages import Languages
from ...features.sentence_cache import SentenceMemory
from ..core.predictor import Predictor


@dataclass
class _Told(Predictor):
    told: Languages | None = None

    @property
    def languages(self) -> Languages | None:
        return self.told


def told(
    model: Predictor, languages: Sequence[tuple[str, str]], rows: Iterable[int], memory: SentenceMemory
) -> Iterator[tuple[list[int], Predictor]]:
    """Yield rows that are in the same languages, with the model that is told these.

    Parameters
    ----------
    model
        One of several languages.
    languages
        Of both texts of each pair.
    rows
        The pairs that matter.
    memory
        What is known of sentences.
    """
    parts: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        parts.setdefault(languages[row], []).append(row)
    facts = {**facts_of(model), "memory": memory}
    for sides, alike in parts.items():
        yield alike, _Told(**facts, told=Languages(tuple(dict.fromkeys(sides)), sides))


def facts_of(model: Predictor) -> dict[str, Any]:
    """Return what a model is made of, to make another of it."""
    return {name: getattr(model, name) for name in Predictor.__dataclass_fields__}
