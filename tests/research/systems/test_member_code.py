"""The digest of a member's code: it follows the files that the member uses, on a copy of the package."""

import json
import os
import subprocess
import sys

import pytest

from ...recipes import copy_of_package

MEMBERS = {
    "ridge": {"learner": "ridge"},
    "weighed": {"learner": "ridge", "weights": "feature_decay"},
    "logistic": {"learner": "logistic"},
    "mixture": {"learner": "gaussian_mixture"},
    "tree": {"learner": "model_tree"},
    "rf": {"learner": "rf"},
    "xgb": {"learner": "xgb"},
    "lstm": {"network": "lstm"},
    "tree_lstm": {"network": "tree_lstm"},
    "dl_word": {"network": "dl_word"},
}
CODE = """
import json, sys
from samewise.research.systems.member_code import code_digest
from samewise.research.systems.specification import Member
print(json.dumps({name: code_digest(Member(**facts)) for name, facts in json.loads(sys.argv[1]).items()}))
"""


def digests(folder):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", CODE, json.dumps(MEMBERS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    copy_of_package(folder)
    return folder, digests(folder)


ALL_LEARNERS = {"ridge", "weighed", "logistic", "mixture", "tree", "rf", "xgb"}


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("research/learners/graded_logistic.py", {"logistic"}),
        ("research/learners/grade_mixture.py", {"mixture"}),
        ("research/learners/model_tree.py", {"tree"}),
        ("research/learners/feature_decay.py", {"weighed"}),
        ("research/learners/column_scaling.py", ALL_LEARNERS),
        ("models/regressors/rf.py", {"rf"}),
        ("models/tree_ensembles/conversion.py", {"rf", "xgb"}),
        ("research/networks/recurrent.py", {"lstm"}),
        ("research/networks/tree_lstm.py", {"tree_lstm"}),
        ("research/networks/network_fitting.py", {"lstm", "tree_lstm"}),
        ("models/neural/pair_network.py", {"dl_word"}),
    ],
)
def test_a_change_of_a_file_reaches_the_members_that_use_it(file, changed, package):
    folder, before = package
    path = folder / "samewise" / file
    source, text = path.resolve(), path.read_text(encoding="utf-8")
    path.unlink()
    try:
        path.write_text(f"{text}\n\nADDED = 1\n", encoding="utf-8")
        after = digests(folder)
        assert {name for name in MEMBERS if after[name] != before[name]} == changed
    finally:
        path.unlink()
        path.symlink_to(source)


def test_a_comment_changes_nothing(package):
    folder, before = package
    path = folder / "samewise" / "research" / "learners" / "learner.py"
    source, text = path.resolve(), path.read_text(encoding="utf-8")
    path.unlink()
    try:
        path.write_text(f'"""Another docstring."""\n# A remark.\n{text.partition(chr(10))[2]}', encoding="utf-8")
        assert digests(folder) == before
    finally:
        path.unlink()
        path.symlink_to(source)
