"""Train the paragraph vectors (Le and Mikolov, 2014) of `research/lexicon/paragraph_models.py` with gensim.

The same input on the same kind of processor gives the same bytes. Needs gensim, which prediction does not.
"""

import argparse
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from corpus import sentences
from gensim.models.doc2vec import Doc2Vec, TaggedDocument
from mapped_folder import write_mapped
from samewise.features.analysis.analysis import analyse_texts
from samewise.features.base.mapped_arrays import facts_of
from samewise.features.base.token_sequences import text_hash
from samewise.research.lexicon.paragraph_models import FOLDER, WINDOW

MEMORY = {"dm": 1, "dm_mean": 1, "vector_size": 25, "window": WINDOW}
"""Distributed memory with the dimension and window of ECNU (Tian et al., 2017)."""

BAG = {"dm": 0, "vector_size": 50, "window": 5}
"""Distributed bag of words."""

COMMON = {"hs": 1, "negative": 0, "min_count": 8, "sample": 1e-4, "shrink_windows": False, "epochs": 10}
"""Hierarchical softmax, so that the likelihood of a text is explicit; rare words left out, frequent ones sampled."""


def _hash(word: str) -> int:
    return text_hash(word) & 0xFFFFFFFF


def train(texts: list[str], seed: int, **options: Any) -> Doc2Vec:
    """Return a model of the lower-case words of the texts, in one thread."""
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()
    analysed = analyse_texts(texts)
    documents = [TaggedDocument(list(analysed[place].words), [i]) for i, place in enumerate(order)]
    return Doc2Vec(documents, workers=1, seed=seed, hashfxn=_hash, **COMMON, **options)


def quantise(vectors: np.ndarray) -> tuple[np.ndarray, float]:
    """Return whole numbers from -127 to 127 and the one scale that makes them vectors."""
    scale = float(np.abs(vectors).max()) / 127
    return np.round(vectors / scale).astype(np.int8), scale


def pack(memory: Doc2Vec, bag: Doc2Vec) -> dict[str, np.ndarray]:
    """Return the arrays of `samewise.research.lexicon.paragraph_models.ParagraphModels`."""
    words = memory.wv.index_to_key
    assert words == bag.wv.index_to_key and len(words) < 1 << 15, "the models differ in their words, or have too many"
    hashes = np.asarray([text_hash(word) for word in words], dtype=np.uint64)
    order = np.argsort(hashes)

    def paths(model: Doc2Vec) -> list[np.ndarray]:
        facts = [(model.wv.get_vecattr(i, "point"), model.wv.get_vecattr(i, "code")) for i in order.tolist()]
        return [(nodes.astype(np.int64) << 1 | code).astype(np.uint16) for nodes, code in facts]

    found = paths(memory)
    assert all(map(np.array_equal, found, paths(bag))), "the models differ in their trees"
    count = np.asarray([memory.wv.get_vecattr(i, "count") for i in order.tolist()], dtype=np.float64)
    share = count / count.sum() / COMMON["sample"]
    kept = np.minimum((np.sqrt(share) + 1) / share, 1.0)
    arrays = {
        "hashes": hashes[order],
        "weights": np.maximum(np.round(255 * kept), 1).astype(np.uint8),
        "paths": np.concatenate(found),
        "path_offsets": np.cumsum([0, *map(len, found)]).astype(np.uint32),
    }
    # As many nodes as words less one; what follows them stands for no node.
    nothing = np.zeros((1, 1))
    tables = {
        "memory_words": memory.wv.vectors[order],
        "memory_nodes": np.concatenate([memory.syn1[: len(words) - 1], np.repeat(nothing, memory.vector_size, axis=1)]),
        "bag_nodes": np.concatenate([bag.syn1[: len(words) - 1], np.repeat(nothing, bag.vector_size, axis=1)]),
    }
    codes = {name: quantise(table) for name, table in tables.items()}
    scales = np.asarray([codes[name][1] for name in sorted(codes)])
    return arrays | {name: code for name, (code, _) in codes.items()} | {"scales": scales}


def main() -> None:
    """Read the sentences, train both models, write the arrays, print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the data sets that scripts/corpus.py reads")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of the database files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER)
    options = parser.parse_args()
    texts = sentences(options.data, options.wordnet)
    arrays = pack(train(texts, options.seed, **MEMORY), train(texts, options.seed, **BAG))
    write_mapped(
        options.output,
        arrays,
        sentences={"number": len(texts), **facts_of("\n".join(texts).encode())},
        options={"memory": {**COMMON, **MEMORY}, "bag": {**COMMON, **BAG}, "seed": options.seed},
        gensim=version("gensim"),
    )


if __name__ == "__main__":
    main()
