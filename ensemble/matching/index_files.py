"""Make or extend the index of a table's texts, in files."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from ...models.profiles import DEFAULT_PROFILE
from ..multilingual.model_source import ModelLike, ModelSource, loaded_model
from ..scoring.rejects import noting, rejects_file
from ..scoring.worker_processes import Workers, worker_count
from ..tables.text_tables import open_texts
from .candidate_run import views_of
from .index import Index, IndexFileError, check_index_place, is_index
from .table_texts import read_texts


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
    """Write the index of a table to a folder and return it; bad rows are noted in ``FOLDER.rejects.jsonl``.

    Parameters
    ----------
    source, column, id, format
        As for `open_texts`.
    folder
        Folder of the index.
    model
        The model whose views are used: a profile, the folder of a bundle, a `ModelSource`, or a loaded model.
    append
        Whether the rows are added to the index that is there.
    views
        Names of views; by default those of `views_of`, or of the index.
    workers
        Processes for slow views.

    Raises
    ------
    IndexFileError
        If there is an index already, or none to add to, or something else in the folder.
    TableError
        If the table cannot be read.
    """
    before = Index.open(folder) if append else None
    if before is None and is_index(folder):
        raise IndexFileError(f"{folder} must be a new folder, got an index; add --append, or name another")
    check_index_place(folder)
    if before is not None and views is not None and set(views) != set(before.views):
        raise IndexFileError(
            f"the views must be those of the index, {', '.join(before.views)}, got {', '.join(views)}; leave them out"
        )
    loaded = loaded_model(model, ModelSource())
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
