"""Scores of pairs in a file: a run takes those that are there, computes no pair twice, and adds the others.

A score depends on the two texts, the model and the code alone. So the file may serve other thresholds, more rows, and
several models.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..loading import Model
from ..scoring.batches import PREDICTION
from ..scoring.journal import versions_of_scores
from ..tables.table_reader import TableError
from ..tables.table_writer import check_output, complete_output
from .candidates import Candidates
from .pair_scores import ScoredPairs

_KEYS = [pa.field("key", pa.uint64(), False), pa.field("check", pa.uint64(), False)]
_SCHEMA = pa.schema([*_KEYS, *PREDICTION])


class KnownScores:
    """Scores of pairs that a file keeps.

    Parameters
    ----------
    path
        The file; it need not exist.

    Attributes
    ----------
    digest
        Hex digest of the file as it was read; empty if there was none.

    Raises
    ------
    TableError
        If the file is something else, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        check_output(path)
        self.path, self.digest = path, ""
        self._tables = [_SCHEMA.empty_table()]
        if path.exists():
            try:
                if pq.read_schema(path).equals(_SCHEMA):
                    self._tables.append(pq.read_table(path))
            except (pa.ArrowInvalid, OSError):
                pass
            if len(self._tables) < 2:
                raise TableError(f"{path} must be scores that samewise wrote, got another file; name another")
            with path.open("rb") as file:
                self.digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._known = pa.concat_tables(self._tables)
        keys = self._known.column("key").to_numpy()
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def completed(
        self, candidates: Candidates, model: Model, score: Callable[[Candidates], ScoredPairs]
    ) -> ScoredPairs:
        """Return the scores of candidates: those of the file, and of the others what `score` returns, which are added.

        Parameters
        ----------
        candidates
            Pairs of texts.
        model
            The model that reads them.
        score
            Returns the scores of some of them.
        """
        keys = _keys(candidates, model)
        places = self._places(keys)
        new = np.flatnonzero(places < 0)
        found = score(candidates.of(new))
        if len(new) == len(places):
            whole = found
        else:
            known = self._known.select(PREDICTION.names).take(pa.array(places[places >= 0]))
            both = pa.concat_tables([known, pa.Table.from_batches([found.batch(np.arange(len(new)))])])
            order = np.argsort(np.concatenate([np.flatnonzero(places >= 0), new]))
            parts = both.take(pa.array(order)).combine_chunks().to_batches()
            again = len(places) - len(new) + found.resumed
            whole = ScoredPairs.of(candidates, ((part, False) for part in parts))._replace(resumed=again)
        self._add(keys[new], found.batch(np.arange(len(new))))
        return whole

    def _places(self, keys: np.ndarray) -> np.ndarray:
        if not len(self._sorted):
            return np.full(len(keys), -1)
        near = np.minimum(np.searchsorted(self._sorted, keys[:, 0]), len(self._sorted) - 1)
        places = self._order[near]
        checks = self._known.column("check").to_numpy()
        known = (self._sorted[near] == keys[:, 0]) & (checks[places] == keys[:, 1])
        return np.where(known, places, -1)

    def _add(self, keys: np.ndarray, scores: pa.RecordBatch) -> None:
        columns = [pa.array(np.ascontiguousarray(keys[:, side])) for side in (0, 1)]
        self._tables.append(pa.table([*columns, *scores.columns], schema=_SCHEMA))

    def write(self) -> None:
        """Write the file with all scores that were read and added."""
        with complete_output(self.path) as file:
            pq.write_table(pa.concat_tables(self._tables), file, compression="zstd")


def _keys(candidates: Candidates, model: Model) -> np.ndarray:
    """Return 128 bits of the digest of each pair as a model reads it, whatever the order, shape (m, 2), uint64."""
    start = hashlib.blake2b(json.dumps([model.signature, versions_of_scores()]).encode(), digest_size=16)
    texts = [json.dumps(text).encode() for text in candidates.texts.texts]
    digests = bytearray()
    for one, other in zip(candidates.first.tolist(), candidates.second.tolist(), strict=True):
        pair = start.copy()
        pair.update(b",".join(sorted([texts[one], texts[other]])))
        digests += pair.digest()
    return np.frombuffer(bytes(digests), np.uint64).reshape(-1, 2)
