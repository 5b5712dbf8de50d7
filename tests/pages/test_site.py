"""The documentation site builds without a warning, and no page has a dead link."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from ..conftest import ROOT

LIBRARIES = ("sphinx", "myst_parser", "numpydoc", "pydata_sphinx_theme")
CODE = re.compile(r"`((?:features|models|ensemble|research|weights|tests|benchmarks|scripts)/[\w/.-]+\.(?:py|txt))`")


class Page(HTMLParser):
    """A page of the site: its links, what it loads from elsewhere, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.elsewhere, self.anchors = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors.add(named.get("id"))
        address = named.get("src") or named.get("href") or ""
        if re.match(r"(?:[a-z]+:)?//", address):
            self.elsewhere |= {address} if tag != "a" else set()
        elif not re.match(r"mailto:|data:|javascript:", address):
            self.links.add(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if any(importlib.util.find_spec(library) is None for library in LIBRARIES):
        pytest.skip("the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-c", ROOT / "docs", "-d", folder / "doctrees", ROOT, folder / "html"]
    # Nothing listens there, so that a build that asks for something fails.
    nowhere = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy")}
    environment = {**os.environ, **nowhere, "no_proxy": ""}
    words = [sys.executable, "-m", "sphinx", *map(str, options)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_no_link_is_dead_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            name, _, anchor = link.partition("#")
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            found = target / "index.html" if target.is_dir() else target
            if not found.exists() or (anchor and found in pages and unquote(anchor) not in pages[found].anchors):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []
    assert {address for page in pages.values() for address in page.elsewhere} == set()


@pytest.mark.parametrize(
    "page", [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_files_that_a_page_names_exist(page: Path):
    text = page.read_text(encoding="utf-8")
    links = [page.parent / link for link in re.findall(r"\]\((?!https?:)([^)#]+)", text)]
    assert [path for path in [*links, *(ROOT / name for name in CODE.findall(text))] if not path.exists()] == []
