"""Index: the texts of a table, prepared once for many matches."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from ..._messages import short_repr
from ...features.analysis.analysis import normalise
from ...features.linguistics.glossary import Glossary, GlossaryLike
from ...models.profiles import DEFAULT_PROFILE
from ..loading import ModelLike, glossary_of, load
from ..scoring.frames import column_texts
from ..scoring.rejects import noting, rejects_file
from ..scoring.worker_processes import Workers, usable_cores, worker_count
from ..tables.table_format import DelimitedText
from ..tables.text_tables import open_texts
from .graph_index import GraphIndex, can_index
from .index_folder import (
    IndexFileError,
    check_files,
    check_index_place,
    check_new_place,
    locked_folder,
    read_manifest,
    read_table,
    store,
    store_table,
    stored_glossary,
    write_version,
)
from .search import RARE_WORDS
from .text_index import EXACT_PRODUCTS, TextIndex
from .texts import TextRows, chosen_views, codes_by_view, read_texts, text_views, views_of

DEFAULT_VIEWS = (RARE_WORDS, "words")

_SMALL = int(np.sqrt(EXACT_PRODUCTS))


class Index:
    """Rows of a table whose texts are prepared for matching.

    Parameters
    ----------
    index
        The distinct texts.
    places
        Shape (n,), int64: place of the text of each row.
    ids
        Names of the rows; None if they have none.

    Attributes
    ----------
    views
        Names of the views.
    column
        Column of the table that `index_file` just read; else None.
    """

    column: str | None = None

    def __init__(self, index: TextIndex, places: np.ndarray, ids: Any = None) -> None:
        self.texts, self.places, self.ids = index, places, ids
        self.views = index.views

    def __repr__(self) -> str:
        return short_repr(self, rows=len(self), texts=len(self.texts.texts), views=self.views, ids=self.ids is not None)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.places)

    @classmethod
    def build(
        cls,
        texts: Any,
        ids: Any = None,  # not pa.ChunkedArray: pyarrow has no types, and an editor would not know the function
        views: Sequence[str] = DEFAULT_VIEWS,
        pool: Workers | None = None,
        glossary: GlossaryLike | None = None,
    ) -> "Index":
        """Return the index of the texts of rows.

        Parameters
        ----------
        texts
            Texts of n rows, none of them missing, as for `column_texts`.
        ids
            Names of the rows, a sequence or a pyarrow ChunkedArray; None if they have none.
        views
            Names of views; a profile that has networks also uses ``sentences``.
        pool
            Processes for views that are slow; None for this process.
        glossary
            Glossary of the models that will match with the index, as for `load`; None for none.

        Raises
        ------
        ValueError
            If a view is unknown, a text is missing or not a string, there are not as many names as rows, or the
            glossary is malformed.
        """
        names, own = chosen_views(views), None if glossary is None else Glossary.of(glossary)
        nothing = TextIndex([], codes_by_view([], names, None), names, glossary=own)
        return cls(nothing, np.empty(0, np.int64)).appended(texts, ids, pool)

    def appended(self, texts: Any, ids: Any = None, pool: Workers | None = None) -> "Index":
        """Return the index with more rows; what was prepared before is not prepared again.

        Parameters
        ----------
        texts, ids, pool
            As for `build`; rows have names if those before them have.

        Raises
        ------
        ValueError
            If a text is missing or not a string, there are not as many names as rows, or only some rows have names.
        """
        given = column_texts(texts)
        names = None if ids is None else ids if isinstance(ids, pa.ChunkedArray) else pa.chunked_array([pa.array(ids)])
        if names is not None and len(names) != len(given):
            raise ValueError(f"ids must have one name a row, got {len(names)} for {len(given)} rows; give all or none")
        if len(self) and (names is None) != (self.ids is None):
            raise ValueError("ids must be given for all rows of an index or for none; give them as before")
        if None in given:
            raise ValueError(f"a text must be a string, got None at position {given.index(None)}; remove it")
        normal = [normalise(text) for text in given if text is not None]
        new = sorted(set(normal) - self.texts.places.keys())
        known = self.texts.places | {text: place for place, text in enumerate(new, len(self.texts.texts))}
        own = self.texts.glossary
        codes = codes_by_view(new, self.views, pool, own)
        both = {name: np.concatenate([old, codes[name]]) for name, old in self.texts.codes.items()}
        graphs = {name: graph.extended(codes[name], usable_cores()) for name, graph in self.texts.graphs.items()}
        if not graphs and len(known) > _SMALL and can_index():
            graphs = {name: GraphIndex.build(values, usable_cores()) for name, values in both.items()}
        index = TextIndex([*self.texts.texts, *new], both, self.views, graphs, own)
        places = np.concatenate([self.places, np.fromiter(map(known.__getitem__, normal), np.int64, len(normal))])
        if self.ids is not None and names is not None:
            names = pa.chunked_array([*self.ids.chunks, *_of_type(names, self.ids.type).chunks], self.ids.type)
        return Index(index, places, names)

    @property
    def signature(self) -> str:
        """Hex digest of the texts, their rows and names, the views and the glossary."""
        digest = hashlib.sha256(json.dumps(_digests(self.views), sort_keys=True).encode())
        if self.texts.glossary is not None:
            digest.update(self.texts.glossary.digest.encode())
        digest.update(json.dumps(self.texts.texts).encode())
        digest.update(np.ascontiguousarray(self.places).tobytes())
        digest.update(json.dumps(None if self.ids is None else self.ids.to_pylist(), default=str).encode())
        return digest.hexdigest()

    def check_views(self, views: Sequence[str] | None) -> None:
        """Raise IndexFileError if views are named that are not those of the index."""
        if views is not None and set(views) != set(self.views):
            raise IndexFileError(
                f"the views must be those of the index, {', '.join(self.views)}, got {', '.join(views)}; leave them out"
            )

    def check_glossary(self, glossary: Glossary | None) -> None:
        """Raise IndexFileError if a glossary is not that of the index."""
        if glossary != self.texts.glossary:
            here, own = ("none" if each is None else each.name for each in (glossary, self.texts.glossary))
            raise IndexFileError(
                f"the glossary must be that of the index, {own}, got {here}; build the index again with the glossary "
                "that you match with, or match with that of the index"
            )

    def rows(self) -> TextRows:
        """Return the rows."""
        return TextRows(_TextsOfRows(self.texts.texts, self.places), self.ids, 0)

    def save(self, folder: str | Path) -> None:
        """Write the index to a folder, which is made if it does not exist.

        Raises
        ------
        IndexFileError
            If the folder holds something else.
        OSError
            If it cannot be written.
        """
        place = Path(folder)
        check_index_place(place)
        place.mkdir(parents=True, exist_ok=True)
        with locked_folder(place):
            write_version(place, partial(self._stored, place))

    def _stored(self, place: Path) -> dict[str, Any]:
        columns = {"place": pa.array(self.places), **({} if self.ids is None else {"id": self.ids})}
        texts = pa.table({"text": pa.array(self.texts.texts, pa.large_string())})
        own = self.texts.glossary
        return {
            "views": _digests(self.views),
            **({} if own is None else {"glossary": own.groups}),
            "texts": store_table(place, "texts", texts),
            "rows": store_table(place, "rows", pa.table(columns)),
            "codes": {
                name: store(place, f"codes-{name}", ".npy", partial(np.save, arr=codes, allow_pickle=False))
                for name, codes in self.texts.codes.items()
            },
            "graphs": {
                name: {
                    "files": [store(place, f"graph-{name}", ".usearch", write) for write in graph.writers()],
                    "starts": graph.starts,
                }
                for name, graph in self.texts.graphs.items()
            },
        }

    @classmethod
    def open(cls, folder: str | Path) -> "Index":
        """Return the index of a folder; its codes and graphs are mapped into memory.

        Raises
        ------
        IndexFileError
            If it is not an index, has been changed, or was made with other tables than those installed.
        """
        place = Path(folder)
        facts = read_manifest(place)
        while True:
            try:
                return cls._opened(place, facts)
            except (IndexFileError, FileNotFoundError):
                before, facts = facts, read_manifest(place)
                if facts == before:  # not replaced by another process, which then removed the files
                    raise

    @classmethod
    def _opened(cls, place: Path, facts: dict[str, Any]) -> "Index":
        check_files(place, facts)
        wanted = _digests(tuple(facts["views"]))
        other = next((name for name, digest in wanted.items() if facts["views"][name] != digest), None)
        if other is not None:
            raise IndexFileError(
                f"the index {place} must be made with the tables of this version for the view {other}, "
                f"{wanted[other][:12]}, got {str(facts['views'][other])[:12]}; build it again"
            )
        try:
            return cls._read(place, facts)
        except FileNotFoundError:
            raise
        except (LookupError, OSError, RuntimeError, TypeError, ValueError) as error:  # of pyarrow, numpy and usearch
            raise IndexFileError(f"{place} must be an index as it was made, got {error}; build it again") from error

    @classmethod
    def _read(cls, place: Path, facts: dict[str, Any]) -> "Index":
        rows, table = read_table(place / facts["rows"]), read_table(place / facts["texts"])
        places, texts = rows.column("place").to_numpy(), table.column("text").to_pylist()
        own, views = stored_glossary(facts), tuple(facts["views"])
        codes = {
            name: np.load(place / file, mmap_mode="r", allow_pickle=False) for name, file in facts["codes"].items()
        }
        graphs = {
            name: GraphIndex.open([place / file for file in graph["files"]], graph["starts"])
            for name, graph in facts["graphs"].items()
            if can_index()
        }
        shapes = {name: (len(texts), none.shape[1]) for name, none in codes_by_view([], views, None).items()}
        sizes = {name: shapes[name] for name in graphs}
        if {name: array.shape for name, array in codes.items()} != shapes or any(
            array.dtype != np.int8 for array in codes.values()
        ):
            raise ValueError("codes of another shape")
        if {name: graph.shape for name, graph in graphs.items()} != sizes:
            raise ValueError("graphs of another shape")
        if not all(type(text) is str for text in texts):
            raise ValueError("texts that are none")
        if places.dtype != np.int64 or (len(places) and not 0 <= places.min() <= places.max() < len(texts)):
            raise ValueError("rows without a text")
        ids = rows.column("id") if "id" in rows.schema.names else None
        return cls(TextIndex(texts, codes, views, graphs, own), places, ids)


class _TextsOfRows(Sequence[str]):
    # Looked up row by row: a list of all of them would be made for each text that is matched.
    def __init__(self, texts: Sequence[str], places: np.ndarray) -> None:
        self._texts, self._places = texts, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, row: Any) -> Any:
        places = self._places[row]
        return [self._texts[place] for place in places.tolist()] if isinstance(row, slice) else self._texts[places]


def _of_type(names: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Return names of rows as values of another type, from which they can be made again."""
    with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
        cast = names.cast(kind)
        if cast.cast(names.type).equals(names):
            return cast
    raise ValueError(f"ids must be of the type of those of the index, {kind}, got {names.type}; convert them")


