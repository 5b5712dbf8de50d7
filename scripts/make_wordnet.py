"""Turn the database files of WordNet 3.0 (Miller, 1995) into the arrays of `features/lexicon/wordnet.py`.

The same input gives the same bytes. Word frequencies come from the package wordfreq.
"""

import argparse
from pathlib import Path

from mapped_folder import write_mapped
from samewise.research.wordnet.wordnet_builder import arrays_with_counts, facts_of_source
from samewise.research.wordnet.wordnet_files import folder_files, licence_of, read_database
from samewise.research.wordnet.wordnet_lexicon import lexicon_of

TARGET = Path(__file__).resolve().parent.parent / "features" / "data" / "wordnet-3.0"


def main() -> None:
    """Read the database, write the arrays, print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files")
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    options = parser.parse_args()
    files = folder_files(options.wordnet)
    write_mapped(options.output, arrays_with_counts(lexicon_of(read_database(files))), **facts_of_source(files))
    (options.output / "LICENSE").write_text(licence_of(files), encoding="utf-8")


if __name__ == "__main__":
    main()
