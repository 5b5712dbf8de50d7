"""The tutorial on labels runs as it stands, and its figures are what it says of them."""

import csv
import json
import re

import pytest

from .tutorials import EXAMPLES, blocks, last_table, needs_bash, run_page, written

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client")

PAGE = "labels-tutorial.md"
FILES = ("repair-desk.txt", "repair-desk-later.txt", "repair-desk-facts.csv")


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order(tmp_path, monkeypatch, capsys):
    ran = run_page(PAGE, FILES, tmp_path, monkeypatch, capsys, hosts=("127.0.0.1",))
    kinds = ["sh", "sh", "sh", "python", "sh", "sh", "sh", "python", "sh", "sh", "python", "sh", "python", "python"]
    assert [block.kind for block, *_ in ran] == kinds
    out = [printed for _, printed, _ in ran]
    measured, best, served = out[9], out[12], out[13]

    check_choice(tmp_path)
    check_sheets(tmp_path)
    check_gold(out[4], out[8], tmp_path)

    systems = last_table(measured, "system")
    pearson = {
        name: float(cells[0]) for name, cells in systems.items() if name in {"model-1", "surface", "full", "my-model"}
    }
    told = {"my-model": 0.75, "model-1": 0.72, "surface": 0.59, "full": 0.67}
    assert pearson == {name: pytest.approx(figure, abs=0.04) for name, figure in told.items()}
    assert pearson["surface"] < pearson["full"] < pearson["model-1"] < pearson["my-model"]
    # Of surface the interval of the difference is below 0; of the others it ends near 0.
    ends = {
        name: float(re.search(r"to ([+-]\d\.\d+)", " ".join(systems[name]))[1]) for name in told if name != "my-model"
    }
    assert ends["surface"] < 0 and max(ends.values()) < 0.05

    first, *others = best.splitlines()
    assert float(first.split()[0]) > 3.7 and first.endswith("The road has a hole in Station Street.")
    assert any("There is a pothole in Station Street." in line for line in others)
    assert float(first.split()[0]) > max(float(line.split()[0]) for line in others) + 0.2
    top = max(table(tmp_path / "scored.csv"), key=lambda row: float(row["score"]))
    score, signature, status = served.split()
    assert float(score) == float(top["score"]) and status == "0"
    assert signature in measured and "features:full" in signature and "train:gold.csv" in signature


def check_choice(folder):
    assert [row["rank"] for row in table(folder / "round-1.csv")] == [str(rank) for rank in range(1, 61)]
    rounds = [
        {frozenset((row["sentence1"], row["sentence2"])) for row in table(folder / f"round-{k}.csv")} for k in (1, 2)
    ]
    assert not rounds[0] & rounds[1] and len(rounds[0] | rounds[1]) == 120
    kept_apart = {text for pair in rounds[0] | rounds[1] for text in pair}
    assert not kept_apart & {row[side] for row in table(folder / "aside.csv") for side in ("sentence1", "sentence2")}
    facts = {row["sentence"] for row in table(folder / "repair-desk-facts.csv")}
    assert kept_apart < facts


def check_sheets(folder):
    assert {"studio.json", "studio.interface.xml", "studio.key.csv", "round-1-sheet.guidelines.md"} <= written(folder)
    assert "pair" not in table(folder / "round-1-sheet-1.csv")[0]
    tasks = [
        {row["task"] for row in table(folder / f"{name}.key.csv")}
        for name in ("round-1-sheet", "round-2-sheet", "studio")
    ]
    assert not tasks[0] & tasks[1] and not tasks[0] & tasks[2]
    assert len(json.loads((folder / "studio.json").read_text(encoding="utf-8"))) == 12


def check_gold(first, both, folder):
    for printed, people, pairs in ((first, 2, 100), (both, 1, 120)):
        assert printed.count("Eve") == people and printed.count("5 kept, 1 dropped") == people
        agreement = re.findall(r"^(all annotators|those kept) +\S+ +(\S+)", printed, flags=re.MULTILINE)
        assert [name for name, _ in agreement] == ["all annotators", "those kept"] * people
        assert all(
            float(after) > float(before)
            for (_, before), (_, after) in zip(agreement[::2], agreement[1::2], strict=True)
        )
        assert f"{pairs} with a score" in printed
    assert all(f"{name}.html" in written(folder) for name in ("round-1-gold", "aside-gold", "gold"))
    grades = {round(float(row["score"])) for row in table(folder / "gold.csv")}
    assert grades == {0, 1, 2, 3, 4, 5}


def test_the_example_is_what_the_text_says():
    lists = [(EXAMPLES / name).read_text(encoding="utf-8").splitlines() for name in FILES[:2]]
    assert list(map(len, lists)) == [120, 48]
    facts = [row["sentence"] for row in table(EXAMPLES / FILES[2])]
    assert facts == [*lists[0], *lists[1]] and len(set(facts)) == 168


def test_every_step_tells_what_to_look_at():
    from .conftest import ROOT

    steps = re.split(r"^## (?=\d)", (ROOT / "docs" / PAGE).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert [step.count("**Look at**") for step in steps] == [1] * 10
    assert {block.kind for block in blocks(PAGE)} == {"sh", "python"}
