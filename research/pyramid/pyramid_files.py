"""Pyramid files of DUC 2005 to 2007 in the format of the annotation tool DUCView (``.pyr``, ``.pan`` with peers)."""

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
    """Error for an unreadable pyramid file; the message names the file, the place and the remedy."""


def read_pyramids(paths: Sequence[str | Path]) -> tuple[list[Pyramid], list[str]]:
    """Return the distinct pyramids of files, and a note for each file that repeats one.

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
        expression in ``startDocumentRegEx`` matches the lines joined by line feeds. A file without a declared encoding
        is read as UTF-8, or else as Windows-1252.

    Raises
    ------
    PyramidError
        If the file is missing, not well-formed, declares entities, or lacks a required part of a pyramid.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PyramidError(f"{path} cannot be read: {error.strerror}") from None
    root = _parsed(data, path)
    pyramid = root if root.tag == "pyramid" else root.find("pyramid")
    if root.tag not in ("pyramid", "peerAnnotation") or pyramid is None:
        raise PyramidError(f"{path} must hold a pyramid, got <{root.tag}>; give a .pyr file of DUCView")
    text = "\n".join(line.text or "" for line in pyramid.findall("text/line"))
    starts, summaries = _summaries(text, pyramid.findtext("startDocumentRegEx"), path)
    units = tuple(_unit(each, starts, path) for each in pyramid.findall("scu"))
    if not units:
        raise PyramidError(f"{path} must hold a pyramid with content units (<scu>), got none; get a complete copy")
    seen: set[str] = set()
    for unit in units:
        if unit.uid in seen:
            raise PyramidError(f"{path}: uids of content units must be distinct, got {unit.uid!r} twice; rename one")
        seen.add(unit.uid)
    return Pyramid(summaries, units)


def _parsed(data: bytes, path: Path) -> Element:
    text: str | bytes = data
    if not data.startswith(_MARKS) and not _DECLARED.match(data):
        try:
            data.decode()
        except UnicodeDecodeError:
            # DUCView writes the encoding of its machine without declaring it.
            try:
                text = data.decode("cp1252")
            except UnicodeDecodeError as error:
                raise PyramidError(
                    f"{path} must be UTF-8 or Windows-1252 or declare its encoding, got the byte "
                    f"{data[error.start]:#x} at {error.start}; declare the encoding in the first line"
                ) from None
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(name: str, *_: object) -> None:
        raise PyramidError(
            f"{path} must not declare or use entities, got {name!r} (line {parser.CurrentLineNumber}); replace it by "
            f"its text"
        )

    # Without a handler for external entities, expat opens no other file.
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise PyramidError(
            f"{path} must be well-formed XML, got an error in line {error.lineno}: {expat.ErrorString(error.code)}; "
            f"get a complete copy"
        ) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, PyramidError):
            raise
        raise PyramidError(f"{path} must have a readable encoding, got: {error}; save it as UTF-8") from None
    return builder.close()


def _summaries(text: str, pattern: str | None, path: Path) -> tuple[list[int], tuple[str, ...]]:
    # Starts of the headers of the summaries, and the summaries between them.
    if not (pattern or "").strip():
        return [], ()
    try:
        headers = [header.span() for header in re.finditer(pattern or "", text) if header.group().strip()]
    except re.error as error:
        raise PyramidError(
            f"{path}: startDocumentRegEx must be a regular expression, got {pattern!r} ({error}); correct it"
        ) from None
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
        fault = "a contributor without a part" if contributors else "no contributor"
        raise PyramidError(f"{path}: {where} must have contributors with parts, got {fault}; correct or remove it")
    return Unit(uid, label, contributors)


def _part(element: Element, starts: list[int], path: Path, where: str) -> Part:
    text = _attribute(element, "label", path, f"a part of {where}")
    numbers = [_attribute(element, name, path, f"a part of {where}") for name in ("start", "end")]
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        ends = f"{numbers[0]!r} to {numbers[1]!r}"
        raise PyramidError(f"{path}: start and end of a part of {where} must be whole numbers, got {ends}; correct it")
    start = int(numbers[0])
    if not starts:
        return Part(text, start)
    if start < starts[0]:
        raise PyramidError(
            f"{path}: a part of {where} must start in a summary, at {starts[0]} or later, got {start}; correct it"
        )
    return Part(text, start, bisect_right(starts, start) - 1)


def _attribute(element: Element, name: str, path: Path, where: str) -> str:
    value = element.get(name)
    if value is None:
        raise PyramidError(f"{path}: {where} must have the attribute {name!r}, got none; correct or remove it")
    return value
