"""Facts about English."""

from ..language import Language

LANGUAGE = Language(code="en", code3="eng", name="English", stemmer="english", apertium="eng")
