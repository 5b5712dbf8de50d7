"""Plugin of pytest: the fixtures ``assert_means``, ``assert_not_means`` and ``samewise_model``.

A run of pytest that wants them names the plugin: ``-p samewise.apps.integrations.pytest_plugin``.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ...ensemble.loading import Model

OPTION = "samewise_model"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that name the model."""
    text = "profile or folder of the model that compares texts (default: full)"
    parser.getgroup("samewise").addoption("--samewise-model", dest=OPTION, metavar="NAME", help=text)
    parser.addini(OPTION, text, default="full")


@pytest.fixture(scope="session")
def samewise_model(request: pytest.FixtureRequest) -> "Model":
    """Return the model of the run, loaded once."""
    from ...ensemble.loading import load

    return load(request.config.getoption(OPTION) or request.config.getini(OPTION))


@pytest.fixture(scope="session")
def assert_means(samewise_model: "Model") -> Callable[..., None]:
    """Return `assertions.assert_means` with the model of the run."""
    from .assertions import assert_means

    return partial(assert_means, model=samewise_model)


@pytest.fixture(scope="session")
def assert_not_means(samewise_model: "Model") -> Callable[..., None]:
    """Return `assertions.assert_not_means` with the model of the run."""
    from .assertions import assert_not_means

    return partial(assert_not_means, model=samewise_model)
