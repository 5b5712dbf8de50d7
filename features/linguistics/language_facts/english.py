"""Facts about English."""

from ..language import Language

LANGUAGE = Language(code="en", code3="eng", name="English", measured=True, stemmer="english", apertium="eng")
