"""Whether explanations add up: base and contributions less the score, at most, over pairs of tables.

Every model that ships explains the same pairs in one call. The largest deviation of ``base + sum of contributions -
score`` is told with the time a pair, features and alignment included; ``taskset -c 0`` in front tells that of one core.
"""

import argparse
import time
from itertools import islice

import numpy as np
from samewise.ensemble.loading import load
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.models.profiles import PROFILES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="+", help="tables with pairs, such as sts-dev.csv")
    parser.add_argument("--profiles", nargs="+", default=list(PROFILES), choices=PROFILES, metavar="PROFILE")
    parser.add_argument("--pairs", type=int, default=1_000, help="how many of each table, from its beginning")
    arguments = parser.parse_args()
    print(
        f"{'profile':10} {'pairs':>6} {'largest deviation':>18} {'predict, ms a pair':>20} {'explain, ms a pair':>20}"
    )
    for profile in arguments.profiles:
        model = load(profile)
        model.explain([("A dog runs.", "A dog is running.")])  # what is loaded once is loaded here
        pairs = [pair for path in arguments.data for pair in islice(read_pairs(path, None)[0], arguments.pairs)]
        begun = time.perf_counter()
        scores = model.predict_pairs(pairs).score
        predicted = time.perf_counter()
        found = model.explain(pairs)
        done = time.perf_counter()
        sums = np.asarray([each.base + sum(each.contributions.values()) for each in found])
        if [each.score for each in found] != scores.tolist():
            raise SystemExit(f"{profile}: an explanation is of another score than the prediction")
        cost = [1_000 * seconds / len(pairs) for seconds in (predicted - begun, done - predicted)]
        worst = np.abs(sums - scores).max()
        print(f"{profile:10} {len(pairs):6} {worst:18.1e} {cost[0]:20.1f} {cost[1]:20.1f}", flush=True)


if __name__ == "__main__":
    main()
