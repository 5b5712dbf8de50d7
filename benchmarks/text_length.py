"""Processor time of each step that reads a text, by the length of the text, and the exponent of its growth.

The texts are of kinds that make a careless step quadratic. An exponent of 1 is linear; it is counted from the two
longest texts and only where the longer one takes at least 0.05 s. Beside each step stands its time over that of
``text.split()`` on the same text, in the same run.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator

from samewise.apps.labels.selection import character_similarity
from samewise.ensemble.loading import ModelRef
from samewise.features.analysis.analysis import analyse, normalise
from samewise.features.base.caches import SentenceCache
from samewise.features.linguistics.languages import Languages

OTHER = "A dog runs across the wet street."

KINDS = {
    "sentences": "The old man plays a guitar, and two dogs run. ",
    "marks": "\u0301\u0323",
    "marked letters": "e" + "\u0301\u0323" * 20,
    "one word": "x",
    "blanks": " \t",
    "digits": "1234567890",
    "commas": "1,",
    "brackets": "(",
    "quotes": "\"'",
    "emoji": "\U0001f468\u200d",
    "right to left": "\u202e\u05d0\u202c",
    "jamo": "\u1100\u1161\u11a8",
    "half-width": "\uff8a\uff9e\u0301",
    "zero width": "\u200b",
    "surrogates": "\ud800",
    "links": "http://a.example/b?c=d&e=f#",
    "contractions": "n't'll ",
    "alternating": "a\u0301 1.",
}


def steps() -> dict[str, Callable[[str], object]]:
    """Return functions of a text, by name, none of which keeps anything."""

    def nothing_kept(ref: ModelRef) -> Callable[[str], object]:
        model = ref.load().with_sentence_cache(SentenceCache(budget=0))
        return lambda text: model.predict_pairs([(text, OTHER)])

    surface = ModelRef("surface").load().with_sentence_cache(SentenceCache(budget=0))
    return {
        "normalise": normalise,
        "analyse tokens": lambda text: analyse([(text, OTHER)]),
        "analyse lexical": lambda text: analyse([(text, OTHER)], "lexical"),
        "analyse parsed": lambda text: analyse([(text, OTHER)], "parsed"),
        "identify language": lambda text: analyse([(text, OTHER)], languages=Languages()),
        "edit distance": lambda text: character_similarity([(text, text[1:])]),
        "explain surface": lambda text: surface.explain([(text, OTHER)]),
        "surface": nothing_kept(ModelRef("surface")),
        "fast": nothing_kept(ModelRef("fast")),
        "full": nothing_kept(ModelRef("full")),
        "surface auto": nothing_kept(ModelRef("surface", languages="auto")),
        "translate words": nothing_kept(ModelRef("surface", languages="es-en", translate="dictionary")),
    }


def lengths(most: int) -> Iterator[int]:
    """Yield 10,000 and its tenfolds up to `most`."""
    length = 10_000
    while length <= most:
        yield length
        length *= 10


def seconds(step: Callable[[str], object], text: str) -> float:
    """Return the processor time of a step."""
    begin = time.process_time()
    step(text)
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=10_000_000, help="characters of the longest text")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of text, separated by commas")
    parser.add_argument("--steps", help="names of steps, separated by commas; all if not given")
    options = parser.parse_args()
    measured = steps()
    if options.steps:
        measured = {name: measured[name] for name in options.steps.split(",")}
    sizes = list(lengths(options.most))
    heads = "".join(f"{f'{size:,}':>12}" for size in sizes)
    print(f"{'step':<18}{'kind':<16}{heads}{'exponent':>10}{'/ split':>9}")
    worst = 0.0
    for name, step in measured.items():
        step(OTHER)
        for kind in options.kinds.split(","):
            texts = [(KINDS[kind] * (size // len(KINDS[kind]) + 1))[:size] for size in sizes]
            times = [seconds(step, text) for text in texts]
            peer = max(seconds(str.split, texts[-1]), 1e-4)
            grown = len(times) > 1 and times[-1] >= 0.05
            exponent = math.log10(times[-1] / max(times[-2], 1e-3)) if grown else math.nan
            worst = max(worst, exponent) if grown else worst
            figures = "".join(f"{value:12.3f}" for value in times)
            print(f"{name:<18}{kind:<16}{figures}{exponent:10.2f}{times[-1] / peer:9.0f}", flush=True)
    print(f"largest exponent {worst:.2f}")


if __name__ == "__main__":
    main()
