"""Print what each feature costs in microseconds of one core a pair, from made-up pairs of English words.

Together: in one pass over the catalogue, what features share charged to the first that asks; these figures add up.
Alone: on an analysed batch of which nothing is known yet, with all that the feature needs; these depend on no order, so
they are what `--write` stores for `samewise features list`, beside what each level of the analysis adds.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import numpy as np
from samewise.features import resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import highest_level
from samewise.features.base.sentences import LEVELS, PairBatch
from samewise.features.pipeline import catalogue
from samewise.features.pipeline.matrix import BATCH
from samewise.features.pipeline.registry import RESOURCES, Resources
from sentences import make_pairs

COSTS = Path(catalogue.__file__).parents[1] / "data" / "costs.json"
ANALYSIS = {"tokens": "tokens and stems", "lexical": "tags and lemmas", "parsed": "parse and entities"}
"""What each level adds to the one before."""
SLOWEST = 5


def main() -> None:
    """Measure the best of several batches for analysis and for every feature."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--features", default="*", help="a set or patterns, commas between")
    parser.add_argument("--write", action="store_true", help=f"store the figures in {COSTS.name}")
    options = parser.parse_args()
    if options.write and options.features != "*":
        parser.error("--write stores the costs of all features; leave --features out")
    repeats = options.repeats
    features, _ = resolve(options.features.split(","))
    level = highest_level(features)
    pairs = list(make_pairs(BATCH * (repeats + 1), english=True))
    resources = Resources.fit(list(RESOURCES), analyse(pairs[:BATCH], "parsed").sentences)
    # What needs something of the user's cannot be measured here.
    features = tuple(value for value in features if all(need in resources for need in value.needs))
    together: dict[str, float] = {}
    alone: dict[str, float] = {}
    for repeat in range(1, repeats + 1):
        part = pairs[repeat * BATCH : (repeat + 1) * BATCH]
        costs: dict[str, float] = {}
        by_itself: dict[str, float] = {}
        for needed, name in ANALYSIS.items():
            if needed == "tokens" or LEVELS.index(needed) <= LEVELS.index(level):
                started = time.process_time()
                batch = analyse(part, needed)
                costs[f"analysis: {name}"] = time.process_time() - started - sum(costs.values())
        for value in features:
            started = time.process_time()
            value(batch, **resources)
            costs[value.full_name] = time.process_time() - started
        for value in features:
            fresh = PairBatch(batch.sentences, batch.left, batch.right)
            started = time.process_time()
            value(fresh, **resources)
            by_itself[value.full_name] = time.process_time() - started
        for best, found in ((together, costs), (alone, by_itself)):
            best |= {name: min(cost / BATCH * 1e6, best.get(name, np.inf)) for name, cost in found.items()}
    _report(together, alone)
    if options.write:
        facts = {"unit": "microseconds of one core a pair", "machine": platform.machine(), "pairs": BATCH}
        facts |= {"python": platform.python_version(), "numpy": np.__version__}
        analysis = {level: together[f"analysis: {name}"] for level, name in ANALYSIS.items()}
        figures = {"analysis": analysis, "alone": alone}
        rounded = {kind: {name: round(cost, 1) for name, cost in found.items()} for kind, found in figures.items()}
        COSTS.write_text(json.dumps({"measured": facts, **rounded}, indent=1) + "\n", encoding="utf-8")


def _report(together: dict[str, float], alone: dict[str, float]) -> None:
    families: dict[str, float] = {}
    for name, cost in together.items():
        family = name.partition(":" if ":" in name else ".")[0]
        families[family] = families.get(family, 0.0) + cost
    print(f"{'feature':44} together  alone   (us/pair)")
    for name, cost in sorted(together.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost:8.1f}  {f'{alone[name]:5.1f}' if name in alone else ''}".rstrip())
    print(f"\n{'family':44} us/pair")
    for name, cost in sorted(families.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost:8.1f}")
    print(f"{'total':44} {sum(families.values()):8.1f}")
    print(f"\nthe slowest {SLOWEST}, alone")
    for name, cost in sorted(alone.items(), key=lambda item: -item[1])[:SLOWEST]:
        print(f"{name:44} {cost:8.1f}")


if __name__ == "__main__":
    main()
