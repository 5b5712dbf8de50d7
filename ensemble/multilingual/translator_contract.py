"""Contract of a translator, which every translator of the package and every user-supplied one keeps."""

from collections.abc import Sequence
from typing import Protocol


class Translator(Protocol):
    """Translator of texts from one language into another."""

    @property
    def name(self) -> str:
        """Name and version, for the signature of a model that uses it."""
        ...

    def covers(self, source: str, target: str) -> bool:
        """Return whether the translator covers a direction."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none."""
        ...
