"""Pages on which a person labels pairs, and the application that answers for them."""

import math
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ...ensemble.core.scale import POINTS, Scale, detected_scale
from ...ensemble.reports.explanation_page import gauge, gauged
from ...ensemble.reports.html_pages import render
from ...features.linguistics.tokenizer import token_spans, tokenize
from ..serve.access import HostCheck
from ..serve.request_bodies import body_of
from ..serve.request_errors import RequestError
from ..serve.responses import AnswerHeaders, refusal_to
from .error_chart import LEGEND, error_chart
from .pair_answers import COLUMNS, DIFFERENT, SAME, AskedPair, PairAnswers

MOST_BYTES = 1_000
"""Largest body of a request, which holds the name of a pair and an answer."""

# The page itself holds the rest of its policy, which allows its own style and script alone.
_HEADERS = {"Content-Security-Policy": "frame-ancestors 'none'"}


def marked_words(a: str, b: str) -> list[list[tuple[str, bool]]]:
    """Return both texts in parts, each with whether it is a word that the other text lacks; capitals do not count."""
    tokens = tokenize(a), tokenize(b)
    counts = [Counter(token.casefold() for token in side) for side in tokens]
    return [
        _parts(text, side, counts[1 - place].copy())
        for place, (text, side) in enumerate(zip((a, b), tokens, strict=True))
    ]


def _parts(text: str, tokens: Sequence[str], others: Counter[str]) -> list[tuple[str, bool]]:
    parts, start = [], 0
    for token, (first, last) in zip(tokens, token_spans(text, tokens), strict=False):
        others[token.casefold()] -= 1
        if others[token.casefold()] < 0:
            parts += [(text[start:first], False), (text[first:last], True)]
            start = last
    return [part for part in (*parts, (text[start:], False)) if part[0]]


def scale_of(pairs: Sequence[AskedPair], named: str | None = None) -> Scale:
    """Return the scale of the scores: the named one, or 0..5 where they fit it, or the detected one.

    Raises
    ------
    ValueError
        If it cannot be detected, or a score is not on it.
    """
    scores = np.array([pair.score for pair in pairs if pair.score is not None], np.float64)
    fits = bool(POINTS.contains(scores).all())
    scale = Scale.of(named) if named is not None else POINTS if fits else detected_scale(scores.tolist())
    outside = scores[(scores < scale.low) | (scores > scale.high)]
    if len(outside):
        raise ValueError(f"scores must be from {scale.low:g} to {scale.high:g}, got {outside[0]:g}; name their --scale")
    return scale


