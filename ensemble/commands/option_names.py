"""Former names of options and commands, which are refused with the name of today.

An option is looked up only where the command lacks it, so that a name may stay with one command and be former in
another.
"""

from collections.abc import Container

OPTIONS: dict[str, tuple[str, ...]] = {
    "--apart": ("--keep-apart",),
    "--at-least": ("--probability-of", "--same-from"),
    "--by": ("--part",),
    "--cache": ("--sentence-cache", "--feature-cache"),
    "--candidates": ("--per-view", "--pool-size"),
    "--columns": ("--by-column", "--column"),
    "--compare": ("--ranks-of", "--against"),
    "--confidence": ("--weight-column", "--drop-confidence"),
    "--contrasts": ("--contrast-share",),
    "--data": ("--nltk-data",),
    "--decide": ("--model-thresholds",),
    "--dev": ("--threshold-data",),
    "--format": ("--as",),
    "--html": ("--report",),
    "--ids": ("--id",),
    "--jobs": ("--workers",),
    "--own": ("--features-file",),
    "--profile": ("--model",),
    "--review-from": ("--unsure-from",),
    "--screen": ("--prefilter",),
    "--tracks": ("--tasks",),
    "--unseen": ("--held-out-column",),
}
"""Options of today by former name; the first that the command has is meant."""

COMMANDS = {
    "gold": "label gold",
    "pyramid": "research pyramid",
    "select": "label select",
    "systems": "research systems",
    "wordnet": "research wordnet",
}
"""Commands of today by former name."""


def option_now(former: str, options: Container[str]) -> str | None:
    """Return the name of today of an option, among those of a command; None if there is none."""
    return next((name for name in OPTIONS.get(former, ()) if name in options), None)
