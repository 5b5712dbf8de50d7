"""Chromium that tests drive, and checks of pages by axe-core in it."""

from importlib.util import find_spec
from shutil import which

import pytest

BROWSER = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_browser = pytest.mark.skipif(
    BROWSER is None or find_spec("playwright") is None, reason="there is no Chromium, or playwright is missing"
)
needs_axe = pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe-playwright-python is missing")


def violations(page):
    """Return the rules of axe-core that a page breaks in light or in dark, with the elements that break them."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        broken = Axe().run(page).response["violations"]
        found += [(scheme, rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in broken]
    return found
