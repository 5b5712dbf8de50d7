"""Write the figures of docs/results/figures.json into the pages that quote them, and draw them.

A page quotes figures in two ways, with comments that no reader of the site or of a code host sees:

- In a sentence, ``<!--fig sick:full-->0.833<!--/-->`` holds one figure: the series and the figure in it. A form may
  follow where the page prints another than that of the series, as in ``<!--fig challenge-full:roles .2f-->``. A line
  must not begin with such a comment, because Markdown would end the paragraph there.
- A table stands between ``<!-- results: NAME -->`` and ``<!-- end -->``. What stands there is
  docs/templates/results/NAME.md, in which ``{series:figure}`` or ``{series:figure .2f}`` stands for a figure,
  ``{series:what}`` and ``{series:command}`` for what the series is and what prints it, ``{{models}}`` for a table, and
  ``{{rows first-series second-series}}`` for a row of each figure of the first series.

A page may also hold figures that were measured once, such as those of a trial. It says so in a note, which covers the
page, its section, or the list items that begin with a word::

    Figures on this page were measured once, when the settings were chosen; `make results` does not print them again.
    Figures in this section were measured once, when ...
    Figures under *Tried* were measured once, when ...

All other figures are an error, as is a page or drawing that differs from the data file. With --check nothing is
written.
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accuracy_drawing import PROFILES, drawing
from recorded_figures import Figures

HERE = Path(__file__).parent
ROOT = HERE.parent
TEMPLATES = HERE / "templates" / "results"
DRAWING = HERE / "results" / "accuracy.svg"
PAGES = (
    ROOT / "README.md",
    *(HERE / f"{name}.md" for name in ("results", "known-weaknesses", "speed", "scores", "left-out-sources")),
    *(HERE / f"{name}.md" for name in ("languages", "maintaining", "research")),
)
REMEDY = "run python docs/make_results.py"

_BLOCK = re.compile(r"(<!-- results: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_NAME = r"([\w-]+):([^{}<>:]+?)(?: ([+,]*\.\d[f%]))?"
_FIGURE = re.compile(r"\{" + _NAME + r"\}")
_MARK = re.compile(r"(<!--fig " + _NAME + r"-->)(.*?)(<!--/-->)", re.DOTALL)
_TABLE = re.compile(r"\{\{(\w+)\}\}")
_ROWS = re.compile(r"\{\{rows ([\w -]+)\}\}")
_BAR = "\\|"

NOTE = re.compile(
    r"Figures\s+(on\s+this\s+page|in\s+this\s+section|under\s+(?:\*[^*]+\*(?:\s+and\s+)?)+)"
    r"\s+were\s+measured\s+once,\s+(?:when|on)\s[^;]+;\s+`make\s+results`\s+does\s+not\s+print\s+them\s+again"
    r"(?:,\s+except\s+those\s+that\s+\[results\.md\]\(results\.md\)\s+has\s+too)?\."
)
"""Sentence of a page on figures that stand there as typed."""

_FENCED = re.compile(r"^ *(```|~~~).*?^ *\1", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+).+?\1|\]\([^)]*\)", re.DOTALL)
_NO_FIGURE = re.compile(
    r"\d+\.\d+\.\d+|Python\s+3\.\d+|(?:3\.11\s+)?to\s+3\.13|Apache-2\.0|CC\s+BY(-SA)?\s+\d\.0|WordNet 3\.0|before 1\.0"
    r"|correlated by 0\.9"
)
_DECIMAL = re.compile(r"\d\.\d")
_MEASURED = re.compile(r"\d\.\d{2}|\d\.\d ?(?:%|(?:s|ms|µs|points|times|kB|[MG]B)\b)")


def block(figures: Figures, name: str) -> str:
    """Return what stands in a block."""
    text = (TEMPLATES / f"{name}.md").read_text(encoding="utf-8")
    text = _TABLE.sub(lambda found: TABLES[found[1]](figures), text)
    text = _ROWS.sub(lambda found: rows(figures, found[1].split()), text)
    return _FIGURE.sub(lambda found: figures.text(*found.groups()), text)


def rows(figures: Figures, series: Sequence[str]) -> str:
    """Return a row for each figure of the first series: its name, and this figure of every series.

    A figure whose name ends with a star is printed in the form ``"starred"`` of its series, such as ``"({})"``.
    """
    lines = []
    for key in figures.values(series[0]):
        shown = [figures.printed(name, key) for name in series]
        forms = [figures.series[name].get("starred", "{}") if key.endswith("*") else "{}" for name in series]
        cells = [form.format(text) for form, text in zip(forms, shown, strict=True)]
        lines.append(" | ".join(["| " + key.replace("*", "\\*"), *cells]) + " |")
    return "\n".join(lines)


def models_table(figures: Figures) -> str:
    """Return the signatures as a table."""
    # A bar would end the cell.
    rows = [f"| `{name}` | `{text.replace('|', _BAR)}` |" for name, text in figures.models.items()]
    return "\n".join(["| model | signature |", "|---|---|", *rows])


def runs_table(figures: Figures) -> str:
    """Return the runs of `make results` as a table."""
    rows = [
        f"| {name} | {run['what']} | {'always' if run['default'] else run['option']} | {run['time']} |"
        for name, run in figures.runs.items()
    ]
    return "\n".join(["| run | measures | when | time |", "|---|---|---|---|", *rows])


def peers_table(figures: Figures) -> str:
    """Return the peers of samewise as a table, fastest first; nothing before --speed has been given."""
    if "peer-speed" not in figures.series:
        return ""
    speeds, names = figures.values("peer-speed"), figures.series["peer-speed"]["names"]
    rows = [
        [names[key], *(figures.printed(name, key) if key in figures.values(name) else "" for name in PEERS)]
        for key in sorted(speeds, key=lambda key: -speeds[key])
    ]
    head = ["system", "pairs/s", "times", "Pearson on dev", "MB", "start, s"]
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join(f"| {' | '.join(line)} |".replace("  ", " ") for line in lines)
    command = "python benchmarks/peers.py DATA --json FILE --plot docs/results/speed.svg"
    said = (
        f"`{command}` measures all systems in one run; *times* is the multiple of sentence-transformers. ONNX and "
        "OpenVINO need environments of their own, which `--python` names."
    )
    shown = "![Pairs per second and Pearson correlation of samewise and its peers](results/speed.svg)"
    return "\n\n".join([said, table, *([shown] if (HERE / "results" / "speed.svg").is_file() else [])])


def encoder_speed(figures: Figures) -> str:
    """Return the speed of sentence-transformers, or both if two runs were needed."""
    return " or ".join(dict.fromkeys(figures.printed("speed-encoder", key) for key in ("low", "high")))


TABLES = {"models": models_table, "runs": runs_table, "peers": peers_table, "encoder_speed": encoder_speed}
"""For each name in double braces what makes the text."""

PEERS = {
    "peer-speed": ("pairs_per_s", ",.0f", "pairs/s on all cores"),
    "peer-times": ("times", "times", "the same as a multiple of sentence-transformers"),
    "peer-pearson": ("pearson", ".3f", "Pearson on STS Benchmark dev"),
    "peer-memory": ("memory_mb", ",.0f", "peak MB of all processes, shared pages once"),
    "peer-start": ("start_s", ".1f", "seconds from the start of a process to the first score"),
}
"""Series of --speed: the name in what benchmarks/peers.py writes, the form, and what the series is."""


def with_speeds(
    figures: Figures, measured: Mapping[str, Mapping[str, float | None]], names: Mapping[str, str]
) -> Figures:
    """Return the figures with speeds measured beside peers.

    Parameters
    ----------
    figures
        What there is. Of it, machine and kind of the series `speed` stay.
    measured
        What ``benchmarks/peers.py --json`` writes: for each system ``pairs_per_s``, ``pearson``, ``memory_mb`` and
        ``start_s``; ``torch`` is sentence-transformers.
    names
        Name of each system.
    """
    base = measured["torch"]["pairs_per_s"]
    if not base:
        raise ValueError(f"the speed of torch must be above 0, got {base}; measure it in the same run")
    rows = {key: {**found, "times": (found["pairs_per_s"] or 0.0) / base} for key, found in measured.items()}
    common = {
        "kind": "timed",
        "machine": figures.series["speed"]["machine"],
        "command": "python benchmarks/peers.py DATA",
    }
    series = dict(figures.series)
    for name, (column, form, what) in PEERS.items():
        values = {key: round(row[column], 4) for key, row in rows.items() if row[column] is not None}
        series[name] = {"what": what, **common, "form": form, "values": values}
    series["peer-speed"]["names"] = {key: names[key] for key in rows}
    ours = {
        "speed": ("peer-speed", "pairs/s on STS Benchmark and its companion, 2 workers"),
        "speed-times": ("peer-times", "as a multiple of sentence-transformers in the same run"),
    }
    for name, (peers, what) in ours.items():
        found = {key: value for key, value in series[peers]["values"].items() if key in PROFILES}
        if len(found) < len(PROFILES):
            raise ValueError(f"the speeds must be those of {list(PROFILES)} and torch, got {list(rows)}")
        series[name] = {**figures.series[name], **common, "what": what, "values": found}
    series["speed-encoder"] = {**figures.series["speed-encoder"], **common, "values": {"low": base, "high": base}}
    return figures._replace(series=series)


def filled(figures: Figures, page: str) -> str:
    """Return a page with its blocks and the figures in its sentences made anew."""
    page = _MARK.sub(lambda found: f"{found[1]}{figures.text(*found.groups()[1:4])}{found[6]}", page)
    return _BLOCK.sub(lambda found: f"{found[1]}{block(figures, found[2])}{found[4]}", page)


def quoted(page: str) -> set[str]:
    """Return the series that a page or a template quotes."""
    of_rows = {name for found in _ROWS.finditer(page) for name in found[1].split()}
    return of_rows | {found[2] for found in _MARK.finditer(page)} | {found[1] for found in _FIGURE.finditer(page)}


def typed(page: str, every: bool) -> list[str]:
    """Return the figures of a page that are neither quoted nor covered by a note, each with the words around it.

    Parameters
    ----------
    page
        Its text. Code is not read: the tests run what the pages show of commands.
    every
        Whether each number with a decimal counts, or only those with two decimals or a unit.
    """
    page = whole = _MARK.sub(" ", _BLOCK.sub("", _FENCED.sub("", page)))
    for note in NOTE.finditer(whole):
        covered = note[1].split()[-1]
        if covered == "page":
            return []
        page = page.replace(_section(whole, note), "") if covered == "section" else page
        for word in re.findall(r"\*([^*]+)\*", note[1]):
            page = re.sub(rf"^- \*\*{word}\*\*.*?(?=^\S|\Z|\n\n)", "", page, flags=re.DOTALL | re.MULTILINE)
    page = _NO_FIGURE.sub("", _CODE.sub(" ", page))
    figures = (_DECIMAL if every else _MEASURED).finditer(page)
    return [" ".join(page[max(found.start() - 40, 0) : found.end() + 20].split()) for found in figures]


def _section(page: str, note: re.Match[str]) -> str:
    # What is under the heading above a note, up to the next heading of the same level or above.
    before = [*re.finditer(r"^(#+) .*$", page[: note.start()], re.MULTILINE)][-1]
    after = re.compile(rf"^#{{1,{len(before[1])}}} ", re.MULTILINE).search(page, note.end())
    return page[before.end() : after.start() if after else len(page)]


def untraced() -> dict[str, list[str]]:
    """Return for each page its figures that have no known origin."""
    pages = sorted([*ROOT.glob("*.md"), *HERE.glob("*.md")])
    found = {path: typed(path.read_text(encoding="utf-8"), path in PAGES) for path in pages}
    return {path.relative_to(ROOT).as_posix(): figures for path, figures in found.items() if figures}


def outputs(figures: Figures) -> dict[Path, str]:
    """Return the text of every page and drawing."""
    pages = {path: filled(figures, path.read_text(encoding="utf-8")) for path in PAGES}
    return {**pages, DRAWING: drawing(figures)}


def stale(figures: Figures) -> list[str]:
    """Return the pages and drawings that differ from the data file."""
    return [
        path.relative_to(ROOT).as_posix()
        for path, text in outputs(figures).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def faults(figures: Figures) -> list[str]:
    """Return a sentence for each page or drawing that differs, and for each figure of unknown origin."""
    differ = [f"{name} differs from docs/results/figures.json; {REMEDY}" for name in stale(figures)]
    remedy = "take it from docs/results/figures.json, or add a note (docs/make_results.py)"
    typed_on = untraced().items()
    return differ + [
        f"{name} has typed figures ({len(found)}), first in {found[0]!r}; {remedy}" for name, found in typed_on
    ]


def setup(app: Any) -> dict[str, bool]:
    """Warn of each fault when the site is built: `make docs` fails then."""
    from sphinx.util import logging

    for fault in faults(Figures.read()):
        logging.getLogger(__name__).warning("%s", fault)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main() -> int:
    """Write what differs, or with --check say so."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something differs")
    parser.add_argument("--speed", metavar="FILE", type=Path, help="first take speeds from benchmarks/peers.py --json")
    options = parser.parse_args()
    figures = Figures.read()
    if options.speed:
        sys.path.insert(0, str(ROOT / "benchmarks"))
        from peer_systems import SYSTEMS

        measured = json.loads(options.speed.read_text(encoding="utf-8"))
        figures = with_speeds(figures, measured, {key: system.name for key, system in SYSTEMS.items()})
        if not options.check:
            figures.write()
    if options.check:
        found = faults(figures)
        print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
        return 1 if found else 0
    different = stale(figures)
    for path, text in outputs(figures).items():
        path.write_text(text, encoding="utf-8")
    print(f"written: {', '.join(different) or 'nothing, all is as recorded'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