def _digests(views: Sequence[str]) -> dict[str, str]:
    return {name: text_views()[name].digest() if name in text_views() else "" for name in views}


def index_file(
    source: str | Path,
    folder: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    column: str | None = None,
    id: str | None = None,
    append: bool = False,
    views: Sequence[str] | None = None,
    workers: int | str | None = None,
    format: str | None = None,
    **text: Unpack[DelimitedText],
) -> Index:
    """Write the index of a table to a folder and return it; bad rows are noted in ``FOLDER.rejects.jsonl``."""
    place = Path(folder)
    with ExitStack() as stack:
        before = None
        if append:
            read_manifest(place)
            stack.enter_context(locked_folder(place))
            before = Index.open(place)
            before.check_views(views)
        else:
            check_new_place(place)
        loaded = load(model)
        own = glossary_of(loaded)
        if before is not None:
            before.check_glossary(own)
        reader = stack.enter_context(open_texts(source, column, id, format, **text))
        pool = stack.enter_context(Workers(loaded, worker_count(workers)))
        rows = read_texts(reader, stack.enter_context(noting(rejects_file(folder))))
        if before is None:
            made = Index.build(rows.texts, rows.ids, tuple(views or views_of(loaded)), pool, own)
            place.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked_folder(place))
            check_new_place(place)  # again: another process may have written one meanwhile
        else:
            made = before.appended(rows.texts, rows.ids, pool)
        write_version(place, partial(made._stored, place))
        made.column = reader.a_name
    return made
