"""Match each row of a table with the rows of another that mean the same."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..core.profiles import DEFAULT_PROFILE
from ..multilingual.model_source import ModelLike, ModelSource, loaded_model
from ..scoring.journal import Journal
from ..scoring.rejects import noting, rejects_file, remove_rejects
from ..scoring.score_versions import score_versions
from ..scoring.worker_processes import Workers, worker_count
from ..tables.opening import BATCH, TableReader
from ..tables.output_places import check_output, is_stream
from ..tables.table_errors import TableError
from ..tables.table_files import check_target, files_of
from ..tables.table_source import fingerprint
from ..tables.table_writer import TableWriter
from ..tables.text_tables import open_texts
from .candidate_run import facts_of, find_candidates
from .candidate_scores import Progress, score_candidates
from .match_results import MatchQuestion, match_columns, match_settings
from .matches import best_matches
from .pair_tables import pair_table
from .run_estimate import RunEstimate, estimated_run
from .text_collection import TextCollection
from .text_rows import read_texts


@dataclass
class MatchSummary:
    """Summary of a run.

    Attributes
    ----------
    rows, others, rejects
        Good rows of the first and of the second table, and rows set aside.
    matched, pairs
        Rows of the first table with a match, and pairs written.
    candidates, resumed
        Scored pairs, and those of them that an earlier run had scored.
    recall
        Share of the exact links that the graphs of a view found, on a sample; empty where all products were computed.
    seconds
        Wall time.
    signature
        Of the model.
    """

    rows: int = 0
    others: int = 0
    rejects: int = 0
    matched: int = 0
    pairs: int = 0
    candidates: int = 0
    resumed: int = 0
    recall: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    signature: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        recall = {name: round(share, 4) for name, share in self.recall.items()}
        return {**vars(self), "recall": recall, "seconds": round(self.seconds, 3)}


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
) -> MatchSummary:
    """Write the rows of a table that match each row of another; see `pair_table` for the columns.

    Parameters
    ----------
    a, b
        Tables, of which one may be ``-`` for standard input.
    target
        Output, or ``-`` for standard output.
    model
        A profile, the folder of a bundle, a `ModelSource`, or a loaded model.
    question
        Which pairs are asked for.
    columns, ids, format
        For each table as for `open_texts`.
    workers, resume, checkpoint, cache, target_format
        As for `predict_file`.
    progress
        Returns, for the title of a step, the function of the pairs done and the pairs in all; or None.

    Raises
    ------
    TableError
        If a table cannot be read or written, or an unfinished run cannot be resumed.
    ValueError
        If a setting is out of its range.
    """
    begin = time.perf_counter()
    _check(a, b, target, resume)
    question = question or MatchQuestion()
    loaded = loaded_model(model, ModelSource.of(DEFAULT_PROFILE, cache=cache))
    settings, added = match_settings(question, loaded)
    step = progress or (lambda title: None)
    rejects = rejects_file(target)
    with ExitStack() as stack:
        readers = [
            stack.enter_context(open_texts(table, column, id, format))
            for table, column, id in zip((a, b), columns, ids, strict=True)
        ]
        facts = {"model": loaded.signature, "top": question.top, **facts_of(settings), **score_versions()}
        journal = _journal((a, b), target, readers, facts, resume, checkpoint)
        if journal is not None:
            stack.enter_context(journal)
        pool = stack.enter_context(Workers(loaded, worker_count(workers)))
        note = stack.enter_context(noting(rejects))
        sides = [read_texts(reader, note) for reader in readers]
        texts = TextCollection.of(*(side.texts for side in sides))
        found = find_candidates(texts, settings, pool, question.top is None)
        scores = score_candidates(texts.arrow(), found.first, found.second, pool, journal, step("scoring"))
        matches = best_matches(texts, found, scores, question.top, question.lowest(loaded))
        chosen = target_format or format or (readers[0].format if is_stream(target) else None)
        writer = stack.enter_context(TableWriter(target, chosen))
        results = match_columns(texts, found, scores, matches, added, loaded, pool)
        table = pair_table(sides, (matches.a, matches.b), results)
        for batch in (pa.RecordBatch.from_pylist([], table.schema), *table.to_batches(BATCH)):
            if writer.write(batch):
                raise TableError(f"{target} must hold every row, got one with {writer.refusal}; write another format")
    bad = sum(side.rejects for side in sides)
    if rejects is not None and not bad:
        remove_rejects(rejects)
    return MatchSummary(
        *(len(side.texts) for side in sides),
        rejects=bad,
        matched=len(set(matches.a.tolist())),
        pairs=len(matches.a),
        candidates=len(found.first),
        resumed=scores.resumed,
        recall=found.recall,
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
    loaded = loaded_model(model, ModelSource())
    settings, _ = match_settings(question, loaded)
    sides = []
    for table, column in zip((a, b), columns, strict=True):
        with open_texts(table, column, None, format) as reader:
            sides.append(read_texts(reader, lambda facts: None).texts)
    texts = TextCollection.of(*sides)
    with Workers(loaded, worker_count(workers)) as pool:
        return estimated_run(texts, find_candidates(texts, settings, pool, question.top is None), pool)


def _check(a: str | Path, b: str | Path, target: str | Path, resume: bool) -> None:
    if str(a) == str(b) == "-":
        raise TableError("only one of the two tables can be standard input, got both; save one to a file")
    for table in (a, b):
        check_target(table, target)
    check_output(target)
    if resume and not _files_alone((a, b), target):
        raise TableError("only a run from files to a file can be resumed; name files instead of streams")


def _files_alone(tables: Sequence[str | Path], target: str | Path) -> bool:
    path = Path(target)
    again = all(str(table) != "-" and all(file.is_file() for file in files_of(table).paths) for table in tables)
    return again and not is_stream(target) and (path.is_file() or not path.exists())


def _journal(
    tables: tuple[str | Path, str | Path],
    target: str | Path,
    readers: Sequence[TableReader],
    facts: dict[str, Any],
    resume: bool,
    checkpoint: float,
) -> Journal | None:
    if not _files_alone(tables, target):
        return None
    facts |= {"columns": [reader.a_name for reader in readers], "second input": fingerprint(tables[1])}
    return Journal(Path(target), tables[0], facts, resume, checkpoint)
