"""Pyramids for tests: from plain facts, as objects and as files of DUCView."""

from xml.sax.saxutils import escape, quoteattr

from samewise.research.pyramid import Contributor, Part, Pyramid, Unit

DOCTYPE = """<!DOCTYPE pyramid [
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
]>"""

PATTERN = r"[-]+\n S[0-9]+\n[-]+\n"


def pyramid_of(*facts):
    """A pyramid of (label, text, text, ...); summary k expresses the k-th text of each fact."""
    units = tuple(
        Unit(str(n), label, tuple(Contributor((Part(text, 0, k),)) for k, text in enumerate(texts)))
        for n, (label, *texts) in enumerate(facts)
    )
    return Pyramid((), units)


def pyramid_xml(*facts, header='<?xml version="1.0"?>', doctype=DOCTYPE, pattern=PATTERN):
    """The file of (label, text, text, ...); a text that is a list has several parts, a None is in no summary."""
    lines, spots = [], {}
    for k in range(max(len(texts) for _, *texts in facts)):
        lines += ["-----", f" S{k}", "-----", ""]
        for n, (_, *texts) in enumerate(facts):
            if k < len(texts) and texts[k] is not None:
                parts = [texts[k]] if isinstance(texts[k], str) else texts[k]
                spots[n, k] = []
                for part in parts:
                    spots[n, k].append((part, sum(len(line) + 1 for line in lines)))
                    lines.append(part)
    found = [header, doctype, "<pyramid>"]
    found += [f"<startDocumentRegEx><![CDATA[{pattern}]]></startDocumentRegEx>"] if pattern is not None else []
    found += ["<text>", *(f"<line>{escape(line)}</line>" for line in lines), "</text>"]
    for n, (label, *_) in enumerate(facts):
        found.append(f'<scu uid="{n}" label={quoteattr(label)}>')
        for parts in (parts for (m, _), parts in spots.items() if m == n):
            found.append(f"<contributor label={quoteattr('...'.join(part for part, _ in parts))}>")
            # In the order in which an annotator may have chosen them: the last one first.
            for part, start in reversed(parts):
                found.append(f'<part label={quoteattr(part)} start="{start}" end="{start + len(part)}"/>')
            found.append("</contributor>")
        found.append("</scu>")
    return "\n".join([*found, "</pyramid>"])
