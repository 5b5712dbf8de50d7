"""Models of several languages, the translators that they use, and the source that any model is loaded from."""

from .translator import Translator
from .translators import TRANSLATORS, find_translator

__all__ = ["TRANSLATORS", "Translator", "find_translator"]
