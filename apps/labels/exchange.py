"""Tasks as spreadsheets and for Label Studio.

Label Studio: the formats follow the pages "Import data", "Label Studio JSON format of annotated tasks" and "Tags" of
labelstud.io, and for JSON-MIN the output of label-studio-converter.
"""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...ensemble.tables.table_reader import TableError
from .annotations import label_of
from .task_answers import Answer
from .tasks import Item, by_task, guidelines


def tasks_json(items: Sequence[Item]) -> str:
    """Return the tasks as JSON to import: one object for each task with the texts that the interface shows."""
    tasks = []
    for name, group in by_task(items).items():
        data = {"task": name}
        for item in group:
            data[f"first{item.position}"], data[f"second{item.position}"] = item.shown
        tasks.append({"data": data})
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def interface_xml(per_task: int) -> str:
    """Return the labelling interface for tasks of `per_task` pairs: the guidelines, folded, then the pairs."""
    manual = guidelines()
    view = ElementTree.Element("View")
    panel = ElementTree.SubElement(ElementTree.SubElement(view, "Collapse"), "Panel", value=manual.title)
    inside = ElementTree.SubElement(panel, "View")
    _header(inside, manual.introduction)
    for grade in manual.grades:
        _header(inside, f"{grade.value}: {grade.name}. {grade.meaning}")
        _header(inside, "\u201c{}\u201d \u2013 \u201c{}\u201d".format(*grade.example))
    for k in range(1, per_task + 1):
        box = ElementTree.SubElement(view, "View", style="margin-top: 1.5em")
        _header(box, f"Pair {k}", "4")
        for side in ("first", "second"):
            ElementTree.SubElement(box, "Text", name=f"{side}{k}", value=f"${side}{k}")
        facts = {"name": f"grade{k}", "toName": f"first{k}", "choice": "single-radio", "showInline": "true"}
        message = f"Please choose a grade for pair {k}."
        choices = ElementTree.SubElement(box, "Choices", {**facts, "required": "true", "requiredMessage": message})
        for grade in manual.grades:
            # Exports hold the alias.
            ElementTree.SubElement(choices, "Choice", value=f"{grade.value}: {grade.name}", alias=str(grade.value))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _header(parent: ElementTree.Element, text: str, size: str = "6") -> None:
    ElementTree.SubElement(parent, "Header", value=text, size=size)


def read_label_studio(path: str) -> tuple[list[Answer], int]:
    """Read an export, JSON or JSON-MIN; return the answers, and the number of tasks that annotators skipped."""
    try:
        exported = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except (RecursionError, ValueError) as error:
        raise TableError(f"{path} must be JSON: {error}; export it as JSON or JSON-MIN") from None
    if not isinstance(exported, list) or not all(isinstance(each, dict) for each in exported):
        raise TableError(f"{path} must be a list of tasks from Label Studio; export it as JSON or JSON-MIN")
    answers: list[Answer] = []
    skipped = 0
    for number, record in enumerate(exported, 1):
        where = f"entry {number} of {path}"
        try:
            record_answers, record_skipped = _of_record(record, where)
        except (AttributeError, TypeError):
            raise TableError(f"{where} must have the format of Label Studio; export it again") from None
        answers += record_answers
        skipped += record_skipped
    return answers, skipped


def _of_record(record: dict[str, Any], where: str) -> tuple[list[Answer], int]:
    """Return the answers of a task of JSON, or of an annotation of JSON-MIN, and the number of skipped annotations."""
    if not isinstance(record.get("data"), dict):
        return list(_answers(record, record.get("annotator"), record, record.get("lead_time"), where)), 0
    if "annotations" not in record:
        raise TableError(f"{where} must have annotations, got none; use an export, not the imported file")
    answers: list[Answer] = []
    for annotation in record["annotations"]:
        if not annotation.get("was_cancelled"):
            grades = dict(_results(annotation.get("result") or ()))
            seconds = annotation.get("lead_time")
            answers += _answers(record["data"], annotation.get("completed_by"), grades, seconds, where)
    return answers, sum(bool(annotation.get("was_cancelled")) for annotation in record["annotations"])


def _results(results: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    for result in results:
        if result.get("type") == "choices":
            yield str(result.get("from_name")), (result.get("value") or {}).get("choices")


def _answers(
    data: dict[str, Any], annotator: Any, grades: dict[str, Any], seconds: Any, where: str
) -> Iterator[Answer]:
    if "task" not in data:
        raise TableError(f"{where} must have 'task' in its data, got none; use tasks of `samewise label export`")
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    if annotator in (None, ""):
        raise TableError(f"{where} must name the annotator, got none; export it with the details of users")
    position = 1
    while f"first{position}" in data:
        value = grades.get(f"grade{position}")
        value = value[0] if isinstance(value, list) and len(value) == 1 else value
        place = f"{where}, pair {position} of task {data['task']}"
        if value is None:
            raise TableError(
                f"{place}: the annotator must choose a grade, got none of {annotator}; "
                "complete the task or delete the answer"
            )
        try:
            label = label_of(str(value).partition(":")[0])
        except ValueError as error:
            raise TableError(f"{place}: {error}; correct it") from None
        time = float(seconds) if isinstance(seconds, int | float) else None
        yield Answer(str(annotator), str(data["task"]), position, label, time, place)
        position += 1


SHEET = ("annotator", "task", "position", "sentence1", "sentence2", "label")
"""Columns of a sheet."""

# Spreadsheet programs read a cell that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t")


def sheet_csv(items: Sequence[Item]) -> str:
    """Return a sheet: one row for each pair, with empty columns ``annotator`` and ``label``."""
    text = io.StringIO(newline="")
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(SHEET)
    for item in items:
        writer.writerow(["", item.task, item.position, *map(_plain, item.shown), ""])
    return text.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def read_sheet(path: str) -> tuple[list[Answer], int]:
    """Read a sheet, with commas, semicolons or tabs; return the answers, and the number of rows without a label."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError(f"{path} must be UTF-8; save the sheet as CSV in UTF-8") from None
    answers: list[Answer] = []
    empty = 0
    for line, row in _rows(text, path):
        label = str(row["label"] or "").strip().replace(",", ".")
        if not label:
            empty += 1
            continue
        where = f"line {line} of {path}"
        try:
            value, position = label_of(label), int(str(row["position"] or ""))
        except ValueError as error:
            reason = str(error) if "label" in str(error) else f"the position must be a number, got {row['position']!r}"
            raise TableError(f"{where}: {reason}; correct it or leave the label empty") from None
        annotator = str(row.get("annotator") or "").strip() or Path(path).stem
        answers.append(Answer(annotator, str(row["task"]).strip(), position, value, _seconds(row), where))
    return answers, empty


def _rows(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing_columns = [name for name in ("task", "position", "label") if name not in (reader.fieldnames or ())]
    if missing_columns:
        raise TableError(
            f"{path} must have the column {missing_columns[0]!r}; use a sheet of `samewise label export --as csv`"
        )
    try:
        for row in reader:
            if any(value for value in row.values()):
                yield reader.line_num, row
    except csv.Error as error:
        raise TableError(f"line {reader.line_num} of {path} must be CSV: {error}; save the sheet again") from None


def _seconds(row: dict[str, Any]) -> float | None:
    try:
        return float(row["seconds"])
    except (KeyError, TypeError, ValueError):
        return None
