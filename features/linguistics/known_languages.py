"""All languages of `language_facts`, by code."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path

from .language import ENGLISH, Language

_FOLDER = Path(__file__).parent / "language_facts"


def _read_languages() -> dict[str, Language]:
    names = [info.name for info in pkgutil.iter_modules([str(_FOLDER)])]
    languages = [importlib.import_module(f"{__package__}.language_facts.{name}").LANGUAGE for name in names]
    return {language.code: language for language in sorted(languages, key=lambda one: (one.code != ENGLISH, one.code))}


LANGUAGES: Mapping[str, Language] = _read_languages()
"""Languages that sentences can be compared in, by ISO 639-1 code: English first, then by code."""

UNMEASURED = frozenset(code for code, language in LANGUAGES.items() if not language.measured)
"""Codes of the languages in which no score was compared with those of people."""
