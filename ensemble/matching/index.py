"""Index: the texts of a table, prepared once for many matches."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._files import complete_file
from ..._messages import short_repr
from ...features.analysis.analysis import normalise
from ...models.profiles import DEFAULT_PROFILE
from ..loading import ModelLike, load
from ..scoring.rejects import noting, rejects_file
from ..scoring.worker_processes import Workers, usable_cores, worker_count
from ..tables.text_tables import open_texts
from .candidates import views_of
from .graph_index import GraphIndex, can_index
from .search import RARE_WORDS
from .text_index import EXACT_PRODUCTS, TextIndex
from .texts import TextRows, chosen_views, codes_by_view, read_texts, text_views

MANIFEST = "index.json"
"""File that describes an index, in its folder."""

FORMAT = 1

DEFAULT_VIEWS = (RARE_WORDS, "words")

_TEXTS, _ROWS = "texts.arrow", "rows.arrow"
_SMALL = int(np.sqrt(EXACT_PRODUCTS))


class IndexFileError(ValueError):
    """Error of an index that cannot be used here; the message names the index, the reason and a remedy."""


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
    """

    def __init__(self, index: TextIndex, places: np.ndarray, ids: pa.ChunkedArray | None = None) -> None:
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
        texts: Sequence[str],
        ids: Sequence[Any] | pa.ChunkedArray | None = None,
        views: Sequence[str] = DEFAULT_VIEWS,
        pool: Workers | None = None,
    ) -> "Index":
        """Return the index of the texts of rows.

        Parameters
        ----------
        texts, ids
            Texts of n rows, and their names.
        views
            Names of views; a profile that has networks also uses ``sentences``.
        pool
            Processes for views that are slow; None for this process.

        Raises
        ------
        ValueError
            If a view is unknown, or there are not as many names as rows.
        """
        nothing = TextIndex([], codes_by_view([], chosen_views(views), None), chosen_views(views))
        return cls(nothing, np.empty(0, np.int64)).appended(texts, ids, pool)

    def appended(
        self, texts: Sequence[str], ids: Sequence[Any] | pa.ChunkedArray | None = None, pool: Workers | None = None
    ) -> "Index":
        """Return the index with more rows; what was prepared before is not prepared again.

        Parameters
        ----------
        texts, ids, pool
            As for `build`; rows have names if those before them have.

        Raises
        ------
        ValueError
            If there are not as many names as rows, or only some rows have names.
        """
        names = None if ids is None else ids if isinstance(ids, pa.ChunkedArray) else pa.chunked_array([pa.array(ids)])
        if names is not None and len(names) != len(texts):
            raise ValueError(f"ids must have one name a row, got {len(names)} for {len(texts)} rows; give all or none")
        if len(self) and (names is None) != (self.ids is None):
            raise ValueError("ids must be given for all rows of an index or for none; give them as before")
        normal = list(map(normalise, texts))
        known = {text: place for place, text in enumerate(self.texts.texts)}
        new = sorted(set(normal) - known.keys())
        known |= {text: place for place, text in enumerate(new, len(known))}
        codes = codes_by_view(new, self.views, pool)
        both = {name: np.concatenate([own, codes[name]]) for name, own in self.texts.codes.items()}
        graphs = {name: graph.extended(codes[name], usable_cores()) for name, graph in self.texts.graphs.items()}
        if not graphs and len(known) > _SMALL and can_index():
            graphs = {name: GraphIndex.build(values, usable_cores()) for name, values in both.items()}
        index = TextIndex([*self.texts.texts, *new], both, self.views, graphs)
        places = np.concatenate([self.places, np.fromiter(map(known.__getitem__, normal), np.int64, len(normal))])
        if self.ids is not None and names is not None:
            names = pa.chunked_array([*self.ids.chunks, *names.cast(self.ids.type).chunks], self.ids.type)
        return Index(index, places, names)

    @property
    def signature(self) -> str:
        """Hex digest of the texts, their rows and names, and the views."""
        digest = hashlib.sha256(json.dumps(_digests(self.views), sort_keys=True).encode())
        digest.update(pa.array(self.texts.texts, pa.large_string()).buffers()[2] or b"")
        digest.update(np.ascontiguousarray(self.places).tobytes())
        digest.update(json.dumps(None if self.ids is None else self.ids.to_pylist(), default=str).encode())
        return digest.hexdigest()

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
        columns = {"place": pa.array(self.places), **({} if self.ids is None else {"id": self.ids})}
        _write_table(place / _TEXTS, pa.table({"text": pa.array(self.texts.texts, pa.large_string())}))
        _write_table(place / _ROWS, pa.table(columns))
        files = [_TEXTS, _ROWS]
        for name, codes in self.texts.codes.items():
            files.append(f"codes-{name}.npy")
            with complete_file(place / files[-1]) as file:
                np.save(file, codes, allow_pickle=False)
        graphs = {}
        for name, graph in self.texts.graphs.items():
            names = graph.save(place, f"graph-{name}")
            graphs[name] = {"files": names, "starts": graph.starts}
            files += names
        facts = {
            "format": FORMAT,
            "views": _digests(self.views),
            "graphs": graphs,
            "files": {name: _digest_of(place / name) for name in files},
        }
        with complete_file(place / MANIFEST) as file:
            file.write(json.dumps(facts, indent=1).encode())

    @classmethod
    def open(cls, folder: str | Path) -> "Index":
        """Return the index of a folder; its codes and graphs are mapped into memory.

        Raises
        ------
        IndexFileError
            If it is not an index, has been changed, or was made with other tables than those installed.
        """
        place = Path(folder)
        facts = _manifest(place)
        wanted = _digests(tuple(facts["views"]))
        other = next((name for name, digest in wanted.items() if facts["views"][name] != digest), None)
        if other is not None:
            raise IndexFileError(
                f"the index {place} must be made with the tables of this version for the view {other}, "
                f"{wanted[other][:12]}, got {str(facts['views'][other])[:12]}; build it again"
            )
        texts = _read_table(place / _TEXTS).column("text").to_pylist()
        rows = _read_table(place / _ROWS)
        codes = {
            name: np.load(place / f"codes-{name}.npy", mmap_mode="r", allow_pickle=False)
            for name in wanted
            if name != RARE_WORDS
        }
        graphs = {
            name: GraphIndex.open(place, graph["files"], graph["starts"])
            for name, graph in facts["graphs"].items()
            if can_index()
        }
        ids = rows.column("id") if "id" in rows.schema.names else None
        return cls(TextIndex(texts, codes, tuple(wanted), graphs), rows.column("place").to_numpy(), ids)


