"""Differences of values: dates, numbers, units, names."""

from itertools import groupby

from .comparison import Comparison
from .fact import Fact


def compare_dates(pair: Comparison) -> None:
    """Report dates that contradict each other: the words of the parts that differ."""
    a, b = (facts.dates for facts in pair.facts)
    for x, y, same in pair.paired(a, b, lambda x, y: x.value.shares(y.value) and not x.value.conflicts(y.value)):
        parts = x.value.conflicts(y.value)
        for part in sorted(parts, key=lambda name: x.value.places[name]):
            pair.report("date", x.value.places[part], y.value.places[part])
        if same or parts:
            pair.settle(x.places, y.places)


def compare_amounts(pair: Comparison) -> None:
    """Report amounts that differ: in the number, in the unit, or in both."""
    a, b = (pair.open_facts(side, pair.facts[side].amounts) for side in (0, 1))
    for form in ("count", "ordinal", "frequency", "rate"):
        x_facts, y_facts = ([one for one in side if one.value.form == form] for side in (a, b))
        for x, y, same in pair.paired(x_facts, y_facts, lambda x, y: x.value.equals(y.value)):
            if not same:
                _report_amounts(pair, x, y)
            pair.settle(x.places, y.places)


def _report_amounts(pair: Comparison, x: Fact, y: Fact) -> None:
    p, q = x.value, y.value
    if p.unit is not None and q.unit is not None and p.unit != q.unit:
        pair.report("unit", p.unit_places, q.unit_places)
    if p.number != q.number:
        pair.report("number", p.number_places, q.number_places)


def compare_names(pair: Comparison) -> None:
    """Report a name that stands where the other text has another name."""
    a, b = (_unlinked_names(pair, side) for side in (0, 1))
    for x, y, same in pair.paired(a, b, _one_name):
        if same:
            pair.settle(x.places, y.places)
        else:
            pair.report("name", x.places, y.places)


def _unlinked_names(pair: Comparison, side: int) -> list[Fact]:
    # Runs of neighbouring tokens of names without a link; the value is their words.
    sentence, links = pair.sentences[side], pair.links[side]
    free = [k for k in sorted(pair.facts[side].names) if k not in links and pair.open(side, [k])]
    runs = groupby(enumerate(free), key=lambda item: item[1] - item[0])
    places = [tuple(place for _, place in run) for _, run in runs]
    return [Fact(run, tuple(sentence.tokens[k] for k in run)) for run in places]


def _one_name(x: Fact, y: Fact) -> bool:
    return _initials(x.value) == _letters(y.value) or _letters(x.value) == _initials(y.value)


def _letters(tokens: tuple[str, ...]) -> str:
    return "".join(tokens).replace(".", "")


def _initials(tokens: tuple[str, ...]) -> str:
    return "".join(token[0] for token in tokens) if len(tokens) > 1 else "".join(tokens)
