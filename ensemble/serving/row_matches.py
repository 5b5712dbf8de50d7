"""Rows of an index that match texts, as JSON.

The matches of a text are those of `in_memory.match` for this text alone, without screening: they do not depend on the
other texts that are matched at the same time.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..matching.candidate_scores import score_candidates
from ..matching.candidate_screening import NONE
from ..matching.candidate_settings import CandidateSettings
from ..matching.candidates import Candidates
from ..matching.index import Index
from ..matching.match_problem import MatchProblem
from ..matching.match_results import MatchQuestion, match_settings, match_table
from ..matching.matches import best_matches
from ..matching.table_texts import TextRows
from ..matching.text_collection import TextCollection, codes_by_view
from ..scoring.worker_processes import Workers
from .match_requests import AskedText

if TYPE_CHECKING:
    from ..multilingual.model import Model


def matches(model: "Model", index: Index, asked: Sequence[AskedText]) -> list[bytes]:
    """Return for each text the JSON object of `answer_models.MatchedText`."""
    # JSON and not objects: the process that answers all requests has only to join it.
    answers = [b""] * len(asked)
    groups: dict[AskedText, list[int]] = {}
    for place, one in enumerate(asked):
        groups.setdefault(one._replace(text=""), []).append(place)
    for question, places in groups.items():
        found = _matches_of(model, index, question, [asked[place].text for place in places])
        for place, rows in zip(places, found, strict=True):
            text = json.dumps({"matches": rows}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            answers[place] = text.encode()
    return answers


def _matches_of(model: "Model", index: Index, asked: AskedText, texts: list[str]) -> list[list[dict[str, Any]]]:
    # Nothing is made for a request: vectors are searched by graphs only if the index has them.
    question = MatchQuestion(
        asked.top, asked.at_least, differences=asked.differences, exact=not index.texts.graphs, screen=NONE
    )
    settings, added = match_settings(question, model)
    with Workers(model, 1) as pool:
        problem = _problem(texts, index, settings, pool)
        scores = score_candidates(problem.texts, problem.candidates, pool)
        best = best_matches(problem, scores, question.top, question.at_least)
        sides = TextRows(texts), index
        table = match_table(sides, problem, scores, best, replace(added, at_least=None), model, pool)
    found: list[list[dict[str, Any]]] = [[] for _ in texts]
    for row in table.to_pylist():
        match = {"row": row["row2"], "id": _plain(row.get("id2")), "text": row["sentence2"]}
        match |= {name: row[name] for name in ("score", "low", "high", "flags")}
        found[row["row1"] - 1].append(match | ({"differences": row["differences"]} if asked.differences else {}))
    return found


def _problem(texts: Sequence[str], index: Index, settings: CandidateSettings, pool: Workers) -> MatchProblem:
    # Unlike in `match_problem`, a text that both sides have stands twice, so that it is never found as a row of the
    # index by another text of the request that it is close to.
    own = TextCollection.of(texts)
    codes = codes_by_view(own.texts, index.views, pool)
    links = index.texts.links_without_recall(own.texts, codes, settings, threads=1)
    places, link = np.unique(links.texts, return_inverse=True)
    others = [index.texts.texts[place] for place in places.tolist()]
    alphabetical = np.argsort(np.asarray(others, dtype=object), kind="stable")
    rank = len(own.texts) + np.argsort(alphabetical)
    rows = np.flatnonzero(np.isin(index.places, places))
    both = TextCollection(
        [*own.texts, *(others[place] for place in alphabetical.tolist())],
        [own.rows[0], rank[np.searchsorted(places, index.places[rows])]],
    )
    return MatchProblem(both, Candidates(links.queries, rank[link], links.recall), rows)


def _plain(name: Any) -> Any:
    if name is None or isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name)):
        return name
    return str(name)
