"""Make the encoder of several languages: multilingual-e5-small with fewer word pieces, fine-tuned on scores.

The table of word pieces is unchanged, except for rows that the languages do not need, which are left out. The layers
learn from STS Benchmark train in translation, from silver scores of translated sentences, and to find a translation
among others (van den Oord et al., 2018). No row of SemEval-2017 is among them. A run that was stopped goes on from its
checkpoint.
"""

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from make_encoder import write_encoder
from multilingual_lessons import ScoredPair, development, scored_pairs, translations
from multilingual_pieces import kept_rows, piece_files, tokenizer_of
from multilingual_weights import FILE, Weights, read_weights, weights_file
from samewise.features.encoders.multilingual import MOST_PIECES, NETWORK, encoder_folder
from samewise.features.encoders.onnx_transformer import read_tokenizer
from samewise.models.transformers.transformer_export import first_layers_onnx, reaches
from samewise.models.transformers.transformer_training import Plan, mixed_precision, some_of, train, training_device
from samewise.research.networks.bi_encoder_training import NEAR, RANKED, correlation
from silver_pairs import read_set
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import BertModel

LANGUAGES = ("en", "ar", "es", "tr", "de", "fr", "it", "pt")
"""Languages whose word pieces are kept; the first four have scores to learn from."""

TRANSLATED = {"tatoeba ar": 10, "tatoeba tr": 3, "xquad": 2, "ntrex": 4}
"""So many translations of each source are in every batch."""

CONTRAST = 0.7
"""Weight of telling translations apart."""

TEMPERATURE = 0.05

AT_A_TIME = 16
"""Texts that are run together."""


class Encoder(torch.nn.Module):
    """The layers, and the mean of the states of a text as a unit vector."""

    def __init__(self, model: BertModel, tokenizer: Tokenizer) -> None:
        super().__init__()
        self.model, self._tokenizer = model, tokenizer

    def forward(self, texts: Sequence[str]) -> torch.Tensor:
        """Return a vector for each text, shape (n, d)."""
        ids = [torch.tensor(tokens.ids) for tokens in self._tokenizer.encode_batch(list(texts))]
        # Texts of about one length are run together, because padding takes as long as words.
        order = np.argsort([len(each) for each in ids], kind="stable")
        parts = [order[start : start + AT_A_TIME] for start in range(0, len(order), AT_A_TIME)]
        found = torch.cat([self._run([ids[row] for row in part.tolist()]) for part in parts])
        return found[torch.from_numpy(np.argsort(order)).to(found.device)]

    def _run(self, ids: list[torch.Tensor]) -> torch.Tensor:
        device, pad = self.model.device, torch.nn.utils.rnn.pad_sequence
        mask = pad([torch.ones(len(each)) for each in ids], batch_first=True).to(device)
        with mixed_precision(device):
            states = self.model(input_ids=pad(ids, batch_first=True).to(device), attention_mask=mask).last_hidden_state
        return functional.normalize((states.float() * mask[..., None]).sum(dim=1), dim=1)

    def lengths(self, pairs: Sequence[ScoredPair]) -> list[int]:
        """Return the number of word pieces of the longer text of each pair."""
        sides = ([len(t.ids) for t in self._tokenizer.encode_batch([pair[k] for pair in pairs])] for k in (0, 1))
        return [max(both) for both in zip(*sides, strict=True)]


def told_apart(one: torch.Tensor, two: torch.Tensor) -> torch.Tensor:
    """Return the loss of finding the translation of each text among those of all, both ways."""
    cosines = one @ two.T / TEMPERATURE
    right = torch.arange(len(one), device=one.device)
    return (functional.cross_entropy(cosines, right) + functional.cross_entropy(cosines.T, right)) / 2


