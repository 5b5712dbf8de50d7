"""Print what each information content of WordNet is worth on STS Benchmark: fitted on train, measured on dev.

The kinds are those of the shipped arrays, counts of the nouns and verbs of the English Web Treebank, and with
``--nltk`` every file of the package ``wordnet_ic``. Four columns go
into a linear regression: the mean best similarity by path and by the three measures of content (Mihalcea et al., 2006),
nouns and verbs by WordNet, other words by identity alone. The regression on path alone stands for no content.
"""

import argparse
import gzip
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from samewise.ensemble.evaluation.metrics import pearson, pearson_interval
from samewise.ensemble.evaluation.system_comparison import compare
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.ragged import ratio
from samewise.features.base.sentences import PairBatch
from samewise.features.lexicon.wordnet import CLASS_OF_KIND, CLASSES, wordnet
from samewise.features.lexicon.wordnet_folder import PREFIX, BuiltWordNet
from samewise.features.word_similarity.lexical_similarity import WordNetMeasure, best
from samewise.features.word_similarity.word_grids import content_grid
from samewise.research.wordnet.wordnet_builder import build_wordnet
from sklearn.linear_model import LinearRegression

CONTENT = ("res", "lin", "jcn")
COMPARED = (0, 1)
"""Nouns and verbs."""
TAGS = {"NOUN": 0, "VERB": 1}
PATH = "path alone"


def of_packages(data: Path, target: Path) -> BuiltWordNet:
    """Return the WordNet of NLTK's packages with every file of information content."""
    files = sorted(path.name for path in (data / "corpora" / "wordnet_ic").glob("*.dat"))
    return build_wordnet(target / "built", information_content=files, data=data).wordnet


def lemmas_of(treebank: Path) -> Iterator[tuple[str, int]]:
    """Yield the lemma and part of speech of every noun and verb of a treebank."""
    with gzip.open(treebank, "rt", encoding="utf-8") as file:
        for line in file:
            fields = line.split("\t")
            if len(fields) > 3 and fields[3] in TAGS:
                yield fields[2].lower(), TAGS[fields[3]]


def counted(net: BuiltWordNet, uses: Mapping[tuple[str, int], int], smoothing: float) -> np.ndarray:
    """Return counts of synsets: each use of a word is split over its senses and counts for all their hypernyms."""
    words = net.word_ids([lemma for lemma, _ in uses], [kind for _, kind in uses])
    senses = net.senses(words)
    share = np.asarray(list(uses.values())) / np.maximum(senses.lengths, 1)
    own = np.bincount(senses.values, weights=share[senses.rows], minlength=len(net.kinds))
    above = net.ancestors(np.arange(len(own))).synsets
    total = np.bincount(above.values, weights=own[above.rows], minlength=len(own))
    roots = np.bincount(CLASS_OF_KIND[net.kinds], weights=own, minlength=len(CLASSES))
    return np.concatenate([total, roots]) + smoothing


def columns_of(batch: PairBatch, net: BuiltWordNet, kind: str) -> np.ndarray:
    """Return the columns by a kind of content, path first, shape (n, 4)."""
    pairs = batch.with_tables({"wordnet": net})
    return np.stack([mean_best(pairs, WordNetMeasure(name, COMPARED, kind)) for name in ("path", *CONTENT)], axis=1)


def mean_best(pairs: PairBatch, measure: WordNetMeasure) -> np.ndarray:
    """Return the mean over both sentences of the mean best similarity of their content words, shape (n,)."""
    grid = content_grid(pairs)
    best_a, best_b = best(pairs, grid, measure)
    sums = grid.sums(best_a * grid.count_a, best_b * grid.count_b)
    a, b = (ratio(*side) for side in zip(sums, grid.sizes, strict=True))
    return np.minimum((a + b) / 2, 1.0)


def main() -> None:
    """Print one line a kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--nltk", type=Path, help="folder of NLTK's data with the packages wordnet and wordnet_ic")
    options = parser.parse_args()
    parts = []
    for name in ("train", "dev"):
        path = options.data / "stsbenchmark" / f"sts-{name}.csv"
        pairs, scores, _ = read_pairs(path)
        parts.append((analyse(pairs, "lexical"), need_scores(scores, str(path))))
    (train, gold_train), (dev, gold) = parts
    uses = Counter(lemmas_of(options.data / "ud" / "UD_English-EWT" / "en_ewt-ud-train.conllu.gz"))
    predictions, alone = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        shipped = wordnet()
        net = of_packages(options.nltk, Path(folder)) if options.nltk else BuiltWordNet(shipped.arrays, shipped.digest)
        counts = {"ewt": counted(net, uses, 0.0), "ewt-add1": counted(net, uses, 1.0)}
        arrays = net.arrays | {PREFIX + kind: values for kind, values in counts.items()}
        net = BuiltWordNet(arrays, net.digest)
        for kind in net.information:
            x, y = (columns_of(batch, net, kind) for batch in (train, dev))
            predictions.setdefault(PATH, LinearRegression().fit(x[:, :1], gold_train).predict(y[:, :1]))
            predictions[kind] = LinearRegression().fit(x, gold_train).predict(y)
            alone[kind] = [pearson(gold, y[:, column]) for column in range(1, len(CONTENT) + 1)]
    print(f"{sum(uses.values()):,} nouns and verbs counted; {len(gold_train):,} pairs of train, {len(gold):,} of dev")
    print("| content | res | lin | jcn | regression | difference from path alone |\n|---|---|---|---|---|---|")
    for row in compare(gold, predictions, reference=PATH).rows:
        low, high = pearson_interval(gold, predictions[row.system])
        shown = [f"{value:.3f}" for value in alone.get(row.system, [])] or [""] * len(CONTENT)
        gap = row.difference
        difference = "" if gap is None else f"{gap.value:+.4f} ({gap.low:+.4f} to {gap.high:+.4f})"
        fitted = f"{pearson(gold, predictions[row.system]):.4f} ({low:.3f} to {high:.3f})"
        print(f"| {' | '.join([row.system, *shown, fitted, difference])} |")


if __name__ == "__main__":
    main()
