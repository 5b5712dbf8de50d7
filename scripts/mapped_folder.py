"""Write folders of arrays for `features/lexicon/mapped_arrays.py`; equal arrays and facts give equal bytes."""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np


def facts_of(data: bytes) -> dict[str, Any]:
    """Return hash and size of the content of a file."""
    return {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}


def write_mapped(folder: Path, arrays: Mapping[str, np.ndarray], **facts: Any) -> None:
    """Write one file an array and ``manifest.json`` with their hashes and further facts; print the sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, array in sorted(arrays.items()):
        buffer = io.BytesIO()
        np.save(buffer, array)
        (folder / f"{name}.npy").write_bytes(buffer.getvalue())
        files[f"{name}.npy"] = facts_of(buffer.getvalue())
        print(f"{array.nbytes / 1e6:6.2f} MB  {array.dtype.name:8}  {str(array.shape):12}  {name}")
    manifest = {"format": 1, "files": files, **facts}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")
