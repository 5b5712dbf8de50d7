"""Errors of models that are adapted to few labels of everyday text, without and with points by a summary of each pair.

Tickets and products: pairs are drawn as `deciders` draws them, `labels` pairs of one half of the groups to adapt to and
the pairs of the other half to judge, half of them the same. A pair is called the same from a probability of 0.5. The
pairs that are not the same are the nearest of their table, so that whoever never says "same" is wrong on half of them.

Answers: points from 0 to 2 for answers to a question, beside its reference. A model is adapted to `graded` answers to
one question and judged on the others to it ("one question"), or to `labels` answers to two thirds of the questions and
judged on all answers to the others ("other questions"). Errors are root mean squares, in points.
"""

import argparse
import csv
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from deciders import Pairs, drawn, scored
from samewise.ensemble.core.adaptation import Adaptation, CorrectedCombination, Labelled, adapted, adapted_to_yes_and_no
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.core.summary_correction import SummaryCorrection, summary_of
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import highest_level
from samewise.models.member import scores_of_member

from samewise import load

BATCH = 1_000
HIGHEST = 2.0  # points for an answer


def labelled(profile: str, texts: Sequence[tuple[str, str]], gold: np.ndarray) -> Labelled:
    """Return pairs of texts and their gold scores, 0..5, as a profile sees them; each is a group."""
    model = load(profile)
    level = highest_level((model, SummaryCorrection()))
    parts = [model.extract(model.analyse(texts[at : at + BATCH], level)) for at in range(0, len(texts), BATCH)]
    matrix = type(parts[0])(np.concatenate([part.values for part in parts]), model.columns)
    scores = [[scores_of_member(member, part) for member in model.members] for part in parts]
    summaries = [summary_of(part.pairs) for part in parts if part.pairs is not None]
    summary = type(matrix)(np.concatenate([part.values for part in summaries]), summaries[0].columns)
    return Labelled(np.hstack(scores).T, matrix, gold, np.arange(len(gold)), summary)


def tried(
    fit: Callable[[Labelled], Adaptation], pairs: Labelled, chosen: Counter[str]
) -> tuple[CorrectedCombination, CorrectedCombination]:
    """Return the model adapted to pairs without the summary and with it, and count the changes of the second."""
    found = fit(pairs)
    chosen[found.chosen] += 1
    return fit(pairs._replace(summary=None)).corrected, found.corrected


def decisions(path: Path, profile: str, draws: int, labels: int, kept: Path | None) -> None:
    """Print the share of errors on a table of tickets or products."""
    table, model = scored(path, profile, kept), load(profile)
    parts = list(drawn(table, draws, labels))
    places = sorted({place for both in parts for pairs in both for place in zip(*map(list, pairs[:2]), strict=True)})
    seen = labelled(profile, [(table.texts[i], table.texts[j]) for i, j in places], np.zeros(len(places)))
    row_of = {place: row for row, place in enumerate(places)}

    def of(pairs: Pairs) -> Labelled:
        found = list(zip(*map(list, pairs[:2]), strict=True))
        groups = sentence_groups(analyse([(table.texts[i], table.texts[j]) for i, j in found], "text"))
        rows = seen.take(np.asarray([row_of[place] for place in found]))
        return rows._replace(gold=5.0 * pairs.same, groups=groups)

    chosen: Counter[str] = Counter()
    errors, losses = [], []
    for pairs, others in ((of(chosen_half), of(other_half)) for chosen_half, other_half in parts):
        rules = tried(lambda part: adapted_to_yes_and_no(model.combination, False, part), pairs, chosen)
        points = [rule.apply(others) for rule in rules]
        yes = [np.clip(np.where(others.gold > 0, each, 5.0 - each) / 5.0, 1e-6, None) for each in points]
        errors.append([float(((each >= 2.5) != (others.gold > 0)).mean()) for each in points])
        losses.append([float(-np.log(each).mean()) for each in yes])
    show(f"{path.stem}, errors", profile, np.asarray(errors), chosen, 100.0, " %")
    show(f"{path.stem}, log loss", profile, np.asarray(losses), chosen)


def grades(path: Path, profile: str, draws: int, labels: int, graded: int) -> None:
    """Print the error in points on a table of answers."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    gold = np.asarray([float(row["points"]) for row in rows]) * 5.0 / HIGHEST
    seen, model = labelled(profile, [(row["reference"], row["answer"]) for row in rows], gold), load(profile)
    question = np.unique([row["question_id"] for row in rows], return_inverse=True)[1]

    def splits(random: np.random.Generator, one: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        if one:
            for number in range(question.max() + 1):
                answers = random.permutation(np.flatnonzero(question == number))
                yield answers[:graded], answers[graded:]
            return
        order = random.permutation(question.max() + 1)
        learned = np.isin(question, order[: len(order) * 2 // 3])
        yield random.permutation(np.flatnonzero(learned))[:labels], np.flatnonzero(~learned)

    for one in (True, False):
        chosen: Counter[str] = Counter()
        errors = []
        for draw in range(draws if not one else max(draws // 10, 2)):
            wrong: list[list[np.ndarray]] = [[], [], []]
            for learned, judged in splits(np.random.default_rng(draw), one):
                before, others = CorrectedCombination(model.combination), seen.take(judged)
                rules = tried(lambda part: adapted(model.combination, model.interval, part), seen.take(learned), chosen)
                for each, rule in zip(wrong, (before, *rules), strict=True):
                    each.append(rule.apply(others) - others.gold)
            errors.append([float(np.sqrt((np.concatenate(each) ** 2).mean())) * HIGHEST / 5.0 for each in wrong])
        name = f"one question, {graded}" if one else f"other questions, {labels}"
        table = np.asarray(errors)
        print(f"{name}: before adapting {profile} {table[:, 0].mean():.3f}")
        show(f"{name}, RMSE", profile, table[:, 1:], chosen)


def show(
    name: str, profile: str, figures: np.ndarray, chosen: Counter[str], factor: float = 1.0, unit: str = ""
) -> None:
    """Print the means without and with the summary, their difference, and the standard errors over the draws."""
    columns = (*figures.T, figures[:, 1] - figures[:, 0])
    cells = [
        f"{factor * each.mean():8.3f} ± {factor * each.std(ddof=1) / len(each) ** 0.5:.3f}{unit}" for each in columns
    ]
    shares = ", ".join(f"{change} {count / chosen.total():.0%}" for change, count in chosen.most_common())
    print(f"{name:28} {profile:8} {' '.join(cells)}  {shares}", flush=True)


def main() -> None:
    """Print the errors for each table and profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path, nargs="+", help="tickets.tsv, products.tsv, answers.tsv")
    parser.add_argument("--models", nargs="+", default=["surface", "fast"], help="profiles; default surface fast")
    parser.add_argument("--draws", type=int, default=100, help="a tenth as many of one question")
    parser.add_argument("--labels", type=int, default=75)
    parser.add_argument("--graded", type=int, default=10)
    parser.add_argument("--kept", type=Path, help="folder that keeps the scores of all pairs for another run")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*linked by sentences")
    print("table                        model         without            with      difference  changes chosen with it")
    for path in given.tables:
        for profile in given.models:
            if path.stem == "answers":
                grades(path, profile, given.draws, given.labels, given.graded)
            else:
                decisions(path, profile, given.draws, given.labels, given.kept)


if __name__ == "__main__":
    main()
