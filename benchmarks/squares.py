"""Differences found in contrast squares: how often a change of meaning is seen, and how often one is seen in vain.

A set has a text, the `same` in other words, a near copy that keeps the meaning (`kept`) and a near copy that does not
(`changed`). A pair counts where it has a difference of a kind that keeps texts apart. The rules were chosen on the half
`choose` of the sets; the half `held` was looked at after that. Beside it the encoder's cosine: the share of sets in
which `same`, and `kept`, is closer to the text than `changed` is.

    python benchmarks/squares.py --squares squares.tsv
"""

import argparse
from collections import Counter
from pathlib import Path
from zlib import crc32

import numpy as np
from challenge import cosine
from samewise.ensemble.contrasts.squares import read_squares
from samewise.ensemble.differences.facts import KEEP_APART
from samewise.ensemble.differences.text_differences import LEVEL, differences
from samewise.features.analysis.analysis import analyse

SIDES = ("changed", "same", "kept")
BATCH = 4096


def found_kinds(pairs: list[tuple[str, str]]) -> list[set[str]]:
    """Return the kinds of the differences of each pair."""
    found: list[set[str]] = []
    for start in range(0, len(pairs), BATCH):
        for of_pair in differences(analyse(pairs[start : start + BATCH], LEVEL)):
            found.append({one.kind for one in of_pair})
    return found


def main() -> None:
    """Print the shares by kind of change, and by kind of difference."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--squares", type=Path, required=True, metavar="FILE.tsv")
    parser.add_argument("--half", choices=("choose", "held"))
    parser.add_argument("--cosine", action="store_true", help="add the cosine of the encoder")
    options = parser.parse_args()
    rows = [
        row
        for row in read_squares(options.squares)
        if options.half in (None, ("choose", "held")[crc32(row["id"].encode()) % 2])
    ]
    kinds = np.array([row["kind"] for row in rows])
    found = {side: found_kinds([(row["text"], row[side]) for row in rows]) for side in SIDES}
    apart = {side: np.array([not of_pair.isdisjoint(KEEP_APART) for of_pair in found[side]]) for side in SIDES}
    columns = dict(apart)
    if options.cosine:
        close = {side: cosine([(row["text"], row[side]) for row in rows]) for side in SIDES}
        columns["cosine: same first"] = close["same"] > close["changed"]
        columns["cosine: kept first"] = close["kept"] > close["changed"]
    print(f"| kind | sets | {' | '.join(columns)} |\n|---|--:|{'--:|' * len(columns)}")
    for kind in [*sorted(set(kinds)), "all"]:
        of_kind = kinds == kind if kind != "all" else np.ones(len(kinds), bool)
        shares = " | ".join(f"{values[of_kind].mean():.3f}" for values in columns.values())
        print(f"| {kind} | {of_kind.sum()} | {shares} |")
    print("\n| difference | changed | same | kept |\n|---|--:|--:|--:|")
    counts = {side: Counter(kind for of_pair in found[side] for kind in of_pair) for side in SIDES}
    for kind in sorted(set().union(*counts.values())):
        print(f"| {kind} | {' | '.join(f'{counts[side][kind] / len(rows):.3f}' for side in SIDES)} |")


if __name__ == "__main__":
    main()
