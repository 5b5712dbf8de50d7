"""Check of the English of the pages by a few rules, which ``style.toml`` beside this file holds as data.

There is no library for it. Vale, which does this, is a program in Go: its packages for Python and npm download it when
first called, so that ``make check`` would need a network. Proselint installs whole, but its rules are written in its
code and are about other faults, such as clichés. codespell replaces single words only, not "leave away".

Blocks of code, inline code, tables, headings and generated parts are not read.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
RULES = Path(__file__).with_name("style.toml")


class Fault(NamedTuple):
    """A place that breaks a rule: page, line, and what to write."""

    page: str
    line: int
    text: str


def load_rules(path: Path = RULES) -> dict:
    """Return the rules that a file holds."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def pages() -> list[Path]:
    """Return the pages that are checked: those of the documentation and those at the top of the repository."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Return the paragraphs and list items of a page, each with the number of its first line.

    Parameters
    ----------
    text
        Markdown. Every link becomes its text, and inline code one word.
    """
    gathered: list[str] = []
    first = 1
    for number, line in enumerate([*_prose(text), ""], start=1):
        item = re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if gathered and (item or not line.strip()):
            yield first, _plain(" ".join(gathered))
            gathered = []
        if line.strip():
            first = first if gathered else number
            gathered.append(line[item.end() :] if item else line.strip())


def _prose(text: str) -> Iterator[str]:
    # The lines of a page, empty where they are not prose.
    fenced = commented = False
    for line in text.splitlines():
        fence = line.lstrip().startswith(("```", "~~~"))
        commented |= line.lstrip().startswith("<!--")
        skipped = fenced or fence or commented or line.startswith(("#", "    ")) or line.lstrip().startswith(("|", ">"))
        yield "" if skipped else line
        fenced ^= fence
        commented &= "-->" not in line


def _plain(text: str) -> str:
    text = re.sub(r"(`+).+?\1", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|<[^>]+>", "", text)


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph. A colon or semicolon before a list or a clause ends none."""
    return re.split(r"(?<=[.!?])[\")]*\s+(?=[\"(]?[A-Z])", text)


def faults(page: str, text: str, rules: dict) -> list[Fault]:
    """Return the faults of a page: words that have a usual form, and long sentences if there are more than may be.

    Parameters
    ----------
    page
        Its path, relative to the root of the repository.
    text
        Its Markdown.
    rules
        Those of ``style.toml``.
    """
    found, long = [], []
    for line, paragraph in paragraphs(text):
        for wrong, right in rules["words"].items():
            if match := re.search(rf"(?<!\w)(?:{wrong})(?!\w)", paragraph, flags=re.IGNORECASE):
                found.append(Fault(page, line, f"write {right}, not {match[0]!r}"))
        for sentence in sentences(paragraph):
            if (count := len(sentence.split())) > rules["sentences"]["words"]:
                start = " ".join(sentence.split()[:6])
                long.append(
                    Fault(
                        page,
                        line,
                        f"a sentence must have at most {rules['sentences']['words']} words, "
                        f"got {count}; split {start!r}",
                    )
                )
    exceptional = rules["sentences"]["more_on"].get(page, rules["sentences"]["per_page"])
    return found + (long if len(long) > exceptional else [])


def main(arguments: list[str] | None = None) -> int:
    """Print the faults of the pages, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="pages to check instead of all")
    chosen = parser.parse_args(arguments).pages or pages()
    rules = load_rules()
    every = []
    for path in chosen:
        every += faults(path.resolve().relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), rules)
    for fault in every:
        print(f"{fault.page}:{fault.line}: {fault.text}")
    return int(bool(every))


if __name__ == "__main__":
    sys.exit(main())
