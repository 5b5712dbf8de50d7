"""Record the current code of the features in the shipped models, if their values are bit-identical.

A bundle warns if the code of a feature changed since it was recorded, and so would every shipped model. Run this after
a change of code that changes no value; if a value changed, the models must be trained again.
"""

import filecmp
import shutil
import sys
import tempfile
from pathlib import Path

from samewise.ensemble.core.profiles import ALL_PROFILES, bundle_folder

import samewise

MANIFEST = "manifest.json"


def main() -> None:
    """Print a line for each model."""
    for name in ALL_PROFILES:
        place, model = Path(bundle_folder(name)), samewise.load(name)
        if model.probe_difference() != 0:
            sys.exit(f"the scores of {name} must be those that were recorded, got others; train it again")
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / name
            model.save(saved)
            files = [path.name for path in saved.iterdir() if path.name != MANIFEST]
            if not all(filecmp.cmp(saved / file, place / file, shallow=False) for file in files):
                sys.exit(f"the files of {name} must stay as they are, got others; train it again")
            is_new = not filecmp.cmp(saved / MANIFEST, place / MANIFEST, shallow=False)
            shutil.copyfile(saved / MANIFEST, place / MANIFEST)
        print(f"{name}: {'recorded' if is_new else 'as it was'}")


if __name__ == "__main__":
    main()
