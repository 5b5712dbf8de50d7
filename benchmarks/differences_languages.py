"""Differences found in contrast squares of other languages, within a language and beside English.

A pair counts where it has a difference of a kind that keeps texts apart. One should be found where a text is `changed`,
and none where both have one meaning. Squares that are held are for the last look; the others may guide changes.

    python benchmarks/differences_languages.py data/contrasts/languages/*.tsv
    python benchmarks/differences_languages.py data/contrasts/languages/de.tsv --kinds --errors kept
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from samewise.ensemble.contrasts.squares import read_squares
from samewise.ensemble.differences.facts import KEEP_APART, Difference
from samewise.ensemble.differences.keeping_apart import keeping_apart

import samewise

WITHIN = {"changed": ("text", "changed"), "same": ("text", "same"), "kept": ("text", "kept")}
"""Columns that are compared within a language, by the name of the pair."""

BESIDE = {"changed": ("text_en", "changed"), "same": ("text_en", "same"), "kept": ("text_en", "kept")}
BESIDE |= {"text": ("text_en", "text"), "changed_en": ("text", "changed_en")}
"""Columns that are compared with English ones."""


def found_in(
    model: Any, rows: Sequence[dict[str, str]], sides: tuple[str, str], language: str
) -> list[list[Difference] | None]:
    """Return the differences of a pair of columns that keep texts apart; None for a row that lacks one of the texts."""
    full = [k for k, row in enumerate(rows) if all(row[side] for side in sides)]
    pairs = [(rows[k][sides[0]], rows[k][sides[1]]) for k in full]
    codes = ["en" if side.endswith("_en") else language for side in sides]
    differences = model.differences(pairs, [(codes[0], codes[1])] * len(pairs))
    found: list[list[Difference] | None] = [None] * len(rows)
    for k, of_pair in zip(full, differences, strict=True):
        found[k] = keeping_apart(of_pair, KEEP_APART)
    return found


def share(found: Sequence[list[Difference] | None], chosen: np.ndarray | None = None) -> str:
    """Return the share of the pairs, or of those chosen, that have a difference."""
    has = [bool(one) for k, one in enumerate(found) if one is not None and (chosen is None or chosen[k])]
    return f"{np.mean(has):.2f}" if has else "–"


def main() -> None:
    """Print the shares by language, and by kind of change if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("squares", type=Path, nargs="+", metavar="xx.tsv", help="named after the code of its language")
    parser.add_argument("--held", action="store_true", help="judge by the squares that are held")
    parser.add_argument("--translate", default="dictionary", help="translator (default: %(default)s)")
    parser.add_argument("--kinds", action="store_true", help="add a table by kind of change")
    parser.add_argument("--errors", choices=tuple(WITHIN | BESIDE), help="print the pairs of this name that are wrong")
    parser.add_argument("--within", action="store_true", help="leave out the pairs beside English")
    parser.add_argument("--beside", action="store_true", help="print wrong pairs beside English")
    options = parser.parse_args()
    beside = {} if options.within else BESIDE
    heads = [*WITHIN, *(f"en: {name}" for name in beside)]
    print(f"| language | squares | {' | '.join(heads)} |\n|---|--:|{'--:|' * len(heads)}")
    tables = []
    for path in options.squares:
        rows = read_squares(path, held=options.held)
        model = samewise.load("surface", languages=f"{path.stem},en", translate=options.translate)
        named = WITHIN | {f"en: {name}": sides for name, sides in beside.items()}
        columns = {name: found_in(model, rows, sides, path.stem) for name, sides in named.items()}
        print(f"| {path.stem} | {len(rows)} | {' | '.join(map(share, columns.values()))} |", flush=True)
        tables.append((path.stem, rows, columns))
    for language, rows, columns in tables:
        kinds = np.array([row["kind"] for row in rows])
        if options.kinds:
            print(f"\n| {language} | squares | {' | '.join(heads)} |\n|---|--:|{'--:|' * len(heads)}")
            for kind in sorted(set(kinds)):
                shares = [share(found, kinds == kind) for found in columns.values()]
                print(f"| {kind} | {np.sum(kinds == kind)} | {' | '.join(shares)} |")
        if options.errors:
            sides = (BESIDE if options.beside else WITHIN)[options.errors]
            found = columns[f"en: {options.errors}" if options.beside else options.errors]
            for row, of_pair in zip(rows, found, strict=True):
                if of_pair is not None and bool(of_pair) != ("changed" in options.errors):
                    print(f"\n{row['id']} {row['kind']}: {row[sides[0]]} | {row[sides[1]]}")
                    print("   ", "; ".join(f"{one.kind} {one.a!r} {one.b!r}" for one in of_pair))


if __name__ == "__main__":
    main()
