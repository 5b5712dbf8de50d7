"""Digest of the code that fits a member of a system; its scores may change with a library or with this package."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ...features.provenance import source_digest
from ...models.member import MEMBERS, REGRESSORS
from ..learners.learner_kinds import KINDS
from ..networks.research_network import HOME_OF
from .specification import Member

_LEARNER_LIBRARIES = ("scikit-learn", "xgboost")
_NETWORK_LIBRARIES = ("scikit-learn", "torch")


def code_digest(member: Member) -> list[str]:
    """Return the versions of the libraries that fit a member, and a digest of the modules that fit it.

    The digest changes with the modules that the member uses, and with no others; comments do not change it.
    """
    libraries = _LEARNER_LIBRARIES if member.network is None else _NETWORK_LIBRARIES
    return [*map(_version, libraries), _digest(_modules(member))]


def _modules(member: Member) -> tuple[str, ...]:
    research, models = "samewise.research", "samewise.models"
    if member.network in HOME_OF:
        return (f"{research}.networks.{HOME_OF[member.network]}",)
    if member.network is not None:
        return (f"{models}.{MEMBERS[member.network]}",)
    learner = str(member.learner)
    module = KINDS[learner].home.partition(":")[0]
    names = [f"{research}.learners.learner"]
    names += [f"{research}.learners{module}"] if module.startswith(".") else []
    names += [f"{models}.{MEMBERS[learner]}"] if learner in REGRESSORS else []
    names += [f"{research}.learners.feature_decay"] if member.weights is not None else []
    return tuple(names)


@cache
def _digest(modules: tuple[str, ...]) -> str:
    return source_digest(*modules)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
