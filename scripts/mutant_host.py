"""Process that runs the tests of one module against its mutants, each in a fork of this process.

It reads from standard input a JSON object with the keys `module`, `source`, `tests` and `codes`, and writes to the file
descriptor that is its argument a JSON value a line: the seconds that the tests take unchanged, and then for each code
``killed``, ``survived`` or ``timeout``. Libraries, tables and all modules that do not depend on the one under test are
loaded once. Nothing in the checkout is changed: a fork imports the mutant from memory.
"""

import ast
import gc
import importlib
import importlib.abc
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from functools import cache
from types import CodeType, ModuleType

import pytest
from hypothesis import Phase, settings

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OPTIONS = (
    "-q",
    "-x",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "--tb=no",
    "--no-header",
    "--assert=plain",
    "-W",
    "default",
    "-o",
    "addopts=",  # which name options of plugins that are not loaded
    "--import-mode=importlib",
)
_MEMORY = 4 << 30
_CATALOGUE = "samewise.features.pipeline.catalogue"


class _Order:
    """Plugin that runs the quickest tests first and stops Hypothesis from shrinking examples."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_sessionstart(self) -> None:
        phases = (Phase.explicit, Phase.generate)
        quick = settings(deadline=None, phases=phases, database=None, derandomize=True, max_examples=25)
        settings.register_profile("mutants", quick)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import of one module from the code of a mutant."""

    def __init__(self, module: str, path: str, code: CodeType) -> None:
        self.module, self.path, self.code = module, path, code

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


@cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of the package that a module imports, late in functions and for types too."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return frozenset()
    if spec is None or not (spec.origin or "").endswith(".py"):
        return frozenset()
    with open(spec.origin, encoding="utf-8") as file:
        nodes = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Import | ast.ImportFrom)]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), spec.parent or "")
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(each for each in found if each.startswith("samewise"))


@cache
def _closure(name: str) -> frozenset[str]:
    closure, waiting = set(), [name]
    while waiting:
        module = waiting.pop()
        if module not in closure:
            closure.add(module)
            waiting += _imports(module)
    return frozenset(closure)


def _depends(name: str, module: str) -> bool:
    return module in _closure(name)


def _uses(name: str, module: str) -> bool:
    # Whether a test or helper of tests imports the module under test, directly or not.
    values = vars(sys.modules[name]).values()
    homes = {getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in values}
    return any(isinstance(home, str) and home.startswith("samewise.") and _depends(home, module) for home in homes)


def _forget(module: str) -> list[str]:
    """Forget the module under test, all that import it, and the tests; return the packages to load again.

    A new package would not have the modules that stay as its attributes. The catalogue imports families by their names.
    """
    families = any(".families." in name and _depends(name, module) for name in list(sys.modules))
    stale, packages = [], []
    for name, value in list(sys.modules.items()):
        if name.startswith("tests."):
            if not hasattr(value, "__path__") and (name != "tests.conftest" or _uses(name, module)):
                stale.append(name)
        elif name.startswith("samewise."):
            if _depends(name, module) or families and _depends(name, _CATALOGUE):
                (packages if hasattr(value, "__path__") else stale).append(name)
    for name in stale:
        del sys.modules[name]
        package, _, last = name.rpartition(".")
        if package in sys.modules:
            vars(sys.modules[package]).pop(last, None)
    return sorted(packages, reverse=True)


def _run(tests: Sequence[str], order: _Order) -> int:
    return int(pytest.main([*_OPTIONS, *tests], plugins=[order]))


def _in_fork(request: dict, code: str, packages: Sequence[str], order: _Order, seconds: int) -> str:
    gc.collect(), gc.freeze()
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + _MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
            compiled = compile(code, request["source"], "exec", dont_inherit=True)
            sys.meta_path.insert(0, _Loader(request["module"], request["source"], compiled))
            for package in packages:
                importlib.reload(sys.modules[package])
            os._exit(0 if _run(request["tests"], order) == 0 else 1)
        except BaseException:
            os._exit(1)
    end = time.monotonic() + 20 * seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timeout"
        time.sleep(0.01)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return "timeout"
    return "killed" if status else "survived"


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    answers = os.fdopen(int(sys.argv[1]), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    if "MUTANTS_VERBOSE" not in os.environ:
        os.dup2(nothing, 1), os.dup2(nothing, 2)
    os.chdir(_ROOT)
    order = _Order({})
    if _run(request["tests"], order):
        answers.write('"the tests fail without a change"\n')
        return
    packages = _forget(request["module"])
    with open(request["source"], encoding="utf-8") as file:
        unchanged = file.read()
    begin = time.process_time(), time.monotonic()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if _in_fork(request, unchanged, packages, order, 600) != "survived":
        answers.write('"the tests fail in a second run"\n')
        return
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - usage
    answers.write(f"{json.dumps([taken, time.monotonic() - begin[1]])}\n")
    for code in request["codes"]:
        answers.write(f'"{_in_fork(request, code, packages, order, int(5 + 4 * taken))}"\n')


if __name__ == "__main__":
    main()
