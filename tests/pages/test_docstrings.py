"""The examples of docstrings run."""

import doctest
import importlib
import pkgutil

import samewise.ensemble
import samewise.features
import samewise.models
import samewise.research

PACKAGES = (samewise.features, samewise.models, samewise.ensemble, samewise.research)


def _modules():
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            try:
                yield importlib.import_module(found.name)
            except ModuleNotFoundError as error:
                # An extra that is not installed, such as torch.
                assert error.name is not None and not error.name.startswith("samewise"), found.name


def test_docstring_examples():
    results = [doctest.testmod(module) for module in _modules()]
    assert sum(result.attempted for result in results) > 0
    assert sum(result.failed for result in results) == 0
