"""Distil the word vectors ``distilled`` from a sentence encoder.

A sentence's vector is the plain sum of those of its words, so the length of a word's vector is its weight. The vectors
begin as the encodings of each word alone, rotated to the directions in which sentences differ most and weighted
by smooth inverse frequency, as model2vec does (Tulkens and van Dongen, 2024). They are then trained so that sums come
near to the encodings of whole sentences, and sentences are as near to each other as their encodings. No score of a pair
is read. The same input, seed and libraries give the same bytes on one machine.
"""

import argparse
import csv
import gzip
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import wordfreq
from corpus import sentences
from samewise.features.analysis.analysis import analyse_texts
from samewise.features.arrays.ragged import Ragged, offsets_of
from sentence_encoder import SentenceEncoder
from torch.nn.functional import cosine_similarity, embedding_bag, normalize
from vector_folder import TARGET, write_vectors

NEIGHBOURS, BLOCK, BATCH = 64, 256, 1_024
CENTRES = 600
RELATIONAL = 20.0
"""Weight of the squared differences of cosines in the loss, beside one less the cosine with the encoder's vector."""
WORDS_ALONE = 0.1
"""Weight of the same loss on single words, which keeps them comparable by themselves."""


def variants(texts: Sequence[str], paraphrases: Path, count: int, chance: random.Random) -> list[str]:
    """Return sentences with a word left out, replaced by a paraphrase or by any other, or cut short.

    Beside their original sentences they show the student which words matter to the encoder, and how much.
    """
    partners = read_partners(paraphrases)
    pool = [text for text in texts if 3 <= text.count(" ") <= 24]
    some = chance.sample(pool, min(60_000, len(pool)))
    others = [word for text in some for word in text.split() if word.isalpha() and len(word) > 3]
    drawn = chance.sample(pool, min(count, len(pool)))
    return sorted({varied(text.split(), partners, others, chance) for text in drawn} - set(texts))


def read_partners(paraphrases: Path) -> dict[str, list[str]]:
    """Return the partners of each word of a table of paraphrases."""
    partners: dict[str, list[str]] = defaultdict(list)
    with gzip.open(paraphrases, "rt", encoding="utf-8") as file:
        for line in file:
            a, b = line.rstrip("\n").split("\t")[:2]
            partners[a].append(b)
            partners[b].append(a)
    return partners


def varied(words: list[str], partners: dict[str, list[str]], others: Sequence[str], chance: random.Random) -> str:
    """Return a sentence with a word left out, replaced by a paraphrase or by one of `others`, or cut short."""
    kind = chance.random()
    content = [i for i, word in enumerate(words) if len(word) > 3 and word.strip(".,").isalpha()]
    place = chance.choice(content or range(len(words)))
    if kind < 0.3:
        del words[place]
    elif kind < 0.85:
        known = partners.get(words[place].lower()) if kind < 0.65 else None
        words[place] = chance.choice(known or others)
    else:
        start = chance.randrange(len(words) - 1)
        stop = chance.randrange(start + 1, len(words))
        words = words[:start] + words[stop:] if len(words) - (stop - start) >= 3 else words[start:]
    return " ".join(words)


def choose_words(texts: Sequence[Sequence[str]], count: int) -> list[str]:
    """Return the most frequent words of English and of the texts, where they occur three times or more."""
    found = Counter(word for words in texts for word in words)
    total = sum(found.values())
    score = defaultdict(
        float, {word: wordfreq.word_frequency(word, "en") for word in wordfreq.top_n_list("en", 80_000)}
    )
    for word, times in found.items():
        if times > 2:
            score[word] = score.get(word, 0.0) + 0.3 * times / total
    return sorted(score, key=lambda word: (-score[word], word))[:count]


class Student:
    """Words and pieces, and sentences as rows of them."""

    def __init__(self, items: Sequence[str]) -> None:
        self.items = list(items)
        self._rows = {item: i for i, item in enumerate(items)}
        self._known: dict[str, list[int]] = {}

    def _cut(self, part: str) -> list[int]:
        # As `WordVectors` does it.
        rows: list[int] = []
        start = 0
        while start < len(part):
            prefix = "##" if start else ""
            stop = next(
                (s for s in range(min(len(part), start + 24), start, -1) if prefix + part[start:s] in self._rows), 0
            )
            if not stop:
                return []
            rows.append(self._rows[prefix + part[start:stop]])
            start = stop
        return rows

    def _of_word(self, word: str) -> list[int]:
        if word not in self._known:
            parts = [word] if word in self._rows else [part for part in word.replace("/", "-").split("-") if part]
            self._known[word] = [
                row for part in parts for row in ([self._rows[part]] if part in self._rows else self._cut(part))
            ]
        return self._known[word]

    def rows(self, texts: Sequence[Sequence[str]]) -> Ragged:
        """Return the rows of the words of each text."""
        found = [[row for word in words for row in self._of_word(word)] for words in texts]
        values = np.asarray([row for rows in found for row in rows], dtype=np.int64)
        return Ragged(values, offsets_of(np.asarray([len(rows) for rows in found])))


def sums(vectors: torch.Tensor, rows: Ragged) -> torch.Tensor:
    """Return the sum of the vectors of each row of words."""
    values, offsets = torch.from_numpy(rows.values), torch.from_numpy(rows.offsets[:-1])
    return embedding_bag(values, vectors, offsets, mode="sum")


