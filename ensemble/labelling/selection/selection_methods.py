"""Methods that choose among the pairs of a pool: random, coverage, uncertainty and bands of similarity."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from .k_center import k_center_greedy
from .pair_spaces import PointFile, Space
from .similarity_bands import EDGES, Shortfall, bands, character_similarity, check_edges

if TYPE_CHECKING:
    from ...core.predictor import Predictor

METHODS = ("random", "greedy", "uncertainty", "bands")


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


class Coverage:
    """Coverage by k-center: every pair is near a chosen or labelled one (Sener and Savarese, 2018).

    Parameters
    ----------
    space
        Space in which pairs are points.
    folder
        Folder of the file of points.
    labelled
        Labelled pairs.
    seed
        Seed of the first point of a large pool without labelled pairs.
    """

    def __init__(self, space: Space, folder: Path, labelled: Sequence[tuple[str, str]] = (), seed: int = 0) -> None:
        self._space, self._seed, self._labelled = space, seed, len(labelled)
        self._file = PointFile(folder / "points.f32", space.dimension)
        # Labelled pairs are points of the same space, so they count in its statistics.
        for start in range(0, len(labelled), 2_048):
            self._file.add(space.points(labelled[start : start + 2_048]))

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Make points of the pairs."""
        self._file.add(self._space.points(pairs))

    def choose(self, k: int, n: int) -> Choice:
        """Choose k points; the column ``distance`` holds the distance of each to the nearest earlier one."""
        whole = self._file.read(self._space.standardised)
        points, labelled = whole[self._labelled :], whole[: self._labelled]
        centres = k_center_greedy(points, k, labelled, self._seed)
        facts = {"dimension": self._space.dimension, "start": centres.start, "radius": centres.radius}
        # The first choice has no distance: null.
        distance = pa.array(centres.distances, pa.float64(), mask=np.isnan(centres.distances))
        return Choice(centres.rows, {"distance": distance}, facts)


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
        from ...core.predictive_distribution import spread_of

        self._spreads.append(spread_of(self._model.member_scores(self._model.analyse(pairs))))

    def choose(self, k: int, n: int) -> Choice:
        """Choose the k largest spreads, equal ones by row; the column ``spread`` is the standard deviation, 0..2.5."""
        spread = np.concatenate(self._spreads)
        rows = np.argsort(-spread, kind="stable")[:k]
        return Choice(rows, {"spread": pa.array(spread[rows])}, {"mean_spread": float(spread.mean())})


class Bands:
    """Equal numbers of pairs from each band of character similarity (Agirre et al., 2012).

    Parameters
    ----------
    edges
        Edges of the bands; `EDGES` if None.
    strata
        A column whose values are sampled equally, or None.
    seed
        Seed of the draw in a band.
    """

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
        notes += [_note(shortfall) for shortfall in banded.shortfalls]
        facts = {"edges": list(self._edges), "n_per_band": k // cells}
        shortfalls = [_plain(shortfall) for shortfall in banded.shortfalls]
        return Choice(banded.rows, columns, {**facts, "shortfalls": shortfalls}, tuple(notes))


def _note(shortfall: Shortfall) -> str:
    stratum = "" if shortfall.stratum is None else f" of {shortfall.stratum!r}"
    low, high = shortfall.band
    return f"the band {low:g} to {high:g}{stratum} has {shortfall.found} of the {shortfall.wanted} pairs wanted"


def _plain(shortfall: Shortfall) -> dict[str, Any]:
    return {**shortfall._asdict(), "band": list(shortfall.band)}
