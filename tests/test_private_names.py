"""Private names and classes of libraries: three modules use some, in versions of the library that were read."""

import ast
import importlib.metadata
import tomllib

import pytest
from packaging.requirements import Requirement

from .conftest import ROOT

ALLOWED = {
    "ensemble/scoring/loky_pool.py": {"_work_ids"},
    "apps/spark/spark_internals.py": {"_jvm", "_jsc"},
}
NAMED_TUPLE = {"_asdict", "_fields", "_make", "_replace"}
"""Public by the documentation of Python, as is `os._exit`."""


def modules():
    for top in ("features", "models", "ensemble", "apps", "research", "src", "weights"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def private(name):
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def names_of_ours(tree):
    """Private names that a module gives to its functions, classes, methods, fields and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "object.__setattr__":
            yield from (part.value for part in node.args if isinstance(part, ast.Constant))


def names_of_libraries(tree, ours):
    """Private names that a module imports from elsewhere, or reads of objects that are not ours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and private(node.attr):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr not in ours | NAMED_TUPLE and (owner, node.attr) != ("os", "_exit"):
                yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
            texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            yield from (text for text in texts if private(text) and text not in ours)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module.split(".")[0] != "samewise":
            yield from (part for part in node.module.split(".") if private(part) and part != "__future__")
            yield from (alias.name for alias in node.names if private(alias.name))
        elif isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split(".") if private(part))


@pytest.mark.slow
def test_only_modules_made_for_it_use_private_names_of_libraries():
    trees = dict(modules())
    ours = {name for tree in trees.values() for name in names_of_ours(tree) if private(name)}
    used = {path: set(names_of_libraries(tree, ours)) for path, tree in trees.items()}
    assert {path: names for path, names in used.items() if names} == ALLOWED


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("pool._work_ids.get()", {"_work_ids"}),
        ("from sklearn.tree import _tree", {"_tree"}),
        ("from sklearn.tree._tree import Tree", {"_tree"}),
        ("import scipy._lib.util", {"_lib"}),
        ("getattr(spark, '_jvm')", {"_jvm"}),
        ("os._exit(1); pair._replace(a=1); self._ours; from .parts import _own", set()),
    ],
)
def test_what_counts_as_a_private_name(code, names):
    tree = ast.parse("\n".join(part.strip() for part in code.split(";")))
    assert set(names_of_libraries(tree, {"_ours"})) == names


def requirement(package):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    [found] = {str(each) for each in map(Requirement, sum(lists, [])) if each.name == package}
    return Requirement(found)


def check_version(package, module):
    """The installed version is within the bound, and the bound excludes the next version that may break."""
    installed, bound = importlib.metadata.version(package), requirement(package).specifier
    assert bound.contains(installed), (
        f"{package} {installed} is beyond {bound}: read its source, then change {module} or raise the bound"
    )
    major, minor = map(int, installed.split(".")[:2])
    following = f"{major + 1}.0" if major else f"0.{minor + 1}"
    assert not bound.contains(following), f"{package} needs an upper bound in pyproject"


def test_loky_has_the_name_that_we_use():
    from samewise.ensemble.scoring.loky_pool import new_pool, stop_pool

    check_version("joblib", "loky_pool.py")
    pool = new_pool(1)
    try:
        queue = getattr(pool, "_work_ids", None)
        assert hasattr(queue, "get_nowait"), "joblib's loky has no queue `_work_ids` any more: rewrite stop_pool"
        assert pool.submit(int).result() == 0
    finally:
        stop_pool(pool)


def test_spark_has_the_names_that_we_use():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    check_version("pyspark", "spark_internals.py")
    # They are set in the constructor, so that the class has none of them before a session is started.
    set_names = {name for name in sql.SparkSession.__init__.__code__.co_names if private(name)}
    assert {"_jvm", "_jsc"} <= set_names, "Spark's session has no `_jvm` and `_jsc` any more: rewrite SparkPath"


def test_uvicorn_has_the_class_that_we_extend():
    h11_impl = pytest.importorskip("uvicorn.protocols.http.h11_impl", reason="uvicorn is not installed")
    check_version("uvicorn", "apps/serve/connections.py")
    methods = {"connection_made", "connection_lost", "data_received", "on_response_complete", "send_400_response"}
    assert {*methods, "shutdown"} <= vars(h11_impl.H11Protocol).keys(), "H11Protocol has changed: rewrite Connection"
