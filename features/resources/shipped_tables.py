"""Tables that ship with the package and that features, resources and members read."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..encoders.base_encoder import base_encoder
from ..encoders.multilingual_cross_encoder import multilingual_cross_encoder
from ..encoders.multilingual_encoder import multilingual_encoder
from ..encoders.sentence_encoder import shipped_encoder
from ..lexicon.glosses import gloss_index
from ..lexicon.paragraph_models import paragraph_models
from ..lexicon.paraphrases import paraphrases
from ..lexicon.word_vectors import shipped_vectors
from ..lexicon.wordnet import wordnet
from ..linguistics.annotator import Annotator


class ShippedTable(NamedTuple):
    """A table that is part of the package.

    Attributes
    ----------
    load
        Function that loads the table; vectors are named by its argument.
    digest
        Return a digest of its content.
    """

    load: Callable[..., Any]
    digest: Callable[[], str]


SHIPPED_TABLES = {
    "wordnet": ShippedTable(wordnet, lambda: wordnet().digest),
    "paraphrases": ShippedTable(paraphrases, lambda: paraphrases().digest),
    "distilled": ShippedTable(shipped_vectors, lambda: shipped_vectors("distilled").digest),
    "relational": ShippedTable(shipped_vectors, lambda: shipped_vectors("relational").digest),
    "glosses": ShippedTable(gloss_index, lambda: gloss_index().digest),
    "paragraphs": ShippedTable(paragraph_models, lambda: paragraph_models().digest),
    "encoder": ShippedTable(shipped_encoder, lambda: shipped_encoder().digest),
    "base_encoder": ShippedTable(base_encoder, lambda: base_encoder().digest),
    "multilingual_encoder": ShippedTable(multilingual_encoder, lambda: multilingual_encoder().digest),
    "multilingual_cross_encoder": ShippedTable(multilingual_cross_encoder, lambda: multilingual_cross_encoder().digest),
}
"""The tables by name. A model records the digests of those that it reads, and is refused where they differ."""


def record_of_tables(names: Iterable[str], annotator: Annotator | None) -> dict[str, Any]:
    """Return the digests of the named tables, and of the pipeline if there is one, for the record of a model.

    Names that are not in `SHIPPED_TABLES` are left out.
    """
    pipeline = {} if annotator is None else {"pipeline": {"name": annotator.name, "digest": annotator.digest}}
    return pipeline | {name: SHIPPED_TABLES[name].digest() for name in names if name in SHIPPED_TABLES}
