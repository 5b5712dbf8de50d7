"""A system of the field as data: what it reads, how that becomes a score, and where it was published."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...ensemble.core.bundle_parts import USER_RESOURCES
from ...ensemble.evaluation.published_scores import read_table

RULES = ("clip", "decimals", "identical")
"""What a run may do to its scores: ``clip`` them to 0..5, round them to ``decimals``, or give 5 to texts that are
``identical`` but for what is neither letter nor digit (Bär et al., 2012)."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MEMBER_KEYS = {"columns", "learner", "network", "params", "weights", "instead"}
_RUN_KEYS = {"members", "combine", "combine_params", "beside", "rules", "published", "note"}
_SYSTEM_KEYS = {"title", "citation", "stand_ins", "members", "runs"}


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
        ``feature_decay`` to weigh the training pairs by what the scored pairs need (Bicici, 2017), or None.
    instead
        Stand-in where the columns read user-supplied vectors or an encoder and none are given, or None.
    """

    columns: tuple[str, ...] = ()
    learner: str | None = None
    network: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    weights: str | None = None
    instead: "Member | None" = None

    @property
    def needs(self) -> str | None:
        """The user-supplied resource that its columns read: a key of `USER_RESOURCES`, or None."""
        keys = (key for key, kind in USER_RESOURCES.items() for c in self.columns if c.startswith(f"{kind.family}."))
        return next(keys, None)


@dataclass(frozen=True)
class Run:
    """A run that was submitted, or another form in which a system was published.

    Attributes
    ----------
    members
        By name.
    combine
        ``mean``, or a learner that is fitted on what the members give to pairs that they did not see.
    combine_params
        Settings of that learner.
    beside
        Patterns on columns that it reads beside what the members give.
    rules
        What is done to the scores at the end; see `RULES`.
    published
        By name of a published table (`evaluation.published_scores.TABLES`), the label of the row to stand beside.
    note
        What a reader of the table should know.
    """

    members: Mapping[str, Member]
    combine: str = "mean"
    combine_params: Mapping[str, Any] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class System:
    """A published system.

    Attributes
    ----------
    name
        The name of its file.
    title, citation
        What it is called, and where it was described.
    stand_ins
        What could not be had here and what is used for it, a phrase each.
    runs
        By name.
    """

    name: str
    title: str
    citation: str
    stand_ins: tuple[str, ...]
    runs: Mapping[str, Run]


def read_system(path: str | Path) -> System:
    """Read a system from its TOML file; ``docs/systems.md`` says what stands in one.

    Raises
    ------
    ValueError
        If the file is not TOML, or something in it is missing, unknown or of the wrong kind.
    """
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    if not _NAME.fullmatch(path.stem):
        raise ValueError(f"{path} cannot name a system; use lower-case letters, digits, - and _")
    where = path.name
    _check_keys(where, content, _SYSTEM_KEYS)
    for key in ("title", "citation", "runs"):
        if not content.get(key):
            raise ValueError(f"{where} has no {key}; a system needs a title, a citation and runs")
    _check_kinds(where, content, {"title": str, "citation": str, "stand_ins": list, "members": dict, "runs": dict})
    members = {name: _member(f"{where}: members.{name}", value) for name, value in content.get("members", {}).items()}
    runs = {name: _run(f"{where}: runs.{name}", name, value, members) for name, value in content["runs"].items()}
    return System(path.stem, content["title"], content["citation"], tuple(content.get("stand_ins", ())), runs)


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
        If there is one; names the system, the run, and the known rows.
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
    # A run of one member may describe it in place.
    inline = {key: value for key, value in content.items() if key in _MEMBER_KEYS}
    _check_keys(where, content, _RUN_KEYS | _MEMBER_KEYS)
    kinds = {"members": list, "combine": str, "combine_params": dict, "beside": list}
    _check_kinds(where, content, {**kinds, "rules": dict, "published": dict, "note": str})
    if bool(inline) == ("members" in content):
        raise ValueError(f"{where} must either list members or say itself what it reads")
    chosen = {name: _member(where, inline)} if inline else {}
    for member in content.get("members", ()):
        if member not in members:
            raise ValueError(f"{where} names the member {member!r}; the members of this file are {', '.join(members)}")
        chosen[member] = members[member]
    if not chosen:
        raise ValueError(f"{where} has no members; name at least one")
    unknown = [rule for rule in content.get("rules", {}) if rule not in RULES]
    if unknown:
        raise ValueError(f"{where} has the rule {unknown[0]!r}; the rules are {', '.join(RULES)}")
    combine = content.get("combine", "mean")
    if combine != "mean":
        _check_learner(where, combine)
    elif {"beside", "combine_params"} & set(content):
        raise ValueError(
            f"{where} takes the mean, which reads no columns and has no settings; name a learner to combine"
        )
    rest = {key: content[key] for key in ("combine_params", "rules", "published", "note") if key in content}
    return Run(chosen, combine, beside=tuple(content.get("beside", ())), **rest)


def _member(where: str, content: Any) -> Member:
    from ...models.member import MEMBERS, REGRESSORS
    from ..networks.research_network import RESEARCH_NETWORKS

    if not isinstance(content, dict):
        raise ValueError(f"{where} is {content!r}, not a table")
    _check_keys(where, content, _MEMBER_KEYS)
    kinds = {"columns": list, "learner": str, "network": str, "params": dict, "weights": str, "instead": dict}
    _check_kinds(where, content, kinds)
    learner, network = content.get("learner"), content.get("network")
    if (learner is None) == (network is None) or (learner is None) == bool(content.get("columns")):
        raise ValueError(f"{where} must have columns and a learner for them, or a network")
    networks = [name for name in (*MEMBERS, *RESEARCH_NETWORKS) if name not in REGRESSORS]
    if network is not None and network not in networks:
        raise ValueError(f"{where} has the network {network!r}; the networks are {', '.join(networks)}")
    if learner is not None:
        _check_learner(where, learner)
    if content.get("weights") not in (None, "feature_decay"):
        raise ValueError(f"{where} has the weights {content['weights']!r}; the only ones are feature_decay")
    instead = _member(f"{where}.instead", content["instead"]) if "instead" in content else None
    columns = tuple(content.get("columns", ()))
    return Member(columns, learner, network, content.get("params", {}), content.get("weights"), instead)


def _check_learner(where: str, name: str) -> None:
    from ..learners import LEARNERS

    if name not in LEARNERS:
        raise ValueError(f"{where} has the learner {name!r}; the learners are {', '.join(LEARNERS)}")


def _check_keys(where: str, content: Mapping[str, Any], keys: set[str]) -> None:
    unknown = sorted(set(content) - keys)
    if unknown:
        raise ValueError(f"{where} has the key {unknown[0]!r}; the keys are {', '.join(sorted(keys))}")


def _check_kinds(where: str, content: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    for key, kind in kinds.items():
        if key in content and not isinstance(content[key], kind):
            raise ValueError(f"{where} has {key} = {content[key]!r}, which is no {kind.__name__}")
