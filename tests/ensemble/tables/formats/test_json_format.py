"""JSON: arrays, and objects on several lines, are read with the lines in which they begin."""

import json

import pyarrow as pa
import pytest
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_writer import TableWriter

from ..written_tables import read, write

ROWS = [
    {"id": 1, "sentence1": "A [dog], runs.", "sentence2": "Ein Hund läuft."},
    {"id": None, "sentence1": "b", "sentence2": "", "more": [1, {"a": "]"}]},
]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (json.dumps(ROWS), [1, 1]),
        ("\ufeff \n" + json.dumps(ROWS, ensure_ascii=False), [2, 2]),
        (json.dumps(ROWS, indent=1), [2, 7]),
        ("[\n" + ",\n".join(map(json.dumps, ROWS)) + "\n]\n", [2, 3]),
        ("\n".join(json.dumps(row, indent=2) for row in ROWS), [1, 6]),
        ("\n".join(map(json.dumps, ROWS)), [1, 2]),
    ],
)
def test_arrays_and_objects(tmp_path, content, lines):
    rows, pairs, rejects, numbers = read(write(tmp_path / "t.json", content), batch_size=1)
    assert [row["id"] for row in rows] == [1, None]
    assert pairs == [("A [dog], runs.", "Ein Hund läuft."), ("b", "")]
    assert json.loads(rows[1]["more"]) == [1, {"a": "]"}]
    assert (rejects, numbers) == ([], lines)


def test_bad_elements(tmp_path):
    lines = ['[{"sentence1": "a", "sentence2": "b"},', '{"sentence1": "c",},', '"x", 3,', '{"sentence1": "d"},', "]"]
    _, pairs, rejects, numbers = read(write(tmp_path / "t.json", "\n".join(lines)))
    assert (pairs, numbers) == ([("a", "b")], [1])
    assert [reject.line for reject in rejects] == [2, 3, 3, 4]
    assert [reject.reason.partition(":")[0] for reject in rejects] == [
        "not JSON",
        "JSON, but not an object",
        "JSON, but not an object",
        "sentence2 is missing",
    ]


def test_what_is_written(tmp_path):
    for count in (0, 1, 3):
        with TableWriter(tmp_path / "t.json") as writer:
            for place in range(count):
                writer.write(pa.record_batch({"sentence1": ["ğ"], "n": [place]}))
            writer.write(pa.record_batch({"sentence1": pa.array([], pa.string()), "n": pa.array([], pa.int64())}))
        assert json.loads((tmp_path / "t.json").read_text()) == [{"sentence1": "ğ", "n": n} for n in range(count)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"sentence1": "a", "sentence2": "b"}]', r"must have one JSON object a line, got an array; name it \.json"),
        ('\n[\n {"sentence1": "a"}\n]', r"or convert it by jq -c '\.\[\]'$"),
        ('{\n "sentence1": "a"\n}', r"line 1: not JSON: .*; name it \.json, as objects take several lines"),
    ],
)
def test_json_that_is_not_in_lines(tmp_path, content, message):
    with pytest.raises(TableError, match=message):
        read(write(tmp_path / "t.jsonl", content))
