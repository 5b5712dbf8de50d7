"""The estimator: a scikit-learn regressor over pairs of sentences."""

import random
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ...features.base.feature import Feature
from ...features.base.sentences import PairBatch
from ...features.linguistics.languages import Languages
from ...features.pipeline.extraction import Extraction
from ...features.pipeline.matrix import FeatureMatrix
from ...features.pipeline.named_sets import FEATURE_SETS
from ...models.member import MEMBERS, Member, check_libraries, make_member, scores_of_member
from ..contrasts.training_pairs import RuleMadePair, pairs_by_rule
from .combination import RULES, Combination, Rule
from .explanation import MEMBER_MEANS, Explanation, member_means
from .folds import sentence_groups
from .manifest import FITTED, MEMBER_SHARES, SOURCE_LEVELS, new_manifest
from .out_of_fold import fit_on_unseen, out_of_fold, read_by
from .pair_inputs import Pairs, as_pairs
from .prediction import Prediction, ScoresPairs
from .predictive_distribution import WHOLE_SCALE
from .predictor import Predictor
from .scale import POINTS, SCALE, Scale
from .target import Target, marks, rows_to_judge
from .uncertainty import Uncertainty

FEWEST_TO_DOUBT = 20
"""Fewest scores, none above 1, from which the scale 0..5 is doubted."""


