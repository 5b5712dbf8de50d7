"""Share of small changes to the code that its tests notice, by module: mutation testing.

Each module is changed in one place at a time (`mutants.py`), and its tests are run against every changed version
(`mutant_host.py`). A change that fails a test is killed, one that passes them all survives. Then a test for it is
missing, the changed code is useless, or the change is equivalent, which
``tests/equivalent_mutants.toml`` says with the reason.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from mutants import Mutant, mutants
from samewise.features.pipeline.catalogue import resolve

ROOT = Path(__file__).resolve().parent.parent
HOST = Path(__file__).with_name("mutant_host.py")
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.toml"
PROFILES = ("surface", "fast", "full", "multilingual")
OTHERS = (
    "features.alignment",
    "ensemble.evaluation.metrics",
    "ensemble.core.combination",
    "ensemble.core.predictive_distribution",
)
TESTS = {
    "features.alignment": ("tests/features/alignment", "tests/features/families/test_lexical_alignment.py"),
}
"""Tests of modules, and of folders whose modules are tested together; any other module has a test of its name."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ENVIRONMENT = dict.fromkeys(THREADS, "1") | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""A fork loses the threads of a pool and would wait for them; plugins take half of the time of a short run."""


class Result(NamedTuple):
    """Outcome of a mutant: killed, timeout, survived, or equivalent."""

    mutant: Mutant
    status: str


def shipped_modules() -> list[str]:
    """Return the modules that are tested by default: families of shipped profiles, aligner, metrics and combination."""
    families = sorted({value.family for name in PROFILES for value in resolve(name)[0]})
    return [*(f"features.families.{family}" for family in families), *OTHERS]


def expanded(names: Sequence[str]) -> Iterator[str]:
    """Yield the modules that names of modules and folders stand for, as dotted names below the repository."""
    for name in names:
        path = ROOT / name.replace(".", "/")
        if path.is_dir():
            yield from (f"{name}.{file.stem}" for file in sorted(path.glob("*.py")) if file.stem != "__init__")
        elif path.with_suffix(".py").exists():
            yield name
        else:
            sys.exit(f"a module must be a file or folder of the repository, got {name}; write features.families.number")


def tests_of(module: str) -> list[str]:
    """Return the files of tests of a module."""
    folder, _, name = module.rpartition(".")
    paths = TESTS.get(module) or TESTS.get(folder, (f"tests/{folder.replace('.', '/')}/test_{name}.py",))
    return [path for path in paths if (ROOT / path).exists()]


class Equivalents:
    """Mutants that are known to be equivalent, with their reasons."""

    def __init__(self, path: Path) -> None:
        table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.patterns = [re.compile(entry["without"]) for entry in table.get("pattern", ())]
        self.entries = table.get("mutant", [])

    def matches(self, module: str, mutant: Mutant) -> bool:
        """Return whether a mutant of a module is known to be equivalent."""
        after = re.sub(r" #\d+$", "", mutant.after)
        if any(pattern.sub("", mutant.before) == pattern.sub("", after) for pattern in self.patterns):
            return True
        return any(self._fits(entry, module, mutant) for entry in self.entries)

    @staticmethod
    def _fits(entry: dict[str, Any], module: str, mutant: Mutant) -> bool:
        return (entry["module"], entry["before"]) == (module, mutant.before) and mutant.after in entry["after"]

    def stale(self, module: str, listed: Sequence[Mutant]) -> list[str]:
        """Return the entries of a module that match none of its mutants."""
        written = {(mutant.before, mutant.after) for mutant in listed}
        return [
            f"{module}: {entry['before']} -> {after}"
            for entry in self.entries
            if entry["module"] == module
            for after in entry["after"]
            if (entry["before"], after) not in written
        ]


def _chosen(listed: Sequence[Mutant], most: int | None) -> list[Mutant]:
    # The same sample in each run, whatever is added elsewhere in the module.
    if most is None or len(listed) <= most:
        return list(listed)
    order = sorted(listed, key=lambda mutant: hashlib.sha256(f"{mutant.before}\0{mutant.after}".encode()).digest())
    return sorted(order[:most], key=lambda mutant: mutant.line)


