"""Specification of a published system: its inputs, the way to a score, and its publication."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...ensemble.core.bundle_parts import USER_RESOURCES
from ...ensemble.evaluation.published_scores import read_table

RULES = ("clip", "decimals", "identical")
"""Rules for the scores of a run: ``clip`` them to 0..5, round them to ``decimals``, or give 5 to texts with
``identical`` letters and digits (Bär et al., 2012)."""

REBUILDS = ("faithful", "partial", "stand-in")
"""Nearness of a run to its publication, the nearest first.

A faithful rebuild lacks nothing that the publication names. A partial one goes the published way to the score, with
something replaced or left out. In a stand-in the part that makes the score is replaced, so that the score is one of
the replacement."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MEMBER_KEYS = {"columns", "learner", "network", "params", "weights", "instead"}
_NEARNESS_KEYS = {"rebuild", "lacks", "stand_ins"}
_RUN_KEYS = {"members", "combine", "combine_params", "beside", "rules", "published", "note", *_NEARNESS_KEYS}
_SYSTEM_KEYS = {"title", "citation", "members", "runs", *_NEARNESS_KEYS}
_KINDS: Mapping[type, str] = {str: "string", list: "list", dict: "table"}


class Lack(NamedTuple):
    """Part that a publication names and its rebuild lacks.

    Attributes
    ----------
    missing
        Name of the part.
    instead
        Its replacement; empty if the part is left out.
    """

    missing: str
    instead: str = ""

    @classmethod
    def parse(cls, phrase: str) -> "Lack":
        """Return the lack that a phrase ``missing: replacement`` or ``missing`` names."""
        missing, _, instead = phrase.partition(": ")
        return cls(missing, instead)

    @property
    def phrase(self) -> str:
        """The part and its replacement with a colon between them."""
        return f"{self.missing}: {self.instead or 'left out'}"

    @property
    def short(self) -> str:
        """The part, with its replacement in brackets."""
        return f"{self.missing} ({self.instead})" if self.instead else self.missing


@dataclass(frozen=True)
class Member:
    """A part of a system that scores each pair.

    Attributes
    ----------
    columns
        Patterns on columns, for a learner.
    learner
        One of `research.learners.LEARNERS`, or None.
    network
        A pair network of `models.member.MEMBERS` or `research.networks.research_network.RESEARCH_NETWORKS`, or None.
    params
        Settings of the learner or the network.
    weights
        ``feature_decay`` to weight the training pairs by their relevance to the scored pairs (Bicici, 2017), or None.
    instead
        Stand-in without the user-supplied vectors or encoder that the columns read, or None.
    """

    columns: tuple[str, ...] = ()
    learner: str | None = None
    network: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    weights: str | None = None
    instead: "Member | None" = None

    @property
    def needs(self) -> str | None:
        """User-supplied resource that its columns read: a key of `USER_RESOURCES`, or None."""
        keys = (key for key, kind in USER_RESOURCES.items() for c in self.columns if c.startswith(f"{kind.family}."))
        return next(keys, None)


@dataclass(frozen=True)
class Run:
    """A submitted run, or another published form of a system.

    Attributes
    ----------
    members
        Members by name.
    combine
        ``mean``, or a learner fitted on out-of-fold scores of the members.
    combine_params
        Settings of that learner.
    beside
        Patterns on columns that it reads in addition to the scores of the members.
    rules
        Rules for the final scores; see `RULES`.
    published
        Label of the row to compare with, by name of a published table (`evaluation.published_scores.TABLES`).
    note
        Note for readers of the table.
    rebuild
        One of `REBUILDS`.
    lacks
        Parts of the publication that the run lacks; none for a faithful rebuild.
    """

    members: Mapping[str, Member]
    combine: str = "mean"
    combine_params: Mapping[str, Any] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    rebuild: str = "faithful"
    lacks: tuple[Lack, ...] = ()


