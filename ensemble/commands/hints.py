"""Suggestions of an option that would help, on standard error."""

from collections.abc import Container, Mapping, Sequence

from .console import say

MANY = 0.01
"""Share of the rows of a table that do not look English from which that is taken for more than chance.

Of English rows 0.1 % have the flag, and 0.5 % in the worst of the sets of ``benchmarks/false_alarms.py``.
"""


def suggest_for_pair(texts: Sequence[str], flags: Container[str], languages: str | None, translate: str | None) -> None:
    """Suggest ``--languages`` if a text that does not look English is in another known language.

    If a language is named already, a translator of more languages may be suggested instead.

    Parameters
    ----------
    texts
        Both texts.
    flags
        Flags of the pair.
    languages, translate
        The options as the user gave them, or None.
    """
    if "non_english" not in flags:
        return
    if languages is not None or translate is not None:
        _suggest_translator(translate)
        return
    from ...features.analysis import normalise
    from ...features.linguistics.known_languages import LANGUAGES
    from ...features.linguistics.languages import ENGLISH, detect

    found = [code for code in dict.fromkeys(detect(list(map(normalise, texts)))) if code in LANGUAGES]
    others = [code for code in found if code != ENGLISH]
    if others:
        names = " and ".join(LANGUAGES[code].name for code in others)
        say(f"a text looks like {names}; add --languages {','.join([*others, ENGLISH])}")


def suggest_for_table(flags: Mapping[str, int], rows: int, languages: str | None, translate: str | None) -> None:
    """Suggest ``--languages`` if at least the share `MANY` of the rows of a table does not look English.

    If a language is named already, a translator of more languages may be suggested instead.

    Parameters
    ----------
    flags
        Number of rows with each flag.
    rows
        Number of rows.
    languages, translate
        The options as the user gave them, or None.
    """
    count = flags.get("non_english", 0)
    if not count:
        return
    if languages is not None or translate is not None:
        _suggest_translator(translate)
    elif count >= MANY * rows:
        from ...features.linguistics.languages import SUPPORTED

        codes = ", ".join(SUPPORTED)
        say(
            f"{count:,} of {rows:,} rows do not look English; if they are in a known language ({codes}), add "
            "--languages es,en with its code, or --languages auto"
        )


def _suggest_translator(translate: str | None) -> None:
    if translate == "apertium":
        say("not every text could be translated; --translate apertium,dictionary knows more languages")
