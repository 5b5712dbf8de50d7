"""Add the word pieces of a language to the encoder of several languages, and measure the change.

The encoder knows 94 languages; it ships with the word pieces of eight. New pieces come after those that are there, from
the words of a list, one a line, the most frequent first, or of wordfreq. The layers stay as they are. Afterwards the
profile `multilingual` has to be fitted again, because a sentence of another language may be cut in another way:
`make train-multilingual`.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from make_encoder import write_encoder
from multilingual_pieces import piece_files, rows_of_language, tokenizer_of, word_shares
from multilingual_weights import FILE, Weights, read_weights, weights_file
from parallel_text import read_parallel
from samewise.features.encoders.multilingual import MOST_PIECES, NETWORK, encoder_folder, read_multilingual_encoder
from samewise.features.encoders.onnx_transformer import read_tokenizer
from samewise.features.linguistics.known_languages import LANGUAGES


def listed_shares(path: Path) -> dict[str, float]:
    """Return a share of running text for each word of a list, by its place (Zipf, 1935)."""
    words = list(dict.fromkeys(path.read_text(encoding="utf-8").split()))
    return {word: 0.1 / place for place, word in enumerate(words, 1)}


def present_rows(weights: Weights, described: bytes) -> list[int]:
    """Return the rows of the pieces of a tokenizer, in its order."""
    tokenizer = read_tokenizer(described, MOST_PIECES)
    place = {piece.text: row for row, piece in enumerate(weights.pieces)}
    return [place[str(tokenizer.id_to_token(number))] for number in range(tokenizer.get_vocab_size())]


def found_first(folder: Path, texts: list[str], english: list[str]) -> float:
    """Return the share of texts whose translation is the nearest among all translations."""
    encoder = read_multilingual_encoder(folder)
    nearest = (encoder.vectors(texts) @ encoder.vectors(english).T).argmax(axis=1)
    return float(np.mean([english[row] == own for row, own in zip(nearest.tolist(), english, strict=True)]))


def main() -> None:
    """Write the files of the encoder, and print what changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", help="ISO 639-1 code; features/linguistics/language_facts must have its file")
    parser.add_argument("--words", type=Path, help="a list of words; those of wordfreq otherwise")
    parser.add_argument("--parallel", type=Path, help="tab-separated: English, its translation; to measure with")
    parser.add_argument("--weights", type=Path, help=f"{FILE}; that of the installed package otherwise")
    parser.add_argument("--folder", type=Path, default=encoder_folder(), help="folder of the encoder")
    options = parser.parse_args()
    if options.language not in LANGUAGES:
        raise SystemExit(
            f"the language must have a file in features/linguistics/language_facts, got {options.language!r}; "
            "docs/extending.md writes one"
        )
    weights = read_weights(options.weights or weights_file())
    pairs = read_parallel(options.parallel, "file") if options.parallel else []
    texts, english = [pair.text for pair in pairs], [pair.english for pair in pairs]
    shares = listed_shares(options.words) if options.words else word_shares(options.language)
    before = (options.folder / "tokenizer.json").read_bytes()
    rows = present_rows(weights, before)
    needed = rows_of_language(tokenizer_of(weights, range(len(weights.pieces))), shares, [])
    new = sorted(needed.difference(rows))
    print(f"{len(needed):,} word pieces of {LANGUAGES[options.language].name}, {len(new):,} of them new")
    if pairs:
        print(f"translation found first among {len(pairs):,}: {found_first(options.folder, texts, english):.3f} before")
    manifest = json.loads((options.folder / "manifest.json").read_bytes())
    languages = list(dict.fromkeys([*manifest["languages"], options.language]))
    made = piece_files(weights, [*rows, *new]) | {NETWORK: (options.folder / NETWORK).read_bytes()}
    (options.folder / "manifest.json").unlink()
    write_encoder(options.folder, made, languages=languages, options=manifest["options"])
    if pairs:
        print(f"translation found first among {len(pairs):,}: {found_first(options.folder, texts, english):.3f} now")


if __name__ == "__main__":
    main()
