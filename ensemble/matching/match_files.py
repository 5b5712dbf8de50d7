"""Match each row of a table with the rows of another that mean the same."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...models.profiles import DEFAULT_PROFILE
from ..loading import ModelLike, load
from ..scoring.journal import Journal
from ..scoring.rejects import noting, rejects_file, remove_rejects
from ..scoring.worker_processes import Workers, worker_count
from ..tables.sources import BATCH, TableReader, fingerprint
from ..tables.table_files import check_target, files_of
from ..tables.table_reader import TableError
from ..tables.table_writer import TableWriter, check_output, is_stream
from ..tables.text_tables import open_texts
from .candidate_scores import Progress, score_candidates, screened, screening_model
from .candidates import facts_of
from .engine import LocalEngine, MatchingEngine, RunSummary
from .index import Index
from .index_folder import is_index
from .match_problem import match_problem
from .matches import MatchQuestion, best_matches, match_settings, match_table
from .run_estimate import RunEstimate, estimated_run
from .texts import TextRows, read_texts


@dataclass(kw_only=True)
class MatchSummary(RunSummary):
    """Summary of a run that matches two tables.

    Attributes
    ----------
    others
        Good rows of the second table.
    matched, pairs
        Rows of the first table with a match, and pairs written.
    """

    others: int = 0
    matched: int = 0
    pairs: int = 0


def match_file(
    a: str | Path,
    b: str | Path,
    target: str | Path = "-",
    *,
    model: ModelLike = DEFAULT_PROFILE,
    question: MatchQuestion | None = None,
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
) -> MatchSummary:
    """Write the rows of a table that match each row of another; see `pair_table` for the columns."""
    begin = time.perf_counter()
    _check(a, b, target, resume)
    question = question or MatchQuestion()
    loaded = load(model, cache=cache)
    settings, added = match_settings(question, loaded)
    step = progress or (lambda title: None)
    rejects = rejects_file(target)
    with ExitStack() as stack:
        reader = stack.enter_context(open_texts(a, columns[0], ids[0], format))
        second = Index.open(b) if is_index(b) else stack.enter_context(open_texts(b, columns[1], ids[1], format))
        if isinstance(second, Index):
            second.check_views(question.views)
        lowest = question.lowest(loaded)
        screen = None if lowest is None else screening_model(question.screen, loaded, cache)
        facts = {"model": loaded.signature, "top": question.top, **facts_of(settings)}
        journal = None
        if _files_alone(a, b, target):
            facts |= {"column": reader.a_name, "second": _facts_of_second(b, second)}
            facts["screen"] = None if screen is None else screen.signature
            journal = stack.enter_context(Journal(Path(target), a, facts, resume, checkpoint))
        engine = engine or LocalEngine(worker_count(workers))
        pool = stack.enter_context(engine.pool(loaded))
        note = stack.enter_context(noting(rejects))
        sides = read_texts(reader, note), second if isinstance(second, Index) else read_texts(second, note)
        problem = match_problem(*sides, settings, pool, question.top is None, engine.links)
        if screen is not None and lowest is not None:
            count, texts = worker_count(workers), problem.texts
            kept = screened(texts, problem.candidates, lowest, screen, count, journal, step("screening"), engine)
            problem = problem._replace(candidates=kept)
        scores = score_candidates(problem.texts, problem.candidates, pool, journal, step("scoring"))
        chosen = target_format or format or (reader.format if is_stream(target) else None)
        writer = stack.enter_context(TableWriter(target, chosen))
        matched = pairs = 0
        for part in best_matches(problem, scores, question.top, lowest):
            table = match_table(sides, problem, scores, part, added, loaded, pool)
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
        candidates=len(problem.candidates.first),
        resumed=scores.resumed,
        recall=problem.candidates.recall,
        seconds=time.perf_counter() - begin,
        signature=loaded.signature,
    )


def estimate_match(
    a: str | Path,
    b: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    question: MatchQuestion | None = None,
    columns: tuple[str | None, str | None] = (None, None),
    format: str | None = None,
    workers: int | str | None = None,
) -> RunEstimate:
    """Return how large a run of `match_file` is and how long it will take; nothing is written."""
    question = question or MatchQuestion()
    loaded = load(model)
    settings, _ = match_settings(question, loaded)
    with ExitStack() as stack:
        first = read_texts(stack.enter_context(open_texts(a, columns[0], None, format)), _unnoted)
        second = (
            Index.open(b)
            if is_index(b)
            else read_texts(stack.enter_context(open_texts(b, columns[1], None, format)), _unnoted)
        )
        pool = stack.enter_context(Workers(loaded, worker_count(workers)))
        problem = match_problem(first, second, settings, pool, question.top is None)
        lowest = question.lowest(loaded)
        screen = None if lowest is None else screening_model(question.screen, loaded)
        left = None
        if screen is not None and lowest is not None:
            left = partial(screened, problem.texts, lowest=lowest, model=screen, workers=worker_count(workers))
        return estimated_run(problem.texts, problem.candidates, pool, left)


def _unnoted(facts: dict[str, Any]) -> None:
    pass


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


def _facts_of_second(place: str | Path, second: TableReader | Index) -> dict[str, str]:
    if isinstance(second, Index):
        return {"index": second.signature}
    return {"column": second.a_name, "content": fingerprint(place)}