def learn(encoder: Encoder, options: argparse.Namespace) -> None:
    """Train the encoder in place."""
    pairs = scored_pairs(options.data, options.silver, options.seed)
    sources = translations(options.data)
    print(f"{len(pairs):,} pairs with scores;", ", ".join(f"{len(v):,} of {k}" for k, v in sources.items()), flush=True)

    def drawn() -> list[tuple[str, str]]:
        found = []
        for name, count in TRANSLATED.items():
            for row in torch.randint(len(sources[name]), (count,)).tolist():
                texts = sources[name][row]
                first, second = torch.randperm(len(texts))[:2].tolist()
                found.append((texts[first], texts[second]))
        return found

    def loss_of(rows: list[int]) -> torch.Tensor:
        some, others = [pairs[row] for row in rows], drawn()
        left, right = [pair.text1 for pair in some], [pair.text2 for pair in some]
        vectors = encoder([*left, *right])
        one, two = vectors[: len(some)], vectors[len(some) :]
        scores = torch.tensor([pair.score for pair in some], device=vectors.device)
        cosines = (one * two).sum(dim=1)
        loss = RANKED * (1 - correlation(cosines, scores)) + NEAR * functional.mse_loss(cosines, scores / 5)
        translated = encoder([text for pair in others for text in pair])
        return loss + CONTRAST * told_apart(translated[0::2], translated[1::2])

    def report(step: int, steps: int, loss: float) -> None:
        print(f"step {step} of {steps}: loss {loss:.3f}", flush=True)

    plan = Plan(options.epochs, options.batch, options.rate, warm_up=0.03)
    train(encoder, [], encoder.lengths(pairs), loss_of, plan, options.seed, options.checkpoint, report)


@torch.inference_mode()
def figures(encoder: Encoder, data: Path) -> dict[str, float]:
    """Return the correlation of cosines and scores on STS Benchmark dev, by the languages of both texts."""
    ways = [("en", "en"), ("es", "es"), ("tr", "tr"), ("es", "en"), ("tr", "en")]
    found = {}
    for name, pairs in development(data, ways).items():
        order = np.argsort([len(pair.text1) + len(pair.text2) for pair in pairs])
        cosines = np.zeros(len(pairs))
        for rows in np.array_split(order, len(pairs) // 64):
            one, two = (encoder([pairs[row][side] for row in rows.tolist()]) for side in (0, 1))
            cosines[rows] = (one * two).sum(dim=1).cpu().numpy()
        found[name] = round(float(np.corrcoef(cosines, [pair.score for pair in pairs])[0, 1]), 4)
    return found


def made_files(encoder: Encoder, weights: Weights, rows: Sequence[int], texts: Sequence[str]) -> dict[str, bytes]:
    """Return the files of the encoder by name; `texts` give the ranges of its activations."""
    made = piece_files(weights, rows)
    tokenizer = read_tokenizer(made["tokenizer.json"], MOST_PIECES)
    model = encoder.model.to("cpu").eval()
    inputs = ({"input_ids": torch.tensor([tokenizer.encode(text).ids])} for text in texts)
    reach = reaches(model, model.encoder.layer, inputs)
    network = first_layers_onnx(model, len(model.encoder.layer), reach)
    return made | {NETWORK: gzip.compress(network, mtime=0)}


def main() -> None:
    """Train, measure on dev, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--weights", type=Path, help=f"{FILE}; that of the installed package otherwise")
    parser.add_argument("--silver", type=Path, required=True, help="folder of silver_pairs.py")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--checkpoint", type=Path, help="checkpoint file, from which a stopped run continues")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=encoder_folder(), help="folder to write to")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    weights = read_weights(options.weights or weights_file())
    rows = kept_rows(weights, LANGUAGES, read_set(options.data, "ntrex"))
    print(f"{len(rows):,} of {len(weights.pieces):,} word pieces", flush=True)
    tokenizer = read_tokenizer(tokenizer_of(weights, rows).to_str().encode(), MOST_PIECES)
    encoder = Encoder(weights.model(np.asarray(rows)), tokenizer).to(training_device())
    print("before", json.dumps(figures(encoder.eval(), options.data)), flush=True)
    learn(encoder, options)
    print("after", json.dumps(figures(encoder.eval(), options.data)), flush=True)
    pairs = scored_pairs(options.data, options.silver, options.seed)
    texts = [pairs[row].text1 for row in some_of(len(pairs), options.seed)]
    settings = {
        name: str(value) for name, value in vars(options).items() if name in ("epochs", "batch", "rate", "seed")
    }
    (options.output / "manifest.json").unlink(missing_ok=True)
    write_encoder(options.output, made_files(encoder, weights, rows, texts), languages=LANGUAGES, options=settings)


if __name__ == "__main__":
    main()