class LabelPages:
    """Pages for the pairs of a table, and for what comes after.

    Parameters
    ----------
    pairs
        The pairs, one or more, in the order in which they are asked.
    answers
        The answers so far, and the table that takes more.
    scale
        Scale of the scores.
    title
        Title of the pages.
    """

    def __init__(self, pairs: Sequence[AskedPair], answers: PairAnswers, scale: Scale, title: str) -> None:
        self._pairs, self._answers, self._scale, self._title = pairs, answers, scale, title
        self._places = {pair.key: place for place, pair in enumerate(pairs)}

    @property
    def labels(self) -> list[str | None]:
        """The answer to each pair; None where there is none yet."""
        return list(map(self._answers.label, self._pairs))

    @property
    def command(self) -> str:
        """Command that chooses a threshold by the answers."""
        columns = ",".join(COLUMNS[:3])
        return (
            f"samewise threshold {shlex.quote(str(self._answers.path))} --column {columns} --cost 1:1 -o decided-model"
        )

    def open_after(self, place: int) -> int | None:
        """Return the place of the next pair without an answer, of those before it at last; None if all have one."""
        count = len(self._pairs)
        order = (at % count for at in range(place + 1, place + 1 + count))
        return next((at for at in order if self._answers.label(self._pairs[at]) is None), None)

    def pair_page(self, place: int, error: str = "") -> str:
        """Return the page of a pair."""
        pair, labels, skip = self._pairs[place], self.labels, self.open_after(place)
        parts = marked_words(*pair[:2])
        marked = any(differs for side in parts for _, differs in side)
        hint = "Words that the other text lacks are marked."
        if not marked:
            hint = "Both texts have the same words. Look at their order, at capitals and at signs."
        return render(
            "label.html",
            script="label.js",
            forms=True,
            title=self._title,
            signature="",
            error=error,
            place=place + 1,
            count=len(labels),
            answered=len(labels) - labels.count(None),
            parts=parts,
            hint=hint,
            key=pair.key,
            label=labels[place],
            skip=None if skip in (None, place) else skip + 1,
            back=place or None,
            score=self._score(pair),
            gauge=gauge(self._scale),
            reason=pair.reason,
        )

    def _score(self, pair: AskedPair) -> dict[str, Any] | None:
        if pair.score is None:
            return None
        if pair.low is None or pair.high is None:
            return {"score": self._scale.text(pair.score), "places": None}
        return gauged(self._scale, pair.score, pair.low, pair.high)

    def end_page(self) -> str:
        """Return the page with the command that chooses a threshold, and the errors of each threshold."""
        labels = self.labels
        known = [
            (pair.score, label == SAME)
            for pair, label in zip(self._pairs, labels, strict=True)
            if label is not None and pair.score is not None
        ]
        scores, same = np.array([score for score, _ in known], np.float64), np.array([each for _, each in known], bool)
        if all(pair.score is None for pair in self._pairs):
            chart, summary = None, "The table has no scores, so there is no curve of errors."
        elif same.all() or not same.any():
            chart, summary = None, "The curve of errors needs a pair that is the same and one that is different."
        else:
            chart, summary = error_chart(scores, same, self._scale)
        return render(
            "label_end.html",
            script="label.js",
            forms=True,
            title=self._title,
            signature="",
            count=len(labels),
            answered=len(labels) - labels.count(None),
            same=labels.count(SAME),
            file=str(self._answers.path),
            command=self.command,
            chart=chart,
            summary=summary,
            legend=LEGEND,
        )

    def place_of_key(self, key: str) -> int:
        """Return the place of a pair by its key; raises `RequestError` if it is not of this table."""
        if key not in self._places:
            raise RequestError(422, "the pair must be one of this table, got another; open the page again")
        return self._places[key]

    def place_of(self, number: str) -> int | None:
        """Return the place of a pair by its number from 1; None if there is no such pair."""
        place = int(number) - 1 if number.isascii() and number.isdecimal() and len(number) < 10 else math.inf
        return int(place) if 0 <= place < len(self._pairs) else None

    def add(self, place: int, label: str) -> None:
        """Save an answer to a pair; raises `RequestError` for any other answer, and else as `PairAnswers.add` does."""
        if label not in (SAME, DIFFERENT):
            raise RequestError(422, f"the answer must be {SAME} or {DIFFERENT}, got another; open the page again")
        self._answers.add(self._pairs[place], label)


def label_app(pages: LabelPages, host: str) -> Starlette:
    """Return the ASGI application of the pages; `host` is the name or address that it listens on."""

    async def show(request: Request) -> Response:
        number = request.query_params.get("pair")
        place = pages.open_after(-1) if number is None else pages.place_of(number)
        if place is None:
            return RedirectResponse("end", 303)
        return HTMLResponse(pages.pair_page(place), headers=_HEADERS)

    async def save(request: Request) -> Response:
        fields = parse_qs((await body_of(request, MOST_BYTES, "answers")).decode("utf-8", "replace"))
        key, label = (fields.get(name, [""])[0] for name in ("pair", "label"))
        place = pages.place_of_key(key)
        try:
            pages.add(place, label)
        except (ValueError, OSError) as error:
            return HTMLResponse(pages.pair_page(place, f"The answer was not saved: {error}."), 500, headers=_HEADERS)
        after = pages.open_after(place)
        return RedirectResponse("end" if after is None else f"./?pair={after + 1}", 303)

    async def end(request: Request) -> Response:
        return HTMLResponse(pages.end_page(), headers=_HEADERS)

    async def refuse(request: Request, error: Any) -> Response:
        return refusal_to(request.scope["path"], error.status, error.message, error.headers)

    app = Starlette(
        routes=[Route("/", show), Route("/end", end), Route("/answer", save, methods=["POST"])],
        exception_handlers={RequestError: refuse},
    )
    app.add_middleware(HostCheck, allowed=(host,))
    app.add_middleware(AnswerHeaders)
    return app
