"""Train the spaCy pipeline that ships in features/data/pipeline: tags, lemmas, dependencies and entities.

Usage: python scripts/train_pipeline.py DATA [-o FOLDER] [--epochs N] [--seed N]
"""

import argparse
import hashlib
import json
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import spacy
from lemma_rules import learn_lemmas
from pipeline_card import write_card
from samewise.features.analysis.annotator import CHECKSUMS
from samewise.features.analysis.lemmas import LemmaRules
from spacy.lang.en import English
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam, Config, fix_random_seed
from treebank import GENRES, Tree, read_conllu, retokenised, varied

VERSION = "1.0.0"
CONFIG = """
[nlp]
lang = "en"
pipeline = ["tok2vec", "tagger", "parser", "ner"]

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 96
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [5000, 1000, 2500, 2500]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 96
depth = 4
window_size = 1
maxout_pieces = 3

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 96
upstream = "tok2vec"

[components.parser]
factory = "parser"
min_action_freq = 20

[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = false
hidden_width = 64
maxout_pieces = 2
use_upper = true

[components.parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 96
upstream = "tok2vec"

[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "ner"
extra_state_tokens = false
hidden_width = 64
maxout_pieces = 2
use_upper = true

[components.ner.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 96
upstream = "tok2vec"
"""


def read(data: Path, split: str, *names: str) -> list[Tree]:
    """Return the sentences of one split of the treebanks named, of ``ewt`` and ``gum`` if none is."""
    trees: list[Tree] = []
    for name in names or ("ewt", "gum"):
        path = data / f"ud/UD_English-{name.upper()}/en_{name}-ud-{split}.conllu.gz"
        trees += read_conllu(path, GENRES if name == "gum" else None, entities=name == "gum")
    return trees


