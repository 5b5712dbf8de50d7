"""From a pool of pairs, or from lists of sentences, to the pairs that are to be labelled next."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ...tables.free_names import free_names
from ...tables.opening import BATCH, open_table
from ...tables.table_errors import TableError
from ...tables.table_writer import TableWriter
from .candidate_pairs import Candidates, candidates, read_sentences
from .pair_pool import Pairs, Pool, read_labelled
from .pair_spaces import SPACES, EncoderSpace, FeatureSpace, Space
from .selection_methods import METHODS, AtRandom, Bands, Choice, Coverage, Method, Uncertainty

if TYPE_CHECKING:
    from ....features.declaration import Feature
    from ...core.predictor import Predictor

PROFILE = "fast"
"""The model whose features are the space, and whose members are asked, unless another is named."""

CANDIDATES_PER_CHOICE = 10
"""How many candidate pairs of lists of sentences are looked for to choose one."""

_ENOUGH = 1_000  # candidates at least

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Selection:
    """What was chosen.

    Attributes
    ----------
    table
        The rows of the pool as they were, in order of choice, with ``rank`` (from 1) and what justified the choice:
        ``distance``, ``spread``, or ``band`` and ``similarity``. A name that is taken is prefixed (``samewise_rank``).
    facts
        Counts and settings, plain JSON values; see ``docs/selection.md``.
    notes
        What a reader must know, such as that there were fewer pairs than asked for.
    """

    table: pa.Table
    facts: dict[str, Any]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the facts and notes as plain JSON values."""
        return {**self.facts, "notes": list(self.notes)}

    def write(self, target: str | Path, format: str | None = None) -> None:
        """Write the table, in the format that the name says or else in the one given; it appears complete.

        Raises
        ------
        TableError
            If a row cannot stand in that format, such as a text with a tab in TSV.
        """
        with TableWriter(target, format) as writer:
            writer.write(pa.RecordBatch.from_pylist([], schema=self.table.schema))
            for batch in self.table.to_batches(max_chunksize=BATCH):
                bad = writer.write(batch)
                if bad:
                    raise TableError(f"row {bad[0] + 1} of the choice holds {writer.refusal}; write another format")


def select_pairs(
    source: str | Path | Candidates,
    k: int,
    *,
    method: str = "greedy",
    labelled: str | Path | None = None,
    space: str = "features",
    model: "str | Path | Predictor" = PROFILE,
    features: "str | Sequence[str | Feature] | None" = None,
    edges: Sequence[float] | None = None,
    strata: str | None = None,
    time_limit: float = 60.0,
    outliers: int | None = None,
    seed: int = 0,
    columns: str | Sequence[str] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
) -> Selection:
    """Choose the pairs of a pool that are to be labelled next.

    Parameters
    ----------
    source
        A table of pairs as for `open_table`, or candidates from lists of sentences; see `pair_up`.
    k
        How many to choose.
    method
        One of `METHODS`.
    labelled
        A table of pairs that have labels: they are not chosen again, and for greedy and robust they are centres.
    space
        One of `SPACES`, for greedy and robust.
    model
        A profile, the folder of a bundle, or a loaded model: its columns are the space, its members the uncertainty.
    features
        Other columns for the space; see `catalogue.resolve`.
    edges, strata
        As for `Bands`.
    time_limit, outliers
        As for `robust_k_center`.
    seed
        Of what is drawn.
    columns, format
        As for `open_table`; the columns are looked for in both tables.
    progress
        Called with (pairs read, pairs there are or None).

    Raises
    ------
    ValueError
        If a setting is unknown or fits another method, a table cannot be read, or it holds no pair to choose.
    """
    for name, value, known in (("method", method, METHODS), ("space", space, SPACES)):
        if value not in known:
            raise ValueError(f"there is no {name} {value!r}; choose one of {', '.join(known)}")
    if k < 1:
        raise ValueError(f"k={k} chooses nothing; give 1 or more")
    start = time.perf_counter()
    known_pairs = [] if labelled is None else read_labelled(labelled, columns)
    facts: dict[str, Any] = {"method": method, "k": k, "seed": seed}
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="samewise-select-") as place, Pool(Path(place), known_pairs) as pool:
        if method in ("greedy", "robust"):
            points: Space = EncoderSpace() if space == "encoder" else FeatureSpace(_loaded(model), features)
            program: dict[str, Any] = {"time_limit": time_limit, "outliers": outliers}
            way: Method = Coverage(points, Path(place), known_pairs, seed, robust=method == "robust", **program)
            facts["space"] = space
        elif method == "uncertainty":
            way = Uncertainty(_loaded(model))
        else:
            way = Bands(edges, strata, seed) if method == "bands" else AtRandom(seed)
        for batch, pairs in _read(source, pool, columns, format, progress):
            way.see(pairs, batch)
        if not pool.count:
            raise ValueError("the pool holds no pair to choose" + _left_out(pool))
        if k > pool.count:
            notes.append(f"{k:,} pairs were asked for and the pool holds {pool.count:,} to choose from; all are here")
        choice = way.choose(min(k, pool.count), pool.count)
        table = _with_reasons(pool.take(choice.rows), choice)
        facts |= {"chosen": len(choice.rows), **_counts(pool), "labelled": len(known_pairs), **choice.facts}
        if pool.first_reject is not None:
            reject = pool.first_reject
            notes.append(f"{pool.rejects:,} rows could not be read, the first at line {reject.line}: {reject.reason}")
    if isinstance(source, Candidates):
        facts["candidates"] = source.counts()
        if source.table.num_rows < source.wanted:
            found = f"{source.table.num_rows:,} of {source.wanted:,} candidates"
            notes.insert(0, f"the lists give {found}: no other two sentences share a word or a known direction")
    facts["seconds"] = time.perf_counter() - start
    return Selection(table, facts, (*notes, *choice.notes))