class _TextsOfRows(Sequence[str]):
    # Looked up row by row: a list of all of them would be made for each text that is matched.
    def __init__(self, texts: Sequence[str], places: np.ndarray) -> None:
        self._texts, self._places = texts, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, row: Any) -> Any:
        places = self._places[row]
        return [self._texts[place] for place in places.tolist()] if isinstance(row, slice) else self._texts[places]


def check_index_place(folder: str | Path) -> None:
    """Check that an index can be written to a folder."""
    place = Path(folder)
    if place.exists() and not (place.is_dir() and (is_index(place) or not any(place.iterdir()))):
        raise IndexFileError(f"{place} must be an empty folder or an index, got something else; name another folder")


def is_index(folder: str | Path) -> bool:
    """Return whether a folder holds an index."""
    return (Path(folder) / MANIFEST).is_file()


def _digests(views: Sequence[str]) -> dict[str, str]:
    return {name: text_views()[name].digest() if name in text_views() else "" for name in views}


def _manifest(place: Path) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads((place / MANIFEST).read_bytes())
        views, files = facts["views"], facts["files"]
        graph_files = {name for graph in facts["graphs"].values() for name in graph["files"]}
        known = set(views) <= {*text_views(), RARE_WORDS} and graph_files | {_TEXTS, _ROWS} <= files.keys()
        sound = facts["format"] == FORMAT and known
    except FileNotFoundError:
        raise IndexFileError(f"{place} must be an index, got a folder without {MANIFEST}; build one first") from None
    except (AttributeError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise IndexFileError(f"{place / MANIFEST} must describe an index, got other content; build it again") from error
    if not sound:
        raise IndexFileError(f"the index {place} must be of this version of samewise, got another; build it again")
    for name, digest in files.items():
        if Path(name).name != name or not (place / name).is_file() or _digest_of(place / name) != digest:
            raise IndexFileError(f"{place / name} must be as it was written, got a file that changed; build it again")
    return facts


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_table(path: Path, table: pa.Table) -> None:
    with complete_file(path) as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _read_table(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


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
) -> Index:
    """Write the index of a table to a folder and return it; bad rows are noted in ``FOLDER.rejects.jsonl``."""
    before = Index.open(folder) if append else None
    if before is None and is_index(folder):
        raise IndexFileError(f"{folder} must be a new folder, got an index; add --append, or name another")
    check_index_place(folder)
    if before is not None and views is not None and set(views) != set(before.views):
        raise IndexFileError(
            f"the views must be those of the index, {', '.join(before.views)}, got {', '.join(views)}; leave them out"
        )
    loaded = load(model)
    with ExitStack() as stack:
        reader = stack.enter_context(open_texts(source, column, id, format))
        pool = stack.enter_context(Workers(loaded, worker_count(workers)))
        rows = read_texts(reader, stack.enter_context(noting(rejects_file(folder))))
        if before is None:
            made = Index.build(rows.texts, rows.ids, tuple(views or views_of(loaded)), pool)
        else:
            made = before.appended(rows.texts, rows.ids, pool)
        made.save(folder)
    return made
