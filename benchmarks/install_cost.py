"""Measure installs in fresh environments: size, time to install, time of an import, and time to a first score.

Each requirement is installed alone with what it needs, such as a wheel, or a wheel with an extra. The times depend on
the package index and on the machine, so compare those of one run. With ``--libraries``, prints what each installed
distribution takes on disk besides.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAIR = ("A dog barks.", "A dog is barking.")
_SIZES = """
from importlib.metadata import distributions
for each in distributions():
    files = [each.locate_file(file) for file in each.files or ()]
    print(each.metadata["Name"], sum(file.stat().st_size for file in files if file.is_file()))
"""


def timed(*command: str | Path, cwd: Path) -> float:
    """Return the seconds of a command, which must succeed."""
    # Compiled modules are written, as where people install.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} must succeed, got status {done.returncode}: {done.stderr[-2000:]}")
    return time.perf_counter() - start


def size_of(folder: Path) -> float:
    """Return the megabytes of the files of a folder, without pip and compiled modules."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sum(path.stat().st_size for path in files if not path.relative_to(folder).parts[0].startswith("pip")) / 1e6


def library_sizes(python: Path) -> list[tuple[str, float]]:
    """Return name and megabytes of each distribution of an environment, the largest first."""
    listed = subprocess.run([python, "-I", "-c", _SIZES], capture_output=True, text=True, check=True).stdout
    sizes = [(name, int(size) / 1e6) for name, size in map(str.split, listed.splitlines()) if name != "pip"]
    return sorted(sizes, key=lambda each: -each[1])


def main() -> None:
    """Print a table with a row for each requirement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("requirements", nargs="+", help="wheels, with or without extras, as pip takes them")
    parser.add_argument("--python", default=sys.executable, help="interpreter of the environments")
    parser.add_argument("--libraries", action="store_true", help="also print the size of each distribution")
    options = parser.parse_args()
    print("| install | size | distributions | seconds to install | import | first score | second score |")
    print("|---|---|---|---|---|---|---|")
    for requirement in options.requirements:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            subprocess.run([options.python, "-m", "venv", folder / "venv"], check=True)
            python = folder / "venv" / "bin" / "python"
            install = timed(python, "-m", "pip", "install", "-q", "--no-cache-dir", requirement, cwd=folder)
            [packages] = (folder / "venv" / "lib").glob("*/site-packages")
            size, libraries = size_of(packages), library_sizes(python)
            first, second = (timed(python, "-m", "samewise", "score", *PAIR, cwd=folder) for _ in range(2))
            imported = min(timed(python, "-c", "import samewise", cwd=folder) for _ in range(3))
            name = Path(requirement).name
            print(
                f"| {name} | {size:,.0f} MB | {len(libraries)} | {install:.0f} | {imported:.2f} s | {first:.1f} s "
                f"| {second:.1f} s |",
                flush=True,
            )
            if options.libraries:
                print("\n".join(f"  {library}: {taken:.1f} MB" for library, taken in libraries if taken >= 1))


if __name__ == "__main__":
    main()