def pair_up(a: str | Path, b: str | Path | None, k: int, count: int | None = None) -> Candidates:
    """Return candidate pairs of two files of sentences, one a line; of one file with itself if `b` is None.

    Parameters
    ----------
    a, b
        UTF-8 text files.
    k
        How many pairs are to be chosen.
    count
        How many candidates to find; `CANDIDATES_PER_CHOICE` times k and at least 1,000 if None.
    """
    wanted = max(CANDIDATES_PER_CHOICE * k, _ENOUGH) if count is None else count
    if wanted < k:
        raise ValueError(f"{wanted} candidates are fewer than the k={k} pairs to choose; look for more")
    return candidates(read_sentences(a), None if b is None else read_sentences(b), wanted)


def _loaded(model: "str | Path | Predictor") -> "Predictor":
    from ...core.predictor import Predictor
    from ...multilingual.model_source import load

    return model if isinstance(model, Predictor) else load(model)


def _read(
    source: str | Path | Candidates,
    pool: Pool,
    columns: str | Sequence[str] | None,
    format: str | None,
    progress: Progress | None,
) -> Iterator[tuple[pa.RecordBatch, Pairs]]:
    def told(
        found: Iterator[tuple[pa.RecordBatch, Pairs]], total: int | None
    ) -> Iterator[tuple[pa.RecordBatch, Pairs]]:
        for item in found:
            yield item
            if progress is not None:
                progress(pool.count, total)

    if isinstance(source, Candidates):
        yield from told(pool.take_in(source.table, BATCH), source.table.num_rows)
        return
    with open_table(source, columns, format=format) as reader:
        yield from told(pool.read(reader), reader.total)


def _counts(pool: Pool) -> dict[str, int]:
    return {
        "pool": pool.count,
        "duplicates": pool.duplicates,
        "labelled_in_pool": pool.labelled,
        "empty": pool.empty,
        "rejects": pool.rejects,
    }


def _left_out(pool: Pool) -> str:
    reasons = {
        "duplicates": pool.duplicates,
        "labelled already": pool.labelled,
        "with an empty text": pool.empty,
        "unreadable": pool.rejects,
    }
    told = ", ".join(f"{count:,} {what}" for what, count in reasons.items() if count)
    return f": {told}" if told else ""


def _with_reasons(table: pa.Table, choice: Choice) -> pa.Table:
    added = {"rank": pa.array(range(1, len(choice.rows) + 1), pa.int64()), **choice.columns}
    for name, values in zip(free_names(added, table.schema.names), added.values(), strict=True):
        table = table.append_column(name, values)
    return table
