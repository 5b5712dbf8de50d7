"""Pyramid files of DUC 2005 to 2007, as the annotation tool DUCView writes them (``.pyr``, and ``.pan`` with peers)."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .pyramid_units import Contributor, Part, Pyramid, Unit

_WEIGHT = re.compile(r"\s*\(\d+\.\d+\)$")  # some labels end so
_DECLARED = re.compile(rb"""^<\?xml[^>]*\sencoding\s*=""")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class PyramidError(ValueError):
    """A pyramid file that cannot be read; one sentence that names the file, the place and what to do."""


def read_pyramids(paths: Sequence[str | Path]) -> tuple[list[Pyramid], list[str]]:
    """Return the pyramids of files, each once, and a note for each file that holds one that was read before.

    Raises
    ------
    PyramidError
        If a file is missing or malformed.
    """
    sources: dict[Pyramid, Path] = {}
    notes = []
    for path in map(Path, paths):
        pyramid = read_pyramid(path)
        if pyramid in sources:
            notes.append(f"{path} holds the same pyramid as {sources[pyramid]}, which counts once")
        sources.setdefault(pyramid, path)
    return list(sources), notes


def read_pyramid(path: str | Path) -> Pyramid:
    """Return the pyramid of a file.

    Parameters
    ----------
    path
        XML with the root ``pyramid``, or ``peerAnnotation`` with one inside. Summaries begin where the regular
        expression in ``startDocumentRegEx`` matches the lines joined by line feeds. In the encoding that it declares;
        one that declares none is UTF-8, or Windows-1252 if it is no UTF-8.

    Raises
    ------
    PyramidError
        If the file is missing, not well-formed, declares entities of its own, or lacks what a pyramid has.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PyramidError(f"{path} cannot be read: {error.strerror}") from None
    root = _parsed(data, path)
    pyramid = root if root.tag == "pyramid" else root.find("pyramid")
    if root.tag not in ("pyramid", "peerAnnotation") or pyramid is None:
        raise PyramidError(f"{path} holds <{root.tag}> and no pyramid; give a .pyr file of DUCView")
    text = "\n".join(line.text or "" for line in pyramid.findall("text/line"))
    starts, summaries = _summaries(text, pyramid.findtext("startDocumentRegEx"), path)
    units = tuple(_unit(each, starts, path) for each in pyramid.findall("scu"))
    if not units:
        raise PyramidError(f"{path} holds a pyramid without content units (<scu>); get a complete copy")
    seen: set[str] = set()
    for unit in units:
        if unit.uid in seen:
            raise PyramidError(f"{path} has two content units with the uid {unit.uid!r}; rename one")
        seen.add(unit.uid)
    return Pyramid(summaries, units)


def _parsed(data: bytes, path: Path) -> Element:
    text: str | bytes = data
    if not data.startswith(_MARKS) and not _DECLARED.match(data):
        try:
            data.decode()
        except UnicodeDecodeError:
            # DUCView wrote what its machine was set to, and did not say so.
            try:
                text = data.decode("cp1252")
            except UnicodeDecodeError as error:
                raise PyramidError(
                    f"{path} is neither UTF-8 nor Windows-1252 (byte {error.start}); declare its encoding in its first "
                    f"line"
                ) from None
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(name: str, *_: object) -> None:
        raise PyramidError(
            f"{path} declares or uses the entity {name!r} (line {parser.CurrentLineNumber}), and entities are not read;"
            f" replace it by its text"
        )

    # What is outside the file is never opened: no handler for it is set.
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise PyramidError(
            f"{path} is not well-formed XML (line {error.lineno}: {expat.ErrorString(error.code)}); get a complete copy"
        ) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, PyramidError):
            raise
        raise PyramidError(f"{path} is in an encoding that cannot be read ({error}); save it as UTF-8") from None
    return builder.close()


def _summaries(text: str, pattern: str | None, path: Path) -> tuple[list[int], tuple[str, ...]]:
    # Where the headers of the summaries begin, and the summaries between them.
    if not (pattern or "").strip():
        return [], ()
    try:
        headers = [header.span() for header in re.finditer(pattern or "", text) if header.group().strip()]
    except re.error as error:
        raise PyramidError(f"{path} has a startDocumentRegEx that must be a regular expression: {error}") from None
    starts = [start for start, _ in headers]
    ends = [*starts, len(text)][1:]
    return starts, tuple(text[stop:end].strip() for (_, stop), end in zip(headers, ends, strict=True))


def _unit(element: Element, starts: list[int], path: Path) -> Unit:
    uid = _attribute(element, "uid", path, "a content unit")
    where = f"the content unit {uid!r}"
    label = _WEIGHT.sub("", _attribute(element, "label", path, where))
    contributors = tuple(
        Contributor(tuple(_part(part, starts, path, where) for part in each.findall("part")))
        for each in element.findall("contributor")
    )
    if not contributors or not all(each.parts for each in contributors):
        what = "a contributor without a part" if contributors else "no contributor"
        raise PyramidError(f"{path}: {where} has {what}; correct or remove it")
    return Unit(uid, label, contributors)


def _part(element: Element, starts: list[int], path: Path, where: str) -> Part:
    text = _attribute(element, "label", path, f"a part of {where}")
    numbers = [_attribute(element, name, path, f"a part of {where}") for name in ("start", "end")]
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        raise PyramidError(f"{path}: a part of {where} goes from {numbers[0]!r} to {numbers[1]!r}; give whole numbers")
    start = int(numbers[0])
    if not starts:
        return Part(text, start)
    if start < starts[0]:
        raise PyramidError(f"{path}: a part of {where} begins at {start}, before the first summary; correct it")
    return Part(text, start, bisect_right(starts, start) - 1)


def _attribute(element: Element, name: str, path: Path, where: str) -> str:
    value = element.get(name)
    if value is None:
        raise PyramidError(f"{path}: {where} has no {name}; correct or remove it")
    return value