class SimilarityEnsemble(ScoresPairs, RegressorMixin, BaseEstimator):
    """Semantic textual similarity, 0..5, from regressors on pair features and networks on pairs (Tian et al., 2017).

    X is a sequence of n pairs of texts: a list of 2-tuples, an array of shape (n, 2) or a data frame with two text
    columns. Scores are symmetric, 5 for identical text, and do not depend on the other pairs.

    Parameters
    ----------
    features
        A named set, a pattern such as ``"ngram.*"``, or a list of patterns and of `Feature` values. Only the regressors
        read them.
    members
        Names of the scorers to combine, of `models.member.MEMBERS`: the regressors ``rf``, ``gbm`` and ``xgb``, and
        networks, which need the extra ``train`` to be fitted.
    combine
        ``mean``, or ``stack``: weights fitted on out-of-fold predictions, one for the plain mean of the regressors and
        one for each network.
    calibrate
        Whether to calibrate the combined score, so that it is right on average; fitted on out-of-fold predictions.
    contrasts
        Number of pairs made by rule that all members are fitted on, too, as a share of the pairs; see
        ``docs/pairs-by-rule.md``.
    member_params
        For a member's name, settings that replace its own; those of a regressor stand in its file in
        ``models/regressors``. In scikit-learn's tools each has a name of its own: ``xgb__max_depth``.
    interval
        Nominal coverage of the prediction interval, fitted on out-of-fold predictions. With None, ``mean`` and no
        calibration there are no folds to fit, and the interval is the whole scale.
    scale
        Scale of the scores to fit on and to give, ``LOW..HIGH`` or ``yes/no``; see `Scale`. With ``yes/no``, labels are
        1 and 0, scores are probabilities, and they are always calibrated.
    random_state
        Seed. The same seed and data give the same model, byte for byte, on one installation; with a network among the
        members, on one kind of processor and with the same number of threads (`n_jobs`) too.
    n_jobs
        Threads for fitting, as in joblib.
    cache
        A folder for extracted features, keyed by content.
    pipeline
        Name of an installed spaCy package (``en_core_web_md``) that tags and parses, where features need it; the
        pipeline that ships with samewise if None. The model needs the same one wherever it is loaded.
    vectors
        File or folder of word vectors for the features of ``user_embedding``; see ``docs/vectors.md``. They are not
        stored with the model, which needs the same ones wherever it is loaded.
    encoder
        Folder of a sentence encoder, or its name on a hub, for the features of ``user_contextual``; likewise.
    wordnet
        Folder of ``samewise research wordnet``, which replaces the shipped WordNet for all features;
        likewise. See ``docs/vectors.md``.
    languages
        ISO 639-1 codes of the languages that the texts are in, for the set ``multilingual``, whose features read any of
        them; English alone if None.

    Attributes
    ----------
    predictor_
        The fitted `Predictor`.
    oof_members_
        Out-of-fold scores of the training pairs by member, shape (n, m); None if no fold was fitted.
    oof_prediction_
        The same combined, shape (n,), or None.
    removed_
        Shape (n,): points on 0..5 that were removed from the score of each training pair, because of its source.
    """

    def __init__(
        self,
        features: str | Sequence[str | Feature] = "full",
        members: Sequence[str] = ("rf", "gbm", "xgb"),
        *,
        combine: Rule = "mean",
        calibrate: bool = False,
        contrasts: float = 0.0,
        member_params: dict[str, dict[str, Any]] | None = None,
        interval: float | None = 0.9,
        scale: str = "0..5",
        random_state: int | None = 0,
        n_jobs: int | None = None,
        cache: str | Path | None = None,
        pipeline: str | None = None,
        vectors: str | Path | None = None,
        encoder: str | Path | None = None,
        wordnet: str | Path | None = None,
        languages: Sequence[str] | None = None,
    ) -> None:
        self.features = features
        self.members = members
        self.combine = combine
        self.calibrate = calibrate
        self.contrasts = contrasts
        self.member_params = member_params
        self.interval = interval
        self.scale = scale
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.cache = cache
        self.pipeline = pipeline
        self.vectors = vectors
        self.encoder = encoder
        self.wordnet = wordnet
        self.languages = languages

    def __repr__(self, N_CHAR_MAX: int = 300) -> str:
        # As scikit-learn draws it, cut earlier: a loaded ensemble has all of its columns for `features`.
        return str(super().__repr__(N_CHAR_MAX))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the settings by name; with `deep` also those of each member, such as ``xgb__max_depth``."""
        settings: dict[str, Any] = super().get_params(deep=False)
        if not deep:
            return settings
        members = [name for name in self._names() if name in MEMBERS]
        given = self.member_params or {}
        params = {name: make_member(name, _plain(given.get(name))).params for name in members}
        return {**settings, **{f"{name}__{key}": value for name in members for key, value in params[name].items()}}

    def set_params(self, **params: Any) -> "SimilarityEnsemble":
        """Change settings, also those of members (``xgb__max_depth=4``), which replace those in `member_params`.

        Raises
        ------
        ValueError
            If `get_params` knows no setting of that name.
        """
        direct = self.get_params(deep=False)
        for name in direct.keys() & params.keys():
            setattr(self, name, params[name])
        nested = {name: value for name, value in params.items() if name not in direct}
        settings = self.get_params() if nested else {}
        changed = {name: dict(settings) for name, settings in (self.member_params or {}).items()}
        for name, value in nested.items():
            if name not in settings:
                valid = list(settings)
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator SimilarityEnsemble. Valid parameters are: {valid}."
                )
            member, _, setting = name.partition("__")
            changed.setdefault(member, {})[setting] = value
        if nested:
            self.member_params = changed
        return self

    def fit(
        self,
        X: Any,
        y: Sequence[float] | np.ndarray,
        groups: Sequence[Any] | np.ndarray | None = None,
        unseen: Sequence[bool] | np.ndarray | None = None,
        sources: Sequence[Any] | np.ndarray | None = None,
        sample_weight: Sequence[float] | np.ndarray | None = None,
        relative: Sequence[bool] | np.ndarray | None = None,
    ) -> "SimilarityEnsemble":
        """Fit on n pairs and their gold scores.

        Parameters
        ----------
        X
            n pairs.
        y
            Shape (n,), finite, on the scale.
        groups
            n labels: pairs of one label, such as those of one source of text, are kept in one fold, as pairs are that
            share a sentence. Intervals are then right for pairs of a new group, on average over groups.
        unseen
            n marks of the pairs that no network given as ``fitted`` has seen: the combination and the intervals are
            fitted on these alone. Leave out pairs that a model scored, too: their scores have less noise than those of
            people. All pairs if None.
        sources
            n names of the sets that the pairs were scored in. People of one set may score higher than those of another:
            members are fitted on scores less the level of their set, and the model answers on the mean scale. Intervals
            are then right for a new set, on average over these instead of `groups`. See `source_levels`.
        sample_weight
            Shape (n,), positive: how much each pair counts for members and combination; all the same if None.
        relative
            n marks of the pairs whose scores only compare them with pairs of their source that look as much alike: such
            as those of contrast squares. Members and combination learn what tells these apart, and nothing else;
            statistics of texts and intervals do not read them. Needs `sources`.

        Raises
        ------
        ValueError
            If lengths differ, a score is out of range, a member cannot follow weights, a setting is unknown, or there
            are sources but no regressor, by which their levels are estimated.
        ModuleNotFoundError
            If a library that fits a member is not installed.
        """
        pairs = as_pairs(X)
        scale = Scale.of(self.scale)
        gold = scale.points(self._checked(pairs, y, scale))
        judged = rows_to_judge(unseen, len(pairs))
        unfitted = self._members(self._names())
        check_libraries(unfitted)
        compared = marks("relative", relative, len(pairs))
        if compared.all():
            raise ValueError(
                f"relative must leave a pair with a score of its own, got {len(pairs)} marks; leave out some"
            )
        regressors = [member for member in unfitted if member.averaged]
        if sources is not None and (scale.binary or not regressors):
            raise ValueError("sources must be None for labels yes and no, and without a regressor; leave them out")
        target = Target.of(gold, sources, sample_weight, compared, regressors[-1] if regressors else None)
        extraction, batch = Extraction.fit(
            [pair for pair, mark in zip(pairs, compared.tolist(), strict=True) if not mark],
            self.features if any(member.reads_columns for member in unfitted) else None,
            cache=self.cache,
            pipeline=self.pipeline,
            vectors=self.vectors,
            encoder=self.encoder,
            wordnet=self.wordnet,
            languages=None if self.languages is None else Languages.parse(",".join(self.languages)),
        )
        rule_made = self._rule_made_pairs(batch, gold[~compared])
        texts = [(pair.a, pair.b) for pair in rule_made]
        batch = extraction.analyse(pairs) if compared.any() else batch
        matrix = extraction.matrix(extraction.analyse([*pairs, *texts]) if texts else batch)
        origins = np.flatnonzero(~compared)[np.asarray([pair.source for pair in rule_made], dtype=np.int64)]
        target = target.and_made([pair.score for pair in rule_made], origins)
        every = np.arange(len(target.gold))
        removed = target.removed(matrix, every)
        self.removed_ = removed[: len(pairs)]
        combination = Combination()
        uncertainty: Uncertainty = WHOLE_SCALE
        self.oof_members_ = self.oof_prediction_ = None
        if self.interval is not None or self.calibrate or self.combine == "stack" or scale.binary:
            linked = sentence_groups(batch, groups)
            self.oof_members_ = out_of_fold(matrix, target, linked, unfitted, self.n_jobs, origins)
            labels = groups if sources is None else sources
            if self.oof_members_ is not None:
                combination, uncertainty = fit_on_unseen(
                    self.oof_members_[judged],
                    gold[judged],
                    linked[judged],
                    self.combine,
                    calibrate=self.calibrate,
                    level=self.interval,
                    averaged=[member.averaged for member in unfitted],
                    sources=None if labels is None else np.unique(np.asarray(labels)[judged], return_inverse=True)[1],
                    binary=scale.binary,
                    removed=self.removed_[judged],
                    weights=None if target.weights is None else target.weights[: len(pairs)][judged],
                    relative=compared[judged],
                )
                self.oof_prediction_ = scale.scores(combination.apply(self.oof_members_))
            elif scale.binary:
                raise ValueError(
                    "probabilities need pairs that do not all share sentences or a group; give more pairs, or another "
                    "scale such as 0..1"
                )
            elif self.combine == "stack":
                raise ValueError(
                    'a stack needs pairs that do not all share sentences; give more pairs, or combine="mean"'
                )
        counted = combination.counted(len(unfitted))
        members = tuple(
            target.fit(member, read_by(member, matrix), every, removed)
            for member, kept in zip(unfitted, counted, strict=True)
            if kept
        )
        predictor = Predictor(
            extraction.features,
            extraction.columns,
            extraction.resources,
            members,
            uncertainty,
            {},
            combination.of_members(counted),
        )
        manifest = self._manifest(predictor, extraction, len(pairs), bool(rule_made))
        if not all(member.reads_columns for member in members):
            manifest[MEMBER_MEANS] = self._member_means(members, matrix, counted)
        if self.oof_members_ is not None:
            shares = combination.shares(self.oof_members_[judged])[np.asarray(counted)]
            named = zip(members, shares.tolist(), strict=True)
            manifest[MEMBER_SHARES] = {member.name: round(share, 3) for member, share in named}
        if sources is not None:
            levels = {
                str(name): round(points, 3)
                for name, points, mark in zip(sources, self.removed_.tolist(), compared.tolist(), strict=True)
                if not mark
            }
            manifest[SOURCE_LEVELS] = dict(sorted(levels.items()))
        if scale != POINTS:
            manifest[SCALE] = scale.to_json()
        self.predictor_ = replace(predictor, manifest=manifest).sealed()
        return self

    def _checked(self, pairs: Sequence[tuple[str, str]], y: Sequence[float] | np.ndarray, scale: Scale) -> np.ndarray:
        # The gold scores as an array; an error for what cannot be fitted.
        try:
            gold = np.asarray(y, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"y must hold one number for each pair, got {repr(y)[:60]}; give a list of numbers"
            ) from None
        if gold.shape != (len(pairs),) or not len(pairs):
            raise ValueError(f"y must have one score a pair, got shape {gold.shape} for {len(pairs)} pairs")
        gold = scale.snapped(gold)
        bad = np.flatnonzero(~scale.contains(gold))
        if len(bad):
            raise ValueError(
                f"a score must be {scale.rule}, got {gold[bad[0]]:g} for pair {bad[0]}; name the scale of the scores, "
                "such as scale='0..1'"
            )
        scale.check_varied(gold)
        if scale == POINTS and len(gold) >= FEWEST_TO_DOUBT and gold.max() <= 1.0:
            warnings.warn(
                f"all {len(gold)} scores are from 0 to 1, on a scale of {scale}; if 1 is the highest there can be, "
                "give scale='0..1', or scale='yes/no'",
                UserWarning,
                stacklevel=3,
            )
        if self.interval is not None and not 0 < self.interval < 1:
            raise ValueError(f"interval must be a coverage between 0 and 1, or None, got {self.interval}")
        if not 0 <= self.contrasts <= 1:
            raise ValueError(f"contrasts must be a share of the pairs between 0 and 1, got {self.contrasts}")
        if self.combine not in RULES:
            raise ValueError(f"combine must be one of {', '.join(RULES)}, got {self.combine!r}")
        names = self._names()
        if not names or len(set(names)) < len(names):
            raise ValueError(f"members must name at least one member, each once, got {self.members!r}")
        return gold

    def _manifest(self, predictor: Predictor, extraction: Extraction, rows: int, rule_made: bool) -> dict[str, Any]:
        named_set = self.features if isinstance(self.features, str) and self.features in FEATURE_SETS else "custom"
        manifest = new_manifest(
            predictor.features,
            predictor.columns,
            named_set if predictor.features else "none",
            predictor.members,
            predictor.resources,
            predictor.combination,
            predictor.interval,
            self.random_state,
            extraction.annotator,
        )
        manifest["training"] = {"rows": rows}
        for key, path in predictor.user_files.items():
            # The folder of an encoder from a hub has no meaningful name.
            name = path.name if Path(getattr(self, key)).exists() else str(getattr(self, key))
            manifest["training"][key] = {"name": name, "path": str(path)}
        if extraction.languages is not None:
            manifest["languages"] = list(extraction.languages.candidates)
        if rule_made:
            manifest["contrasts"] = self.contrasts
        if len(predictor.members) < len(self._names()):
            manifest[FITTED] = self._names()
        return manifest

    def _member_means(
        self, members: Sequence[Member], matrix: FeatureMatrix, counted: Sequence[bool]
    ) -> dict[str, float]:
        # Out of fold where there are folds: the scores of a network for pairs that it has not seen.
        if self.oof_members_ is not None:
            return member_means(members, self.oof_members_[:, counted])
        scores = [scores_of_member(member, read_by(member, matrix)) for member in members]
        return member_means(members, np.column_stack(scores))

    def _rule_made_pairs(self, batch: PairBatch, gold: np.ndarray) -> list[RuleMadePair]:
        count = round(self.contrasts * len(batch))
        firsts, seconds = ([batch.sentences[i] for i in side.tolist()] for side in (batch.left, batch.right))
        return pairs_by_rule(firsts, seconds, gold.tolist(), count, random.Random(self.random_state))

    def _names(self) -> list[str]:
        return [self.members] if isinstance(self.members, str) else list(self.members)

    def _members(self, names: Iterable[str]) -> list[Member]:
        params = self.member_params or {}
        unknown = [name for name in params if name not in MEMBERS]
        if unknown:
            raise ValueError(
                f"member_params must name members, got {unknown[0]!r}; the members are {', '.join(MEMBERS)}"
            )
        return [make_member(name, _plain(params.get(name)), self.random_state, self.n_jobs) for name in names]

    def predict_pairs(self, pairs: Pairs, languages: Pairs | None = None) -> Prediction:
        """Return scores, intervals and flags of pairs of texts; see `Predictor.predict_pairs`."""
        check_is_fitted(self)
        return self.predictor_.predict_pairs(pairs, languages)

    def explain(self, X: Any) -> list[Explanation]:
        """Explain the scores of n pairs; see `Predictor.explain`."""
        check_is_fitted(self)
        return self.predictor_.explain(X)

    def score(self, X: Any, y: Sequence[float] | np.ndarray, sample_weight: np.ndarray | None = None) -> float:
        """Return the coefficient of determination of the scores of n pairs, as every scikit-learn regressor does.

        ``GridSearchCV`` and ``cross_val_score`` maximise this score if ``scoring`` is not given. The measure of
        this task is the Pearson correlation: `evaluate` returns it with its interval, and
        ``scoring=sklearn.metrics.make_scorer(pearson)`` lets these tools maximise it.

        Parameters
        ----------
        X
            n pairs.
        y
            Shape (n,), gold scores on the scale of the model.
        sample_weight
            Shape (n,); all pairs count the same if None.

        Returns
        -------
        float
            At most 1; 0 for the score that is best among those that are the same for all pairs.
        """
        return float(super().score(as_pairs(X), y, sample_weight))

    @property
    def signature(self) -> str:
        """One line that names version, features, members, seed, data and the hash of the model."""
        check_is_fitted(self)
        return self.predictor_.signature

    def save(self, folder: str | Path, **facts: Any) -> None:
        """Write the fitted model as a bundle; see `Predictor.save` for the facts."""
        check_is_fitted(self)
        self.predictor_.save(folder, **facts)

    @classmethod
    def load(
        cls, folder: str | Path, features: Sequence[Feature] = (), **places: str | Path | None
    ) -> "SimilarityEnsemble":
        """Return the estimator of a saved bundle, ready to predict; parameters are those of `Predictor.load`."""
        predictor = Predictor.load(folder, features, **places)
        user_supplied = [value for value in features if value.full_name in predictor.manifest.get("own_features", {})]
        fitted = [member for member in predictor.members if not member.corrects]
        supplied: dict[str, Any] = predictor.user_files
        ensemble = cls(
            features=[*predictor.columns, *user_supplied] if predictor.columns else "full",
            members=tuple(predictor.manifest.get(FITTED) or [member.name for member in fitted]),
            combine=predictor.combination.rule,
            calibrate=bool(predictor.combination.knots),
            contrasts=float(predictor.manifest.get("contrasts", 0.0)),
            member_params={member.name: dict(member.params) for member in fitted},
            interval=predictor.interval.level if predictor.interval.level < 1 else None,
            scale=str(predictor.scale),
            random_state=predictor.manifest["seed"],
            pipeline=predictor.pipeline,
            **supplied,
            languages=None if predictor.languages is None else predictor.languages.candidates,
        )
        ensemble.predictor_ = predictor
        ensemble.oof_members_ = ensemble.oof_prediction_ = None
        return ensemble

    def dump(self, path: str | Path) -> None:
        """Write a joblib snapshot for this machine and these library versions; share bundles (`save`) instead.

        Loading a snapshot runs code from it.
        """
        joblib.dump(self, path)

    @staticmethod
    def load_dump(path: str | Path) -> "SimilarityEnsemble":
        """Read a snapshot of `dump`, with a warning that this runs code from the file; read only your own."""
        warnings.warn(
            f"loading the joblib snapshot {path} runs code from it; load only files that you wrote, or use a bundle",
            UserWarning,
            stacklevel=2,
        )
        loaded = joblib.load(path)
        if not isinstance(loaded, SimilarityEnsemble):
            raise ValueError(
                f"{path} holds a {type(loaded).__name__}; give a snapshot that SimilarityEnsemble.dump wrote"
            )
        return loaded

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _plain(settings: Mapping[str, Any] | None) -> dict[str, Any]:
    # A grid of numpy's holds numpy's numbers, which a manifest cannot.
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in (settings or {}).items()}
