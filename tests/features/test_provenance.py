import json
import shutil
import subprocess
import sys

import pytest
from samewise.features import all_features, feature, provenance
from samewise.features.catalogue import load_features
from samewise.features.declaration import feature_records
from samewise.features.provenance import imported_modules, package_digest, source_digest
from samewise.features.resources.registry import RESOURCES

from ..recipes import copy_of_package

TOY = {
    "__init__": "from .counting import tally\n\ndef __getattr__(name):\n    return name\n",
    "counting": "LIMIT = 3\n\ndef tally(text):\n    return len(text) % LIMIT\n",
    "lists": 'from pathlib import Path\nDATA_FILES = ("words.txt",)\n',
    "typing_only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import counting\n",
    "late": "def f():\n    try:\n        from .inner import deep\n    finally:\n        pass\n",
    "chained": "import toyhouse.inner.deep\nimport toyhouse\nx = toyhouse.tally('a')\n",
    "alone": "x = 1\n",
    "inner.__init__": "from . import deep\n",
    "inner.deep": "from ..lists import Path\n",
}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A package of the name `toyhouse`, and a function that rewrites one of its modules."""

    def write(name, text):
        path = tmp_path.joinpath("toyhouse", *name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        forget()

    def forget():
        for kept in (provenance._source, provenance._parse, provenance._path, provenance._re_exports):
            kept.cache_clear()

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(provenance, "_PACKAGE", "toyhouse")
    for name, text in TOY.items():
        write(name, text)
    (tmp_path / "toyhouse" / "words.txt").write_text("the\n")
    yield write
    forget()
    for name in [name for name in sys.modules if name.startswith("toyhouse")]:
        del sys.modules[name]


def names(module):
    return {name.removeprefix("toyhouse.") for name in imported_modules(f"toyhouse.{module}")}


def test_imports_are_followed(toy):
    assert names("counting") == {"counting"}
    assert names("typing_only") == {"typing_only"}
    assert names("late") == {"late", "inner.deep", "lists"}
    # `toyhouse.tally` is taken from the package and defined in `counting`.
    assert names("chained") == {"chained", "counting", "inner.deep", "lists"}


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("from toyhouse import tally", {"counting"}),
        ("from toyhouse import inner\ninner.deep", {"inner.deep", "lists"}),
        ("import toyhouse.alone as one", {"alone"}),
        ("import toyhouse as house\nhouse.alone.x", {"alone"}),
        ("if x:\n    pass\nelif y:\n    import toyhouse.alone", {"alone"}),
        ("from toyhouse import *", {"__init__", "counting"}),
        ("import json, toyhouse.missing", set()),
    ],
)
def test_a_file_outside_the_package_is_followed(text, modules, toy, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(text)
    before = source_digest(path)
    for name in TOY:
        toy(name, TOY[name] + "added = 1\n")
        assert (source_digest(path) != before) == (name in modules), name
        toy(name, TOY[name])


def test_the_place_of_a_file_does_not_count(tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text("x = 1\n")
    assert source_digest(tmp_path / "here" / "mine.py") == source_digest(tmp_path / "there" / "mine.py")


@pytest.mark.parametrize(
    "text",
    [
        "# why\nLIMIT = 3\n\ndef tally(text):\n    return len(text) % LIMIT\n",
        'LIMIT = 3\n"""The limit."""\n\ndef tally(text):\n    """Count."""\n    return len(text) % LIMIT\n',
        "LIMIT = (3)\n\n\ndef tally(\n    text,\n):\n    return (\n        len(text) % LIMIT  # cut\n    )\n",
    ],
)
def test_words_and_formatting_do_not_count(text, toy):
    before = source_digest("toyhouse.counting")
    toy("counting", text)
    assert source_digest("toyhouse.counting") == before


@pytest.mark.parametrize(("old", "new"), [("= 3", "= 4"), ("% LIMIT", "// LIMIT"), ("(text)", "(text=None)")])
def test_meaning_counts(old, new, toy):
    before = source_digest("toyhouse.counting")
    toy("counting", TOY["counting"].replace(old, new))
    assert source_digest("toyhouse.counting") != before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = True"),
        ("x = 1", "x = '1'"),
        ("x = 'a'", "x = b'a'"),
        ("x = 1", "x = 1.0"),
        ("f(1, 2)", "f((1, 2))"),
    ],
)
def test_similar_code_differs(one, other, toy):
    toy("alone", one)
    before = source_digest("toyhouse.alone")
    toy("alone", other)
    assert source_digest("toyhouse.alone") != before


def test_declared_files_count(toy, tmp_path):
    before = source_digest("toyhouse.late")
    (tmp_path / "toyhouse" / "words.txt").write_text("the\na\n")
    toy("alone", "x = 2")
    assert source_digest("toyhouse.late") != before


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ValueError, match="a digest needs a module of samewise, got 'json'; pass the path"):
        source_digest("json")
    with pytest.raises(ValueError, match=r"the source '.*none\.py' must be a readable file"):
        source_digest(tmp_path / "none.py")
    exec(compile("def f(pairs):\n    return []\n", "<console>", "exec"), space := {"__name__": "__main__"})
    with pytest.raises(ValueError, match="the source '<console>' must be a readable file"):
        assert feature("x")(space["f"]).digest


TILING = {"lemma_sequence", "lemma_translation", "sequence", "string_metrics", "translation"}
"""The families that import `strings.string_tiling`, three of them by way of another module."""

SCRIPT = """
import json, sys
from pathlib import Path
from samewise.features import all_features, provenance
from samewise.features.declaration import feature_records

