"""The documentation site builds without a warning, asks nobody else for anything, and leads to every page."""

import importlib.util
import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from .conftest import ROOT

DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])
LIBRARIES = ("sphinx", "myst_parser", "numpydoc", "pydata_sphinx_theme")


def _text(page):
    # Without blocks of code, in which a line may begin with a # and a bracket stand before a parenthesis.
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def _anchors(page):
    titles = re.findall(r"^#+ (.+)$", _text(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_sections_lead_to_headings(page):
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", _text(page)):
        assert anchor in _anchors(page.parent / path if path else page), f"{page.name} links to {path}#{anchor}"


def _page_lists():
    spec = importlib.util.spec_from_file_location("page_lists", DOCS / "page_lists.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_one_list():
    page_lists = _page_lists()
    listed = Counter(page_lists.LISTS[:1])
    for name in page_lists.LISTS:
        listed.update(page_lists.linked_pages((ROOT / f"{name}.md").read_text(encoding="utf-8"), "docs").keys())
    assert {name: count for name, count in listed.items() if count > 1} == {}
    unlisted = {page.relative_to(ROOT).with_suffix("").as_posix() for page in PAGES} - set(listed)
    assert unlisted == set(), "list it in docs/start.md, how-to.md, reference.md or background.md"


def test_lists_of_links_become_contents():
    page = """# Bread

Read [of flour](flour.md).

- [Bake](bake.md#oven), see [ovens](../ovens.md)

## More

- [Slice with `knife`](slice.md)
- [Terms](TERMS), [a long
  title](long.md)
"""
    contents = """
```{toctree}
:hidden:

ovens </ovens>
```

```{toctree}
:hidden:
:caption: More

Slice with knife </kitchen/slice>
a long title </kitchen/long>
```
"""
    assert _page_lists().with_contents(page, "kitchen") == page + contents


class _Page(HTMLParser):
    """Addresses of a page: those of what it loads, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.anchors, self.links = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Read a tag."""
        named = dict(attrs)
        self.anchors.add(named.get("id"))
        if "src" in named:
            self.loaded.add(named["src"])
        if "href" in named:
            (self.loaded if tag == "link" else self.links).add(named["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if any(importlib.util.find_spec(library) is None for library in LIBRARIES):
        pytest.skip("the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-c", DOCS, "-d", folder / "doctrees", ROOT, folder / "html"]
    command = [sys.executable, "-m", "sphinx", *map(str, options)]
    # Nothing listens there, so that a build that asks for something fails.
    nowhere = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy")}
    environment = {**os.environ, **nowhere, "no_proxy": ""}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    loaded = {address for page in pages for address in _Page(page).loaded}
    assert any(".js" in address for address in loaded)
    assert {address for address in loaded if re.match(r"(https?:)?//", address)} == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import )['\"]?(?:https?:)?//", styles) == []


def test_the_first_page_is_reached_and_leads_to_the_four_kinds(site):
    assert "docs/index.html" in _Page(site / "index.html").links
    assert {"start.html", "how-to.html", "reference.html", "background.html"} <= _Page(
        site / "docs" / "index.html"
    ).links


def test_the_reference_has_the_public_names_and_what_pages_import(site):
    names = """samewise.load samewise.score samewise.match samewise.SimilarityEnsemble samewise.SimilarityEnsemble.fit
        samewise.ensemble.Prediction samewise.ensemble.core.scale.POINTS samewise.ensemble.scoring.predict_file"""
    anchors = _Page(site / "docs" / "api.html").anchors
    assert set(names.split()) <= anchors
    # Neither the methods that scikit-learn adds nor the fields of named tuples have a text of ours.
    assert not anchors & {"samewise.SimilarityEnsemble.set_fit_request", "samewise.Pair.a"}


def test_every_command_has_its_help(site):
    page = site / "docs" / "commands.html"
    shown = subprocess.run([sys.executable, "-m", "samewise", "--help"], capture_output=True, text=True, check=True)
    commands = re.findall(r"^  ([a-z-]+) ", shown.stdout.partition("Commands:")[2], flags=re.MULTILINE)
    assert {"score", "predict", "label"} <= set(commands)
    anchors = _Page(page).anchors
    assert {f"samewise-{name}" for name in [*commands, "label-export", "features-list"]} <= anchors
    assert "--max-false" in page.read_text(encoding="utf-8")


def test_links_by_file_name_show_titles(site):
    html = Path(site / "README.html").read_text(encoding="utf-8")
    assert re.search(r'href="docs/scores.html"[^>]*>(<[^>]+>)*What a score means<', html)
    assert ">docs/scores.md<" not in html
