"""`samewise research wordnet` on a tiny WordNet."""

import json

from samewise.ensemble.commands.cli import app
from samewise.features.lexicon.wordnet_folder import load_wordnet
from typer.testing import CliRunner

from ...features.lexicon import tiny_wordnet


def run(*words):
    return CliRunner().invoke(app, ["research", "wordnet", *map(str, words)])


def test_a_package_of_nltk_is_built(tmp_path):
    tiny_wordnet.write_packages(tmp_path, "wordnet31")
    done = run(
        *("--from", "nltk", "--corpus", "wordnet31", "--nltk-data", tmp_path, "--information-content", "ic-tiny.dat"),
        *("--json", "-o", tmp_path / "out"),
    )
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    net = load_wordnet(tmp_path / "out")
    assert net.digest == facts["digest"]
    assert (facts["synsets"], facts["words"]) == (23, net.size)
    assert facts["information_content"] == ["ic-tiny", "semcor", "senses", "words"]


def test_a_folder_is_built_and_described(database, tmp_path):
    (database / "cntlist.rev").unlink()
    done = run("--from", database, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0].split() == ["digest", load_wordnet(tmp_path / "out").digest]
    assert done.stdout.splitlines()[1].split() == ["synsets", "23"]
    assert done.stdout.splitlines()[3] == "information content  semcor, senses, words"
    assert done.stderr == "samewise: without cntlist.rev, the information content semcor is 0 throughout\n"
    assert run("--from", database, "-o", tmp_path / "out", "--quiet").stderr == ""


def test_a_file_is_no_place_for_arrays(database, tmp_path):
    (tmp_path / "out").write_text("mine")
    done = run("--from", database, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert done.stderr.startswith("samewise: the output must be a folder, got the file ")
    assert (tmp_path / "out").read_text() == "mine"


def test_nothing_is_no_language(database, tmp_path):
    done = run("--from", database, "-o", tmp_path / "out", "--language", "")
    assert done.exit_code == 2
    assert "--language" in done.stderr and "must not be empty" in done.stderr
