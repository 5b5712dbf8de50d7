"""Pairs/s of the word aligner on analysed sentences, beside the same aligner written without any tuning.

Both align the same pairs in one run and must agree. Prints where the time of the tuned one goes.
"""

import argparse
import time

from joblib import Parallel, delayed
from plain_aligner import PlainAligner
from pyinstrument import Profiler
from samewise.features.alignment.aligner import align
from samewise.features.alignment.coverage import links
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import PairBatch
from samewise.features.pipeline.matrix import BATCH
from sentences import make_pairs


def _seconds(batches: list[PairBatch]) -> float:
    started = time.perf_counter()
    for batch in batches:
        links(PairBatch(batch.sentences, batch.left, batch.right))  # without what the batch remembers
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--table", help="table of pairs; made-up English ones if not given")
    parser.add_argument("--pairs", type=int, default=4 * BATCH)
    parser.add_argument("--plain", type=int, default=150, help="pairs for the untuned aligner")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.table:
        from samewise.ensemble.tables.labelled_pairs import read_pairs

        pairs = read_pairs(options.table)[0][: options.pairs]
    else:
        pairs = list(make_pairs(options.pairs, english=True))
    whole = analyse(pairs, level="parsed")
    batches = [whole[start : start + BATCH] for start in range(0, len(whole), BATCH)]
    alone = len(pairs) / min(_seconds(batches) for _ in range(3))
    with Parallel(n_jobs=options.workers) as parallel:
        shares = [batches[k :: options.workers] for k in range(options.workers)]
        parallel(delayed(_seconds)(share[:1]) for share in shares)  # start the processes
        times = []
        for _ in range(3):
            started = time.perf_counter()
            parallel(delayed(_seconds)(share) for share in shares)
            times.append(time.perf_counter() - started)
    step = max(len(whole) // options.plain, 1)
    some = [whole[row] for row in range(0, len(whole), step)][: options.plain]
    started = time.perf_counter()
    plain = [PlainAligner(*pair).run() for pair in some]
    untuned = len(some) / (time.perf_counter() - started)
    equal = sum(found == {(x.i, x.j): x.stage for x in align(*pair)} for pair, found in zip(some, plain, strict=True))
    print(f"aligner, 1 process       {alone:8.0f} pairs/s")
    print(f"aligner, {options.workers} processes     {len(pairs) / min(times):8.0f} pairs/s")
    print(f"untuned aligner          {untuned:8.1f} pairs/s; {equal} of {len(some)} alignments equal")
    print(f"ratio, 1 process         {alone / untuned:8.0f}")
    with Profiler(interval=0.0005) as profiler:
        _seconds(batches)
    print(profiler.output_text(show_all=False))


if __name__ == "__main__":
    main()
