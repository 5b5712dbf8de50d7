"""Front ends that put texts of other languages into English, so that what knows English alone can compare them."""

from .translators import TRANSLATORS, Translator, find_translator

__all__ = ["TRANSLATORS", "Translator", "find_translator"]
