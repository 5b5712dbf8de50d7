"""A notebook that is executed: what a reader sees below its cells."""

import re

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks are built with nbformat, which is not installed")
nbclient = pytest.importorskip("nbclient", reason="notebooks are executed with nbclient, which is not installed")
pytest.importorskip("ipykernel", reason="notebooks are executed by ipykernel, which is not installed")

CELLS = {
    "completion": "import samewise\nget_ipython().kernel.do_complete('samewise.', 9)['matches']",
    "model": "model = samewise.load('surface')\nmodel",
    "prediction": "pairs = [('A ferry leaves.', 'The ferry <b>left</b>.'), ('Snow fell.', 'Snow fell.')]\n"
    "model.predict_pairs(pairs)",
    "explanation": "model.explain(pairs)[0]",
    "evaluation": "samewise.evaluate([0, 2, 4], [1, 2, 5], groups=['a<i>', 'b', 'a<i>'])",
    "estimator": "samewise.SimilarityEnsemble('length', members=['gbm'])",
    "duplicates": "samewise.dedupe(['Snow fell.', 'Snow fell.'], model=model, workers=1)",
    "progress": "samewise.match(['Snow fell.'], ['Snow falls.'], model=model, workers=1, progress=True).num_rows",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Outputs of the cells by their names: of each its MIME types, and what was written."""
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path_factory.mktemp("nb"))}},
    )
    client.execute()
    return {name: cell["outputs"] for name, cell in zip(CELLS, notebook.cells, strict=True)}


def shown(outputs, name, kind="text/plain"):
    [data] = [each["data"] for each in outputs[name] if each["output_type"] == "execute_result"]
    return data[kind]


@pytest.mark.slow
def test_completion_finds_the_public_names(outputs):
    names = shown(outputs, "completion")
    assert set(re.findall(r"\w+", names)) == {
        *("FeatureMatrix", "Index", "Pair", "PairFeatures", "SentenceKFold", "SimilarityEnsemble"),
        *("dedupe", "evaluate", "feature", "load", "match", "score", "score_table"),
    }


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("model", "Predictor(model='surface', "),
        ("prediction", "Prediction(n=2, score=["),
        ("explanation", "Explanation(score="),
        ("evaluation", "Evaluation(n=3, "),
        ("estimator", "SimilarityEnsemble(features='length', members=['gbm'])"),
        ("duplicates", "Deduplicated(n=2, kept=[0], "),
    ],
)
def test_reprs_are_short(outputs, name, start):
    text = shown(outputs, name)
    assert text.startswith(start) and len(text) < 600


def test_an_explanation_is_drawn_in_a_frame(outputs):
    html = shown(outputs, "explanation", "text/html")
    assert html.startswith('<iframe title="Explanation of a score" srcdoc="') and 'sandbox=""' in html
    assert "Words that match" in html and "ferry" in html and "<b>" not in html


def test_an_evaluation_is_drawn_as_a_table(outputs):
    html = shown(outputs, "evaluation", "text/html")
    assert "<table>" in html and "Pearson" in html and "a&lt;i&gt;" in html and "<i>" not in html


def test_an_estimator_is_drawn_by_scikit_learn(outputs):
    assert "sk-estimator" in shown(outputs, "estimator", "text/html")


def test_a_bar_shows_the_progress(outputs):
    assert shown(outputs, "progress") == "1"
    written = "".join(each["text"] for each in outputs["progress"] if each["output_type"] == "stream")
    drawn = "".join(str(each["data"]) for each in outputs["progress"] if each["output_type"] == "display_data")
    assert "scoring" in written + drawn
