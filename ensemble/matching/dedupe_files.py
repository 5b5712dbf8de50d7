"""Remove duplicates from a table: the kept rows, the removed ones with their evidence, and pairs for review.

The table is read twice: for its texts, and to write its rows with all their columns.
"""

import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...models.profiles import DEFAULT_PROFILE
from ..loading import Model, ModelLike, load
from ..scoring.journal import Journal
from ..scoring.rejects import noting, rejects_file, remove_rejects
from ..scoring.worker_processes import Workers, worker_count
from ..tables.sources import fingerprint
from ..tables.table_files import check_target, files_of
from ..tables.table_reader import TableError
from ..tables.table_writer import check_output, complete_output, format_of
from ..tables.text_tables import open_texts
from .candidate_scores import PairScores, Progress, score_candidates, screened, screening_model
from .candidates import Candidates, facts_of, find_candidates
from .dedupe_outputs import DedupeFiles, DedupeOutputs, DedupeQuestion, beside, dedupe_settings, review_differences
from .duplicates import Duplicates, duplicates
from .engine import LocalEngine, MatchingEngine, RunSummary
from .pair_rule import PairRule
from .run_estimate import RunEstimate, estimated_run
from .texts import TextCollection, TextRows, read_texts


@dataclass(kw_only=True)
class DedupeSummary(RunSummary):
    """Summary of a run that removes duplicates.

    Attributes
    ----------
    kept, removed, groups
        Rows of both outputs, and groups of more than one row.
    equal
        Removed rows whose text another row has.
    review
        Pairs for review, by reason.
    """

    kept: int = 0
    removed: int = 0
    groups: int = 0
    equal: int = 0
    review: Counter[str] = field(default_factory=Counter)


class DedupeRun(NamedTuple):
    """Results of a run, for a page about it.

    Attributes
    ----------
    outputs
        The rows, their groups, and the scores of the candidates.
    rule
        Rule by which pairs are the same.
    model
        Model that scored them.
    summary
        Summary of the run.
    """

    outputs: DedupeOutputs
    rule: PairRule
    model: Model
    summary: DedupeSummary


class DedupePage(NamedTuple):
    """Page about a run: its file, and the function that returns its text."""

    path: Path
    text: Callable[[DedupeRun], str]


def dedupe_file(
    source: str | Path,
    target: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    column: str | None = None,
    id: str | None = None,
    question: DedupeQuestion | None = None,
    removed: str | Path | None = None,
    review: str | Path | None = None,
    workers: int | str | None = None,
    resume: bool = False,
    checkpoint: float = 10.0,
    cache: str | Path | None = None,
    format: str | None = None,
    progress: Callable[[str], Progress | None] | None = None,
    report: DedupePage | None = None,
    engine: MatchingEngine | None = None,
) -> DedupeSummary:
    """Write the rows of a table without duplicates; see `duplicates.duplicates`."""
    begin = time.perf_counter()
    files = _files(source, target, removed, review, format, None if report is None else report.path)
    loaded = load(model, cache=cache)
    question = question or DedupeQuestion()
    rule, settings = dedupe_settings(question, loaded)
    step = progress or (lambda title: None)
    rejects = rejects_file(files.kept)
    before = fingerprint(files.source)
    with ExitStack() as stack:
        reader = stack.enter_context(open_texts(files.source, column, id, format))
        facts = {
            "keep": question.keep,
            "rule": [rule.same_from, rule.unsure_from, list(rule.apart)],
            **facts_of(settings),
        }
        screen = screening_model(question.screen, loaded, cache)
        screened_by = None if screen is None else screen.signature
        facts |= {"model": loaded.signature, "screen": screened_by, "column": reader.a_name}
        journal = stack.enter_context(Journal(files.kept, files.source, facts, resume, checkpoint))
        engine = engine or LocalEngine(worker_count(workers))
        pool = stack.enter_context(engine.pool(loaded))
        read = read_texts(reader, stack.enter_context(noting(rejects)))
        texts = TextCollection.of(read.texts)
        found = find_candidates(texts, settings, pool, search=engine.links)
        if screen is not None:
            count = worker_count(workers)
            found = screened(texts, found, rule.unsure_from, screen, count, journal, step("screening"), engine)
        scores = score_candidates(texts, found, pool, journal, step("scoring"))
        groups = duplicates(texts, found, scores, rule, question.keep, pool, step("comparing"))
        outputs = DedupeOutputs(files, read, groups, scores, loaded.scale)
        with open_texts(files.source, column, id, format) as again:
            outputs.write(again, review_differences(texts, groups, pool), before)
    if rejects is not None and not read.rejects:
        remove_rejects(rejects)
    summary = _summary(groups, found, scores, read, loaded.signature)
    summary.seconds = time.perf_counter() - begin
    if report is not None:
        text = report.text(DedupeRun(outputs, rule, loaded, summary))
        with complete_output(report.path) as file:
            file.write(text.encode())
    return summary


def estimate_dedupe(
    source: str | Path,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    question: DedupeQuestion | None = None,
    column: str | None = None,
    format: str | None = None,
    workers: int | str | None = None,
) -> RunEstimate:
    """Return how large a run of `dedupe_file` is and how long it will take; nothing is written."""
    loaded, question, count = load(model), question or DedupeQuestion(), worker_count(workers)
    rule, settings = dedupe_settings(question, loaded)
    screen = screening_model(question.screen, loaded)
    with open_texts(source, column, None, format) as reader, Workers(loaded, count) as pool:
        texts = TextCollection.of(read_texts(reader, lambda facts: None).texts)
        found = find_candidates(texts, settings, pool)
        left = (
            None if screen is None else partial(screened, texts, lowest=rule.unsure_from, model=screen, workers=count)
        )
        return estimated_run(texts, found, pool, left)


def _files(
    source: str | Path,
    target: str | Path,
    removed: str | Path | None,
    review: str | Path | None,
    format: str | None,
    page: Path | None,
) -> DedupeFiles:
    if str(source) == "-" or not all(path.is_file() for path in files_of(source).paths):
        raise TableError(f"the table must be a file, which is read twice, got {source}; save it to one")
    files = DedupeFiles(
        str(source),
        Path(target),
        Path(removed) if removed is not None else beside(target, "removed"),
        Path(review) if review is not None else beside(target, "review"),
        format,
    )
    tables = (files.kept, files.removed, files.review)
    outputs = tables if page is None else (*tables, page)
    written = (*outputs, Path(f"{target}.rejects.jsonl"))
    if len(set(map(os.path.realpath, written))) < len(written):
        raise TableError(f"the outputs must be different files, got {', '.join(map(str, written))}; name others")
    for output in outputs:
        check_target(source, output)
        check_output(output)
    for table in tables:
        format_of(table, format)
    return files


def _summary(
    groups: Duplicates, found: Candidates, scores: PairScores, read: TextRows, signature: str
) -> DedupeSummary:
    rows = np.arange(len(groups.representatives))
    removed = groups.representatives != rows
    return DedupeSummary(
        rows=len(rows),
        rejects=read.rejects,
        kept=int((~removed).sum()),
        removed=int(removed.sum()),
        groups=len(np.unique(groups.representatives[removed])),
        equal=int((removed & (groups.pairs < 0)).sum()),
        candidates=len(found.first),
        resumed=scores.resumed,
        review=Counter(groups.review.reasons),
        recall=found.recall,
        signature=signature,
    )
