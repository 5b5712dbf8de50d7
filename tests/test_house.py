"""The map of the code names every module that ships, with the first line of its docstring."""

import importlib.util
import re
import tomllib

from .conftest import ROOT

SPEC = importlib.util.spec_from_file_location("make_house", ROOT / "docs" / "make_house.py")
make_house = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make_house)


def test_a_folder_has_its_text_and_its_modules_sorted(tmp_path):
    (tmp_path / "features" / "inner").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    texts = {
        "features/__init__.py": '"""Numbers of pairs."""',
        "features/b.py": '"""Second.\n\nMore.\n"""',
        "features/a.py": '"""First."""',
        "features/inner/__init__.py": '"""Inner."""',
        "scripts/make.py": '"""Make it."""',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    expected = """## features

Numbers of pairs.

- `a.py`: First.
- `b.py`: Second.

### features/inner

Inner.

## scripts

Programs that make the models and data that ship; they are not installed.

- `make.py`: Make it.
"""
    assert make_house.house_map(tmp_path) == expected


def test_every_module_has_a_line_and_every_package_a_heading():
    text = make_house.house_map()
    assert re.findall(r"^- `[^`]+`: *$", text, flags=re.MULTILINE) == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {name.removeprefix("samewise.").replace(".", "/") for name in packages} - {"samewise"}
    headings = set(re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE))
    assert folders - headings == set()
    assert headings - folders == {"src/samewise", "scripts", "benchmarks"}
