"""Make the encoder of another language beside the shipped English one, from sentences and their English translations.

The network stays as it is; learned are the vectors of words and character n-grams that it reads (Artetxe et al.,
2020), so that the vector of a sentence comes near to that of its translation (Reimers and Gurevych, 2020) and
sentences as near to each other as their translations. They begin as the vectors of the English words that they are
aligned with. The same input, seed and libraries give the same bytes on one machine.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from mapped_folder import write_mapped
from measure_shared_space import held_out_figures
from parallel_text import (
    Pair,
    captions,
    emoji_names,
    learned_from,
    parallel_pairs,
    translated_by_apertium,
    translated_by_words,
    wordnet_pairs,
)
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.encoders.shared_space_encoder import (
    ENCODERS_HERE,
    SharedSpaceEncoder,
    load_encoder_of,
    shared_space_encoder,
)
from samewise.features.linguistics.normalisation import split_text
from sentence_encoder import SentenceEncoder
from shared_space_training import Body, Lesson, train
from subword_student import Student, Units, as_arrays, choose_keys, fit_start, read_units, start_of
from word_alignment import align, phrases

PHRASE = 5
"""Longest aligned phrases that are learned from, in words."""
LONGEST = 64
"""Longer texts, in words, are left out."""


class Teacher:
    """What the English encoder says of texts, each asked once; kept in a file if one is named."""

    def __init__(self, path: Path | None) -> None:
        self._encoder, self._path, self._known = SentenceEncoder(), path, dict[str, np.ndarray]()
        if path is not None and path.exists():
            with np.load(path) as kept:
                self._known = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Return a unit vector for each text, shape (n, d), float32."""
        new = sorted({text for text in texts if text not in self._known})
        if new:
            self._known |= dict(zip(new, self._encoder.encode(new), strict=True))
            if self._path is not None:
                kept = list(self._known)
                np.savez(self._path, texts=np.asarray(kept), vectors=np.stack([self._known[text] for text in kept]))
        return np.stack([self._known[text] for text in texts])


def aligned_phrases(pairs: Sequence[Pair], language: str, most: int, seed: int) -> list[Pair]:
    """Return phrases of two words or more that stand for each other in the pairs."""
    sides = [
        [split_text(text, code) for text in texts]
        for texts, code in (([pair.text for pair in pairs], language), ([pair.english for pair in pairs], "en"))
    ]
    numbers = [{}, {}]
    rows = [
        [[known.setdefault(token.text, len(known)) for token in text] for text in side]
        for side, known in zip(sides, numbers, strict=True)
    ]
    links = align(*rows)
    found = set()
    for number, start, stop, low, high in phrases(
        links, [(len(a), len(b)) for a, b in zip(*rows, strict=True)], PHRASE
    ):
        one, two = sides[0][number], sides[1][number]
        if stop - start > 1 and stop - start < len(one) - 1:
            text = pairs[number].text[one[start].span[0] : one[stop - 1].span[1]]
            found.add((text, pairs[number].english[two[low].span[0] : two[high - 1].span[1]]))
    ordered = sorted(found)
    chosen = np.random.default_rng(seed).permutation(len(ordered))[:most]
    return [Pair(*ordered[k], "phrase") for k in sorted(chosen.tolist())]