root = Path(provenance.__file__).parent

def records():
    for kept in (provenance._source, provenance._parse):
        kept.cache_clear()
    for value in all_features():
        value.__dict__.pop("digest", None)
    return feature_records(all_features())

def changed(name, old, new):
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new, 1))
    after = records()
    (root / name).write_text(text)
    return [name for name in after if after[name] != before[name]]

before = records()
print(json.dumps([changed(*edit) for edit in json.loads(sys.argv[1])]))
"""


def test_a_change_reaches_the_features_that_import_it(tmp_path):
    package = copy_of_package(tmp_path)
    edits = [
        ("strings/string_tiling.py", "def tiles(", "# Reworded.\ndef tiles("),
        ("strings/string_tiling.py", '"""', '"""Reworded. '),
        ("strings/string_tiling.py", "def tiles(", "X = 1\n\n\ndef tiles("),
        ("data/stopwords-nltk.txt", "\n", "\nsamewise\n"),
        ("extraction.py", "import", "import os\nimport"),
    ]
    features = package / "features"
    data = (features / "data").resolve()
    (features / "data").unlink()
    (features / "data").mkdir()
    for path in data.iterdir():
        (features / "data" / path.name).symlink_to(path)
    for name in {name for name, *_ in edits}:
        source = (features / name).resolve()
        (features / name).unlink()
        shutil.copy(source, features / name)
    run = [sys.executable, "-c", SCRIPT, json.dumps(edits)]
    space = {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(run, cwd=tmp_path, env=space, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    comment, docstring, meaning, word_list, elsewhere = json.loads(done.stdout)
    assert comment == docstring == elsewhere == []
    assert {name.partition(".")[0] for name in meaning} == TILING
    assert {"negation", "ngram", "entity"} <= {name.partition(".")[0] for name in word_list}


def test_the_code_of_a_resource_counts_for_the_features_that_need_it():
    for value in all_features():
        modules = imported_modules(value.compute.__module__)
        assert {RESOURCES[need].__module__ for need in value.needs if need in RESOURCES} <= modules, value.full_name


def test_a_user_supplied_feature_follows_its_imports(tmp_path):
    path = tmp_path / "opening.py"
    text = (
        'import samewise\n\n@samewise.feature("x")\ndef zero(pairs):\n    """Zero."""\n    return len(pairs) * [[0.0]]'
    )
    path.write_text(text)
    (value,) = load_features(path)
    assert feature_records([value]) == {"opening.zero": value.digest}
    shutil.copy(path, tmp_path / "copy.py")
    assert load_features(tmp_path / "copy.py")[0].digest == value.digest
    path.write_text(text.replace("Zero.", "Nought.") + "# The end.")
    assert load_features(path)[0].digest == value.digest
    path.write_text(text.replace("0.0", "1.0"))
    assert load_features(path)[0].digest != value.digest


def test_the_digest_of_the_package_is_that_of_bytes():
    assert len(package_digest()) == 16
    assert package_digest() == package_digest()