@dataclass(frozen=True)
class System:
    """A published system.

    Attributes
    ----------
    name
        Name of its file.
    title, citation
        Title of the system and reference to its description.
    runs
        Runs by name.
    """

    name: str
    title: str
    citation: str
    runs: Mapping[str, Run]

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Phrases that name what at least one run lacks, and its replacement."""
        return tuple(dict.fromkeys(lack.phrase for run in self.runs.values() for lack in run.lacks))


def read_system(path: str | Path) -> System:
    """Read a system from its TOML file, whose keys are listed in ``docs/systems.md``.

    Raises
    ------
    ValueError
        If the file is not TOML, or an entry is missing, unknown or of the wrong type.
    """
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be TOML, got an error: {error}; correct the file") from None
    if not _NAME.fullmatch(path.stem):
        raise ValueError(
            f"name of a system must have only lower-case letters, digits, - and _, got {path.stem!r}; rename {path}"
        )
    where = path.name
    _check_keys(where, content, _SYSTEM_KEYS)
    for key in ("title", "citation", "runs"):
        if not content.get(key):
            raise ValueError(f"{where} must have a title, a citation and runs, got no {key}; add it")
    _check_kinds(where, content, {"title": str, "citation": str, "members": dict, "runs": dict})
    _lacks(where, content)
    members = {name: _member(f"{where}: members.{name}", value) for name, value in content.get("members", {}).items()}
    # What a run does not say itself holds for all runs.
    shared = {key: content[key] for key in _NEARNESS_KEYS if key in content}
    runs = {}
    for name, value in content["runs"].items():
        run_place = f"{where}: runs.{name}"
        runs[name] = _near(run_place, _run(run_place, name, value, members), value, shared)
    return System(path.stem, content["title"], content["citation"], runs)


@cache
def shipped_systems() -> dict[str, System]:
    """Return the systems that ship with samewise, by name."""
    folder = Path(__file__).parent / "data"
    return {path.stem: read_system(path) for path in sorted(folder.glob("*.toml"))}


def check_published(systems: Iterable[System]) -> None:
    """Refuse systems with a run that names an unknown published table or row, before anything is fitted.

    Raises
    ------
    ValueError
        If there is such a run; the message names the system, the run, and the known rows.
    """
    for system in systems:
        for name, run in system.runs.items():
            for table, label in run.published.items():
                try:
                    read_table(table).row(str(label))
                except ValueError as error:
                    raise ValueError(f"{system.name}.toml: runs.{name}.published: {error}") from None


def _run(where: str, name: str, content: Any, members: Mapping[str, Member]) -> Run:
    if not isinstance(content, dict):
        raise ValueError(f"{where} is {content!r}, not a table")
    # A run may describe its only member in place.
    inline = {key: value for key, value in content.items() if key in _MEMBER_KEYS}
    _check_keys(where, content, _RUN_KEYS | _MEMBER_KEYS)
    kinds = {"members": list, "combine": str, "combine_params": dict, "beside": list}
    _check_kinds(where, content, {**kinds, "rules": dict, "published": dict, "note": str})
    if bool(inline) == ("members" in content):
        ways = "both" if inline else "neither"
        raise ValueError(f"{where} must have either members or the keys of its only member, got {ways}; give one")
    chosen = {name: _member(where, inline)} if inline else {}
    for member in content.get("members", ()):
        if member not in members:
            raise ValueError(
                f"{where}: member must be one of {', '.join(members)}, got {member!r}; correct it or add the member"
            )
        chosen[member] = members[member]
    if not chosen:
        raise ValueError(f"{where} must have at least one member, got none; name one")
    unknown = [rule for rule in content.get("rules", {}) if rule not in RULES]
    if unknown:
        raise ValueError(f"{where}: rule must be one of {', '.join(RULES)}, got {unknown[0]!r}; correct or remove it")
    combine = content.get("combine", "mean")
    if combine != "mean":
        _check_learner(where, combine)
    elif {"beside", "combine_params"} & set(content):
        raise ValueError(
            f"{where}: combine must be a learner with beside or combine_params, got 'mean'; name a learner"
        )
    rest = {key: content[key] for key in ("combine_params", "rules", "published", "note") if key in content}
    return Run(chosen, combine, beside=tuple(content.get("beside", ())), **rest)


def _near(where: str, run: Run, content: Mapping[str, Any], shared: Mapping[str, Any]) -> Run:
    """Return a run with what it lacks and how near it is, by its own keys or else by those that all runs share."""
    own = _lacks(where, content)
    lacks = (_lacks(where, shared) if own is None else own) or ()
    rebuild = content.get("rebuild", shared.get("rebuild", "partial" if lacks else "faithful"))
    if rebuild not in REBUILDS:
        raise ValueError(f"{where}: rebuild must be one of {', '.join(REBUILDS)}, got {rebuild!r}; choose one")
    if (rebuild == "faithful") == bool(lacks):
        rule = "have no lacks" if lacks else "name what it lacks"
        raise ValueError(f"{where}: a {rebuild} rebuild must {rule}, got {len(lacks)} lacks; correct rebuild or lacks")
    return replace(run, rebuild=rebuild, lacks=lacks)


def _lacks(where: str, content: Mapping[str, Any]) -> tuple[Lack, ...] | None:
    """Return what a system or run lacks, or None if it does not say; ``stand_ins`` is the earlier name of the key."""
    _check_kinds(where, content, {"rebuild": str, "lacks": list, "stand_ins": list})
    if {"lacks", "stand_ins"} <= set(content):
        raise ValueError(f"{where} must have either lacks or stand_ins, got both; write all into lacks")
    phrases = content.get("lacks", content.get("stand_ins"))
    if phrases is None:
        return None
    for phrase in phrases:
        if not isinstance(phrase, str) or not phrase.strip():
            raise ValueError(f"{where}: lacks must hold texts such as 'SNLI: STS labels', got {phrase!r}; correct it")
    return tuple(map(Lack.parse, phrases))


def _member(where: str, content: Any) -> Member:
    from ...models.member import COLUMN_MEMBERS, MEMBERS
    from ..networks.research_network import RESEARCH_NETWORKS

    if not isinstance(content, dict):
        raise ValueError(f"{where} is {content!r}, not a table")
    _check_keys(where, content, _MEMBER_KEYS)
    kinds = {"columns": list, "learner": str, "network": str, "params": dict, "weights": str, "instead": dict}
    _check_kinds(where, content, kinds)
    learner, network = content.get("learner"), content.get("network")
    if (learner is None) == (network is None) or (learner is None) == bool(content.get("columns")):
        raise ValueError(
            f"{where} must have columns and a learner, or a network, got the keys {', '.join(content)}; correct them"
        )
    networks = [name for name in (*MEMBERS, *RESEARCH_NETWORKS) if name not in COLUMN_MEMBERS]
    if network is not None and network not in networks:
        raise ValueError(f"{where}: network must be one of {', '.join(networks)}, got {network!r}; choose one")
    if learner is not None:
        _check_learner(where, learner)
    if content.get("weights") not in (None, "feature_decay"):
        raise ValueError(f"{where}: weights must be 'feature_decay', got {content['weights']!r}; correct or remove it")
    instead = _member(f"{where}.instead", content["instead"]) if "instead" in content else None
    columns = tuple(content.get("columns", ()))
    return Member(columns, learner, network, content.get("params", {}), content.get("weights"), instead)


def _check_learner(where: str, name: str) -> None:
    from ..learners import LEARNERS

    if name not in LEARNERS:
        raise ValueError(f"{where}: learner must be one of {', '.join(LEARNERS)}, got {name!r}; choose one")


def _check_keys(where: str, content: Mapping[str, Any], keys: set[str]) -> None:
    unknown = sorted(set(content) - keys)
    if unknown:
        raise ValueError(f"{where}: key must be one of {', '.join(sorted(keys))}, got {unknown[0]!r}; correct it")


def _check_kinds(where: str, content: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    for key, kind in kinds.items():
        if key in content and not isinstance(content[key], kind):
            raise ValueError(f"{where}: {key} must be a {_KINDS[kind]}, got {content[key]!r}; correct it")
