"""Match each row of a table with the rows of another that mean the same."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from ...models.profiles import DEFAULT_PROFILE
from ..loading import ModelLike
from ..scoring.journal import Journal
from ..scoring.rejects import noting, rejects_file, remove_rejects
from ..tables.sources import BATCH, TableReader, fingerprint
from ..tables.table_files import check_target, files_of
from ..tables.table_format import DelimitedText
from ..tables.table_reader import TableError
from ..tables.table_writer import TableWriter, check_output, is_stream
from ..tables.text_tables import open_texts
from .assignment import chosen_matches
from .index import Index
from .index_folder import is_index
from .matches import match_table
from .options import MatchOptions
from .pair_scores import Progress
from .pipeline import MatchingEngine, RunSummary, Search
from .texts import TextRows, read_texts


@dataclass(kw_only=True)
class MatchSummary(RunSummary):
    """Summary of a search for matches.

    Attributes
    ----------
    others
        Good rows of the second table.
    matched, pairs
        Rows of the first table with a match, and pairs written.
    """

    others: int
    matched: int
    pairs: int


def match_file(
    a: str | Path,
    b: str | Path,
    target: str | Path = "-",
    *,
    model: ModelLike = DEFAULT_PROFILE,
    options: MatchOptions | None = None,
    columns: tuple[str | None, str | None] = (None, None),
    ids: tuple[str | None, str | None] = (None, None),
    workers: int | str | None = None,
    resume: bool = False,
    checkpoint: float = 10.0,
    cache: str | Path | None = None,
    format: str | None = None,
    target_format: str | None = None,
    progress: Callable[[str], Progress | None] | None = None,
    engine: MatchingEngine | None = None,
    **text: Unpack[DelimitedText],
) -> MatchSummary:
    """Write the rows of a table that match each row of another; see `pair_table` for the columns."""
    begin = time.perf_counter()
    _check(a, b, target, resume)
    options = options or MatchOptions()
    search = Search(model, options, workers=workers, cache=cache, progress=progress, engine=engine)
    added = options.added(search.model)
    rejects = rejects_file(target)
    with ExitStack() as stack:
        reader, second = _opened(a, b, options, columns, ids, format, stack, text)
        journal = None
        if _files_alone(a, b, target):
            facts = {"top": options.top, "one to one": options.one_to_one, **search.facts(), "column": reader.a_name}
            if isinstance(second, Index):
                facts["second"] = {"index": second.signature}
            else:
                facts["second"] = {"column": second.a_name, "content": fingerprint(b)}
            journal = stack.enter_context(Journal(Path(target), a, facts, resume, checkpoint))
        stack.enter_context(search)
        sides = _read(reader, second, stack.enter_context(noting(rejects)), options.columns)
        scores = search.scored_between(*sides, options.both, journal)
        chosen = target_format or format or (reader.format if is_stream(target) else None)
        writer = stack.enter_context(TableWriter(target, chosen))
        matched = pairs = 0
        for part in chosen_matches(scores, options, search.lowest, search.model.scale):
            table = match_table(sides, scores, part, added, search.model, search.pool)
            matched, pairs = matched + len(np.unique(part.a)), pairs + len(part.a)
            for batch in (pa.RecordBatch.from_pylist([], table.schema), *table.to_batches(BATCH)):
                if writer.write(batch):
                    raise TableError(
                        f"{target} must hold every row, got one with {writer.refusal}; write another format"
                    )
    bad = sum(side.rejects for side in sides if isinstance(side, TextRows))
    if rejects is not None and not bad:
        remove_rejects(rejects)
    return MatchSummary(
        rows=len(sides[0]),
        others=len(sides[1]),
        rejects=bad,
        matched=matched,
        pairs=pairs,
        candidates=len(scores.score),
        resumed=scores.resumed,
        recall=scores.candidates.recall,
        seconds=time.perf_counter() - begin,
        signature=search.model.signature,
        columns=[reader.a_name, None if isinstance(second, Index) else second.a_name],
    )


def estimate_match(
    a: str | Path,
    b: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    options: MatchOptions | None = None,
    columns: tuple[str | None, str | None] = (None, None),
    format: str | None = None,
    workers: int | str | None = None,
    **text: Unpack[DelimitedText],
) -> dict[str, Any]:
    """Return how large a run of `match_file` is and how long it will take, as `Search.estimate`; write nothing."""
    options = options or MatchOptions()
    search = Search(model, options, workers=workers)
    with ExitStack() as stack:
        reader, second = _opened(a, b, options, columns, (None, None), format, stack, text)
        stack.enter_context(search)
        sides = _read(reader, second, lambda facts: None, options.columns)
        return search.estimate(search.candidates(*sides, options.both))


def _read(
    first: TableReader, second: TableReader | Index, note: Callable[[dict[str, Any]], None], names: Sequence[str]
) -> tuple[TextRows, TextRows | Index]:
    rows = read_texts(first, note, names)
    return rows, second if isinstance(second, Index) else read_texts(second, note, names)


def _opened(
    a: str | Path,
    b: str | Path,
    options: MatchOptions,
    columns: tuple[str | None, str | None],
    ids: tuple[str | None, str | None],
    format: str | None,
    stack: ExitStack,
    text: DelimitedText,
) -> tuple[TableReader, TableReader | Index]:
    columns = (options.text_column(columns[0]), options.text_column(columns[1]))
    first = stack.enter_context(open_texts(a, columns[0], ids[0], format, **text))
    if not is_index(b):
        return first, stack.enter_context(open_texts(b, columns[1], ids[1], format, **text))
    options.check_index()
    index = Index.open(b)
    index.check_views(options.views)
    return first, index


def _check(a: str | Path, b: str | Path, target: str | Path, resume: bool) -> None:
    if str(a) == str(b) == "-":
        raise TableError("only one of the two tables can be standard input, got both; save one to a file")
    for table in (a, b):
        if not is_index(table):
            check_target(table, target)
    check_output(target)
    if resume and not _files_alone(a, b, target):
        raise TableError("only a run from files to a file can be resumed; name files instead of streams")


def _files_alone(a: str | Path, b: str | Path, target: str | Path) -> bool:
    path = Path(target)
    again = all(is_index(table) or _can_be_read_again(table) for table in (a, b))
    return again and not is_stream(target) and (path.is_file() or not path.exists())


def _can_be_read_again(table: str | Path) -> bool:
    return str(table) != "-" and all(file.is_file() for file in files_of(table).paths)
