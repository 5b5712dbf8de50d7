"""WordNets that a user supplies: built from NLTK's data, stored, and read again."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..base.mapped_arrays import MappedError, facts_of, map_arrays, write_arrays
from .nltk_data import ENGLISH, corpus_files, foreign_words, listed_content
from .synset_similarity import PREFIX, listed_counts, more_than_above, running_text_counts, tagged_counts
from .wordnet import CLASS_OF_KIND, CLASSES, WordNet
from .wordnet_files import COUNTS_FILE, Files, folder_files, licence_of, read_database, version_of
from .wordnet_lexicon import Lexicon, arrays_of, lexicon_of, translated

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


NLTK = "nltk"
"""The source that means NLTK's data."""

WORDS = "words"
"""The kind of information content that the features read."""

_IN_PLACE = f"{WORDS}="
_HIERARCHY = (0, 1)  # nouns and verbs alone have hypernyms


class Build(NamedTuple):
    """A WordNet that was built, and remarks on its data, each a sentence."""

    wordnet: BuiltWordNet
    remarks: list[str]


def build_wordnet(
    target: str | Path,
    *,
    source: str = NLTK,
    corpus: str = "wordnet",
    language: str = ENGLISH,
    information_content: Sequence[str] = (),
    data: str | Path | None = None,
) -> Build:
    """Write the arrays of a WordNet to a folder and load them. The same files give the same bytes."""
    target, place = Path(target), None if data is None else Path(data)
    check_wordnet_folder(target)
    _check_source(source, language)
    remarks = []
    files = corpus_files(corpus, place) if source == NLTK else folder_files(Path(source))
    lexicon, licences = lexicon_of(read_database(files)), {"LICENSE": licence_of(files)}
    if language != ENGLISH:
        foreign = foreign_words(corpus, language, place)
        lexicon = translated(lexicon, foreign.senses)
        licences[f"LICENSE.{language}"] = foreign.licence
        if foreign.unplaced:
            remarks.append(f"{foreign.unplaced:,} lines of {language} name synsets that the database lacks; left out")
    arrays = arrays_with_counts(lexicon, language)
    facts: dict[str, Any] = {"version": version_of(files), "language": language, **facts_of_source(files, language)}
    if COUNTS_FILE not in files:
        remarks.append(f"without {COUNTS_FILE}, the information content semcor is 0 throughout")
    for name in information_content:
        remarks += _add_content(arrays, lexicon, name, place)
    write_wordnet(target, arrays, lexicon.names, licences, **facts)
    return Build(load_wordnet(target), remarks)


def arrays_with_counts(lexicon: Lexicon, language: str = ENGLISH) -> dict[str, np.ndarray]:
    """Return the arrays of a lexicon with the counts ``semcor``, and for English also ``senses`` and ``words``."""
    arrays = arrays_of(lexicon)
    arrays[f"{PREFIX}semcor"] = tagged_counts(arrays, lexicon.tagged)
    if language == ENGLISH:
        arrays |= {f"{PREFIX}{kind}": counts for kind, counts in running_text_counts(arrays, lexicon.words).items()}
    return arrays


def facts_of_source(files: Files, language: str = ENGLISH) -> dict[str, Any]:
    """Return the entries of a manifest that name the sources of `arrays_with_counts`."""
    facts: dict[str, Any] = {"source": {name: facts_of(text) for name, text in files.items()}}
    from importlib.metadata import version  # late: no score needs it

    return facts | {"wordfreq": version("wordfreq")} if language == ENGLISH else facts


def _check_source(source: str, language: str) -> None:
    if source != NLTK and not Path(source).is_dir():
        raise ValueError(f"the source of a WordNet must be {NLTK} or a folder of database files, got {source!r}")
    if source != NLTK and language != ENGLISH:
        raise ValueError(
            f"the language of a folder of database files must be {ENGLISH}, got {language!r}; use the source {NLTK}"
        )


def _check_every_count(counts: np.ndarray, lexicon: Lexicon) -> None:
    # The information of a sentence is a sum, which a word of infinite information would decide alone.
    counted = np.isin(lexicon.classes, _HIERARCHY)
    bad = np.flatnonzero(counted & (counts[: len(counted)] == 0))
    if len(bad):
        raise ValueError(
            f"the counts that features read must be above 0 for every noun and verb, got 0 for "
            f"{lexicon.names[bad[0]]}; use a file that adds 1, such as ic-brown-add1.dat"
        )


def _add_content(arrays: dict[str, np.ndarray], lexicon: Lexicon, name: str, data: Path | None) -> list[str]:
    in_place = name.startswith(_IN_PLACE) and not Path(name).is_file()
    name = name.removeprefix(_IN_PLACE) if in_place else name
    kind = WORDS if in_place else Path(name).stem
    if f"{PREFIX}{kind}" in arrays and not in_place:
        raise ValueError(
            f"each kind of information content must have a name of its own, got {kind!r} twice; rename one"
        )
    listed = listed_content(name, data)
    try:
        counts = listed_counts(listed.counts, listed.roots, lexicon.places)
        if in_place:
            _check_every_count(counts, lexicon)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    arrays[f"{PREFIX}{kind}"] = counts
    more = more_than_above(arrays, counts)
    if not more:
        return []
    return [f"{kind} counts {more} synsets more often than one of their hypernyms; NLTK's values are kept"]
