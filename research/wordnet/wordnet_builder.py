"""WordNets of the user's own: arrays made from NLTK's data or a folder of database files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...features.base.mapped_arrays import facts_of, write_arrays
from ...features.lexicon.wordnet_folder import BUILT, NAMES, PREFIX, BuiltWordNet, kind_of, load_wordnet
from .nltk_data import ENGLISH, corpus_files, foreign_words, listed_content
from .synset_counts import listed_counts, more_than_above, running_text_counts, tagged_counts
from .wordnet_files import COUNTS_FILE, Files, folder_files, licence_of, read_database, version_of
from .wordnet_lexicon import Lexicon, arrays_of, lexicon_of, translated


def write_wordnet(
    folder: Path, arrays: Mapping[str, np.ndarray], names: list[str], licences: Mapping[str, str], **facts: Any
) -> None:
    """Write a folder of arrays; equal arrays and facts give equal bytes."""
    check_wordnet_folder(folder)
    for old in folder.glob("*.npy"):
        old.unlink()
    listed = np.frombuffer("\n".join(names).encode(), dtype=np.uint8)
    write_arrays(folder, {**arrays, NAMES: listed}, kind=BUILT, **facts)
    for name, text in licences.items():
        (folder / name).write_text(text, encoding="utf-8")


def check_wordnet_folder(folder: Path) -> None:
    """Refuse a folder that `write_wordnet` must not write to."""
    if folder.is_dir() and (not any(folder.iterdir()) or kind_of(folder) == BUILT):
        return
    if folder.exists():
        raise ValueError(
            f"the output must be a new or empty folder or that of a built WordNet, got {str(folder)!r}; name another"
        )


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
