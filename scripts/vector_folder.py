"""Write word vectors as `features/lexicon/word_vectors.py` reads them."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from samewise.features.base.token_sequences import text_hash

TARGET = Path(__file__).resolve().parent.parent / "features" / "data" / "vectors"


def write_vectors(folder: Path, items: Sequence[str], vectors: np.ndarray) -> None:
    """Write the vectors of distinct items, each quantised to whole numbers from -127 to 127."""
    hashes = np.asarray([text_hash(item) for item in items], dtype=np.uint64)
    order = np.argsort(hashes)
    vectors = np.asarray(vectors, dtype=np.float64)[order]
    # The scale as it is stored, so that what is read is nearest to what was written.
    scales = np.maximum(np.abs(vectors).max(axis=1) / 127, 1e-6).astype(np.float32)
    codes = np.clip(np.rint(vectors / scales[:, None]), -127, 127).astype(np.int8)
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, array in (("codes", codes), ("hashes", hashes[order]), ("scales", scales)):
        path = folder / f"{name}.npy"
        np.save(path, array)
        files[path.name] = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    (folder / "manifest.json").write_text(json.dumps({"files": files}, indent=1) + "\n", encoding="utf-8")
