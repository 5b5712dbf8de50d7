"""Print what each feature costs in microseconds a pair, in one process, from made-up pairs of English words."""

import argparse
import time

from samewise.features import resolve
from samewise.features.analysis import analyse
from samewise.features.base import highest_level
from samewise.features.matrix import BATCH
from samewise.features.pairs import LEVELS
from samewise.features.resources import RESOURCES, Resources
from sentences import make_pairs


def main() -> None:
    """Measure the best of several batches for analysis and for every feature."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--features", default="*", help="a set or patterns, commas between")
    options = parser.parse_args()
    repeats = options.repeats
    features, _ = resolve(options.features.split(","))
    level = highest_level(features)
    pairs = list(make_pairs(BATCH * (repeats + 1), english=True))
    resources = Resources.fit(list(RESOURCES), analyse(pairs[:BATCH], "parsed").sentences)
    best: dict[str, float] = {}
    for repeat in range(1, repeats + 1):
        part = pairs[repeat * BATCH : (repeat + 1) * BATCH]
        started = time.perf_counter()
        batch = analyse(part)
        costs = {"analysis: tokens and stems": time.perf_counter() - started}
        for name, needed in (("tags and lemmas", "lexical"), ("with parse and entities", "parsed")):
            if LEVELS.index(needed) <= LEVELS.index(level):
                started = time.perf_counter()
                batch = analyse(part, needed)
                costs[f"analysis: {name}"] = time.perf_counter() - started - sum(costs.values())
        for value in features:
            started = time.perf_counter()
            value(batch, **resources)
            costs[value.full_name] = time.perf_counter() - started
        best = {name: min(cost, best.get(name, cost)) for name, cost in costs.items()}
    families: dict[str, float] = {}
    for name, cost in best.items():
        family = name.partition(":" if ":" in name else ".")[0]
        families[family] = families.get(family, 0.0) + cost
    print(f"{'feature':44} us/pair   (what features share is charged to the first that asks)")
    for name, cost in sorted(best.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost / BATCH * 1e6:7.1f}")
    print(f"\n{'family':44} us/pair")
    for name, cost in sorted(families.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost / BATCH * 1e6:7.1f}")
    print(f"{'total':44} {sum(families.values()) / BATCH * 1e6:7.1f}")


if __name__ == "__main__":
    main()
