"""Write folders of arrays for `features/base/mapped_arrays.py`, and print their sizes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from samewise.features.base.mapped_arrays import write_arrays


def write_mapped(folder: Path, arrays: Mapping[str, np.ndarray], **facts: Any) -> None:
    """Write one file an array and ``manifest.json`` with their hashes and further facts; print the sizes."""
    write_arrays(folder, arrays, **facts)
    for name, array in sorted(arrays.items()):
        print(f"{array.nbytes / 1e6:6.2f} MB  {array.dtype.name:8}  {str(array.shape):12}  {name}")
