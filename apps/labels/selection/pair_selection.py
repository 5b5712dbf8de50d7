"""Selection of the pairs to label next, from a pool of pairs or from lists of sentences."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pyarrow as pa

from ...._messages import short_repr
from ....ensemble.tables.sources import BATCH, open_table
from ....ensemble.tables.table_format import DelimitedText
from ....ensemble.tables.table_reader import TableError
from ....ensemble.tables.table_writer import TableWriter, free_names
from .candidate_pairs import Candidates, candidates, read_sentences
from .pair_coverage import SPACES, Coverage, EncoderSpace, FeatureSpace, Space
from .pair_pool import Pool, read_labelled
from .selection_methods import METHODS, AtRandom, Bands, Method, Uncertainty

if TYPE_CHECKING:
    from ....ensemble.core.predictor import Predictor
    from ....features.base.feature import Feature

PROFILE = "fast"
"""Default model, whose features are the space and whose members give the uncertainty."""

CANDIDATES_PER_CHOICE = 10
"""Number of candidate pairs from lists of sentences for each pair to choose."""

_LEAST_CANDIDATES = 1_000

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Selection:
    """Chosen pairs.

    Attributes
    ----------
    table
        Rows of the pool, unchanged, in order of choice, with ``rank`` (from 1) and the reason of the choice:
        ``distance``, ``spread``, or ``band`` and ``similarity``. A name in use gets a prefix (``samewise_rank``).
    facts
        Counts and settings, plain JSON values; see ``docs/labels.md``.
    notes
        Caveats, such as fewer pairs than requested.
    """

    table: pa.Table
    facts: dict[str, Any]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self, rows=self.table.num_rows, facts=self.facts, notes=self.notes)

    def as_dict(self) -> dict[str, Any]:
        """Return the facts and notes as plain JSON values."""
        return {**self.facts, "notes": list(self.notes)}

    def write(self, target: str | Path, format: str | None = None) -> None:
        """Write the complete table, in the format that the name shows or else in `format`.

        Raises
        ------
        TableError
            If the format cannot hold a row, such as a text with a tab in TSV.
        """
        with TableWriter(target, format) as writer:
            writer.write(pa.RecordBatch.from_pylist([], schema=self.table.schema))
            for batch in self.table.to_batches(max_chunksize=BATCH):
                bad = writer.write(batch)
                if bad:
                    raise TableError(
                        f"row {bad[0] + 1} of the choice must not hold {writer.refusal}; write another format"
                    )


def select_pairs(
    source: str | Path | Candidates,
    k: int,
    *,
    method: str = "random",
    labelled: str | Path | None = None,
    space: str = "features",
    model: "str | Path | Predictor" = PROFILE,
    features: "str | Sequence[str | Feature] | None" = None,
    edges: Sequence[float] | None = None,
    strata: str | None = None,
    seed: int = 0,
    columns: str | Sequence[str] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    **text: Unpack[DelimitedText],
) -> Selection:
    """Choose the pairs of a pool to label next.

    Parameters
    ----------
    source
        A table of pairs as for `open_table`, or candidates from lists of sentences; see `pair_up`.
    k
        Number of pairs to choose.
    method
        One of `METHODS`.
    labelled
        A table of labelled pairs: they are not chosen again, and for greedy they are centres.
    space
        One of `SPACES`, for greedy.
    model
        A profile, the folder of a bundle, or a loaded model: its columns are the space, its members give the
        uncertainty.
    features
        Other columns for the space; see `catalogue.resolve`.
    edges, strata
        As for `Bands`.
    seed
        Seed of random choices.
    columns, format, text
        As for `open_table`; both tables must have the columns.
    progress
        Called with (pairs read, all pairs or None).

    Raises
    ------
    ValueError
        If a setting is unknown, a table cannot be read, or it holds no pair to choose.
    """
    for name, value, choices in (("method", method, METHODS), ("space", space, SPACES)):
        if value not in choices:
            raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}; correct it")
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}; give a larger number")
    start = time.perf_counter()
    labelled_pairs = [] if labelled is None else read_labelled(labelled, columns, **text)
    with tempfile.TemporaryDirectory(prefix="samewise-select-") as place, Pool(Path(place), labelled_pairs) as pool:
        if method == "greedy":
            points: Space = EncoderSpace() if space == "encoder" else FeatureSpace(_loaded(model), features)
            chooser: Method = Coverage(points, Path(place), labelled_pairs, seed)
        elif method == "uncertainty":
            chooser = Uncertainty(_loaded(model))
        else:
            chooser = Bands(edges, strata, seed) if method == "bands" else AtRandom(seed)
        with ExitStack() as opened:
            if isinstance(source, Candidates):
                batches, total = pool.take_in(source.table, BATCH), source.table.num_rows
            else:
                reader = opened.enter_context(open_table(source, columns, format=format, **text))
                batches, total = pool.read(reader), reader.total
            for batch, pairs in batches:
                chooser.see(pairs, batch)
                if progress is not None:
                    progress(pool.count, total)
        if not pool.count:
            reasons = {
                "duplicates": pool.duplicates,
                "labelled already": pool.labelled,
                "with an empty text": pool.empty,
                "unreadable": pool.rejects,
            }
            left_out = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items() if count)
            found = f"none ({left_out})" if left_out else "none"
            raise ValueError(f"the pool must hold a pair to choose, got {found}; give another table")
        choice = chooser.choose(min(k, pool.count), pool.count)
        table = pool.take(choice.rows)
    added = {"rank": pa.array(range(1, len(choice.rows) + 1), pa.int64()), **choice.columns}
    for name, values in zip(free_names(added, table.schema.names), added.values(), strict=True):
        table = table.append_column(name, values)
    facts: dict[str, Any] = {"method": method, "k": k, "seed": seed}
    if method == "greedy":
        facts["space"] = space
    facts |= {
        "chosen": len(choice.rows),
        "pool": pool.count,
        "duplicates": pool.duplicates,
        "labelled_in_pool": pool.labelled,
        "empty": pool.empty,
        "rejects": pool.rejects,
        "labelled": len(labelled_pairs),
        **choice.facts,
    }
    if isinstance(source, Candidates):
        facts["candidates"] = source.counts()
    facts["seconds"] = time.perf_counter() - start
    return Selection(table, facts, (*_notes(source, k, pool), *choice.notes))


def pair_up(a: str | Path, b: str | Path | None, k: int, count: int | None = None) -> Candidates:
    """Return candidate pairs of two files with a sentence on each line, or of one file with itself if `b` is None.

    Parameters
    ----------
    a, b
        UTF-8 text files.
    k
        Number of pairs to choose.
    count
        Number of candidates; None stands for `CANDIDATES_PER_CHOICE` times k, at least 1,000.
    """
    size = max(CANDIDATES_PER_CHOICE * k, _LEAST_CANDIDATES) if count is None else count
    if size < k:
        raise ValueError(f"the number of candidates must be at least k={k}, got {size}; raise it")
    return candidates(read_sentences(a), None if b is None else read_sentences(b), size)


def _loaded(model: "str | Path | Predictor") -> "Predictor":
    from ....ensemble.loading import load, main_part

    return main_part(load(model))


def _notes(source: str | Path | Candidates, k: int, pool: Pool) -> Iterator[str]:
    if isinstance(source, Candidates) and source.table.num_rows < source.wanted:
        yield (
            f"the lists give {source.table.num_rows:,} of {source.wanted:,} candidates: no other two sentences share a "
            "word or a direction of word vectors"
        )
    if k > pool.count:
        yield f"{k:,} pairs were requested and the pool holds {pool.count:,} to choose from; all of them are chosen"
    if pool.first_reject is not None:
        reject = pool.first_reject
        yield f"{pool.rejects:,} rows could not be read, the first at line {reject.line}: {reject.reason}"
