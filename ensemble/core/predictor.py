"""A fitted ensemble: texts in, scores with intervals and flags out; saved as a bundle of inert files.

Nothing here needs scikit-learn or XGBoost: a process that only predicts starts in a fraction of a second.
"""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as character_name

import numpy as np

from ...features.analysis import LONG_TOKENS, analyse
from ...features.analysis import VERSION as ANALYSIS_VERSION
from ...features.catalogue import all_features, resolve
from ...features.declaration import Feature, highest_level
from ...features.linguistics.annotator import SHIPPED, Annotator, load_annotator
from ...features.linguistics.languages import UNKNOWN, Languages, languages_folder
from ...features.matrix import BATCH, FeatureMatrix, extract
from ...features.resources.registry import RESOURCES, Resources, tables_read
from ...features.resources.shipped_tables import record_of_tables
from ...features.resources.term_frequencies import Idf
from ...features.resources.user_supplied import GIVEN, UserEncoder, UserVectors
from ...features.sentence_cache import SentenceMemory
from ...features.sentences import PairBatch, Sentence
from ...models.bundle import MANIFEST, BundleError, read_bundle, seal, signature, write_bundle
from ...models.member import Scorer
from ...models.member import load as load_member
from ...models.npz import unpack_arrays
from .combination import Combination
from .interval import ConformalInterval, spread_of
from .pair_inputs import as_pairs

if TYPE_CHECKING:
    from .explanation import Explanation

PROFILES = ("surface", "fast", "full")
"""The models that ship with the package: strings only; with tags, lemmas and lexical tables; with networks too."""

MULTILINGUAL, TRANSLATIONS = "multilingual", "translations"
"""The one for English, Arabic, Spanish and Turkish and for pairs of two of these, and the one for translations."""

ALL_PROFILES = (*PROFILES, MULTILINGUAL, TRANSLATIONS)
"""All names that `load` knows."""

DEFAULT_PROFILE = "full"

USER_RESOURCES: dict[str, type[UserVectors] | type[UserEncoder]] = {
    GIVEN[kind.name].removeprefix("--"): kind for kind in (UserVectors, UserEncoder)
}
"""What comes from the user, by the keyword that says where it is; a manifest and the command line call it the same."""

ENOUGH_WORDS = 1_000
"""A training text with fewer common words says too little about what English is."""

PROBE = (
    ("A man is playing a guitar.", "Someone plays the guitar."),
    ("The council approved the new budget on 3 May.", "On 3 May the new budget was not approved."),
    ("Two dogs run across a field.", "Shares fell by 4.5% in early trading."),
)
"""Pairs whose scores are stored in every bundle, so that a later machine can check that it computes the same."""


_LIBRARIES = ("numpy", "scikit-learn", "scipy", "xgboost", "xgboost-cpu", "PyStemmer", "RapidFuzz")
_NETWORK_LIBRARIES = ("onnxruntime", "tokenizers", "torch", "transformers")


class Prediction(NamedTuple):
    """Scores of n pairs.

    Attributes
    ----------
    score
        Shape (n,), float64, 0..5.
    low, high
        Ends of the prediction interval, ``low <= score <= high``.
    flags
        For each pair what limits its score: ``cross_lingual``, ``empty``, ``identical``, ``long``, ``non_english``,
        ``translated``, ``truncated``, ``unknown_language``.
    """

    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    flags: list[tuple[str, ...]]


