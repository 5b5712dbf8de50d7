"""Couples of texts that must stay apart: how many of them `dedupe` puts into one group, by profile and kind.

The two texts of a couple are nearly the same and mean something else; `data/apart.csv` has them, written for this
benchmark (CC BY 4.0). All texts are given to `dedupe` at once, with its own threshold and rules.

    python benchmarks/apart.py --profiles surface fast full
    python benchmarks/apart.py --couples my.csv     # columns id, kind, text; two rows a couple, one after the other
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

import samewise

COUPLES = Path(__file__).parent / "data" / "apart.csv"


def couples_in(path: Path) -> tuple[list[str], list[str]]:
    """Return the texts of a file, two a couple, and the kind of each couple."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = [row["kind"] for row in rows]
    if len(rows) % 2 or kinds[::2] != kinds[1::2]:
        raise SystemExit(f"{path} must have two rows of one kind for each couple; correct the file")
    return [row["text"] for row in rows], kinds[::2]


def main() -> None:
    """Print the couples that are put together, by kind, and their texts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--couples", type=Path, default=COUPLES, metavar="FILE.csv")
    parser.add_argument("--profiles", nargs="+", default=["surface", "fast", "full"])
    options = parser.parse_args()
    texts, kinds = couples_in(options.couples)
    together = {}
    for profile in options.profiles:
        groups = samewise.dedupe(texts, model=profile).representatives
        together[profile] = [k for k in range(len(kinds)) if groups[2 * k] == groups[2 * k + 1]]
    print(f"| kind | couples | {' | '.join(together)} |\n|---|--:|{'--:|' * len(together)}")
    by_kind = {profile: Counter(kinds[k] for k in found) for profile, found in together.items()}
    for kind, count in sorted(Counter(kinds).items()):
        print(f"| {kind} | {count} | {' | '.join(str(found[kind]) for found in by_kind.values())} |")
    print(f"| all | {len(kinds)} | {' | '.join(str(len(found)) for found in together.values())} |")
    for profile, found in together.items():
        for k in found:
            print(f"{profile}: {texts[2 * k]} / {texts[2 * k + 1]}")


if __name__ == "__main__":
    main()
