"""Folders of arrays built from a user-supplied WordNet: written, and mapped into memory."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..base.mapped_arrays import MappedError, map_arrays, write_arrays
from .synset_counts import PREFIX
from .wordnet import CLASS_OF_KIND, CLASSES, WordNet

BUILT = "wordnet"
"""Entry ``kind`` in the manifest of a folder."""

UNCOUNTED = 1e300
"""Information content of a synset with count 0, as in NLTK."""

_NAMES = "synset_names"
_ARRAYS = frozenset(
    {
        "ancestor_crossings", "ancestor_distances", "ancestor_offsets", "ancestor_rows", "ancestors", "antonyms",
        "derivations", "information_semcor", "kinds", "max_depth", "member_offsets", "members", "min_depth",
        "opposites", "path_depths", "path_offsets", "path_parents", "path_synsets", "paths", "pertainyms",
        "sense_counts", "sense_offsets", "senses", "similar", _NAMES, "word_hashes", "word_texts",
    }
)  # fmt: skip
_REMEDY = "make the folder again with samewise wordnet build"


class BuiltWordNet(WordNet):
    """WordNet of a folder that ``samewise wordnet build`` made."""

    def __init__(self, arrays: Mapping[str, np.ndarray], digest: str) -> None:
        super().__init__(arrays, digest)
        self.information = tuple(sorted(name.removeprefix(PREFIX) for name in arrays if name.startswith(PREFIX)))
        self._contents: dict[str, np.ndarray] = {}

    def names(self, synsets: np.ndarray) -> list[str]:
        """Return NLTK's name of each synset, which has its first English word in any language."""
        listed = self.arrays[_NAMES].tobytes().decode().split("\n")
        return [listed[synset] for synset in synsets.tolist()]

    def information_content(self, kind: str = "semcor") -> np.ndarray:
        """Return the information content of each synset, float64, from 0 on; see `WordNet.information_content`."""
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


def write_wordnet(
    folder: Path, arrays: Mapping[str, np.ndarray], names: list[str], licences: Mapping[str, str], **facts: Any
) -> None:
    """Write a folder of arrays; equal arrays and facts give equal bytes."""
    check_wordnet_folder(folder)
    for old in folder.glob("*.npy"):
        old.unlink()
    listed = np.frombuffer("\n".join(names).encode(), dtype=np.uint8)
    write_arrays(folder, {**arrays, _NAMES: listed}, kind=BUILT, **facts)
    for name, text in licences.items():
        (folder / name).write_text(text, encoding="utf-8")


def check_wordnet_folder(folder: Path) -> None:
    """Refuse a folder that `write_wordnet` must not write to."""
    if folder.is_dir() and (not any(folder.iterdir()) or _kind(folder) == BUILT):
        return
    if folder.exists():
        raise ValueError(
            f"the output must be a new or empty folder or that of a built WordNet, got {str(folder)!r}; name another"
        )


def _kind(folder: Path) -> Any:
    try:
        return json.loads((folder / "manifest.json").read_bytes())["kind"]
    except (OSError, ValueError, LookupError, TypeError):
        return None


def load_wordnet(folder: str | Path) -> BuiltWordNet:
    """Map the arrays of a folder that ``samewise wordnet build`` made into memory.

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
    if _kind(Path(folder)) != BUILT or missing:
        what = f"without {missing[0]}" if missing else "of another kind"
        raise MappedError(f"{str(folder)!r} must hold the arrays of a built WordNet, got a folder {what}; {_REMEDY}")
    return BuiltWordNet(*mapped)
