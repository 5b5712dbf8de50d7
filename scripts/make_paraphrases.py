"""Compile the lexical synonym pairs of PPDB into the table that `samewise.features.lexicon.paraphrases` reads."""

import argparse
import gzip
import hashlib
from pathlib import Path

import numpy as np
from samewise.features.lexicon.dictionaries import pack_words
from samewise.features.lexicon.paraphrases import FILE, SHA256
from samewise.models.npz import pack_arrays

SOURCE = Path("ppdb", "ppdb-1.0-xxxl-lexical.synonym-pairs.gz")


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the listed pairs of lower-case words, as listed."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").replace("\r\n", "\n").removesuffix("\n").split("\n")
    pairs = [tuple(line.lower().split("\t")) for line in lines]
    bad = [number for number, pair in enumerate(pairs, 1) if len(pair) != 2 or not all(pair)]
    if bad:
        raise ValueError(f"line {bad[0]} of {path} must be word, tab, word; use the list as it was published")
    return [(a, b) for a, b in pairs if a != b]


def compile_pairs(pairs: list[tuple[str, str]]) -> dict[str, np.ndarray]:
    """Return the arrays of `samewise.features.lexicon.paraphrases.Paraphrases`."""
    words, text = pack_words(word for pair in pairs for word in pair)
    index = {word: i for i, word in enumerate(words)}
    edges = np.array(sorted({tuple(sorted((index[a], index[b]))) for a, b in pairs}), dtype=np.uint32).reshape(-1, 2)
    counts = np.bincount(edges[:, 0], minlength=len(words))
    if counts.max() > 255:
        raise ValueError(
            f"{words[counts.argmax()]!r} has {counts.max()} partners, more than a byte holds; widen `counts`"
        )
    return {
        "words": text,
        "counts": counts.astype(np.uint8),
        "partners": edges[:, 1],
    }


def main() -> None:
    """Write the table and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help=f"the folder that holds {SOURCE}, one tab-separated pair a line")
    pairs = read_pairs(parser.parse_args().data / SOURCE)
    arrays = compile_pairs(pairs)
    packed = pack_arrays(arrays)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_bytes(packed)
    made = hashlib.sha256(packed).hexdigest()
    print(f"{len(pairs):,} lines, {len(arrays['partners']):,} pairs of {len(arrays['counts']):,} words")
    print(f"{FILE.name}: {len(packed):,} bytes, SHA-256 {made}")
    if made != SHA256:
        print("This table is new: set SHA256 in features/lexicon/paraphrases.py and in the README beside the table.")


if __name__ == "__main__":
    main()