def run(module: str, equivalents: Equivalents, folder: Path, most: int | None, resume: bool) -> list[Result]:
    """Return the results of the mutants of a module, and write them to a file of the folder."""
    source = ROOT / f"{module.replace('.', '/')}.py"
    text = source.read_text(encoding="utf-8")
    listed = mutants(text)
    stale = equivalents.stale(module, listed)
    if stale:
        sys.exit("no mutant fits these entries of tests/equivalent_mutants.toml; remove them:\n" + "\n".join(stale))
    kept = folder / f"{module}.json"
    known: dict[tuple[str, str], str] = {}
    if resume and kept.exists():
        known = {(before, after): status for before, after, status in json.loads(kept.read_text())}
    chosen = _chosen(listed, most)
    same = {mutant for mutant in chosen if equivalents.matches(module, mutant)}
    done = {m: known[m[1:3]] for m in chosen if known.get(m[1:3]) in ("killed", "timeout")}
    waiting = [mutant for mutant in chosen if mutant not in same and mutant not in done]
    found = (
        dict(zip(waiting, _statuses(module, source, waiting), strict=True)) | done | dict.fromkeys(same, "equivalent")
    )
    results = [Result(mutant, found[mutant]) for mutant in chosen]
    folder.mkdir(parents=True, exist_ok=True)
    merged = known | {result.mutant[1:3]: result.status for result in results}
    kept.write_text(json.dumps([[*key, status] for key, status in merged.items()], indent=0, ensure_ascii=False))
    return results


def _statuses(module: str, source: Path, waiting: Sequence[Mutant]) -> list[str]:
    tests = tests_of(module)
    if not tests or not waiting:
        return ["survived"] * len(waiting)
    request = {"module": f"samewise.{module}", "source": str(source), "tests": tests}
    read, write = os.pipe()
    host = subprocess.Popen(
        [sys.executable, HOST, str(write)],
        stdin=subprocess.PIPE,
        pass_fds=[write],
        text=True,
        cwd=ROOT,
        env=os.environ | ENVIRONMENT,
    )
    os.close(write)
    assert host.stdin is not None
    with host.stdin as requests:
        json.dump(request | {"codes": [mutant.code for mutant in waiting]}, requests)
    with os.fdopen(read) as answers:
        lines = [json.loads(line) for line in answers]
    if host.wait() or len(lines) != len(waiting) + 1:
        sys.exit(f"{module}: {lines[0] if lines else f'its tests ended with status {host.returncode}'}")
    return lines[1:]


def _row(name: str, results: Sequence[Result]) -> str:
    counts = {status: sum(result.status == status for result in results) for status in ("survived", "equivalent")}
    killed, live = len(results) - sum(counts.values()), len(results) - counts["equivalent"]
    share = 100 * killed / max(live, 1)
    return f"| `{name}` | {len(results)} | {counts['equivalent']} | {killed} | {counts['survived']} | {share:.1f} % |"


def main() -> None:
    """Run the tests against the mutants of some modules, print those that survive and a table; exit 1 below the aim."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("modules", nargs="*", help="modules or folders, such as features.families.number")
    parser.add_argument("--most", type=int, help="at most so many mutants of a module, a fixed sample")
    parser.add_argument("--jobs", type=int, default=1, help="modules at a time")
    parser.add_argument("--resume", action="store_true", help="do not try again what the last run killed")
    parser.add_argument("--aim", type=float, default=95, help="least percentage of a module that must be killed")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "mutation", help="folder of the results")
    options = parser.parse_args()
    equivalents = Equivalents(EQUIVALENT)
    modules = list(dict.fromkeys(expanded(options.modules or shipped_modules())))
    tables: list[Sequence[Result]] = []
    rows = ["| module | mutants | equivalent | killed | survived | share killed |", "|---|--:|--:|--:|--:|--:|"]
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, m, equivalents, options.results, options.most, options.resume) for m in modules]
        for module, task in zip(modules, runs, strict=True):
            tables.append(task.result())
            rows.append(_row(module, tables[-1]))
            for mutant, status in tables[-1]:
                if status == "survived":
                    print(f"{module.replace('.', '/')}.py:{mutant.line}\n  - {mutant.before}\n  + {mutant.after}")
            print(rows[-1], flush=True)
    print("\n".join(["", *rows, _row("all", [result for results in tables for result in results])]))
    live = [[result.status != "survived" for result in results if result.status != "equivalent"] for results in tables]
    sys.exit(any(100 * sum(killed) < options.aim * len(killed) for killed in live))


if __name__ == "__main__":
    main()