@dataclass
class Predictor:
    """A fitted ensemble.

    Attributes
    ----------
    features, columns
        What is extracted and which columns the members read.
    resources
        The fitted statistics that the features need.
    members
        The fitted scorers.
    interval
        Widths of the prediction interval by band of the score.
    manifest
        What is known of the model: settings, training statement, metrics.
    combination
        How the members' scores become one; by default their mean (Tian et al., 2017).
    memory
        What is known of sentences that were scored before.
    """

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    resources: Resources
    members: tuple[Scorer, ...]
    interval: ConformalInterval
    manifest: dict[str, Any] = field(default_factory=dict)
    combination: Combination = field(default_factory=Combination)
    memory: SentenceMemory = field(default_factory=SentenceMemory, compare=False, repr=False)

    def predict(self, X: Any, return_interval: bool = False) -> Any:
        """Score pairs.

        Parameters
        ----------
        X
            n pairs; see `inputs.as_pairs`.
        return_interval
            Also return the ends of the intervals.

        Returns
        -------
        scores, or (scores, low, high)
            Arrays of shape (n,) on 0..5.
        """
        found = self.predict_pairs(as_pairs(X))
        return (found.score, found.low, found.high) if return_interval else found.score

    def predict_pairs(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        """Score pairs of texts, with intervals and flags."""
        parts = [self._predict_part(pairs[start : start + BATCH]) for start in range(0, len(pairs), BATCH)]
        if not parts:
            return Prediction(np.empty(0), np.empty(0), np.empty(0), [])
        score, low, high = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return Prediction(score, low, high, [flags for part in parts for flags in part.flags])

    def _predict_part(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        batch = self.analyse(pairs)
        return self.combine(batch, self.member_scores(batch))

    def combine(self, batch: PairBatch, members: np.ndarray) -> Prediction:
        """Return scores, intervals and flags of a batch, given the scores of its members, shape (n, m)."""
        score = self.combination.apply(members)
        flags = self.flags(batch)
        low, high = self.interval.apply(score, spread_of(members))
        return Prediction(_ruled(score, flags), _ruled(low, flags), _ruled(high, flags), flags)

    def explain(self, pairs: Sequence[tuple[str, str]]) -> "list[Explanation]":
        """Tell why pairs of texts have their scores: what each family of features adds, and which words are aligned.

        An explanation is the same whatever the other pairs are, and that of (b, a) is that of (a, b) with the alignment
        turned round.

        Raises
        ------
        ValueError
            If the model was trained before explanations were; it must be trained again.
        """
        from .explanation import explain_pairs

        return explain_pairs(self, pairs)

    def predict_members(self, pairs: Sequence[tuple[str, str]]) -> dict[str, np.ndarray]:
        """Return the scores of each member alone, of their mean and, where the model is one, of their stack.

        Each has shape (n,) and is on 0..5: clipped, and by rule 5 for identical texts and 0 where one is empty. The
        last is what `predict_pairs` returns.
        """
        batch = self.analyse(pairs)
        members, flags = self.member_scores(batch), self.flags(batch)
        found = {member.name: np.clip(members[:, k], 0.0, 5.0) for k, member in enumerate(self.members)}
        found["mean"] = Combination().apply(members)
        if self.combination != Combination():
            name = "calibrated mean" if self.combination.rule == "mean" else self.combination.rule
            found[name] = self.combination.apply(members)
        return {name: _ruled(score, flags) for name, score in found.items()}

    @property
    def level(self) -> str:
        """How deeply the features need sentences to be analysed."""
        return highest_level(self.features)

    @property
    def languages(self) -> Languages | None:
        """The languages that the model was trained to compare; None for one that knows English alone."""
        told = self.manifest.get("languages")
        return None if told is None else Languages(tuple(told))

    @property
    def pipeline(self) -> str | None:
        """Name of the spaCy package that the model was trained with; None for the pipeline that ships, and for none."""
        name = self.manifest.get("foundations", {}).get("pipeline", {}).get("name")
        return None if name == SHIPPED else name

    @cached_property
    def annotator(self) -> Annotator | None:
        """The pipeline that the model was trained with; None if its features need none. Tables are checked too.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the pipeline, or a table that features read, is not the one that the model was trained with.
        """
        then = self.manifest.get("foundations", {})
        annotator = None
        if "pipeline" in then:
            try:
                annotator = load_annotator(self.pipeline)
            except ValueError as error:
                raise BundleError(f"the model needs its spaCy pipeline: {error}") from None
        now = record_of_tables(then, annotator)
        changed = [name for name, fact in then.items() if now.get(name) != fact]
        if changed:
            raise BundleError(
                f"the model was trained with the {changed[0]} {_fact(then[changed[0]])} and here is "
                f"{_fact(now.get(changed[0]))}; install samewise {self.manifest['samewise']}, or train the model again"
            )
        return annotator

    @property
    def given(self) -> dict[str, Path]:
        """Where that is which its features read of the user's, by keyword of `USER_RESOURCES`."""
        needed = {need for value in self.features for need in value.needs}
        read = {key: self.resources[kind.name] for key, kind in USER_RESOURCES.items() if kind.name in needed}
        found = {key: value for key, value in read.items() if isinstance(value, UserVectors | UserEncoder)}
        return {key: value.path for key, value in found.items() if value.path is not None}

    def analyse(self, pairs: Sequence[Sequence[str]], level: str | None = None) -> PairBatch:
        """Analyse pairs of texts as deeply as the features need, or to another level."""
        return analyse(pairs, level or self.level, self.annotator, self.memory, self.languages)

    def extract(self, batch: PairBatch) -> FeatureMatrix:
        """Return the matrix that the members read, shape (n, len(columns))."""
        return extract(batch, self.features, self.resources, columns=self.columns)

    def member_scores(self, batch: PairBatch) -> np.ndarray:
        """Return the scores of each member, shape (n, m), unclipped."""
        matrix = self.extract(batch)
        return np.column_stack([member.predict(matrix) for member in self.members])

    def flags(self, batch: PairBatch) -> list[tuple[str, ...]]:
        """Return for each pair the limits that apply, in alphabetical order."""
        english = self.languages is None
        of_sentence = [_sentence_flags(sentence, self._vocabulary if english else None) for sentence in batch.sentences]
        found = []
        for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
            flags = of_sentence[i] | of_sentence[j]
            if not english:
                flags |= _language_flags(batch.sentences[i], batch.sentences[j])
            same = i == j or (not english and batch.sentences[i].text == batch.sentences[j].text)
            found.append(tuple(sorted(flags | {"identical"} if same else flags)))
        return found

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        idf = self.resources.get("idf")
        known = idf.terms("words", at_least=3) if isinstance(idf, Idf) else ()
        return frozenset(known if len(known) >= ENOUGH_WORDS else ())

    @property
    def signature(self) -> str:
        """One line that names version, features, members, seed, data and hash of the model; quote it with figures."""
        return signature(self.manifest)

    def probe(self) -> list[float]:
        """Return the scores of `PROBE`."""
        return [float(score) for score in self.predict_pairs(PROBE).score]

    def probe_difference(self) -> float:
        """Return the largest difference between `probe` here and where the model was made; 0 on the same machine.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the manifest has no such scores.
        """
        then = self.manifest.get("probe")
        if not isinstance(then, list) or [type(score) for score in then] != [float] * len(PROBE):
            raise BundleError(f"the manifest holds {then!r:.60} for the scores of its probe; train the model again")
        return max(abs(a - b) for a, b in zip(self.probe(), then, strict=True))

    def save(
        self,
        folder: str | Path,
        *,
        training: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> None:
        """Write the model as a bundle: a manifest and data files, no code.

        Parameters
        ----------
        folder
            Made, or replaced if it is a bundle already.
        training
            What the model was fitted on: ``data``, ``command`` and whatever else a reader needs.
        metrics
            Measured figures.
        licence
            Terms of the model.
        """
        self.manifest.update(
            training={**self.manifest.get("training", {}), **(training or {})},
            metrics={**self.manifest.get("metrics", {}), **(metrics or {})},
            licence=licence or self.manifest.get("licence", "unspecified"),
        )
        self.manifest = write_bundle(folder, self.manifest, self._files())

    def seal(self) -> "Predictor":
        """Record the hashes of the files and the scores of `PROBE` in the manifest; return self."""
        self.manifest["probe"] = self.probe()
        self.manifest = seal(self.manifest, self._files())
        return self

    def _files(self) -> dict[str, bytes]:
        members = {f"{member.name}{member.suffix}": member.to_bytes() for member in self.members}
        return members | {f"{name}.npz": resource.to_bytes() for name, resource in self.resources.stored.items()}

    @classmethod
    def load(
        cls,
        folder: str | Path,
        features: Sequence[Feature] = (),
        vectors: str | Path | None = None,
        encoder: str | Path | None = None,
    ) -> "Predictor":
        """Read a bundle; nothing in it is run.

        Parameters
        ----------
        folder
            The bundle.
        features
            Features of your own that the model was trained with.
        vectors, encoder
            Where the word vectors and the sentence encoder are that the model was trained with, if they are no longer
            where they were. A model that reads none can extract other features with them.

        Raises
        ------
        samewise.models.bundle.BundleError
            If a file is missing, changed or malformed, or the model needs a feature, a version, word vectors or an
            encoder that are not here.
        """
        bundle = read_bundle(folder)
        manifest, contents = dict(bundle.manifest), bundle.files
        columns = tuple(manifest["columns"])
        if manifest.get("analysis") != ANALYSIS_VERSION:
            raise BundleError(
                f"{folder} was trained with text analysis {manifest.get('analysis')} and this is {ANALYSIS_VERSION}; "
                f"install samewise {manifest['samewise']} or train the model again"
            )
        known = {column for value in (*all_features(), *features) for column in value.columns}
        unknown = [column for column in columns if column not in known]
        if unknown:
            name = unknown[0].rpartition(".")[0]
            origin = manifest.get("own_features", {}).get(name, {}).get("file")
            remedy = f"pass the feature of {origin}" if origin else f"install samewise {manifest['samewise']}"
            raise BundleError(f"{folder} needs the column {unknown[0]!r}, which is not in the catalogue; {remedy}")
        for value in features:
            trained = manifest.get("own_features", {}).get(value.full_name)
            if trained and trained["digest"] != value.digest:
                raise BundleError(
                    f"the feature {value.full_name} has changed since {folder} was trained; train the model again"
                )
        wanted = {column.rpartition(".")[0] for column in columns}
        every = [value for value in (*all_features(), *features) if value.full_name in wanted]
        chosen = resolve(every)[0] if every else ()
        try:
            resources = {
                name: RESOURCES[name](unpack_arrays(contents[file])) for name, file in manifest["resources"].items()
            }
            members = tuple(
                load_member(facts["name"], contents[facts["file"]], columns, facts["params"])
                for facts in manifest["members"]
            )
            told = manifest.get("combination")
            combination = Combination() if told is None else Combination.from_dict(told, len(members))
            interval = ConformalInterval.from_dict(manifest["interval"])
            resources |= _given(folder, manifest, vectors=vectors, encoder=encoder)
            lacking = [need for value in chosen for need in value.needs if need not in resources]
        except KeyError as error:
            raise BundleError(
                f"the manifest of {folder} names {error}, which is not here; train the model again"
            ) from error
        except (TypeError, AttributeError) as error:
            raise BundleError(f"the manifest of {folder} is malformed ({error}); train the model again") from error
        except BundleError:
            raise
        except ValueError as error:
            raise BundleError(f"{folder} cannot be used: {error}") from error
        if lacking or not members:
            what = f"the resource {lacking[0]!r}" if lacking else "its members"
            raise BundleError(f"{folder} lacks {what}; train the model again")
        return cls(chosen, columns, Resources(resources), members, interval, manifest, combination)


def _ruled(score: np.ndarray, flags: Sequence[tuple[str, ...]]) -> np.ndarray:
    for row, found in enumerate(flags):
        if "identical" in found:
            score[row] = 5.0
        elif "empty" in found:
            # One text says something and the other nothing.
            score[row] = 0.0
    return score


def _language_flags(a: Sentence, b: Sentence) -> set[str]:
    flags = {"cross_lingual"} if a.language != b.language else set()
    return flags | {"unknown_language"} if UNKNOWN in (a.language, b.language) else flags


def _sentence_flags(sentence: Sentence, vocabulary: frozenset[str] | None) -> frozenset[str]:
    flags = set()
    if not sentence.tokens:
        flags.add("empty")
    if len(sentence.tokens) > LONG_TOKENS:
        flags.add("long")
    if sentence.truncated:
        flags |= {"long", "truncated"}
    if vocabulary is not None and is_foreign(sentence.words, vocabulary):
        flags.add("non_english")
    return frozenset(flags)


def is_foreign(words: Sequence[str], vocabulary: frozenset[str], share: float = 0.35, least: int = 3) -> bool:
    """Tell whether less than a share of the words of a sentence is in a vocabulary.

    There must be `least` words, or one in a script other than Latin: two words in Latin script may be an English name.
    """
    # Measured with the shipped model: flags 97 % of Arabic, 95 % of Turkish, 84 % of Spanish captions, and under 0.1 %
    # of English ones and 3 % of English definitions. A model fitted on too little text looks at the script alone.
    words = [word for word in words if word.isalpha() or _in_another_script(word)]
    known = sum(word in vocabulary if vocabulary else word.isascii() for word in words)
    return known < share * len(words) and (len(words) >= least or any(map(_in_another_script, words)))


def _in_another_script(word: str) -> bool:
    # No letter is Latin; signs of vowels, which Arabic and Hindi put between the letters, are none.
    letters = [] if word.isascii() else [character_name(letter, "") for letter in word if letter.isalpha()]
    return bool(letters) and not any("LATIN" in letter for letter in letters)


def _given(
    folder: str | Path, manifest: Mapping[str, Any], **places: str | Path | None
) -> dict[str, UserVectors | UserEncoder]:
    # What a model needs of the user's, from where it was or from where it is now.
    found: dict[str, UserVectors | UserEncoder] = {}
    for key, path in places.items():
        kind = USER_RESOURCES[key]
        digest = manifest.get("given", {}).get(kind.name)
        then = manifest["training"].get(key) or {}
        what = "" if digest is None else f"{folder} needs the {kind.title} {str(then.get('name'))!r}"
        if digest is not None and path is None:
            path = then.get("path")
            if path is None or not Path(path).exists():
                raise BundleError(f"{what}, not found at {path!r}; pass --{key} with the place")
        if path is None:
            continue
        try:
            found[kind.name] = kind.read(path, digest)
        except ValueError as error:
            raise BundleError(f"{what}: {error}" if what else str(error)) from None
    return found


def _fact(fact: Any) -> str:
    return f"{fact.get('name')} {fact.get('digest')}" if isinstance(fact, dict) else str(fact)


def new_manifest(
    features: Sequence[Feature],
    columns: Sequence[str],
    feature_set: str,
    members: Sequence[Scorer],
    resources: Resources,
    combination: Combination,
    interval: ConformalInterval,
    seed: int | None,
    annotator: Annotator | None = None,
) -> dict[str, Any]:
    """Return the manifest of a model that was just fitted; `annotator` is that of features above ``tokens``."""
    own = {
        value.full_name: {"file": Path(value.compute.__code__.co_filename).name, "digest": value.digest}
        for value in features
        if value not in all_features()
    }
    libraries = _LIBRARIES + (() if all(member.reads_columns for member in members) else _NETWORK_LIBRARIES)
    read: dict[str, dict[str, Any]] = {
        "foundations": record_of_tables([*tables_read(features), *(t for m in members for t in m.tables)], annotator),
        "given": {name: resources[name].digest for name in GIVEN if name in resources},
    }
    return {
        "samewise": installed_version("samewise") or "unknown",
        "libraries": {name: found for name in libraries if (found := installed_version(name))},
        "python": platform.python_version(),
        "analysis": ANALYSIS_VERSION,
        "feature_set": feature_set,
        "columns": list(columns),
        "set_digest": hashlib.sha256("\n".join([str(ANALYSIS_VERSION), *columns]).encode()).hexdigest()[:16],
        "own_features": own,
        "members": [{"name": m.name, "file": f"{m.name}{m.suffix}", "params": dict(m.params)} for m in members],
        "combine": combination.rule,
        "combination": combination.to_dict(),
        "resources": {name: f"{name}.npz" for name in resources.stored},
        "interval": interval.to_dict(),
        **{key: facts for key, facts in read.items() if facts},
        "seed": seed,
        "training": {},
        "metrics": {},
        "licence": "unspecified",
    }


def installed_version(name: str) -> str | None:
    """Return the version of an installed distribution, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def profile_folder(name: str) -> Path:
    """Return where the bundle of a profile is, if it ships."""
    if name in (MULTILINGUAL, TRANSLATIONS):
        return languages_folder() / "profiles" / name
    return Path(str(files("samewise.models").joinpath("pretrained", name)))


def ships(name: str) -> bool:
    """Tell whether the bundle of a profile is here."""
    return (profile_folder(name) / MANIFEST).is_file()


def load(
    model: str | Path = DEFAULT_PROFILE,
    features: Sequence[Feature] = (),
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
) -> Predictor:
    """Load a shipped profile by name, or a bundle by folder.

    Parameters
    ----------
    model
        One of `ALL_PROFILES`, or the path of a bundle.
    features, vectors, encoder
        As for `Predictor.load`.

    Raises
    ------
    samewise.models.bundle.BundleError
        If there is no such model or it cannot be used here.
    """
    if str(model) in (MULTILINGUAL, TRANSLATIONS) and not ships(str(model)):
        raise BundleError(
            f"the profile {str(model)!r} is not here; install samewise-languages (see docs/languages.md), or leave it "
            "out and say --languages auto, which compares translations"
        )
    if str(model) in ALL_PROFILES:
        return Predictor.load(profile_folder(str(model)), features, vectors, encoder)
    if not Path(model).exists():
        raise BundleError(
            f"there is no model {str(model)!r}; name a folder, or one of the profiles {', '.join(PROFILES)}"
        )
    return Predictor.load(model, features, vectors, encoder)