def loss_of(student: torch.Tensor, teacher: torch.Tensor, block: int) -> torch.Tensor:
    """Return the distance of unit vectors from the teacher's, and of their cosines, within blocks of rows."""
    s, t = (side.view(-1, block, side.shape[1]) for side in (student, teacher))
    apart = (s @ s.transpose(1, 2) - t @ t.transpose(1, 2)) ** 2
    return (1 - (student * teacher).sum(dim=1)).mean() + RELATIONAL * apart.mean()


def neighbourhoods(teacher: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Return an order of the sentences in which neighbours of the same random sentence stand together."""
    centres = teacher[chance.choice(len(teacher), CENTRES, replace=False)]
    nearest = np.concatenate([(part @ centres.T).argmax(axis=1) for part in np.array_split(teacher, 16)])
    order = np.lexsort((chance.random(len(teacher)), chance.permutation(CENTRES)[nearest]))
    blocks = [order[start : start + NEIGHBOURS] for start in range(0, len(order), NEIGHBOURS)]
    return np.concatenate([blocks[k] for k in chance.permutation(len(blocks))])


def train(
    start: np.ndarray,
    rows: Ragged,
    teacher: np.ndarray,
    alone: np.ndarray,
    options: argparse.Namespace,
) -> np.ndarray:
    """Return the trained vectors, float32."""
    chance = np.random.default_rng(options.seed)
    vectors = torch.nn.Parameter(torch.from_numpy(start.copy()))
    optimiser = torch.optim.Adam([vectors], lr=options.rate)
    whole, words = torch.from_numpy(teacher), torch.from_numpy(alone)
    steps = options.epochs * (len(teacher) // BATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for epoch in range(options.epochs):
        order, total = neighbourhoods(teacher, chance), 0.0
        for first in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[first : first + BATCH]
            some = torch.from_numpy(chance.integers(0, len(start), BLOCK))
            loss = loss_of(normalize(sums(vectors, rows.take(chosen)), eps=1e-6), whole[chosen], BLOCK)
            loss = loss + WORDS_ALONE * loss_of(normalize(vectors[some], eps=1e-6), words[some], BLOCK)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / (len(order) // BATCH):.4f}", flush=True)
    return vectors.detach().numpy()


def correlation(vectors: np.ndarray, student: Student, path: Path) -> float:
    """Return Pearson's correlation of the cosines of sums with the scores of a file of STS Benchmark."""
    with path.open(encoding="utf-8") as file:
        table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    sides = [student.rows([sentence.words for sentence in analyse_texts([row[k] for row in table])]) for k in (5, 6)]
    a, b = (sums(torch.from_numpy(vectors), rows) for rows in sides)
    return float(np.corrcoef(cosine_similarity(a, b).numpy(), [float(row[4]) for row in table])[0, 1])


def kept_encodings(path: Path | None, encoder: SentenceEncoder, texts: Sequence[str]) -> np.ndarray:
    """Return the vectors of the texts, from a file if it is there; otherwise they are written to it."""
    if path is None or not path.exists():
        vectors = encoder.encode(texts)
        if path is not None:
            np.save(path, vectors)
        return vectors
    vectors = np.load(path)
    if len(vectors) != len(texts):
        raise SystemExit(f"{path} holds {len(vectors):,} vectors for {len(texts):,} texts; remove it")
    return vectors


def main() -> None:
    """Read and encode the corpus, train, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--words", type=int, default=32_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--variants", type=int, default=170_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=1.5e-2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--encodings", type=Path, help="file that keeps the encodings, the longest step")
    parser.add_argument("--out", type=Path, default=TARGET / "distilled")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(2)  # always as many: sums are added in an order that depends on it
    plain = sentences(options.data, options.wordnet)
    paraphrases = options.data / "ppdb" / "ppdb-1.0-xxxl-lexical.synonym-pairs.gz"
    texts = plain + variants(plain, paraphrases, options.variants, random.Random(options.seed))
    words = [sentence.words for sentence in analyse_texts(texts)]
    encoder = SentenceEncoder()
    pieces = [piece for piece in encoder.pieces if piece.startswith("##") or len(piece) == 1]
    student = Student(list(dict.fromkeys([*choose_words(words[: len(plain)], options.words), *pieces])))
    teacher = kept_encodings(options.encodings, encoder, texts)
    alone = encoder.encode([item.removeprefix("##") for item in student.items])
    directions = np.linalg.eigh(teacher.T @ teacher)[1][:, ::-1][:, : options.dimension]
    teacher, alone = teacher @ directions, alone @ directions
    zipf = np.asarray([wordfreq.zipf_frequency(item, "en", minimum=1.0) for item in student.items])
    zipf[[item.startswith("##") for item in student.items]] = 2.0
    start = alone * (1e-3 / (1e-3 + 10 ** (zipf - 9)))[:, None].astype(np.float32)
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (teacher, alone)]
    vectors = train(start, student.rows(words), *unit, options)
    for split in ("train", "dev"):
        path = options.data / "stsbenchmark" / f"sts-{split}.csv"
        before, after = (correlation(found, student, path) for found in (start, vectors))
        print(f"cosine of sums on STS Benchmark {split}: {before:.4f} at the start, {after:.4f} trained")
    write_vectors(options.out, student.items, vectors)


if __name__ == "__main__":
    main()