def make(pairs: Sequence[Pair], teacher: Teacher, options: argparse.Namespace) -> Iterator[dict[str, np.ndarray]]:
    """Yield the arrays of a table that is learned from pairs, after every epoch."""
    pairs = [pair for pair in pairs if 0 < len(pair.text.split()) <= LONGEST]
    units = read_units([pair.text for pair in pairs], options.language)
    english = read_units([pair.english for pair in pairs], "en")
    body = Body(options.half)
    pieces = body.pieces.numpy()
    whole = [shipped_encoder().tokens([word])[0].ids[1:-1] for word in english.words]
    vectors = np.concatenate([pieces, [pieces[ids].mean(axis=0) for ids in whole]])
    counts = np.bincount([unit for text in units.texts for unit in text], minlength=units.pieces + len(units.words))
    counts = counts[units.pieces :]
    keys = choose_keys(units.words, counts, options.rows, options.least, options.language)
    student = Student(units.words, keys, options.language)
    print(f"{len(pairs)} pairs, {len(units.words)} words, {len(student.keys)} rows", flush=True)
    table = fit_start(student, start_of(units, english, vectors), counts)
    kept = [row for row, text in enumerate(units.texts) if text]
    some = Units(units.words, units.pieces, [units.texts[row] for row in kept])
    goal = teacher([pairs[row].english for row in kept])
    place = {pairs[row].text: k for k, row in enumerate(kept)}
    rows = [row for row in learned_from(options.data, options.language) if all(text in place for text in row.texts)]
    both = np.asarray([[place[text] for text in row.texts] for row in rows], dtype=np.int64).reshape(-1, 2)
    lesson = Lesson(some, goal, both, np.asarray([row.score for row in rows], dtype=np.float32))
    for found in train(table, student, body, lesson, options):
        yield as_arrays(student.keys, found)


def matched(encoder: SharedSpaceEncoder, images: Sequence[tuple[list[str], list[str]]], teacher: Teacher) -> list[Pair]:
    """Return each caption with that English caption of its image that is nearest to it."""
    own = encoder.vectors([text for texts, _ in images for text in texts])
    goal = teacher([text for _, texts in images for text in texts])
    found, first, second = [], 0, 0
    for texts, english in images:
        best = (own[first : first + len(texts)] @ goal[second : second + len(english)].T).argmax(axis=1)
        found += [Pair(text, english[k], "captions") for text, k in zip(texts, best.tolist(), strict=True)]
        first, second = first + len(texts), second + len(english)
    return found


def main() -> None:
    """Read the pairs, train, measure, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--parallel", type=Path, help="tab-separated file, .gz too: English, then its translation")
    parser.add_argument("--captions", action="store_true", help="learn from Flickr8k too, which is for research use")
    parser.add_argument("--apertium", action="store_true", help="learn from English texts as Apertium translates them")
    parser.add_argument(
        "--words", action="store_true", help="learn from English texts put into words by the dictionary"
    )
    parser.add_argument("--emoji", action="store_true", help="learn from the names of emoji, too")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--rows", type=int, default=20_000, help="words and n-grams that are kept")
    parser.add_argument("--least", type=int, default=2, help="rarer words are left to their n-grams")
    parser.add_argument("--phrases", type=int, default=40_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--sample", type=int, default=10**9, help="so many texts without a score are drawn an epoch")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--scored", type=float, default=0.0, help="weight of the scores of STS Benchmark train")
    parser.add_argument("--half", action="store_true", help="train in 16 bits, where the processor has them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, help="file that keeps what the English encoder says")
    parser.add_argument("--out", type=Path, help="where to write; the package's folder of the language")
    options = parser.parse_args()
    torch.set_num_threads(1)  # always as many: sums are added in an order that depends on it
    out = options.out or ENCODERS_HERE / options.language
    pairs, held_out = parallel_pairs(options.data, options.language, options.parallel, encoder=True)
    pairs += wordnet_pairs(options.data, options.wordnet) if options.language == "ar" else []
    if options.apertium:
        pairs += translated_by_apertium(options.data, options.wordnet, options.language, options.seed)
    pairs += emoji_names(options.language) if options.emoji else []
    if options.words:
        pairs += translated_by_words(options.data, options.wordnet, options.language, pairs, options.seed)
    teacher = Teacher(options.kept)
    if options.captions:
        pairs += matched(shared_space_encoder(options.language), captions(options.data), teacher)
    if options.phrases:
        pairs += aligned_phrases(pairs, options.language, options.phrases, options.seed)
    sources = dict(Counter(pair.source for pair in pairs))
    print(sources)
    recorded = {
        name: str(value) for name, value in vars(options).items() if name not in ("data", "kept", "out", "wordnet")
    }
    facts = {"language": options.language, "options": recorded, "sources": sources}
    for arrays in make(pairs, teacher, options):
        write_mapped(out, arrays, encoder=shipped_encoder().digest, **facts)
    print(held_out_figures(load_encoder_of(out), held_out, options.data))


if __name__ == "__main__":
    main()
