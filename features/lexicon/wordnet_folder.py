"""WordNet that a user supplies, mapped from the folder of arrays that ``samewise research wordnet`` made."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..base.mapped_arrays import MappedError, map_arrays
from .wordnet import CLASS_OF_KIND, CLASSES, WordNet

BUILT = "wordnet"
"""Entry ``kind`` in the manifest of a folder."""

UNCOUNTED = 1e300
"""Information content of a synset with count 0, as in NLTK."""

PREFIX = "information_"
"""Beginning of the name of an array of counts; the rest is the kind."""

NAMES = "synset_names"
"""Array with the name of each synset."""

_ARRAYS = frozenset(
    {
        "ancestor_crossings", "ancestor_distances", "ancestor_offsets", "ancestor_rows", "ancestors", "antonyms",
        "derivations", "information_semcor", "kinds", "max_depth", "member_offsets", "members", "min_depth",
        "opposites", "path_depths", "path_offsets", "path_parents", "path_synsets", "paths", "pertainyms",
        "sense_counts", "sense_offsets", "senses", "similar", NAMES, "word_hashes", "word_texts",
    }
)  # fmt: skip
_REMEDY = "make the folder again with samewise research wordnet"


class BuiltWordNet(WordNet):
    """WordNet of a folder that ``samewise research wordnet`` made."""

    def __init__(self, arrays: Mapping[str, np.ndarray], digest: str) -> None:
        super().__init__(arrays, digest)
        self.information = tuple(sorted(name.removeprefix(PREFIX) for name in arrays if name.startswith(PREFIX)))
        self._contents: dict[str, np.ndarray] = {}

    def names(self, synsets: np.ndarray) -> list[str]:
        """Return NLTK's name of each synset, which has its first English word in any language."""
        listed = self.arrays[NAMES].tobytes().decode().split("\n")
        return [listed[synset] for synset in synsets.tolist()]

    def information_content(self, kind: str = "semcor") -> np.ndarray:
        """Return the information content of each synset, float64, from 0 on; see `WordNet.information_content`.

        It is `UNCOUNTED` for a synset with count 0, as in NLTK, and 0 for a part of speech that a file does not count,
        for which NLTK raises an error.
        """
        if kind not in self.information:
            raise ValueError(
                f"information content must be one of {', '.join(self.information)}, got {kind!r}; build the folder "
                "with --information-content"
            )
        if kind not in self._contents:
            counts = self.arrays[PREFIX + kind].astype(np.float64)
            root = counts[-len(CLASSES) :][CLASS_OF_KIND[self.kinds]]
            counts = counts[: -len(CLASSES)]
            shares = np.divide(counts, root, out=np.ones_like(counts), where=counts > 0)
            # Plus 0: the root has 0, not -0.
            values = np.where((counts == 0) & (root > 0), UNCOUNTED, -np.log(shares) + 0.0)
            values.setflags(write=False)
            self._contents[kind] = values
        return self._contents[kind]

    def greatest_content(self, kind: str = "semcor") -> float:
        """Return the greatest information content of a synset that is counted; 1 if no synset has any."""
        content = self.information_content(kind)
        return float(content[content < UNCOUNTED].max(initial=0.0)) or 1.0


def kind_of(folder: Path) -> Any:
    """Return the entry ``kind`` of the manifest of a folder; None without a readable one."""
    try:
        return json.loads((folder / "manifest.json").read_bytes())["kind"]
    except (OSError, ValueError, LookupError, TypeError):
        return None


def load_wordnet(folder: str | Path) -> BuiltWordNet:
    """Map the arrays of a folder that ``samewise research wordnet`` made into memory.

    Parameters
    ----------
    folder
        The folder.

    Raises
    ------
    MappedError
        If a file is missing or differs from the manifest, or the folder is another one.
    """
    mapped = map_arrays(Path(folder), _REMEDY)
    missing = sorted(_ARRAYS - mapped.arrays.keys())
    if kind_of(Path(folder)) != BUILT or missing:
        what = f"without {missing[0]}" if missing else "of another kind"
        raise MappedError(f"{str(folder)!r} must hold the arrays of a built WordNet, got a folder {what}; {_REMEDY}")
    return BuiltWordNet(*mapped)
