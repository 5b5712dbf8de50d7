"""A fitted ensemble: texts in, scores with intervals and flags out; saved as a bundle of inert files.

Nothing here needs scikit-learn or XGBoost: a process that only predicts starts in a fraction of a second.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from ..._messages import short_repr
from ...features.analysis.analysis import analyse
from ...features.analysis.annotator import SHIPPED, Annotator
from ...features.base.caches import SentenceCache, fields_of
from ...features.base.feature import Feature, highest_level
from ...features.base.sentences import PairBatch
from ...features.linguistics.glossary import Glossary, GlossaryLike
from ...features.linguistics.languages import ENGLISH, Languages
from ...features.pipeline.matrix import BATCH, FeatureMatrix, extract
from ...features.pipeline.registry import Resources
from ...features.pipeline.user_supplied import GIVEN, UserSupplied, reader_of
from ...features.statistics.counts import Idf
from ...features.statistics.fitted import Resource
from ...models.bundle import BundleError, seal, signature, write_bundle
from ...models.member import Member, scores_of_member
from ...models.profiles import is_profile
from .bundle_parts import CHECKSUMS, USER_RESOURCES, check_feature_values, checksums, read_parts
from .combination import Combination
from .manifest import GLOSSARY, PROBE, check_foundations, file_name, part_facts, with_statement
from .pair_inputs import Pairs, as_pairs, flags_across_languages, flags_of_english
from .prediction import Prediction, ScoresPairs, apply_text_rules, rows_by_languages, ruled
from .predictive_distribution import spread_of
from .scale import Scale
from .uncertainty import Uncertainty, probability_of

if TYPE_CHECKING:
    from ..differences.facts import Difference
    from .explanation import Explanation

ENOUGH_WORDS = 1_000
"""Fewest common words of a training text needed to recognise texts in other languages."""


PROBE_TOLERANCE = 1e-6
"""Largest difference of the scores of `PROBE` between two machines that compute the same."""


# Two models are equal if they are the same object: members hold arrays, which have no equality of their own.
@dataclass(frozen=True, eq=False)
class Predictor(ScoresPairs):
    """A fitted ensemble; a `Model` (`ensemble.loading`).

    Attributes
    ----------
    features, columns
        Features that are extracted, and the columns of these that the members read.
    resources
        The fitted statistics that the features need.
    members
        The fitted members.
    interval
        Uncertainty of a score: its prediction interval, and the probability of other scores.
    manifest
        Facts on the model: settings, training statement, metrics.
    combination
        Rule that makes one score of the members' scores; by default their mean (Tian et al., 2017).
    sentence_cache
        Analyses and encodings of sentences that were scored before.
    ref
        The `ModelRef` that loads the same model; None for a model that was fitted or changed in memory.
    """

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    resources: Resources
    members: tuple[Member, ...]
    interval: Uncertainty
    manifest: Mapping[str, Any] = field(default_factory=dict)
    combination: Combination = field(default_factory=Combination)
    sentence_cache: SentenceCache = field(default_factory=SentenceCache)
    # Not a parameter, so that `dataclasses.replace` makes a model without it: a changed model has no reference.
    ref: Any = field(default=None, init=False)

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    def __repr__(self) -> str:
        return short_repr(
            self,
            model=getattr(self.ref, "model", None),
            families=len({feature.family for feature in self.features}),
            columns=len(self.columns),
            members="+".join(member.name for member in self.members),
            scale=str(self.scale),
            signature=self.signature if "files" in self.manifest else None,  # none before it is sealed
        )

    @property
    def parts(self) -> "dict[str, Predictor]":
        """The model as its single part."""
        return {"model": self}

    def with_sentence_cache(self, cache: SentenceCache) -> Self:
        """Return the same model with another cache of sentences."""
        return with_ref(replace(self, sentence_cache=cache), self.ref)

    def predict_pairs(self, pairs: Pairs, languages: Pairs | None = None) -> Prediction:
        """Score pairs of texts, with intervals and flags.

        Parameters
        ----------
        pairs
            n pairs.
        languages
            ISO 639-1 codes of both texts of each pair, if they are known. A model of English does not need them.
        """
        pairs = as_pairs(pairs)
        parts = ((rows, self.predict_batch(batch)) for rows, batch in self._batches(pairs, languages))
        return Prediction.of_rows(len(pairs), parts, self.scale)

    def predict_batch(self, batch: PairBatch) -> Prediction:
        """Return scores, intervals and flags of analysed pairs."""
        return self.combine(batch, self.member_scores(batch))

    def combine(self, batch: PairBatch, member_scores: np.ndarray) -> Prediction:
        """Return scores, intervals and flags of a batch from the scores of its members, shape (n, m)."""
        points = self.combination.apply(member_scores)
        flags = self.flags(batch)
        deviation = self.interval.deviation(points, spread_of(member_scores[:, self._judges]))
        columns = (points, *self.interval.ends(points, deviation))
        score, low, high = (self.scale.scores(apply_text_rules(values, flags)) for values in columns)
        deviation[ruled(flags)] = 0.0
        return Prediction(score, low, high, flags, self.scale.lengths(deviation), self.scale)

    def probability(self, prediction: Prediction, at_least: float) -> np.ndarray:
        """Return the probability that people give each pair a score of `at_least` or more.

        Parameters
        ----------
        prediction
            Scores of n pairs by this model.
        at_least
            A score on the scale of the model. The probability does not rise with it.

        Returns
        -------
        numpy.ndarray
            Shape (n,), 0..1.

        Raises
        ------
        ValueError
            If `at_least` is not on the scale of the model.
        """
        return probability_of(self.interval, prediction, at_least)

    def explain(self, pairs: Pairs, languages: Pairs | None = None) -> "list[Explanation]":
        """Explain the scores of pairs of texts: points of each family of features, aligned words, and differences.

        An explanation does not depend on the other pairs, and that of (b, a) is that of (a, b) with the sides of
        alignment and differences swapped.

        Parameters
        ----------
        pairs, languages
            As for `predict_pairs`.

        Raises
        ------
        ValueError
            If the mean score of a network is missing.
        """
        from .explanation import MEMBER_MEANS, check_explainable, contributions_to, explanations

        pairs, means = as_pairs(pairs), self.manifest.get(MEMBER_MEANS, {})
        check_explainable(self.members, self.combination, means)
        of_row: dict[int, Explanation] = {}
        for rows, batch in self._batches(pairs, languages):
            matrix = self.extract(batch)
            scores = self._member_scores(matrix)
            prediction = self.combine(batch, scores)
            base, table = contributions_to(prediction, matrix, scores, self.members, self.combination, means)
            of_batch = explanations(prediction, batch, self.level, self.contribution_names, base, table)
            of_row |= zip(rows, of_batch, strict=True)
        found = self.differences(pairs, languages)
        return [of_row[row]._replace(differences=tuple(of_pair)) for row, of_pair in enumerate(found)]

    def differences(self, pairs: Pairs, languages: Pairs | None = None) -> "list[list[Difference]]":
        """Return the words in which the texts of each pair differ in meaning; see `text_differences.differences`.

        They do not depend on the score. A model of several languages has none for texts that are not English.

        Parameters
        ----------
        pairs, languages
            As for `predict_pairs`.
        """
        from ..differences.glossary_words import as_written
        from ..differences.text_differences import differences

        pairs = as_pairs(pairs)
        found: list[list[Difference]] = [[] for _ in pairs]
        for rows, batch in self._lexical_batches(pairs, languages):
            of_rows = differences(batch)
            if self.glossary is not None:
                of_rows = as_written(of_rows, [pairs[row] for row in rows], batch, self.glossary)
            for row, of_pair in zip(rows, of_rows, strict=True):
                found[row] = of_pair
        return found

    def covers(self, pairs: Pairs, languages: Pairs | None = None) -> np.ndarray:
        """Return how much of each first text the second says, and how much the second adds; see `covered_words.covers`.

        They do not depend on the score.

        Parameters
        ----------
        pairs, languages
            As for `predict_pairs`.

        Returns
        -------
        numpy.ndarray
            Shape (n, 2), 0..1, float64; not a number for texts that a model of several languages reads as other than
            English.
        """
        from ..differences.covered_words import covers

        pairs = as_pairs(pairs)
        shares = np.full((len(pairs), 2), np.nan)
        for rows, batch in self._lexical_batches(pairs, languages):
            shares[rows] = covers(batch)
        return shares

    def _lexical_batches(self, pairs: Pairs, languages: Pairs | None) -> Iterator[tuple[Sequence[int], PairBatch]]:
        # Of the English pairs.
        from ..differences.text_differences import LEVEL

        english = self._english_rows(pairs, languages)
        for start in range(0, len(english), BATCH):
            rows = english[start : start + BATCH]
            texts = [pairs[row] for row in rows]
            yield rows, analyse(texts, LEVEL, self.annotator, self.sentence_cache, glossary=self.glossary)

    def _english_rows(self, pairs: Pairs, languages: Pairs | None) -> Sequence[int]:
        if self.languages is None:
            return range(len(pairs))
        batches = self._batches(pairs, languages)
        of_row = {row: pair for rows, batch in batches for row, pair in zip(rows, batch, strict=True)}
        return [row for row in range(len(pairs)) if all(side.language == ENGLISH for side in of_row[row])]

    def aligned_tokens(
        self, pairs: Pairs
    ) -> list[tuple[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, int]]]]:
        """Return the tokens of both texts of each pair, and the places ``(i, j)`` of aligned tokens."""
        from .explanation import alignments

        batch = self.analyse(as_pairs(pairs))
        tokens = [(pair.a.tokens, pair.b.tokens) for pair in batch]
        return list(zip(tokens, alignments(batch, self.level), strict=True))

    @property
    def contribution_names(self) -> tuple[str, ...]:
        """Names of the contributions that `explain` returns, families first, the same for all pairs."""
        from .explanation import contribution_names

        return contribution_names(self.columns, self.members, self.combination)

    def predict_members(self, pairs: Pairs, languages: Pairs | None = None) -> dict[str, np.ndarray]:
        """Return the scores of each member alone, of their mean and, where the model is one, of their stack.

        Each has shape (n,) and is on the scale of the model: clipped, and by rule its highest score for identical texts
        and its lowest where one is empty. The last is what `predict_pairs` returns.
        """
        pairs = as_pairs(pairs)
        if not pairs:
            return self._member_columns(self.analyse([]))
        columns: dict[str, np.ndarray] = {}
        for rows, batch in self._batches(pairs, languages):
            for name, scores in self._member_columns(batch).items():
                columns.setdefault(name, np.empty(len(pairs)))[rows] = scores
        return columns

    def _member_columns(self, batch: PairBatch) -> dict[str, np.ndarray]:
        scores, flags = self.member_scores(batch), self.flags(batch)
        judges = self._judges
        columns = {self.members[k].name: np.clip(scores[:, k], 0.0, 5.0) for k in judges}
        columns["mean"] = Combination().apply(scores[:, judges])
        if self.combination != Combination():
            name = "calibrated mean" if self.combination.rule == "mean" else self.combination.rule
            columns[name] = self.combination.apply(scores)
        return {name: self.scale.scores(apply_text_rules(column, flags)) for name, column in columns.items()}

    @property
    def _judges(self) -> list[int]:
        # Places of the members that give scores, not corrections of them.
        return [k for k, member in enumerate(self.members) if not member.corrects]

    def _batches(self, pairs: Pairs, languages: Pairs | None) -> Iterator[tuple[list[int], PairBatch]]:
        spoken = self.languages
        if spoken is None:
            languages = None
        for sides, rows in rows_by_languages(BATCH, len(pairs), languages):
            languages_of_rows = spoken if sides is None else Languages(tuple(dict.fromkeys(sides)), sides)
            batch = [pairs[row] for row in rows]
            cache, own = self.sentence_cache, self.glossary
            yield rows, analyse(batch, self.level, self.annotator, cache, languages_of_rows, own)

    @property
    def level(self) -> str:
        """Level to which the features and the members need sentences to be analysed."""
        return highest_level((*self.features, *self.members))

    @property
    def languages(self) -> Languages | None:
        """Languages that the model was trained to compare; None for a model of English alone."""
        codes = self.manifest.get("languages")
        return None if codes is None else Languages(tuple(codes))

    @property
    def scale(self) -> Scale:
        """Scale of the scores: that of the labels it was fitted on."""
        return Scale.from_manifest(self.manifest)

    @cached_property
    def glossary(self) -> Glossary | None:
        """The user's words that mean the same, by which texts are rewritten before they are read; None for none."""
        groups = self.manifest.get(GLOSSARY)
        return None if groups is None else Glossary.of(groups)

    def with_glossary(self, source: GlossaryLike) -> Self:
        """Return the same model with a glossary, which is saved with it.

        Parameters
        ----------
        source
            The glossary, its file, or lists of members.

        Raises
        ------
        ValueError
            If the glossary is malformed, or the model has another one.
        """
        glossary = Glossary.of(source)
        if self.glossary == glossary:
            return self
        if self.glossary is not None:
            raise ValueError(
                f"the glossary must be that of the model, {self.glossary.name}, got {glossary.name}; leave it out, or "
                "make the model again with this one"
            )
        model = replace(self, manifest={**self.manifest, GLOSSARY: list(map(list, glossary.groups))})
        changed = any(glossary.rewrite(text) != text for pair in PROBE for text in pair)
        return model.sealed() if changed else model

    @property
    def pipeline(self) -> str | None:
        """Name of the spaCy package that the model was trained with; None for the shipped pipeline or no pipeline."""
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
        return check_foundations(self.manifest, self.pipeline)

    @property
    def user_files(self) -> dict[str, Path]:
        """Places of the user-supplied resources that the features read, by keyword of `USER_RESOURCES`."""
        kinds = {key: kind for key, kind in USER_RESOURCES.items() if reader_of(kind, self.features) is not None}
        read = {key: self._own_resources.get(kind.name) for key, kind in kinds.items()}
        supplied = {key: value for key, value in read.items() if isinstance(value, UserSupplied)}
        return {key: value.path for key, value in supplied.items() if value.path is not None}

    @property
    def _own_resources(self) -> dict[str, Resource]:
        # Without those that the model was not trained with, which `read_parts` may add for other features.
        given = self.manifest.get("given", {}) if self.manifest else GIVEN  # before it is trained it has none
        return {name: value for name, value in self.resources.items() if name not in GIVEN or name in given}

    def analyse(self, pairs: Sequence[Sequence[str]], level: str | None = None) -> PairBatch:
        """Analyse pairs of texts to the level that the features need, or to another one."""
        cache, languages = self.sentence_cache, self.languages
        return analyse(pairs, level or self.level, self.annotator, cache, languages, self.glossary)

    def extract(self, batch: PairBatch) -> FeatureMatrix:
        """Return the matrix that the members read, shape (n, len(columns))."""
        return extract(batch, self.features, self._own_resources, columns=self.columns)

    def member_scores(self, batch: PairBatch) -> np.ndarray:
        """Return the scores of each member, shape (n, m), not clipped."""
        return self._member_scores(self.extract(batch))

    def _member_scores(self, matrix: FeatureMatrix) -> np.ndarray:
        return np.column_stack([scores_of_member(member, matrix) for member in self.members])

    def flags(self, batch: PairBatch) -> list[tuple[str, ...]]:
        """Return the flags of each pair, in alphabetical order."""
        if self.languages is None:
            return flags_of_english(batch)
        return flags_across_languages(batch)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Common words of the training text; empty if it is too short to recognise English by."""
        idf = self.resources.get("idf")
        words = idf.terms("words", at_least=3) if isinstance(idf, Idf) else ()
        return frozenset(words if len(words) >= ENOUGH_WORDS else ())

    @property
    def signature(self) -> str:
        """One line that names version, features, members, seed, data, hash and glossary; quote it with figures."""
        own = "" if self.glossary is None else f"|glossary:{self.glossary.name}"
        return f"{signature(self.manifest)}{own}"

    def probe_difference(self) -> float:
        """Return the largest difference of the scores of `PROBE` from those on the machine that made the model.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the manifest has no such scores.
        """
        recorded = self.manifest.get("probe")
        if not isinstance(recorded, list) or [type(score) for score in recorded] != [float] * len(PROBE):
            raise BundleError(f"the manifest holds {recorded!r:.60} for the scores of its probe; train the model again")
        return max(
            abs(float(here) - there) for here, there in zip(self.predict_pairs(PROBE).score, recorded, strict=True)
        )

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
            Facts on the training for the manifest of the bundle, such as ``data`` and ``command``.
        metrics
            Measured figures.
        licence
            Terms of the model.
        """
        model = self.with_statement(training, metrics, licence)
        write_bundle(folder, model.manifest, model._files())

    def with_statement(
        self,
        training: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
        licence: str | None = None,
    ) -> Self:
        """Return the same model with facts added to its manifest, which describes the model as it now is."""
        parts = part_facts(self.columns, self.members, self.resources, self.combination, self.interval)
        model = replace(self, manifest=with_statement(self.manifest, training, metrics, licence))
        if any(self.manifest.get(key, value) != value for key, value in parts.items()):
            return replace(model, manifest={**model.manifest, **parts}).sealed()
        return model

    def sealed(self) -> Self:
        """Return the same model with hashes of its files, and its values and scores of `PROBE`, recorded."""
        record = checksums(self.features, self.extract(self.analyse(PROBE)))
        manifest = {**self.manifest, CHECKSUMS: record, "probe": self.predict_pairs(PROBE).score.tolist()}
        return replace(self, manifest=seal(manifest, self._files()))

    def _files(self) -> dict[str, bytes]:
        members = {file_name(member): member.to_bytes() for member in self.members}
        return members | {f"{name}.npz": resource.to_bytes() for name, resource in self.resources.stored.items()}

    @classmethod
    def load(cls, folder: str | Path, features: Sequence[Feature] = (), **places: str | Path | None) -> "Predictor":
        """Read a bundle; nothing in it is run. Parameters and errors as for `bundle_parts.read_parts`.

        A bundle is refused if a feature now computes other values than when the model was trained. Profiles, which are
        released together with their features, are not checked.
        """
        model = cls(**read_parts(folder, features, **places))
        if not is_profile(folder):
            matrix = model.extract(model.analyse(PROBE))
            check_feature_values(str(folder), model.manifest, model.features, matrix)
        return model


M = TypeVar("M")


def with_ref(model: M, ref: Any) -> M:
    """Return a copy of a model, a frozen dataclass, that has a reference."""
    copy = replace(model)  # type: ignore[type-var]
    object.__setattr__(copy, "ref", ref)
    return copy
