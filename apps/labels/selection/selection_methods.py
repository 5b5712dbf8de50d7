"""Methods that choose among the pairs of a pool: at random, by uncertainty, by bands; see also `pair_coverage`."""

from collections.abc import Hashable, Sequence, Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from ....ensemble.core.predictor import Predictor

METHODS = ("random", "greedy", "uncertainty", "bands")

EDGES = (0.4, 0.48, 0.56, 0.64, 0.72, 0.8)
"""Five equal bands from 0.4 to 0.8, as for the paraphrase corpus of 2012."""


@dataclass(frozen=True)
class Choice:
    """Choice among n pairs.

    Attributes
    ----------
    rows
        Rows, in order of choice.
    columns
        Reasons for each row, by column name.
    facts
        Facts about the whole choice; plain JSON values.
    notes
        Caveats.
    """

    rows: np.ndarray
    columns: dict[str, pa.Array] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Method(Protocol):
    """Method of choosing pairs."""

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Gather data about the next pairs of the pool, whose rows are a batch."""
        ...

    def choose(self, k: int, n: int) -> Choice:
        """Choose k of the n pairs seen, 1 <= k <= n, or fewer if the method has a rule for that."""
        ...


@dataclass
class AtRandom:
    """Random choice, the baseline of comparisons."""

    seed: int = 0

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Gather nothing."""

    def choose(self, k: int, n: int) -> Choice:
        """Draw k of n without replacement; a larger k begins with the same rows."""
        return Choice(np.random.default_rng(self.seed).permutation(n)[:k])