def example(nlp: English, tree: Tree) -> Example:
    """Return the tree as a spaCy example."""
    n = len(tree.words)
    entities = None
    if tree.entities is not None:
        entities = ["O"] * n
        for start, end, label in tree.entities:
            entities[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    gold = Doc(
        nlp.vocab,
        words=list(tree.words),
        tags=list(tree.tags),
        heads=list(tree.heads),
        deps=["ROOT" if label == "root" else label for label in tree.relations],
        ents=entities,
    )
    return Example(Doc(nlp.vocab, words=list(tree.words), sent_starts=[i == 0 for i in range(n)]), gold)


def batches(trees: Sequence[tuple[Tree, Tree | None]], sizes: Iterator[float], random: Random) -> Iterator[list[Tree]]:
    """Yield one epoch in random order, in batches of about this many words, each sentence in one of its forms."""
    order = list(range(len(trees)))
    random.shuffle(order)
    batch: list[Tree] = []
    words, size = 0, next(sizes)
    for i in order:
        as_is, ours = trees[i]
        tree = varied(ours if ours is not None and random.random() < 0.8 else as_is, random)
        batch.append(tree)
        words += len(tree.words)
        if words >= size:
            yield batch
            batch, words, size = [], 0, next(sizes)
    if batch:
        yield batch


def growing() -> Iterator[float]:
    """Yield batch sizes in words that grow from 100 to 1,000, as spaCy's own recipe has them."""
    size = 100.0
    while True:
        yield size
        size = min(size * 1.001, 1000.0)


def evaluate(nlp: English, trees: Sequence[Tree], lemma_of: LemmaRules) -> dict[str, Any]:
    """Return accuracies in per cent on gold tokens, one sentence a document, with punctuation by default."""
    examples = [example(nlp, tree) for tree in trees]
    for item, doc in zip(examples, nlp.pipe([item.predicted for item in examples], batch_size=256), strict=True):
        item.predicted = doc
    tags = lemmas = words = 0
    correct = {"uas": 0, "las": 0, "uas_no_punct": 0, "las_no_punct": 0}
    no_punct = 0
    for item, tree in zip(examples, trees, strict=True):
        root = None
        for token, tag, lemma, head, label in zip(
            item.predicted, tree.tags, tree.lemmas, tree.heads, tree.relations, strict=True
        ):
            words += 1
            tags += token.tag_ == tag
            lemmas += lemma_of(token.lower_, token.tag_) == lemma.lower()
            found, relation = token.head.i, "root" if token.dep_ == "ROOT" else token.dep_
            if found == token.i:
                if root is None:
                    root = token.i
                else:
                    found, relation = root, "parataxis"
            uas, las = found == head, found == head and relation == label
            correct["uas"] += uas
            correct["las"] += las
            if label != "punct":
                no_punct += 1
                correct["uas_no_punct"] += uas
                correct["las_no_punct"] += las
    known = [item for item, tree in zip(examples, trees, strict=True) if tree.entities is not None]
    result = {"sentences": len(trees), "words": words, "tags": 100 * tags / words, "lemmas": 100 * lemmas / words}
    for key, value in correct.items():
        result[key] = 100 * value / (no_punct if key.endswith("no_punct") else words)
    if known:
        spans = Scorer.score_spans(known, "ents")
        result |= {f"ents_{k}": 100 * spans[f"ents_{k}"] for k in "prf"}
        result["ents_per_type"] = {
            label: round(100 * value["f"], 1) for label, value in sorted(spans["ents_per_type"].items())
        }
    return {key: round(value, 2) if isinstance(value, float) else value for key, value in result.items()}


def train(
    nlp: English,
    trees: Sequence[tuple[Tree, Tree | None]],
    dev: Sequence[Tree],
    lemma_of: LemmaRules,
    epochs: int,
    seed: int,
) -> dict[str, Any]:
    """Train in place, keep the parameters of the best epoch on dev, and return the facts to record."""
    initial = [example(nlp, tree) for pair in trees for tree in pair if tree is not None]
    nlp.initialize(lambda: initial)
    random = Random(seed)
    optimizer = Adam(0.001, L2=0.01, grad_clip=1.0, use_averages=True)
    total = epochs * sum(len(tree.words) for tree, _ in trees)
    best, best_bytes, seen, sizes, start = (0, -1.0), b"", 0, growing(), time.time()
    for epoch in range(1, epochs + 1):
        losses: dict[str, float] = {}
        for batch in batches(trees, sizes, random):
            optimizer.learn_rate = 0.001 * max(0.02, 1 - seen / total)
            nlp.update([example(nlp, tree) for tree in batch], drop=0.1, sgd=optimizer, losses=losses)
            seen += sum(len(tree.words) for tree in batch)
        with nlp.use_params(optimizer.averages):
            found = evaluate(nlp, dev, lemma_of)
            score = 0.3 * found["tags"] + 0.5 * found["las"] + 0.2 * found["ents_f"]
            if score > best[1]:
                best, best_bytes = (epoch, score), nlp.to_bytes()
        print(
            epoch,
            f"{seen / (time.time() - start):.0f} w/s {time.time() - start:.0f} s",
            round(score, 2),
            found,
            {k: round(v) for k, v in losses.items()},
            flush=True,
        )
    nlp.from_bytes(best_bytes)
    return {"epoch": best[0], "epochs": epochs, "seed": seed, "seconds": round(time.time() - start)}


def write(nlp: English, rules: dict[str, Any], out: Path) -> None:
    """Write the pipeline without the words that it was trained on; only its labels are looked up by name."""
    nlp.meta |= {
        "name": "samewise",
        "version": VERSION,
        "spacy_version": ">=3.8.0,<3.9.0",
        "description": "Tags, dependencies and entities of English sentences, one sentence a document",
        "license": "CC BY-SA 4.0",
    }
    shutil.rmtree(out, ignore_errors=True)
    nlp.to_disk(out)
    labels = {label for name in ("tagger", "parser", "ner") for label in nlp.get_pipe(name).labels}
    write_json(out / "vocab/strings.json", sorted({*labels, "ROOT", "dep"}))
    write_json(out / "lemmas.json", rules)


def write_json(path: Path, value: object, indent: int | None = None) -> None:
    """Write JSON; the same value gives the same bytes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


def describe(data: Path, out: Path, lemma_of: LemmaRules, record: dict[str, Any]) -> None:
    """Score the pipeline as written on the development and test splits and write its card."""
    nlp = spacy.load(out)
    scores = {}
    for split in ("dev", "test"):
        for name in ("ewt", "gum"):
            scores[f"{name}_{split}"] = evaluate(nlp, read(data, split, name), lemma_of)
    dev = read(data, "dev")
    right = [
        lemma_of(word.lower(), tag) == lemma.lower()
        for tree in dev
        for word, tag, lemma in zip(tree.words, tree.tags, tree.lemmas, strict=True)
    ]
    record |= {"version": VERSION, "lemmas_gold_tags": round(100 * sum(right) / len(right), 2)}
    used: dict[str, Any] = {}
    for name in ("ewt", "gum"):
        trees = read(data, "train", name)
        used[name] = {"sentences": len(trees), "words": sum(len(tree.words) for tree in trees)}
    used["gum"]["genres"] = sorted(GENRES)
    write_card(out, record, scores, used)


def seal(out: Path) -> None:
    """List the SHA-256 of every file that is loaded, all but the card."""
    left_out = {out / name for name in (CHECKSUMS, "README.md", "card.json")}
    files = sorted(path for path in out.rglob("*") if path.is_file() and path not in left_out)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out).as_posix()}" for path in files]
    (out / CHECKSUMS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Train, write, evaluate what was written, and describe it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder that holds ud/UD_English-EWT and ud/UD_English-GUM")
    parser.add_argument("-o", "--out", type=Path, default=Path("features/data/pipeline"))
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    trees = [(tree, retokenised(tree)) for tree in read(options.data, "train")]
    rules = learn_lemmas(tree for pair in trees for tree in pair if tree is not None)
    fix_random_seed(options.seed)
    nlp = English.from_config(Config().from_str(CONFIG))
    record = train(nlp, trees, read(options.data, "dev"), LemmaRules(**rules), options.epochs, options.seed)
    write(nlp, rules, options.out)
    record["command"] = f"python scripts/train_pipeline.py DATA --epochs {options.epochs} --seed {options.seed}"
    describe(options.data, options.out, LemmaRules(**rules), record)
    seal(options.out)


if __name__ == "__main__":
    main()
