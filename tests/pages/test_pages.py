"""Every block of every page runs and prints what is shown, or says why it does not; so do the examples."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from samewise import SimilarityEnsemble

from ..conftest import ROOT
from .page_blocks import assert_shown, blocks_of, fits, read
from .page_needs import NEEDS, reports, write

EXAMPLES = ROOT / "docs" / "examples"
TEMPLATES = {path.name: path for path in sorted((ROOT / "docs" / "templates").glob("*.md"))}
PAGES = {path.name: path for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]} | TEMPLATES
"""Pages by name; of one that is made from a template, this."""

READ = [name for name, page in PAGES.items() if any(block.runs for block in blocks_of(page))]
SHOWN = {"toml", "yaml", "json"}
JAVA = shutil.which("java") is not None or "JAVA_HOME" in os.environ


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A model that is quick to load and to save."""
    rows = reports(60)
    model = SimilarityEnsemble(
        ["length", "bow"], members=["gbm"], member_params={"gbm": {"n_estimators": 20}}, random_state=0
    )
    model.fit([(row["sentence1"], row["sentence2"]) for row in rows], [row["score"] for row in rows])
    folder = tmp_path_factory.mktemp("model") / "small"
    model.save(folder)
    return folder


@pytest.fixture
def folder(tmp_path, small, monkeypatch):
    """The present folder: that of a reader, with a small model and the examples, these also as in a checkout."""
    shutil.copytree(EXAMPLES, tmp_path / "page")
    shutil.copytree(small, tmp_path / "page" / "small")
    shutil.copytree(EXAMPLES, tmp_path / "page" / "docs" / "examples")
    monkeypatch.chdir(tmp_path / "page")
    for name, value in {"COLUMNS": "80", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "no_proxy": "*"}.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "page"


@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks of the shell need bash")
@pytest.mark.parametrize("name", READ)
def test_blocks_of_a_page_run_and_print_what_is_shown(name, folder, capsys):
    needs = NEEDS.get(name)
    if needs:
        for module in needs.modules:
            pytest.importorskip(module, reason=f"{module} is not installed")
        if "pyspark" in needs.modules and not JAVA:
            pytest.skip("there is no Java")
        for file, content in needs.files.items():
            write(folder / file, content)
    read(PAGES[name], folder, capsys)


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_run_compared_or_excepted(name):
    text, blocks = PAGES[name].read_text(encoding="utf-8"), blocks_of(PAGES[name])
    fences = re.findall(r"^ *(?:```|~~~)", text, flags=re.MULTILINE)
    assert len(fences) == 2 * len(blocks), (
        "a block begins with ``` and a word at the start of a line, and ends with ```"
    )
    assert {block.kind for block in blocks} <= {"python", "sh", "text", *SHOWN}, "mark what the block is"
    assert len(re.findall(r"^<!-- not (?:run|compared)", text, flags=re.MULTILINE)) == sum(
        block.exception is not None for block in blocks
    )
    for block in blocks:
        assert block.exception != "run" or block.kind not in SHOWN, "what is only shown needs no reason"
        assert block.exception != "compared" or block.kind == "text", "only text is compared"


def test_what_pages_need_is_what_they_use():
    assert set(NEEDS) <= set(READ), "remove the needs of pages that are gone"
    for name, needs in NEEDS.items():
        used = needs.after + "".join(block.text for block in blocks_of(PAGES[name]) if block.exception != "run")
        assert not [word for word in [*needs.files, *needs.instead] if word not in used], name


@pytest.mark.parametrize("script", [path.name for path in sorted(EXAMPLES.glob("*.py"))])
def test_an_example_runs_and_changes_no_other(script, folder):
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [
        path.name
        for path in EXAMPLES.iterdir()
        if path.is_file() and (folder / path.name).read_bytes() != path.read_bytes()
    ] == []


@pytest.mark.parametrize(
    ("shown", "printed", "fit"),
    [
        ("same  0.808, 1,142 pairs", "same 0.809, 1,143 pairs", True),
        ("same  0.20", "same 0.22", False),
        ("same  142 pairs", "different 142 pairs", False),
        ("5,1,4.10407", "5,1,4.104070186614990", True),
        ("5,1,4.10407", "5,1,4.204070186614990", False),
        ("features:full-805a4a8c", "features:full-806a4a8c", False),
        ("model samewise:...", "model samewise:0.1.0|x", True),
        ("model samewise:...", "signature samewise:0.1.0|x", False),
        ("p = 9e-14", "p = 4e-15", True),
    ],
)
def test_what_counts_as_shown(shown, printed, fit):
    assert fits(shown, printed) is fit


def test_left_out_lines_are_any_lines():
    assert_shown("...\nb\n...\nd\n", "a\nb\nc\nd\n")
    assert_shown("a\n", "a\n", "a warning\n")
    for shown in ("b\n...\n", "...\nb\n", "a\nb\nc\n", "a\nb\nc\nd\ne\n", "...\nd\nb\n...\n"):
        with pytest.raises(AssertionError):
            assert_shown(shown, "a\nb\nc\nd\n")
