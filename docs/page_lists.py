"""Navigation of the site: the bulleted lists of links in some pages become hidden tables of contents.

A page is thus listed in one place, where readers of the files see it too.
"""

import posixpath
import re
from typing import Any

LISTS = ("docs/index", "docs/start", "docs/how-to", "docs/reference", "docs/background")
"""Pages whose lists are the table of contents: the first leads to the others."""

_ITEM = re.compile(r"^- .*\n(?:  .*\n)*", re.MULTILINE)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)\.md\)")


def linked_pages(section: str, folder: str) -> dict[str, str]:
    """Return the pages that the list items of a text link to, with the text of their links, in order.

    Parameters
    ----------
    section
        Markdown. Links with an anchor are not counted, nor is what is not Markdown.
    folder
        Folder of the page, relative to the root of the repository.

    Returns
    -------
    dict of str to str
        Titles by path; paths are relative to the root of the repository, without ``.md``.
    """
    links = [link for item in _ITEM.findall(section) for link in _LINK.findall(item)]
    return {posixpath.normpath(posixpath.join(folder, path)): _title(text) for text, path in links}


def _title(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def with_contents(text: str, folder: str) -> str:
    """Return a page with a hidden table of contents for each of its sections that has a list of pages."""
    before, *parts = _HEADING.split(text)
    sections = [("", before), *zip(parts[::2], parts[1::2], strict=True)]
    contents = ""
    for heading, section in sections:
        if pages := linked_pages(section, folder):
            caption = f":caption: {heading}\n" if heading else ""
            entries = "\n".join(f"{title} </{page}>" for page, title in pages.items())
            contents += f"\n```{{toctree}}\n:hidden:\n{caption}\n{entries}\n```\n"
    return text + contents


def _add_contents(app: Any, page: str, source: list[str]) -> None:
    if page in LISTS:
        source[0] = with_contents(source[0], posixpath.dirname(page))


def setup(app: Any) -> dict[str, bool]:
    """Add the tables of contents when Sphinx reads a page."""
    app.connect("source-read", _add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