class Uncertainty:
    """Pairs on which the members of a model disagree most (Seung, Opper and Sompolinsky, 1992).

    Parameters
    ----------
    model
        Model whose members disagree.

    Raises
    ------
    ValueError
        If the model has only one member.
    """

    def __init__(self, model: "Predictor") -> None:
        if len(model.members) < 2:
            raise ValueError(
                "the model must have several members for their disagreement, got one member; use another model"
            )
        self._model, self._spreads = model, list[np.ndarray]()

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Score the pairs."""
        from ....ensemble.core.predictive_distribution import spread_of

        self._spreads.append(spread_of(self._model.member_scores(self._model.analyse(pairs))))

    def choose(self, k: int, n: int) -> Choice:
        """Choose the k largest spreads, equal ones by row; the column ``spread`` is the standard deviation, 0..2.5."""
        spread = np.concatenate(self._spreads)
        rows = np.argsort(-spread, kind="stable")[:k]
        return Choice(rows, {"spread": pa.array(spread[rows])}, {"mean_spread": float(spread.mean())})


class Bands:
    """Equal numbers of pairs from each band of character similarity (Agirre et al., 2012)."""

    def __init__(self, edges: Sequence[float] | None = None, strata: str | None = None, seed: int = 0) -> None:
        self._edges = EDGES if edges is None else check_edges(edges)
        self._column, self._seed = strata, seed
        self._similarities, self._strata = list[np.ndarray](), list[str]()

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Compare the texts of each pair."""
        self._similarities.append(character_similarity(pairs))
        if self._column is not None:
            if self._column not in batch.schema.names:
                raise ValueError(
                    f"strata must be a column of the pool, got {self._column!r}; its columns are: "
                    f"{', '.join(batch.schema.names)}"
                )
            self._strata += ["" if value is None else str(value) for value in batch.column(self._column).to_pylist()]

    def choose(self, k: int, n: int) -> Choice:
        """Take k, divided by the number of cells and rounded down, from each band of each stratum."""
        strata = None if self._column is None else self._strata
        cells = (len(self._edges) - 1) * (1 if strata is None else len(set(strata)))
        if k < cells:
            raise ValueError(
                f"k must be at least {cells}, one pair from each band of each stratum, got {k}; choose {cells} or more"
            )
        similarity = np.concatenate(self._similarities)
        banded = bands(range(n), similarity, self._edges, k // cells, strata, self._seed)
        names = [f"{a:g} to {b:g}" for a, b in zip(self._edges, self._edges[1:], strict=False)]
        columns = {"band": pa.array([names[band] for band in banded.bands], pa.string())}
        columns["similarity"] = pa.array(similarity[banded.rows])
        over = k % cells
        notes = (
            [f"{k} pairs over {cells} bands and strata are {k // cells} from each, {k - over} in all"] if over else []
        )
        for (low, high), stratum, wanted, found in banded.shortfalls:
            cell = f"{low:g} to {high:g}" if stratum is None else f"{low:g} to {high:g} of {stratum!r}"
            notes.append(f"the band {cell} has {found} of the {wanted} pairs wanted")
        shortfalls = [{**shortfall._asdict(), "band": list(shortfall.band)} for shortfall in banded.shortfalls]
        facts = {"edges": list(self._edges), "n_per_band": k // cells, "shortfalls": shortfalls}
        return Choice(banded.rows, columns, facts, tuple(notes))


class Shortfall(NamedTuple):
    """Cell with fewer pairs than requested."""

    band: tuple[float, float]
    stratum: Hashable
    wanted: int
    found: int


class Banded(NamedTuple):
    """Sampled pairs.

    Attributes
    ----------
    rows
        Positions of the pairs: one from each cell in turn, so that any first part is even over the cells.
    bands
        Number of the band of each pair, from 0.
    shortfalls
        Cells with too few pairs. They are not filled from others.
    """

    rows: np.ndarray
    bands: np.ndarray
    shortfalls: tuple[Shortfall, ...]


def character_similarity(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return ``1 - lev / max`` of n pairs, shape (n,), 0..1: edits of characters over the longer length.

    The distance is Levenshtein's. Texts are in Unicode NFC with single spaces, case unchanged, cut at
    `features.analysis.analysis.HEAD_CHARACTERS`. The similarity of two empty texts is 1.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    from ....features.analysis.analysis import HEAD_CHARACTERS, cut, normalise

    if not pairs:
        return np.empty(0)
    a, b = ([cut(normalise(pair[side]), HEAD_CHARACTERS) for pair in pairs] for side in (0, 1))
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.int64)
    longest = np.maximum([len(text) for text in a], [len(text) for text in b])
    # Rounded once, so that a similarity of exactly 0.8 is the edge 0.8.
    return np.where(longest > 0, (longest - edits) / np.maximum(longest, 1), 1.0)


def check_edges(edges: Sequence[float]) -> tuple[float, ...]:
    """Return the edges of bands; raise ValueError unless they are two or more growing numbers."""
    limits = tuple(float(edge) for edge in edges)
    if len(limits) < 2 or not all(a < b for a, b in zip(limits, limits[1:], strict=False)):
        raise ValueError(
            f"edges must be two or more growing numbers, got {', '.join(f'{edge:g}' for edge in limits)}; sort them"
        )
    return limits


def bands(
    pairs: Sized,
    sim: Sequence[float] | np.ndarray,
    edges: Sequence[float],
    n_per_band: int,
    strata: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Banded:
    """Draw `n_per_band` pairs from each band of similarity in each stratum.

    Parameters
    ----------
    pairs
        n pairs; only their number is used.
    sim
        Shape (n,): similarity of each pair. A band includes its lower edge; only the last includes its upper edge.
    edges
        Growing numbers, b + 1 for b bands. Pairs outside are not drawn.
    n_per_band
        Number of pairs to draw from each band of each stratum.
    strata
        Stratum of each pair, such as paraphrase or not; None puts all into one.
    seed
        Seed of the draw.

    Raises
    ------
    ValueError
        If lengths differ, the edges do not grow, or the number is below 1.
    """
    values, limits = np.asarray(sim, dtype=np.float64), check_edges(edges)
    n = len(pairs)
    if values.shape != (n,) or (strata is not None and len(strata) != n):
        strata_count = n if strata is None else len(strata)
        raise ValueError(
            f"sim and strata must have one value for each of {n} pairs, got similarities of shape {values.shape} and "
            f"{strata_count} strata; give one of each"
        )
    if n_per_band < 1:
        raise ValueError(f"n_per_band must be at least 1, got {n_per_band}; give a larger number")
    band = np.searchsorted(limits, values, side="right") - 1
    band[values == limits[-1]] = len(limits) - 2
    band[~((values >= limits[0]) & (values <= limits[-1]))] = -1
    layers = [None] * n if strata is None else list(strata)
    numbers = {layer: k for k, layer in enumerate(dict.fromkeys(layers))}
    layer = np.fromiter((numbers[layer] for layer in layers), np.int64, n)
    rng = np.random.default_rng(seed)
    drawn, shortfalls = [], []
    for k, ends in enumerate(zip(limits, limits[1:], strict=False)):
        for stratum, number in (numbers or {None: 0}).items():
            cell = np.flatnonzero((band == k) & (layer == number))
            drawn.append(rng.permutation(cell)[:n_per_band])
            if len(cell) < n_per_band:
                shortfalls.append(Shortfall(ends, stratum, n_per_band, len(cell)))
    rows = [cell[turn] for turn in range(n_per_band) for cell in drawn if turn < len(cell)]
    positions = np.asarray(rows, dtype=np.int64)
    return Banded(positions, band[positions], tuple(shortfalls))
