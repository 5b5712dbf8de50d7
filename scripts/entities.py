"""Names and numbers of GUM's mentions, labelled as OntoNotes labels them (Weischedel et al., 2013)."""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Mention(NamedTuple):
    """A mention ``words[start:end]`` of GUM, its type, its head word and the Wikipedia page that it names, if any."""

    start: int
    end: int
    kind: str
    head: int
    identity: str


_TITLES = frozenset(
    "mr mrs ms miss dr prof professor president vice prime minister senator sen rep governor gov mayor king queen "
    "prince princess sir lord lady general gen colonel captain sgt judge justice secretary pope father sister "
    "chairman director dean coach officer detective reverend rev saint".split()
)
_LANDSCAPE = frozenset(
    "mountain mountains mount mt river lake ocean sea island islands valley desert coast bay gulf peninsula hill "
    "hills forest beach canyon cape creek falls pole pass plateau canal europe asia africa antarctica oceania "
    "arctic atlantic pacific mediterranean caribbean alps himalayas north south east west moon mars earth venus "
    "jupiter sun middle america-latin balkans scandinavia sahara".split()
)
_BUILT = frozenset(
    "street st road rd avenue ave square bridge airport station stadium museum tower palace castle church cathedral "
    "temple hall house park hotel hospital center centre library building highway route terminal theater theatre "
    "garden gardens gate plaza mall market fort monument memorial gallery arena boulevard lane drive".split()
)
_DATES = frozenset(
    "day days week weeks weekend month months year years century centuries decade decades today yesterday tomorrow "
    "season spring summer autumn fall winter age era".split()
)
_CLOCK = frozenset(
    "hour hours minute minutes second seconds am pm a.m. p.m. a.m p.m morning afternoon evening night noon midnight "
    "tonight o'clock".split()
)
_UNITS = frozenset(
    "km kilometers kilometres kilometer miles mile meters metres meter metre feet foot ft inches inch cm mm m "
    "pounds lb lbs kg kilograms grams g tons tonnes acres hectares degrees mph gallons liters litres ounces yards "
    "light-years".split()
)
_NAME = frozenset({"NNP", "NNPS"})
_MONEY = frozenset({"$", "£", "€", "US$", "¥"})
_TIMES = re.compile(r"\d{1,2}:\d\d")


def name_spans(
    words: Sequence[str], tags: Sequence[str], heads: Sequence[int], mentions: Sequence[Mention]
) -> tuple[tuple[int, int, str], ...]:
    """Return spans ``(start, end, label)``, in order and without overlap, the longer of two that cross."""
    found = [span for mention in mentions for span in _labelled(words, tags, mention)]
    taken = [False] * len(words)
    spans = []
    for start, end, label in [*sorted(found, key=lambda s: (s[0] - s[1], s)), *_numbers(words, tags, heads)]:
        if not any(taken[start:end]):
            taken[start:end] = [True] * (end - start)
            spans.append((start, end, label))
    return tuple(sorted(spans))


def _labelled(words: Sequence[str], tags: Sequence[str], mention: Mention) -> list[tuple[int, int, str]]:
    if mention.kind == "time":
        return _time(words, tags, mention)
    if mention.kind not in ("person", "organization", "place", "event") or tags[mention.head] not in _NAME:
        return []
    linked = "_of_" in mention.identity or "_for_" in mention.identity or "_the_" in mention.identity
    joined = "_and_" in mention.identity or "&" in mention.identity
    start, end = _run(words, tags, mention, linked, joined)
    if mention.kind == "person":
        while start < end and words[start].lower().rstrip(".") in _TITLES:
            start += 1
        if start == end or tags[start] not in _NAME:
            return []
        return [(start, end, "NORP" if tags[end - 1] == "NNPS" else "PERSON")]
    parts = {word.lower().rstrip(".") for word in words[start:end]}
    place = "LOC" if parts & _LANDSCAPE and not mention.identity.startswith(("North_", "South_")) else "GPE"
    place = "FAC" if parts & _BUILT else place
    return [(start, end, {"organization": "ORG", "event": "EVENT", "place": place}[mention.kind])]


def _run(words: Sequence[str], tags: Sequence[str], mention: Mention, linked: bool, joined: bool) -> tuple[int, int]:
    def inside(i: int) -> bool:
        if tags[i] in _NAME or tags[i] in ("HYPH", "CD"):
            return True
        return (linked and tags[i] in ("IN", "DT")) or (joined and tags[i] == "CC")

    start = end = mention.head
    while start > mention.start and inside(start - 1):
        start -= 1
    while end < mention.end and inside(end):
        end += 1
    while tags[start] not in _NAME:
        start += 1
    while tags[end - 1] not in _NAME and tags[end - 1] != "CD":
        end -= 1
    return start, end


def _time(words: Sequence[str], tags: Sequence[str], mention: Mention) -> list[tuple[int, int, str]]:
    lower = [word.lower() for word in words[mention.start : mention.end]]
    if len(lower) > 7 or not (
        _NAME & set(tags[mention.start : mention.end])
        or "CD" in tags[mention.start : mention.end]
        or lower[mention.head - mention.start] in _DATES | _CLOCK
    ):
        return []
    clock = any(word in _CLOCK or _TIMES.match(word) for word in lower)
    return [(mention.start, mention.end, "TIME" if clock else "DATE")]


def _numbers(words: Sequence[str], tags: Sequence[str], heads: Sequence[int]) -> list[tuple[int, int, str]]:
    found = []
    i = 0
    while i < len(words):
        if tags[i] != "CD":
            i += 1
            continue
        start = i
        while i < len(words) and tags[i] == "CD":
            i += 1
        following = words[i].lower() if i < len(words) else ""
        before = words[start - 1] if start else ""
        if before in _MONEY:
            found.append((start - 1, i, "MONEY"))
        elif following in ("dollars", "euros", "cents", "pounds") or following in _MONEY:
            found.append((start, i + 1, "MONEY"))
        elif following in ("%", "percent", "per"):
            found.append((start, i + 1 + (following == "per" and words[i + 1 : i + 2] == ("cent",)), "PERCENT"))
        elif following in _UNITS:
            found.append((start, i + 1, "QUANTITY"))
        elif following in _DATES:
            found.append((start, i + 1, "DATE"))
        elif following in _CLOCK:
            found.append((start, i + 1, "TIME"))
        else:
            found.append((start, i, "CARDINAL"))
    return found
