"""Text of links: where a page names another by its file, the site shows the title of the page or of the section."""

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref


def _leave_to_titles(app: Any, doctree: nodes.document) -> None:
    for link in doctree.findall(pending_xref):
        if link.get("reftype") == "myst" and link.astext().endswith(".md"):
            # MyST fills in the title of the target, as it does for a link without a text.
            link["refexplicit"] = False
            link.children = []


def setup(app: Any) -> dict[str, bool]:
    """Change the links when Sphinx has read a page."""
    app.connect("doctree-read", _leave_to_titles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
