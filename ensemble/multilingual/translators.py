"""What a translator is, and how one is found by name."""

import importlib
from collections.abc import Callable, Sequence
from typing import Protocol

from ...features.linguistics.languages import ENGLISH
from ...features.sentence_cache import Packing, SentenceMemory

TRANSLATORS = ("none", "apertium", "dictionary")
"""Those that are known by name; another is ``module:function``, a function of the user's."""


class Translator(Protocol):
    """Puts texts from one language into another."""

    @property
    def name(self) -> str:
        """What it is, for the signature of what uses it."""
        ...

    def covers(self, source: str, target: str) -> bool:
        """Tell whether it translates from one language to another."""
        ...

    def by_words(self, source: str, target: str) -> bool:
        """Tell whether it translates from one language to another word by word, without grammar."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none."""
        ...


class UserTranslator:
    """A function of the user's, which takes a list of texts in any language and returns them in English.

    Parameters
    ----------
    name
        ``module:function``; the module is imported, and so its code is run.

    Raises
    ------
    ValueError
        If there is no such function.
    """

    def __init__(self, name: str) -> None:
        module, _, function = name.partition(":")
        try:
            found = getattr(importlib.import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"--translate {name!r} cannot be loaded: {error}") from None
        if not callable(found):
            raise ValueError(f"--translate {name!r} is no function; name one that takes and returns a list of texts")
        self.name = name
        self._function: Callable[[list[str]], list[str]] = found

    def covers(self, source: str, target: str) -> bool:
        """Tell whether it translates from one language to another: to English from any other."""
        return target == ENGLISH and source != ENGLISH

    def by_words(self, source: str, target: str) -> bool:
        """Tell whether it translates word by word: not as far as is known."""
        return False

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order.

        Raises
        ------
        ValueError
            If the function does not return a text for each.
        """
        found = list(self._function(list(texts)))
        if len(found) != len(texts) or not all(isinstance(text, str) for text in found):
            raise ValueError(f"--translate {self.name!r} returned no list of {len(texts)} texts for {len(texts)}")
        return found

    def __reduce__(self) -> tuple[type["UserTranslator"], tuple[str]]:
        return UserTranslator, (self.name,)


class FirstThatCovers:
    """Several translators: of each direction the first that knows it."""

    def __init__(self, translators: Sequence[Translator]) -> None:
        self._translators = tuple(translators)

    @property
    def name(self) -> str:
        """The names of all."""
        return " or ".join(each.name for each in self._translators)

    def covers(self, source: str, target: str) -> bool:
        """Tell whether one of them translates from one language to another."""
        return any(each.covers(source, target) for each in self._translators)

    def by_words(self, source: str, target: str) -> bool:
        """Tell whether the one that is used for a direction translates word by word."""
        used = self._used(source, target)
        return used is not None and used.by_words(source, target)

    def _used(self, source: str, target: str) -> Translator | None:
        return next((each for each in self._translators if each.covers(source, target)), None)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none.

        Raises
        ------
        ValueError
            If none of them knows the direction.
        """
        used = self._used(source, target)
        if used is None:
            raise ValueError(f"{self.name} translate nothing from {source} to {target}; name another --translate")
        return used.translate(texts, source, target)


def find_translator(name: str) -> Translator | None:
    """Return the translator of a name of `TRANSLATORS`, or of the form ``module:function``; None for ``none``.

    Of several names with commas between them the first that knows a direction is used for it; what stands after
    Apertium gives the words that it does not know.

    Raises
    ------
    ValueError
        If there is none of this name, or it cannot be used here.
    """
    first, comma, rest = name.partition(",")
    after = find_translator(rest.strip()) if comma else None
    if first.strip() == "apertium":
        from .apertium import Apertium

        found: Translator | None = Apertium(words=after)
    else:
        found = _single(first.strip())
    return FirstThatCovers([found, after]) if found and after else found or after


def _single(name: str) -> Translator | None:
    if name == "none":
        return None
    if name == "dictionary":
        from .dictionary_translator import DictionaryTranslator

        return DictionaryTranslator()
    if ":" in name:
        return UserTranslator(name)
    raise ValueError(
        f"there is no translator {name!r}; the names are {', '.join(TRANSLATORS)}, and module:function for yours"
    )


def translated(
    translator: Translator, texts: Sequence[str], source: str, target: str, memory: SentenceMemory
) -> dict[str, str]:
    """Return the translation of each distinct text; what was translated before is remembered."""
    packing = Packing(
        f"translation by {translator.name} from {source} to {target}",
        lambda text: text.encode("utf-8", "surrogatepass"),
        lambda _, data: data.decode("utf-8", "surrogatepass"),
        lambda text: 150 + len(text),
    )
    distinct = list(dict.fromkeys(texts))
    found = memory.recall(packing, distinct, lambda new: translator.translate(new, source, target))
    return dict(zip(distinct, found, strict=True))
