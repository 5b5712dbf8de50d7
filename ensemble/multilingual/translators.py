"""Translators by name: those that ship, and user-supplied functions."""

import importlib
import os
import sys
from collections.abc import Callable, Sequence

from ...features.base.caches import Packing, SentenceCache
from ...features.linguistics.languages import ENGLISH
from .translator import Translator

TRANSLATORS = ("none", "apertium", "dictionary")
"""Names of the translators that ship; a user-supplied function is named ``module:function``."""


class UserTranslator:
    """User-supplied function that takes a list of texts in any language and returns them in English."""

    def __init__(self, name: str) -> None:
        module, _, function = name.partition(":")
        if (here := os.getcwd()) not in sys.path:
            sys.path.append(here)
        try:
            translate = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"--translate {name!r} cannot be loaded: {error}") from None
        if not callable(translate):
            raise ValueError(
                f"--translate {name!r} must be a function; name one that takes and returns a list of texts"
            )
        self.name = name
        self._function: Callable[[list[str]], list[str]] = translate

    def covers(self, source: str, target: str) -> bool:
        """Return whether the target is English and the source is not."""
        return target == ENGLISH and source != ENGLISH

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order."""
        translations = list(self._function(list(texts)))
        if len(translations) != len(texts) or not all(isinstance(text, str) for text in translations):
            raise ValueError(f"--translate {self.name!r} must return a list of {len(texts)} texts for {len(texts)}")
        return translations

    def __reduce__(self) -> tuple[type["UserTranslator"], tuple[str]]:
        return UserTranslator, (self.name,)


class FirstThatCovers:
    """Several translators; for each direction the first that covers it is used."""

    def __init__(self, translators: Sequence[Translator]) -> None:
        self._translators = tuple(translators)

    @property
    def name(self) -> str:
        """Names of all translators."""
        return " or ".join(each.name for each in self._translators)

    def covers(self, source: str, target: str) -> bool:
        """Return whether one of the translators covers a direction."""
        return any(each.covers(source, target) for each in self._translators)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none."""
        used = next((each for each in self._translators if each.covers(source, target)), None)
        if used is None:
            raise ValueError(f"{self.name} cannot translate from {source} to {target}; name another --translate")
        return used.translate(texts, source, target)


def find_translator(name: str) -> Translator | None:
    """Return the translator of a name of `TRANSLATORS`, or of the form ``module:function``; None for ``none``.

    Of several names separated by commas the first that covers a direction is used for it; the names after Apertium
    give the words that it does not know.

    Raises
    ------
    ValueError
        If a name is unknown, or the translator cannot be used here.
    """
    first, comma, rest = name.partition(",")
    name = first.strip()
    after = find_translator(rest.strip()) if comma else None
    translator: Translator | None = None
    if name == "apertium":
        from .apertium import Apertium

        translator = Apertium(words=after)
    elif name == "dictionary":
        from .translator import DictionaryTranslator

        translator = DictionaryTranslator()
    elif ":" in name:
        translator = UserTranslator(name)
    elif name != "none":
        names = ", ".join(TRANSLATORS)
        raise ValueError(f"translate must be one of {names}, or module:function for yours, got {name!r}")
    return FirstThatCovers([translator, after]) if translator and after else translator or after


def translated(
    translator: Translator, texts: Sequence[str], source: str, target: str, sentence_cache: SentenceCache
) -> dict[str, str]:
    """Return the translation of each distinct text; earlier translations are read from the cache."""
    packing = Packing(
        f"translation by {translator.name} from {source} to {target}",
        lambda text: text.encode("utf-8", "surrogatepass"),
        lambda _, data: data.decode("utf-8", "surrogatepass"),
        lambda text: 150 + len(text),
    )
    distinct = list(dict.fromkeys(texts))
    translations = sentence_cache.recall(packing, distinct, lambda new: translator.translate(new, source, target))
    return dict(zip(distinct, translations, strict=True))
