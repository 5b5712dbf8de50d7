"""Print what each feature costs in microseconds a pair, extracted in one process from made-up pairs."""

import argparse
import time

from samewise.features import all_features
from samewise.features.analysis import analyse
from samewise.features.matrix import BATCH
from samewise.features.resources import RESOURCES, Resources
from sentences import make_pairs


def main() -> None:
    """Measure the best of several batches for analysis and for every feature."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    pairs = list(make_pairs(BATCH * (repeats + 1)))
    resources = Resources.fit(list(RESOURCES), analyse(pairs[:BATCH]).sentences)
    best: dict[str, float] = {}
    for repeat in range(1, repeats + 1):
        part = pairs[repeat * BATCH : (repeat + 1) * BATCH]
        started = time.perf_counter()
        batch = analyse(part)
        costs = {"analysis": time.perf_counter() - started}
        for value in all_features():
            started = time.perf_counter()
            value(batch, **resources)
            costs[value.full_name] = time.perf_counter() - started
        best = {name: min(cost, best.get(name, cost)) for name, cost in costs.items()}
    families: dict[str, float] = {}
    for name, cost in best.items():
        families[name.partition(".")[0]] = families.get(name.partition(".")[0], 0.0) + cost
    print(f"{'feature':44} us/pair   (what features share is charged to the first that asks)")
    for name, cost in sorted(best.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost / BATCH * 1e6:7.1f}")
    print(f"\n{'family':44} us/pair")
    for name, cost in sorted(families.items(), key=lambda item: -item[1]):
        print(f"{name:44} {cost / BATCH * 1e6:7.1f}")
    print(f"{'total':44} {sum(families.values()) / BATCH * 1e6:7.1f}")


if __name__ == "__main__":
    main()
