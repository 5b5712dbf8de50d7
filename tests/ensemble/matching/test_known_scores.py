"""Scores in a file: none is computed twice, and results are those of a run without it."""

import numpy as np
import pytest
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.known_scores import KnownScores
from samewise.ensemble.matching.options import DedupeOptions
from samewise.ensemble.matching.pair_scores import score_candidates
from samewise.ensemble.matching.texts import TextCollection
from samewise.ensemble.scoring.worker_processes import Workers
from samewise.ensemble.tables.table_reader import TableError

TEXTS = ["a", "bb", "ccc", "dddd", "eeeee"]


class Lengths:
    """Model whose score is the product of the lengths over 10; it counts the pairs that it reads."""

    def __init__(self, signature="lengths"):
        self.signature, self.read = signature, 0

    def predict_pairs(self, pairs):
        self.read += len(pairs)
        score = np.array([len(a) * len(b) / 10 for a, b in pairs])
        return Prediction(score, score / 2, score + 1, [("long",) if "ccc" in pair else () for pair in pairs])


def completed(path, model, ends, texts=TEXTS):
    known = KnownScores(path)
    first, second = (np.array(side, np.int64) for side in zip(*ends, strict=True))
    candidates = Candidates(TextCollection(texts, []), first, second, {})
    with Workers(model, 1) as pool:
        found = known.completed(candidates, model, lambda some: score_candidates(some, pool))
    known.write()
    return found


def test_known_pairs_are_not_scored_again(tmp_path):
    path, model = tmp_path / "scores", Lengths()
    completed(path, model, [(0, 2), (1, 3)])
    assert model.read == 2
    found = completed(path, model, [(0, 1), (1, 3), (0, 2), (3, 4)])
    assert model.read == 4
    assert found.score.tolist() == [0.2, 0.8, 0.3, 2.0]
    assert found.low.tolist() == [0.1, 0.4, 0.15, 1.0]
    assert [found.flag_sets[place] for place in found.flags] == [(), (), ("long",), ()]
    assert found.resumed == 2
    turned = completed(path, model, [(0, 1)], ["bb", "a"])
    assert (turned.score.tolist(), model.read) == ([0.2], 4)


def test_scores_belong_to_a_model_and_to_texts(tmp_path):
    path = tmp_path / "scores"
    completed(path, Lengths(), [(0, 1)])
    other, texts = Lengths("another"), Lengths()
    completed(path, other, [(0, 1)])
    completed(path, texts, [(0, 1)], ["a", "bbb"])
    assert (other.read, texts.read) == (1, 1)
    again = Lengths("another")
    assert completed(path, again, [(0, 1), (0, 1)]).score.tolist() == [0.2, 0.2]
    assert again.read == 0


def test_another_file_is_refused_and_stays(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(TableError, match=r"notes\.txt must be scores that samewise wrote, got another file; name"):
        KnownScores(path)
    assert path.read_text(encoding="utf-8") == "mine"


def write(path, texts):
    path.write_text("".join(f"{text}\n" for text in ["text", *texts]), encoding="utf-8")
    return path


def test_other_thresholds_and_more_rows_in_files(tmp_path):
    questions = [f"{start} the {thing} of hut {k}?" for k in (3, 4) for thing in ("stove", "roof", "well")
                 for start in ("Who mends", "Who repairs", "Where is")]  # fmt: skip
    source, scores = write(tmp_path / "in.csv", questions), tmp_path / "scores"

    def run(name, same_from, **settings):
        options = DedupeOptions(same_from=same_from, unsure_from=2.0)
        summary = dedupe_file(source, tmp_path / name, model="fast", workers=1, options=options, **settings)
        return summary, [(tmp_path / f"{name[:1]}{file}.csv").read_bytes() for file in ("", ".removed", ".review")]

    first, _ = run("a.csv", 4.0, scores=scores)
    assert (first.resumed, first.candidates > 9) == (0, True)
    again, files = run("b.csv", 3.0, scores=scores)
    assert again.resumed == again.candidates == first.candidates
    assert again.removed == first.rows_removed[3.0]
    assert files == run("c.csv", 3.0)[1]
    write(source, [*questions, "Where is the bell of hut 3?"])
    more, _ = run("d.csv", 3.0, scores=scores)
    assert 0 < more.resumed < more.candidates


def test_the_file_is_no_output(tmp_path):
    source = write(tmp_path / "in.csv", ["Who is there?"])
    with pytest.raises(TableError, match="the outputs must be different files"):
        dedupe_file(source, tmp_path / "out.csv", model="surface", scores=tmp_path / "out.csv")
