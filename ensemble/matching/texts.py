"""Texts to compare, and views of them."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..._messages import did_you_mean
from ...features.analysis.analysis import normalise
from ...features.linguistics.glossary import Glossary
from ...features.linguistics.normalisation import compared_form
from ..core.scale import Scale
from ..loading import Model, readable_languages
from ..scoring.worker_processes import Workers
from ..tables.arrow_rows import cell_values
from ..tables.table_reader import TableReader, find_column
from .search import RARE_WORDS


@dataclass(frozen=True)
class TextRows:
    """Good rows of a table: n of them.

    Attributes
    ----------
    texts
        The texts.
    ids
        Column that names the rows; None if no such column is named.
    rejects
        Number of bad rows.
    table
        Other columns that are needed, by the names by which they were asked for; None for none.
    preference
        Shape (n,), float64: the row of a group with the least number stands for it; None if the texts decide.
    """

    texts: Sequence[str]
    ids: pa.ChunkedArray | None = None
    rejects: int = 0
    table: pa.Table | None = None
    preference: np.ndarray | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.texts)

    def values(self, column: str) -> list[Any]:
        """Return the n values of a column of `table`, None where one is missing."""
        assert self.table is not None
        field = self.table.schema.field(column)
        return [value for chunk in self.table.column(column).chunks for value in cell_values(chunk, field)]


def read_texts(reader: TableReader, note: Callable[[dict[str, Any]], None], names: Sequence[str] = ()) -> TextRows:
    """Return the texts of a table opened by `open_texts`.

    Parameters
    ----------
    reader
        The table.
    note
        Called with each bad row, as `predict_file` describes them.
    names
        Other columns that are needed: names, or numbers from 1.

    Raises
    ------
    TableError
        If the table lacks one of them.
    """
    columns = {name: find_column(name, reader.schema.names, reader.name) for name in names}
    others: list[list[pa.Array]] = [[] for _ in columns]
    texts: list[str] = []
    ids: list[pa.Array] = []
    rejects = 0
    for chunk in reader:
        texts += chunk.a
        if reader.id_name is not None:
            ids.append(chunk.batch.column(reader.id_name))
        for column, parts in zip(columns.values(), others, strict=True):
            parts.append(chunk.batch.column(column))
        rejects += len(chunk.rejects)
        for reject in chunk.rejects:
            name = {"id": reader.id_of(reject)} if reader.id_name is not None else {}
            note({"line": reject.line, **name, "reason": reject.reason, "raw": reject.raw})
    named = reader.id_name is not None
    fields = [reader.schema.field(column).with_name(name) for name, column in columns.items()]
    arrays = [pa.chunked_array(parts, field.type) for parts, field in zip(others, fields, strict=True)]
    return TextRows(
        texts,
        pa.chunked_array(ids, reader.schema.field(reader.id_name).type) if named else None,
        rejects,
        pa.table(arrays, schema=pa.schema(fields)) if columns else None,
    )


NEARER = 0.05
"""Cosine that a text beyond those asked for must have above the least one; see `TextView.depth`."""


@dataclass(frozen=True)
class TextView:
    """A view: a value in a file of `views`, where the catalogue finds it.

    Attributes
    ----------
    name
        Name that ``--views`` takes.
    title
        Property that it compares, for messages and help.
    codes
        Returns the codes (`search.text_codes`) of n texts, shape (n, d), int8; those of a text depend on no other.
    digest
        Returns a hex digest of the tables that the codes depend on.
    correlation
        Pearson correlation of its cosine with the scores of `full` on the pairs of STS 2012 to 2017: the view with the
        largest, of those used, says which candidates are too far apart.
    slack, most_similar
        A candidate that is to reach a share of the scale must have a cosine of at least this share less `slack`, but
        never more than `most_similar`.
    slow
        Whether the codes come from a network, so that worker processes share the work.
    depth
        Factor of the number of close texts up to which further ones are candidates, if they are nearer by `NEARER`.
    """

    name: str
    title: str
    codes: Callable[[Sequence[str]], np.ndarray]
    digest: Callable[[], str]
    correlation: float
    slack: float
    most_similar: float
    slow: bool = False
    depth: int = 1

    def least(self, share: float) -> float:
        """Return the cosine under which a candidate hardly ever reaches a share of the scale, 0..1."""
        return float(np.clip(share - self.slack, 0.0, self.most_similar))


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
    """Return the cosine in the deciding view under which a candidate hardly ever reaches a score."""
    view = deciding_view(names)
    return 0.0 if view is None else text_views()[view].least((score - scale.low) / (scale.high - scale.low))


def views_of(model: Model) -> tuple[str, ...]:
    """Return the default views for a model; those of a model with a network include its sentence vectors.

    Texts of several languages share characters rather than English words.
    """
    if readable_languages(model) != ("en",):
        return ("characters", RARE_WORDS)
    members = [member for part in model.parts.values() for member in part.manifest["members"]]
    networks = any(str(member["file"]).endswith(".onnx") for member in members)
    return (RARE_WORDS, "words", *(("sentences",) if networks else ()))


_CLOSING = " .!,;:\u3002"


def equal_form(text: str) -> str:
    """Return what two texts that mean the same letter by letter have in common: all but form, case and closing marks.

    A question mark stays, because "It is open?" asks. The mark of a factorial stays, too.
    """
    form = compared_form(text)
    open_end = form.rstrip(_CLOSING)
    is_factorial = open_end[-1:].isdigit() and form.startswith("!", len(open_end))
    return form if is_factorial else open_end or form


BATCH = 4_096
"""Texts whose codes are computed together."""


def plainness(text: str) -> tuple[bool, int, str]:
    """Return a key by which the plainest of equal texts comes first: not in capitals alone, and short."""
    return text.isupper(), len(text), text


class TextCollection(NamedTuple):
    """Distinct texts.

    Attributes
    ----------
    texts
        The n normalised texts, ascending.
    rows
        For each table the place of the text of each row, int64.
    within
        Shape (n,), int64: the group of each text, with whose texts alone it is compared; None for all texts.
    apart
        Shape (n,), int64: the group of each text, with whose texts it is not compared; None for none.
    """

    texts: list[str]
    rows: list[np.ndarray]
    within: np.ndarray | None = None
    apart: np.ndarray | None = None

    @classmethod
    def of(cls, *tables: Sequence[str], form: Callable[[str], str] = str) -> "TextCollection":
        """Return the distinct texts of tables.

        Parameters
        ----------
        tables
            Texts of the rows of each table.
        form
            Texts of which this is equal after `normalise` count as one, and the first by `plainness` stands for them.
        """
        normal = [[normalise(text) for text in table] for table in tables]
        forms = {text: form(text) for table in normal for text in table}
        shown: dict[str, str] = {}
        for text in sorted(forms, key=plainness):
            shown.setdefault(forms[text], text)
        texts = sorted(shown.values())
        places = {text: place for place, text in enumerate(texts)}
        rows = [np.array([places[shown[forms[text]]] for text in table], np.int64) for table in normal]
        return cls(texts, rows)

    def arrow(self) -> pa.Array:
        """Return the texts as an array, from which batches of pairs are taken."""
        return pa.array(self.texts, pa.large_string())


def read_by(texts: Sequence[str], glossary: Glossary | None) -> Sequence[str]:
    """Return normalised texts as the views read them: rewritten, if there is a glossary."""
    return texts if glossary is None else list(map(glossary.rewrite, texts))


def codes_by_view(
    texts: Sequence[str], names: Iterable[str], pool: Workers | None, glossary: Glossary | None = None
) -> dict[str, np.ndarray]:
    """Return the codes of texts, shape (n, d), int8, for each view that has any; without a pool in this process."""
    texts = read_by(texts, glossary)
    views: Mapping[str, TextView] = text_views()
    return {name: codes_of(texts, views[name], pool) for name in names if name in views}


def codes_of(texts: Sequence[str], view: TextView, pool: Workers | None) -> np.ndarray:
    """Return the codes of texts by a view, shape (n, d), int8; computed in batches."""
    batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
    if view.slow and pool is not None:
        tables = (pa.record_batch([pa.array(batch, pa.string())], names=["text"]) for batch in batches)
        parts = list(pool.map(partial(_codes_of_batch, name=view.name), np.concatenate, tables))
    else:
        parts = list(map(view.codes, batches))
    return np.concatenate(parts) if parts else view.codes([])


def _codes_of_batch(batch: pa.RecordBatch, model: Model, name: str) -> np.ndarray:
    return text_views()[name].codes(batch.column(0).to_pylist())
