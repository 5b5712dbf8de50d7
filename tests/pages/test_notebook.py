"""A notebook runs, and draws results below its cells."""

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks are built with nbformat, which is not installed")
nbclient = pytest.importorskip("nbclient", reason="notebooks are executed with nbclient, which is not installed")
pytest.importorskip("ipykernel", reason="notebooks are executed by ipykernel, which is not installed")

CELLS = {
    "import samewise\nmodel = samewise.load('surface')\nmodel": ("text/plain", "Predictor(model='surface', "),
    "pairs = [('A ferry leaves.', 'The ferry left.')]\nmodel.predict_pairs(pairs)": ("text/plain", "Prediction(n=1, "),
    "model.explain(pairs)[0]": ("text/html", '<iframe title="Explanation of a score" '),
    "samewise.evaluate([0, 2, 4], [1, 2, 5])": ("text/html", "<table>"),
    "samewise.SimilarityEnsemble('length', members=['gbm'])": ("text/html", "sk-estimator"),
    "samewise.match(['Snow fell.'], ['Snow falls.'], model=model, workers=1, progress=True)": (None, "scoring"),
}
"""What is drawn below each cell: its MIME type, none for a bar of progress, and a part of it."""


def test_cells_run_and_draw_their_results(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    for cell, (kind, part) in zip(notebook.cells, CELLS.values(), strict=True):
        results = [each["data"] for each in cell["outputs"] if each["output_type"] == "execute_result"]
        others = [
            each.get("text") or each["data"] for each in cell["outputs"] if each["output_type"] != "execute_result"
        ]
        assert part in (results[0][kind] if kind else str(others)), cell["source"]
