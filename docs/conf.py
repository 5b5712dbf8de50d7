"""Settings of the documentation site: ``make docs`` builds it into ``build/site``.

The folder of sources is the root of the repository, so that every link resolves on the site as it does in the files.
"""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).parent
SHIPPED = ("features", "models", "research", "weights")
"""Folders whose data is described where it lies, in files called README.md."""

sys.path.insert(0, str(HERE))

project = "samewise"
version = release = version_of("samewise")
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "page_lists",
    "link_titles",
    "generated_pages",
    "make_results",
]

root_doc = "docs/index"
include_patterns = ["docs/*.md", "*.md", *(f"{folder}/**/README.md" for folder in SHIPPED)]
# Folders without pages are not walked: an environment or a build holds tens of thousands of files.
exclude_patterns = [
    path.name for path in HERE.parent.iterdir() if path.is_dir() and path.name not in ("docs", *SHIPPED)
] + ["docs/examples", "**/__pycache__", "**/*.egg-info"]
smartquotes = False  # `--option` stays as it is
myst_heading_anchors = 4
default_role = "code"
autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["datasets", "deepeval", "evidently", "mteb", "ragas"]
python_maximum_signature_line_length = 88
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "samewise"
html_static_path = ["site/style"]
html_css_files = ["site.css"]
html_extra_path = ["site/top"]  # the page at the top of the site, which leads to the first page
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "samewise"},
    "navigation_with_keys": False,
    "show_prev_next": False,
    "show_toc_level": 2,
    "footer_start": [],
    "footer_end": [],
}
