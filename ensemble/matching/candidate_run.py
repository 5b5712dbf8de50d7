"""Views and candidates for a model, the same for files, lists and services."""

import numpy as np

from ...features.code_version import installed_version
from ..multilingual.model import Model
from ..scoring.worker_processes import Workers, usable_cores
from .candidate_settings import CandidateSettings
from .candidates import Candidates, candidates_between, candidates_within
from .rare_words import RARE_WORDS
from .text_collection import TextCollection, codes_by_view
from .text_index import Search, TextIndex
from .view_catalogue import text_views


def views_of(model: Model) -> tuple[str, ...]:
    """Return the default views for a model; those of a model with a network include its sentence vectors.

    Texts of several languages share characters rather than English words.
    """
    if tuple(model.readable_languages) != ("en",):
        return ("characters", RARE_WORDS)
    members = [member for part in model.parts.values() if part is not None for member in part.manifest["members"]]
    networks = any(str(member["file"]).endswith(".onnx") for member in members)
    return (RARE_WORDS, "words", *(("sentences",) if networks else ()))


def facts_of(settings: CandidateSettings) -> dict[str, object]:
    """Return what the candidates depend on besides the texts, as JSON values."""
    tables = {name: text_views()[name].digest() for name in settings.views if name in text_views()}
    index = installed_version("usearch") or "none"
    numbers = {"candidates": settings.most, "least similarity": settings.least, "exact": settings.exact}
    return {"views": list(settings.views), "tables of views": tables, **numbers, "version of usearch": index}


def find_candidates(
    texts: TextCollection,
    settings: CandidateSettings,
    pool: Workers | None = None,
    both: bool = True,
    search: Search = TextIndex.links,
) -> Candidates:
    """Return the candidates within one table, or between two.

    Parameters
    ----------
    texts
        Texts of one table or two.
    settings
        Settings of the search.
    pool
        Processes for slow views.
    both
        Of two tables, whether the close texts of those of the second are searched in the first too.
    search
        Search of an index.
    """
    codes = codes_by_view(texts.texts, settings.views, pool)
    if len(texts.rows) == 1:
        return candidates_within(texts.texts, codes, settings, usable_cores(), search)
    a, b = map(np.unique, texts.rows)
    return candidates_between(texts.texts, codes, (a, b), settings, usable_cores(), both, search)
