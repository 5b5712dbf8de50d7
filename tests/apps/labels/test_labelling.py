"""Tasks for annotators, their key, the formats they are handed out in, and the answers that come back."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.apps.labels import Pair, make_tasks, read_annotations
from samewise.apps.labels.exchange import interface_xml, sheet_csv, tasks_json
from samewise.apps.labels.task_answers import read_controls, read_key, write_key
from samewise.apps.labels.tasks import guidelines, guidelines_text
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner

PAIRS = [Pair(f"p{k}", f"A boat carries {k} sacks.", f"Sacks, {k} of them, are on a boat.") for k in range(23)]
CONTROLS = [Pair(f"c{k}", f"The clock struck {k}.", f"It was {k} o'clock.", k + 0.5) for k in range(4)]


def flat(rounds):
    return [item for one in rounds for item in one]


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 23), st.integers(2, 7), st.integers(1, 3), st.booleans(), st.booleans(), st.integers(0, 99))
def test_every_pair_is_laid_out_once_a_round(count, per_task, rounds, controlled, fill, seed):
    pairs, controls = PAIRS[:count], CONTROLS if controlled else []
    made = make_tasks(pairs, controls, per_task=per_task, rounds=rounds, fill=fill, seed=seed)
    assert len(made) == rounds
    for items in made:
        assert Counter(item.pair for item in items if item.pair and item.score is None) == Counter(
            p.name for p in pairs
        )
    tasks = Counter(item.task for item in flat(made))
    assert max(tasks.values()) <= per_task
    if fill:
        assert len(set(tasks.values())) == 1
    for task in tasks:
        inside = [item for item in flat(made) if item.task == task]
        assert [item.position for item in inside] == list(range(1, len(inside) + 1))
        assert sum(item.score is not None for item in inside) == bool(controls)
        assert len({(item.sentence1, item.sentence2) for item in inside}) == len(inside)
    names = [item.pair for item in flat(made) if item.score is not None]
    assert len(names) == len(set(names))
    used = Counter(name.partition("#")[0] for name in names)
    assert not used or max(used.values()) - min(used[c.name] for c in controls) <= 1


def test_the_same_seed_gives_the_same_tasks():
    first, again, other = (make_tasks(PAIRS, CONTROLS, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_tasks_of_another_export_have_other_names():
    def names(*args, **settings):
        return {item.task for item in flat(make_tasks(*args, **settings))}

    here = names(PAIRS)
    assert here == names(PAIRS)
    assert not here & (names(PAIRS[::-1]) | names(PAIRS, seed=1) | names(PAIRS, CONTROLS) | names(PAIRS, per_task=4))


def test_controls_and_sides_tell_nothing():
    items = flat(make_tasks(PAIRS, CONTROLS, rounds=60, seed=0))
    places = Counter(item.position for item in items if item.score is not None)
    assert (
        set(places) == {1, 2, 3, 4, 5} and min(places.values()) > 40
    )  # 72 each on average, a standard deviation of 7.6
    sides = [item.swapped for item in items]
    assert 0.45 < sum(sides) / len(sides) < 0.55
    shown = tasks_json(items) + sheet_csv(items)
    assert not any(name in shown for name in ("c0", "p0", "control", "score", "swapped"))


def test_a_swapped_item_shows_the_second_sentence_first():
    items = flat(make_tasks(PAIRS, seed=0))
    data = {(each["data"]["task"], k): each["data"] for each in json.loads(tasks_json(items)) for k in range(1, 6)}
    for item in items:
        found = data[item.task, item.position]
        shown = [found[f"first{item.position}"], found[f"second{item.position}"]]
        original = [item.sentence1, item.sentence2]
        assert shown == (original[::-1] if item.swapped else original)


def test_tasks_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="the pairs of a task must be at least 2, one of them the control, got 1"):
        make_tasks(PAIRS, CONTROLS, per_task=1)
    with pytest.raises(ValueError, match="the annotators of a pair must be at least 1, got 0"):
        make_tasks(PAIRS, rounds=0)
    twin = Pair("twin", PAIRS[3].sentence2, PAIRS[3].sentence1, 4.0)
    with pytest.raises(ValueError, match="control pairs must differ .*, got 'twin' with the sentences of 'p3'"):
        make_tasks(PAIRS, [twin])


def test_a_control_with_the_name_of_a_pair_gets_another():
    items = flat(make_tasks(PAIRS[:3], [CONTROLS[0]._replace(name="p1")], per_task=2, seed=0))
    assert [item.pair for item in items if item.score is not None] == ["control-p1", "control-p1#2", "control-p1#3"]


def test_the_key_comes_back_as_it_was(tmp_path):
    items = flat(make_tasks(PAIRS, CONTROLS, fill=True, seed=5))
    write_key(str(tmp_path / "key.csv"), items)
    assert list(read_key(str(tmp_path / "key.csv")).values()) == items
    known = read_controls(str(tmp_path / "key.csv"))
    assert known == {item.pair: item.score for item in items if item.score is not None}


def test_the_guidelines_have_every_grade_with_its_example():
    told = guidelines()
    assert [grade.value for grade in told.grades] == [5, 4, 3, 2, 1, 0]
    sentences = [text for grade in told.grades for text in grade.example]
    assert len(set(sentences)) == 12
    for text in [*sentences, *(grade.meaning for grade in told.grades)]:
        assert text in guidelines_text()
        assert any(
            text in (node.get("value") or "") for node in ElementTree.fromstring(interface_xml(1)).iter("Header")
        )


def test_the_interface_fits_the_tasks():
    items = flat(make_tasks(PAIRS, CONTROLS, fill=True))
    view = ElementTree.fromstring(interface_xml(5))
    shown = {node.get("name"): node.get("value") for node in view.iter("Text")}
    assert len(shown) == 10
    for task in json.loads(tasks_json(items)):
        assert set(task) == {"data"} and all(value.removeprefix("$") in task["data"] for value in shown.values())
        assert {f"${key}" for key in task["data"]} - {"$task"} == set(shown.values())
    controls = list(view.iter("Choices"))
    assert [node.get("toName") for node in controls] == [f"first{k}" for k in range(1, 6)]
    assert all(node.get("toName") in shown and node.get("required") == "true" for node in controls)
    assert [[choice.get("alias") for choice in node] for node in controls] == [list("543210")] * 5


def test_a_sheet_holds_no_formula():
    items = [flat(make_tasks([Pair("p", "=1+1", "@home, it rains", None)]))[0]]
    text = sheet_csv(items)
    assert text.startswith("\ufeff")
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert {row["sentence1"], row["sentence2"]} == {"'=1+1", "'@home, it rains"} and row["label"] == row[
        "annotator"
    ] == ""


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def truth_of(item):
    """Return the grade that an annotator of the tests gives: the known score, or one by the number in the sentence."""
    return int(item.score if item.score is not None else int(item.pair[1:] or 0) % 6) if item.pair else 0


@pytest.fixture
def tables(tmp_path):
    def write(name, pairs, columns):
        with open(tmp_path / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(pair[: len(columns)] for pair in pairs)

    write("pairs.csv", PAIRS, ["id", "sentence1", "sentence2"])
    write("controls.csv", CONTROLS, ["id", "sentence1", "sentence2", "score"])
    return tmp_path


@pytest.fixture
def studio(tables):
    done = run(
        "label", "export", tables / "pairs.csv", "-o", tables / "tasks.json", "--controls", tables / "controls.csv"
    )
    assert done.exit_code == 0, done.output
    assert "set the annotations per task to 5" in done.stdout and "6 tasks share 4 control pairs" in done.stderr
    return tables, json.loads((tables / "tasks.json").read_text()), read_key(str(tables / "tasks.key.csv"))


def full_export(tasks, key, people):
    """Export as Label Studio does: JSON, one entry a task with all annotations."""
    made = []
    for number, task in enumerate(tasks, 1):
        name = task["data"]["task"]
        annotations = []
        for who in people:
            result = [
                {
                    "value": {"choices": [str(truth_of(key[name, k]))]},
                    "id": f"x{k}",
                    "from_name": f"grade{k}",
                    "to_name": f"first{k}",
                    "type": "choices",
                    "origin": "manual",
                }
                for k in range(1, 6)
            ]
            annotations.append(
                {"id": 1, "completed_by": who, "result": result, "was_cancelled": False, "lead_time": 61.5}
            )
        annotations.append({"id": 2, "completed_by": 9, "result": [], "was_cancelled": True, "lead_time": 3})
        made.append({"id": number, "annotations": annotations, "drafts": [], "predictions": [], **task})
    return made


def min_export(tasks, key, people):
    """Export as Label Studio does: JSON-MIN, one entry an annotation, with the data beside the choices."""
    return [
        {
            **task["data"],
            "id": number,
            **{f"grade{k}": str(truth_of(key[task["data"]["task"], k])) for k in range(1, 6)},
            "annotator": who,
            "annotation_id": 7,
            "created_at": "2024-05-01T10:00:00Z",
            "updated_at": "2024-05-01T10:00:00Z",
            "lead_time": 61.5,
        }
        for number, task in enumerate(tasks, 1)
        for who in people
    ]


def saved(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_label_studio_there_and_back(studio):
    folder, tasks, key = studio
    people = [3, {"id": 4, "email": "ann@example.org"}]
    full = saved(folder / "full.json", full_export(tasks, key, people))
    small = saved(folder / "min.json", min_export(tasks, key, [3, "ann@example.org"]))
    for name, path in (("full", full), ("min", small)):
        out = folder / f"{name}.csv"
        done = run("label", "import", path, "--key", folder / "tasks.key.csv", "-o", out)
        assert done.exit_code == 0, done.output
        assert ("6 tasks" in done.stderr and "skipped" in done.stderr) == (name == "full")
    assert (folder / "full.csv").read_text() == (folder / "min.csv").read_text()
    rows = list(csv.DictReader((folder / "full.csv").read_text().splitlines()))
    assert list(rows[0]) == ["annotator", "pair", "label", "task", "seconds", "sentence1", "sentence2"]
    assert rows[0]["seconds"] == "61.5"
    found = read_annotations(folder / "full.csv")
    assert found.annotators == ("3", "ann@example.org")
    assert {pair for pair in found.pairs if pair.startswith("p")} == {pair.name for pair in PAIRS}
    assert sum(pair.startswith("c") for pair in found.pairs) == 6  # one a task; the filling pairs are gone
    assert found.texts["p7"] == (PAIRS[7].sentence1, PAIRS[7].sentence2)  # the sides as they were
    for row in found.rows():
        assert row.label == (int(row.pair[1:]) % 6 if row.pair[0] == "p" else int(row.pair[1]))


def spoilt(studio, spoil):
    folder, tasks, key = studio
    made = full_export(tasks, key, [1, 2])
    spoil(made)
    return run(
        "label", "import", saved(folder / "x.json", made), "--key", folder / "tasks.key.csv", "-o", folder / "x.csv"
    )


def _no_grade(made):
    del made[1]["annotations"][0]["result"][2]


def _bad_grade(made):
    made[1]["annotations"][0]["result"][2]["value"]["choices"] = ["9"]


def _twice(made):
    made[0]["annotations"][1]["completed_by"] = 1


def _nobody(made):
    made[0]["annotations"][0]["completed_by"] = None


def _other_task(made):
    made[0]["data"]["task"] = "t9999"


def _not_ours(made):
    del made[0]["data"]["task"]


def _imported(made):
    del made[0]["annotations"]


def _strange(made):
    made[0]["annotations"] = ["?"]


def _unlabelled(made):
    for each in made:
        each["annotations"] = []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (_no_grade, "entry 2 of"),
        (_no_grade, "-0002: the annotator must choose a grade, got none of 1"),
        (_bad_grade, "the label must be a number from 0 to 5, got '9'"),
        (_twice, "an annotator must label a pair once, got '1' with the pair"),
        (_nobody, "must name the annotator, got none"),
        (_other_task, "the key must have every position, got position 1 of task 't9999'"),
        (_not_ours, "must have 'task' in its data, got none"),
        (_imported, "use an export, not the imported file"),
        (_strange, "entry 1 of"),
        (_strange, "must have the format of Label Studio"),
        (_unlabelled, "must hold at least one answer, got none; label some tasks first"),
    ],
)
def test_bad_exports_are_refused_with_place_and_remedy(studio, spoil, told):
    done = spoilt(studio, spoil)
    assert done.exit_code == 1 and told in done.stderr
    assert not (studio[0] / "x.csv").exists()


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not JSON"])
def test_what_is_no_export_is_refused(studio, text):
    folder = studio[0]
    (folder / "x.json").write_text(text)
    done = run("label", "import", folder / "x.json", "--key", folder / "tasks.key.csv", "-o", folder / "x.csv")
    assert done.exit_code == 1 and "export it as JSON or JSON-MIN" in done.stderr


@pytest.fixture
def sheets(tables):
    done = run(
        *("label", "export", tables / "pairs.csv", "-o", tables / "sheet.csv"),
        *("--controls", tables / "controls.csv", "--annotators", 3, "--seed", 4),
    )
    assert done.exit_code == 0, done.output
    assert (tables / "sheet.guidelines.md").read_text() == guidelines_text()
    return tables, [tables / f"sheet-{k}.csv" for k in (1, 2, 3)], read_key(str(tables / "sheet.key.csv"))


def fill(path, key, delimiter=",", annotator="", grade=truth_of):
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, rows[0].keys(), delimiter=delimiter)
    writer.writeheader()
    for row in rows:
        item = key[row["task"], int(row["position"])]
        writer.writerow({**row, "label": grade(item), "annotator": annotator})
    path.write_text(text.getvalue(), encoding="utf-8")


def test_sheets_there_and_back_to_gold(sheets):
    folder, paths, key = sheets
    fill(paths[0], key)
    fill(paths[1], key, delimiter=";", annotator="ben")
    fill(paths[2], key, delimiter="\t", grade=lambda item: f"{truth_of(item)},0")
    done = run("label", "import", *paths, "--key", folder / "sheet.key.csv", "-o", folder / "labels.csv")
    assert done.exit_code == 0, done.output
    found = read_annotations(folder / "labels.csv")
    assert found.annotators == ("ben", "sheet-1", "sheet-3")
    done = run(
        *("label", "gold", folder / "labels.csv", "--controls", folder / "sheet.key.csv", "-o", folder / "gold.csv"),
    )
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((folder / "gold.csv").read_text().splitlines()))
    assert {row["pair"]: float(row["score"]) for row in rows} == {p.name: int(p.name[1:]) % 6 for p in PAIRS}
    assert "control pairs, whose score was known" in done.stderr


def test_every_sheet_has_an_order_of_its_own(sheets):
    _, paths, key = sheets
    orders = []
    for path in paths:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
        orders.append([key[row["task"], int(row["position"])].pair for row in rows])
        assert {name for name in orders[-1] if name[0] == "p"} == {pair.name for pair in PAIRS}
    assert orders[0] != orders[1] != orders[2]


def test_rows_without_a_label_are_told(sheets):
    folder, paths, key = sheets
    fill(paths[0], key, grade=lambda item: "" if item.pair == "p3" else truth_of(item))
    done = run("label", "import", paths[0], "--key", folder / "sheet.key.csv", "-o", folder / "labels.csv")
    assert done.exit_code == 0 and "1 rows of" in done.stderr and "have no label" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("-0001,1,", "-0001,first,", "line 2 of"),
        ("-0001,1,", "-0001,first,", "the position must be a number, got 'first'"),
        ("-0001,1,", "-7777,1,", "-7777'; use the key that was written with these tasks"),
        ("label", "grade", "must have the column 'label'"),
        ("-0001,2,", "-0001,1,", "an annotator must label a pair once, got"),
    ],
)
def test_bad_sheets_are_refused_with_row_and_remedy(sheets, old, new, told):
    folder, paths, key = sheets
    fill(paths[0], key)
    paths[0].write_text(paths[0].read_text().replace(old, new, 1))
    done = run("label", "import", paths[0], "--key", folder / "sheet.key.csv", "-o", folder / "labels.csv")
    assert done.exit_code == 1 and told in done.stderr


def test_a_label_out_of_range_is_refused(sheets):
    folder, paths, key = sheets
    fill(paths[0], key, grade=lambda item: 7)
    done = run("label", "import", paths[0], "--key", folder / "sheet.key.csv", "-o", folder / "labels.csv")
    assert done.exit_code == 1 and "line 2 of" in done.stderr and "must be a number from 0 to 5, got '7'" in done.stderr


def test_a_key_among_the_answers_is_told(sheets):
    folder, paths, key = sheets
    fill(paths[0], key)
    done = run("label", "import", *folder.glob("sheet*.csv"), "--key", folder / "sheet.key.csv", "-o", folder / "x.csv")
    assert done.exit_code == 1 and "is the key and holds no answers" in done.stderr


def test_a_key_is_never_overwritten(studio):
    folder = studio[0]
    before = (folder / "tasks.key.csv").read_text()
    done = run("label", "export", folder / "pairs.csv", "-o", folder / "tasks.json", "--seed", 9)
    assert done.exit_code == 1 and "exists already" in done.stderr
    assert (folder / "tasks.key.csv").read_text() == before


def test_filled_sheets_are_never_overwritten(sheets):
    folder, paths, key = sheets
    fill(paths[1], key)
    (folder / "sheet.key.csv").unlink()
    done = run("label", "export", folder / "pairs.csv", "-o", folder / "sheet.csv", "--annotators", 3)
    assert done.exit_code == 1 and "sheet-1.csv exists already, and it may hold answers" in done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "id,sentence1,sentence2\nx,a,b\nx,c,d\n",
            "line 3 of .*names of pairs must be unique, got 'x' of line 2; change it",
        ),
        ("id,sentence1,sentence2\n,a,b\n", "line 2 of .*the pair has no name; fill the column 'id'"),
        ("id,sentence1,sentence2\n", "must hold at least one pair, got none"),
        ("id,text\n1,a\n", "has no column 'sentence1'"),
    ],
)
def test_bad_pairs_are_refused(tmp_path, text, told):
    (tmp_path / "pairs.csv").write_text(text)
    done = run("label", "export", tmp_path / "pairs.csv", "-o", tmp_path / "tasks.json")
    assert done.exit_code == 1 and re.search(told, done.stderr)
    assert not (tmp_path / "tasks.json").exists()


def test_controls_need_scores(tables):
    done = run("label", "export", tables / "pairs.csv", "-o", tables / "t.json", "--controls", tables / "pairs.csv")
    assert done.exit_code == 1 and "must have the column 'score' for control pairs" in done.stderr


def test_the_tool_must_be_known(tables):
    assert run("label", "export", tables / "pairs.csv", "-o", tables / "tasks.txt").exit_code == 2
    assert run("label", "export", tables / "pairs.csv", "-o", tables / "t.csv", "--as", "paper").exit_code == 2
    done = run("label", "export", tables / "pairs.csv", "-o", tables / "tasks.txt", "--as", "label-studio")
    assert done.exit_code == 0 and (tables / "tasks.key.csv").exists()


def test_pairs_without_names_are_named_by_file_and_row(tmp_path):
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2\na b,c d\ne f,g h\n")
    done = run("label", "export", tmp_path / "pairs.csv", "-o", tmp_path / "sheet.csv", "--annotators", 1)
    assert done.exit_code == 0
    assert {item.pair for item in read_key(str(tmp_path / "sheet.key.csv")).values()} == {"pairs-1", "pairs-2"}
    assert (tmp_path / "sheet.csv").exists()
