"""Digests of source code: a module together with its imports inside the package.

Imports are read from the syntax tree, those inside functions too; no code is run. Imports for type checkers do not
count. Comments, docstrings and formatting do not change a digest, nor does the version of Python.

A module whose values depend on small files lists them in the constant ``DATA_FILES``, a tuple of paths relative to the
module; their content enters the digest. Large tables have digests of their own.
"""

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_PACKAGE = __name__.partition(".")[0]

_DATA_FILES = "DATA_FILES"

_IRRELEVANT = frozenset({"ctx", "kind", "type_comment"})
"""Fields of syntax nodes that follow from others or do not change a value."""


class _Source(NamedTuple):
    # The hash of a module's own code and data files, and the modules of the package that it imports.
    digest: bytes
    imports: frozenset[str]


def source_digest(*modules: ModuleType | str | Path) -> str:
    """Return a hex digest of 16 characters of the code of modules and of what they import inside the package.

    Parameters
    ----------
    *modules
        Modules or dotted names of modules of the package, or paths of Python files outside it.

    Raises
    ------
    ValueError
        If a module is not in the package, or a file cannot be read.

    Examples
    --------
    >>> source_digest("samewise.features.linguistics.stopwords") == source_digest("samewise.features.sentences")
    False
    """
    files = [module for module in modules if isinstance(module, Path)]
    names = [
        module if isinstance(module, str) else module.__name__ for module in modules if not isinstance(module, Path)
    ]
    sources = [_parse(_read(path), path.parent, None) for path in files]
    closure = _closure(names + [name for source in sources for name in source.imports])
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.digest)
    for name in sorted(closure):
        digest.update(name.encode() + b"\0" + _source(name).digest)
    return digest.hexdigest()[:16]


def definition_digest(value: Callable[..., Any]) -> str:
    """Return the `source_digest` of the module that defines a function or class, in the package or outside it."""
    if value.__module__.startswith(f"{_PACKAGE}."):
        return source_digest(value.__module__)
    return source_digest(Path(inspect.getfile(inspect.unwrap(value))))


@cache
def package_digest() -> str:
    """Return a hex digest of the bytes of all modules and word lists of the features.

    Where it is equal, so is the `source_digest` of every shipped feature. It takes milliseconds; to parse the modules
    takes tenths of a second.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*here.rglob("*.py"), *here.glob("data/*.txt")]):
        digest.update(f"{path.relative_to(here).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def imported_modules(name: str) -> frozenset[str]:
    """Return the dotted names of a module of the package and of all modules of it that it imports, directly or not."""
    return _closure([name])


def _closure(names: Iterable[str]) -> frozenset[str]:
    closure, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in closure:
            closure.add(name)
            waiting += _source(name).imports
    return frozenset(closure)


@cache
def _source(name: str) -> _Source:
    path = _path(name)
    if path is None or name.partition(".")[0] != _PACKAGE:
        raise ValueError(f"a digest needs a module of {_PACKAGE}, got {name!r}; pass the path of a file outside it")
    return _parse(_read(path), path.parent, name)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"the source {str(path)!r} must be a readable file ({error}); save the code as one") from None


@lru_cache(maxsize=8)
def _parse(code: bytes, folder: Path, name: str | None) -> _Source:
    tree = ast.parse(code)
    digest = hashlib.sha256(_canonical(tree).encode())
    for data in _data_files(tree):
        digest.update(hashlib.sha256(_read(folder / data)).digest())
    return _Source(digest.digest(), frozenset(_imports(tree, name)))


def _canonical(node: object) -> str:
    # As ``ast.dump``, whose text differs between versions of Python; docstrings are left out.
    if isinstance(node, ast.AST):
        fields = []
        for field in node._fields:
            value = getattr(node, field, None)
            if value is not None and value != [] and field not in _IRRELEVANT:
                fields.append(f"{field}={_canonical(value)}")
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(_canonical(item) for item in node if not _is_text(item))}]"
    return ascii(node)


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _data_files(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == _DATA_FILES for t in node.targets):
            yield from ast.literal_eval(node.value)


def _imports(tree: ast.Module, name: str | None) -> Iterator[str]:
    """Yield the modules of the package that a module imports.

    An import from a package counts as one of the module behind the name: ``samewise.features.Pair`` imports the module
    that defines `Pair`.
    """
    packages: dict[str, str] = {}
    for node in _import_nodes(tree):
        for base, member, local in _imported(node, name):
            module = _module_of(base, member)
            if module is not None and _is_package(module) and member != "*":
                packages[local] = module
            elif module is not None:
                yield module
    for first, *members in _attribute_chains(tree) if packages else ():
        if first in packages:
            module = packages[first]
            while members and _is_package(module):
                module = _module_of(module, members.pop(0)) or module
            yield module


def _import_nodes(node: ast.AST, for_type_checkers: bool = False) -> Iterator[ast.Import | ast.ImportFrom]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and _is_for_type_checkers(child.test) and not for_type_checkers:
            yield from _import_nodes(ast.Module(child.orelse, []))
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _import_nodes(child, for_type_checkers)


def _is_for_type_checkers(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


def _imported(node: ast.Import | ast.ImportFrom, name: str | None) -> Iterator[tuple[str, str | None, str]]:
    # Dotted module, the imported name, and the name that it gets.
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            if root == _PACKAGE:
                yield alias.name, None, alias.asname or root
                if alias.asname is None and "." in alias.name:
                    yield root, None, root
        return
    base = node.module or ""
    if node.level:
        if name is None:
            return
        parts = name.split(".") if _is_package(name) else name.split(".")[:-1]
        base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
    if base.partition(".")[0] == _PACKAGE:
        for alias in node.names:
            yield base, alias.name, alias.asname or alias.name


def _module_of(base: str, member: str | None) -> str | None:
    """Return the module that a name taken from a module comes from; None if the module does not exist."""
    if _path(base) is None or member is None or not _is_package(base):
        return base if _path(base) is not None else None
    return f"{base}.{member}" if _path(f"{base}.{member}") is not None else _re_exports(base).get(member, base)


@cache
def _re_exports(package: str) -> dict[str, str]:
    # The imports for type checkers there are those that ``__getattr__`` of the package makes on demand.
    path = _path(package)
    homes: dict[str, str] = {}
    for node in _import_nodes(ast.parse(_read(path)), for_type_checkers=True) if path else ():
        for base, member, local in _imported(node, package):
            module = _module_of(base, member) if base != package else None
            if module is not None:
                homes[local] = module
    return homes


def _attribute_chains(tree: ast.Module) -> Iterator[list[str]]:
    """Yield the names of ``a.b.c`` for every such expression that is not part of a longer one."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    inner = {id(node.value) for node in attributes}
    for node in attributes:
        if id(node) not in inner:
            names, value = [node.attr], node.value
            while isinstance(value, ast.Attribute):
                names.append(value.attr)
                value = value.value
            if isinstance(value, ast.Name):
                yield [value.id, *reversed(names)]


def _is_package(name: str) -> bool:
    path = _path(name)
    return path is not None and path.name == "__init__.py"


@cache
def _path(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin and spec.origin.endswith(".py") else None
