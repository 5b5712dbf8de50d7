"""Suggestions on standard error of an option that would help."""

from collections.abc import Container

from .console import say


def suggest_languages(flags: Container[str], languages: str | None, translate: str | None) -> None:
    """Suggest ``--languages`` where texts do not look English, or a translator of more languages."""
    if "non_english" not in flags:
        return
    if languages is None and translate is None:
        from ...features.linguistics.languages import SUPPORTED

        codes = ", ".join(SUPPORTED)
        say(f"not every text looks English; name what they are in, as in --languages es,en, or auto (known: {codes})")
    elif translate == "apertium":
        say("not every text could be translated; --translate apertium,dictionary knows more languages")
