"""Print what contrast squares are like: kinds, domains, word overlap, lengths, openings, and texts that stand twice.

    python benchmarks/describe_squares.py data/contrasts/squares-*.tsv

Whoever writes squares runs it after every batch; data/contrasts/GUIDE.md says what to aim at.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from overlap_auc import word_overlap
from samewise.ensemble.contrasts.squares import ONE, OTHER, SIDES, read_squares, square_pairs

LENGTHS = ((0, 8), (9, 18), (19, 10_000))
"""Least and most words of short, middle and long texts."""


def counted(values: list[str], most: int | None = None) -> str:
    """Return values with their counts, the most frequent first."""
    return ", ".join(f"{value} {count}" for value, count in Counter(values).most_common(most))


def main() -> None:
    """Describe the squares of all tables together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+", metavar="FILE.tsv")
    rows = [row for path in parser.parse_args().tables for row in read_squares(path)]
    texts = [row["text"] for row in rows]
    overlap = word_overlap(square_pairs(rows)).reshape(len(rows), -1)
    lengths = np.array([len(text.split()) for text in texts])
    parts = [int(((least <= lengths) & (lengths <= most)).sum()) for least, most in LENGTHS]
    turned = overlap[:, SIDES.index(("text", "same"))] > overlap[:, SIDES.index(("text", "changed"))]
    stand = Counter(" ".join(row[side].lower().split()) for row in rows for side in (*ONE, *OTHER))
    print(f"{len(rows):,} squares")
    print("word overlap:", ", ".join(f"{a}/{b} {overlap[:, n].mean():.2f}" for n, (a, b) in enumerate(SIDES)))
    print(f"squares whose `same` shares more words with `text` than `changed` does: {turned.mean():.0%}")
    print("texts of up to 8, 18 and more words:", ", ".join(map(str, parts)))
    print("kinds:", counted([row["kind"] for row in rows]))
    print("domains:", counted([row["domain"] for row in rows]))
    print("openings:", counted([" ".join(text.lower().split()[:2]) for text in texts], 6))
    print("texts that stand twice:", [text for text, count in stand.items() if count > 1][:5])


if __name__ == "__main__":
    main()
