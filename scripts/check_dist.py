"""Install the wheels in dist/ into empty environments outside the checkout, and score with each of them.

For every version of Python that runs here and that the wheel supports: samewise alone, then with its other
distributions, then with its extras. ``pip check`` follows each step. Ends with exit status 1 if a step fails.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
FOR_DEVELOPERS = ("dev", "docs", "peers", "peers-onnx", "peers-openvino", "test", "train")
PAIR = ("A dog chases a cat.", "A cat is chased by a dog.")
ALONE = [["--model", name] for name in ("surface", "fast", "full")]
OPTIONS = {
    "samewise-languages": ["--languages", "es,en"],
    "samewise-best": ["--model", "best"],
    "samewise-benchmark": ["--model", "full-stsb"],
}
"""Options of `samewise score` that read a distribution of weights."""


def metadata_of(wheel: Path) -> dict[str, list[str]]:
    """Return the fields of a wheel's metadata."""
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        message = Parser().parsestr(archive.read(name).decode())
    return {key: message.get_all(key, []) for key in {*message.keys(), "Provides-Extra"}}


def pythons_here(metadata: dict[str, list[str]]) -> list[str]:
    """Return the interpreters, by the versions of the classifiers, that are on the path and start."""
    versions = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in metadata["Classifier"]]
    names = [f"python{version[1]}" for version in versions if version]
    return [name for name in names if shutil.which(name) and _starts(name)]


def _starts(name: str) -> bool:
    return subprocess.run([name, "-c", ""], capture_output=True).returncode == 0


class Environment:
    """Empty virtual environment in a temporary folder."""

    def __init__(self, python: str, folder: Path) -> None:
        self._folder = folder
        self._python = folder / "venv" / "bin" / "python"
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)

    def run(self, *command: str) -> str:
        """Run a module of the environment outside the checkout; return its standard output."""
        # Without user-supplied paths, so that nothing but the wheel can be imported.
        done = subprocess.run([self._python, "-I", "-m", *command], cwd=self._folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)} must succeed, got status {done.returncode}: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def install(self, *wheels: str) -> None:
        """Install wheels and their requirements, and check that all requirements agree."""
        self.run("pip", "install", "--quiet", "--disable-pip-version-check", *wheels)
        self.run("pip", "check", "--disable-pip-version-check")

    def score(self, *options: str) -> float:
        """Return the score of one pair."""
        facts = json.loads(self.run("samewise", "score", *PAIR, *options, "--json"))
        if not 0.0 <= facts["low"] <= facts["score"] <= facts["high"] <= 5.0:
            sys.exit(f"the score must be inside its interval and 0..5, got {facts}")
        return float(facts["score"])


@contextmanager
def environment(python: str) -> Iterator[Environment]:
    """Yield an empty environment and remove it in the end."""
    with tempfile.TemporaryDirectory(prefix="samewise-dist-") as folder:
        yield Environment(python, Path(folder))


def check(python: str, wheels: dict[str, Path], extras: Sequence[str]) -> None:
    """Install and score with one interpreter."""
    wheel = wheels["samewise"]
    [expected] = metadata_of(wheel)["Version"]
    with environment(python) as place:
        place.install(str(wheel))
        version = place.run("samewise", "--version").split()[-1]
        if version != expected:
            sys.exit(f"the version must be {expected}, got {version}")
        scores = {" ".join(options): place.score(*options) for options in ALONE}
        place.install(*(str(other) for name, other in wheels.items() if name != "samewise"))
        scores |= {" ".join(OPTIONS[name]): place.score(*OPTIONS[name]) for name in wheels if name in OPTIONS}
        place.install(f"{wheel}[{','.join(extras)}]")
        if place.score(*ALONE[-1]) != scores[" ".join(ALONE[-1])]:
            sys.exit("the score must be the same with and without the extras")
        print(f"{python}: {', '.join(f'{name} {score:.2f}' for name, score in scores.items())}", flush=True)


def main() -> None:
    """Check every interpreter."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="folder with the wheels (default: dist)")
    parser.add_argument("--python", nargs="+", help="interpreters (default: those on the path that it supports)")
    arguments = parser.parse_args()
    wheels = {path.name.partition("-")[0].replace("_", "-"): path.resolve() for path in arguments.dist.glob("*.whl")}
    missing = {"samewise", *OPTIONS} - set(wheels)
    if missing:
        sys.exit(f"{arguments.dist} must hold the wheel of {', '.join(sorted(missing))}, got none; run make dist")
    metadata = metadata_of(wheels["samewise"])
    pythons = arguments.python or pythons_here(metadata)
    if not pythons:
        sys.exit("one supported python3.X must be on the path, got none; name interpreters with --python")
    extras = [extra for extra in metadata["Provides-Extra"] if extra not in FOR_DEVELOPERS]
    for python in pythons:
        check(python, wheels, extras)


if __name__ == "__main__":
    main()
